"""Running the command line as a user does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

LIMIT_S = 600
CHOOSING = ("DATA_DIR", "MODEL_DIR", "OUTPUT_DIR")
"""Variables that stand for options."""
SMOKE = ("qualify", "-b", "resnet50", "-k", "simulated", "--suite", "smoke")
"""The shortest qualification, on the device that needs nothing."""
ID = "simulated-cpu-fp32-simulated"
"""The folder of its evidence."""


def command(*arguments: str | Path) -> list[str]:
    """The command line of loadproof in this environment."""
    return [sys.executable, "-m", "harness", *map(str, arguments)]


def loadproof(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run loadproof to its end."""
    return subprocess.run(
        command(*arguments),
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
        env=clean_environment(),
    )


def clean_environment() -> dict[str, str]:
    """This environment without what chooses data, models and output."""
    return {key: value for key, value in os.environ.items() if key not in CHOOSING}


def started(*arguments: str | Path) -> subprocess.Popen[str]:
    """Loadproof, begun in a session of its own.

    It heeds SIGINT even where these tests don't, as in the background of a shell.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            command(*arguments),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=clean_environment(),
            start_new_session=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)
