"""Running a command of loadproof in this process, as its command line does."""

from __future__ import annotations

from pathlib import Path

from harness.cli.app import app, guarded


def run(*words: str | Path) -> int:
    """The exit code; answers go to standard output, sentences to standard error."""
    return guarded(lambda: app([str(word) for word in words]))
