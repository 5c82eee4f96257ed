"""What the commands that look for good settings do. Each returns an exit code."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from harness import exits
from harness.commands.terminal import attended, say, say_json

if TYPE_CHECKING:
    from pathlib import Path

    from harness.request import Request
    from harness.running.display import Display
    from harness.sweep.record import SweepRecord
    from harness.sweep.request import SweepRequest


def search_command(request: Request, most_runs: int, as_json: bool) -> int:
    """The highest VALID Server rate; exit 1 where none was found."""
    from harness.report.search import render
    from harness.searching import search

    with attended() as (display, stop):
        found = search(request, most_runs, display, stop)
    if as_json:
        say_json(found.record.document())
    else:
        say(render(found))
    answer = found.record.answer
    return exits.FINE if answer and answer.rate_qps else exits.FINDINGS


def sweep_command(wanted: SweepRequest, plan_only: bool, as_json: bool) -> int:
    """Every configuration and which to use; exit 1 where none can be recommended, or planned.

    The plan comes first, on standard error; with ``plan_only`` nothing follows it.
    """
    from harness.report.sweep import plan_lines, render
    from harness.sweep.estimate import estimate_of
    from harness.sweeping import sweep

    grid = wanted.grid()
    with attended() as (display, stop):
        for line in plan_lines(grid, estimate_of(wanted, grid)):
            display.note(line)
        if plan_only:
            return exits.FINE if grid.configurations else exits.FINDINGS
        record = sweep(wanted, grid, display, stop)
        files = [wanted.record, *_drawn(record, wanted.folder, display)]
    if as_json:
        say_json(record.document())
    else:
        say(render(record, files))
    return exits.FINE if wanted.met_by(record.recommendations) else exits.FINDINGS


def _drawn(record: SweepRecord, folder: Path, display: Display) -> list[Path]:
    from harness.report.plot import can_draw, draw

    if can_draw():
        return draw(record, folder)
    display.note("No plot was drawn: matplotlib is not installed; install loadproof[report].")
    return []


def hint_command(folder: Path, as_json: bool) -> int:
    """Where the time of performance runs went and what to try next; exit 1 where none can tell, or
    a record can't be read.

    Of each run that allows no hint, standard error says why.
    """
    from harness.report.bottleneck import document, render
    from harness.tuning.hinted_runs import hinted_runs

    found = hinted_runs(folder)
    uses = found.uses
    for name, why in found.left_out:
        sys.stderr.write(f"No hint for {name}: {why}.\n")
    for sentence in found.unreadable:
        sys.stderr.write(f"{sentence}\n")
    if as_json:
        say_json(document(uses))
    elif uses:
        say(render(uses))
    else:
        say(f"No performance run in {folder} allows a hint.")
    return exits.FINE if uses and not found.unreadable else exits.FINDINGS
