"""Where the time of runs went, as a table, and what each of them could try next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tabulate import tabulate

from audit import schema
from datasets.errors import EvidenceError
from harness.running.rundir import RUN_RECORD
from harness.tuning.bottleneck import Hint, Use, hint, use_of

HEADINGS = (
    "run",
    "scenario",
    "predict %",
    "overhead %",
    "idle %",
    "CPU %",
    "queue",
    "mean batch",
)


def records_in(folder: Path) -> Mapping[str, dict[str, Any]]:
    """Run records in ``folder`` by the names of their folders. EvidenceError where there is none
    that can be read."""
    found = sorted(folder.rglob(RUN_RECORD))
    if not found:
        raise EvidenceError(
            f"There is no {RUN_RECORD} in {folder}; name a run or an evidence folder."
        )
    return {str(path.parent.relative_to(folder)): schema.read(path, "run") for path in found}


def uses_in(folder: Path) -> list[tuple[str, Use]]:
    """Where the time of the performance runs went that came to their end."""
    return [
        (name, use)
        for name, record in records_in(folder).items()
        if record["spec"]["mode"] == "performance" and (use := use_of(record))
    ]


def document(uses: Sequence[tuple[str, Use]]) -> list[dict[str, Any]]:
    """The same as JSON."""
    return [{"run": name, **vars(use), "hint": vars(hint(use))} for name, use in uses]


def render(uses: Sequence[tuple[str, Use]]) -> str:
    """The table, then what each run could try, without a trailing newline."""
    rows = [_row(name, use) for name, use in uses]
    table = tabulate(rows, headers=HEADINGS, tablefmt="simple", disable_numparse=True)
    return "\n\n".join([table, "\n".join(f"{name}: {sentence(hint(use))}" for name, use in uses)])


def sentence(one: Hint) -> str:
    """A hint in one line."""
    return f"{one.waits}: {one.found}. Try {one.next}."


def _row(name: str, use: Use) -> tuple[str, ...]:
    shares = (use.predict, use.overhead, use.idle, use.cpu)
    return (
        name,
        use.scenario,
        *(f"{100 * share:.0f}" for share in shares),
        f"{use.queue:.3g}",
        f"{use.batch:.3g}",
    )
