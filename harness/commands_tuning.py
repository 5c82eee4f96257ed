"""What the commands that look for good settings do. Each returns an exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console

from harness import exits
from harness.report.live import Display, display_for
from harness.stop import StopRequests

if TYPE_CHECKING:
    from harness.request import Request


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


def _say_json(document: Any) -> None:
    _say(json.dumps(document, indent=2, ensure_ascii=False))


@contextmanager
def _attended() -> Iterator[tuple[Display, StopRequests]]:
    """A display that is closed, and signals that are heeded, whatever happens."""
    display = display_for(Console(stderr=True))
    try:
        with StopRequests() as stop:
            yield display, stop
    finally:
        display.close()


def search_command(request: Request, most_runs: int, as_json: bool) -> int:
    """The highest VALID Server rate; exit 1 where none was found."""
    from harness.report.search import render
    from harness.searching import search

    with _attended() as (display, stop):
        found = search(request, most_runs, display, stop)
    if as_json:
        _say_json(found.record.document())
    else:
        _say(render(found))
    answer = found.record.answer
    return exits.FINE if answer and answer.rate_qps else exits.FINDINGS
