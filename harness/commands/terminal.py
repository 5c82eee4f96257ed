"""What every command does with the terminal: answers on standard output, progress on standard
error, and signals that are heeded meanwhile."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console

from harness.report.live import display_for
from harness.running.display import Display
from harness.stop import StopRequests


def say(text: str) -> None:
    """An answer, on standard output."""
    sys.stdout.write(f"{text}\n")


def say_json(document: Any) -> None:
    """An answer for programs, on standard output."""
    say(json.dumps(document, indent=2, ensure_ascii=False))


@contextmanager
def attended() -> Iterator[tuple[Display, StopRequests]]:
    """A display that is closed, and signals that are remembered, whatever happens."""
    display = display_for(Console(stderr=True))
    try:
        with StopRequests() as stop:
            yield display, stop
    finally:
        display.close()
