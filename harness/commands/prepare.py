"""What ``loadproof prepare`` does, once the command line has been read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

from harness import exits
from harness.commands.terminal import attended, say, say_json
from harness.preparing import Preparation, Ready
from harness.report.width import fitted
from harness.request import Request
from harness.running.errands import Errands


def prepare_command(
    request: Request, prepare: Callable[[Preparation], list[Ready]], as_json: bool
) -> int:
    """Prepare what ``prepare`` asks for; what is ready, and where, on standard output."""
    with attended() as (display, stop):
        errands = Errands(request, request.cache / "prepare.log", stop, display)
        ready = prepare(Preparation(errands))
    if as_json:
        say_json([asdict(thing) for thing in ready])
    else:
        rows = [
            (
                thing.what,
                "" if thing.samples is None else thing.samples,
                f"{thing.size_bytes / 1e6:,.1f} MB",
                thing.path,
            )
            for thing in ready
        ]
        say(fitted(rows, ("ready", "samples", "size", "where")))
    return exits.FINE
