"""The least that a check of a submission can do: read every file, and recognise every log line.

``python -m tests.benchmarks.recognise TREE`` prints how many lines there were.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from audit.submission.subject import DETAIL
from harness.running.parallel import run_tasks

FILES = 256
"""That one process reads at a time."""
LINE = re.compile(
    r'^:::MLLOG \{"key": "(?P<key>[^"\\]+)", "value": (?P<value>.*), "time_ms": [-+.\deE]+, '
    r'"namespace": "[^"]*", "event_type": "[^"]*", '
    r'"metadata": \{"is_error": (?P<is_error>true|false), "is_warning": (?P<is_warning>true|false)'
    r"[^{}]*\}\}",
    re.MULTILINE,
)


def lines_of(files: Sequence[str]) -> int:
    """The lines of LoadGen's in ``files``, all of which are read."""
    return sum(_lines_in(file) for file in files)


def _lines_in(file: str) -> int:
    text = Path(file).read_text("utf-8", errors="replace")
    return sum(1 for _ in LINE.finditer(text)) if file.endswith(DETAIL) else 0


def main() -> None:
    folders = os.walk(sys.argv[1])
    files = [f"{folder}/{name}" for folder, _, names in folders for name in names]
    parts = [files[start : start + FILES] for start in range(0, len(files), FILES)]
    counted = run_tasks([partial(lines_of, part) for part in parts], lambda *_: None)
    sys.stdout.write(f"{sum(counted)}\n")


if __name__ == "__main__":
    main()
