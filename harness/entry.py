"""Where the command begins: signals and output are taken care of before anything large is loaded.

A signal at any moment from here on ends the command with a sentence and the exit code for it.
"""

from __future__ import annotations

import sys

from harness.stop import Interrupted, heed_signals, ignore_signals

_USAGE, _INTERRUPTED = 2, 130
"""As in harness.exits, which can't be loaded before our package datasets is known to be ours."""


def main() -> None:
    """The console command."""
    try:
        heed_signals()
        code = _run()
    except Interrupted as signal:
        ignore_signals()
        sys.stderr.write(f"loadproof: {signal}\n")
        code = _INTERRUPTED
    ignore_signals()
    sys.exit(code)


def _run() -> int:
    try:
        from harness.output import take_over

        channels = take_over()
        from harness.cli.app import app, guarded
    except ModuleNotFoundError as error:
        return _missing(error)
    return channels.settle(guarded(app))


def _missing(error: ModuleNotFoundError) -> int:
    """Say which package hides ours, if that is what keeps the command from being loaded."""
    if not (error.name or "").startswith("datasets"):
        raise error
    from harness.host.shadow import OWN_ENVIRONMENT, foreign_datasets

    sys.stderr.write(f"loadproof: {foreign_datasets()}: {OWN_ENVIRONMENT}\n")
    return _USAGE
