"""The performance runs under a folder that a hint may speak of, and why it does not of the others.

A hint about a run that failed, answered nothing or was edited since would send people the wrong
way. Only the first levels of folders are looked at, as deep as evidence has its runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit import schema
from audit.brevity import shortened
from audit.evidence.sealing import seal_record
from datasets.errors import EvidenceError, UsageError
from harness.running.rundir import RUN_RECORD
from harness.tuning.use import Use, use_of

DEEPEST = 6
"""Levels below the folder named: OUT/ID/BENCHMARK/SCENARIO/TEST/performance/run_N."""
MOST_FOLDERS = 20_000
"""That are looked into; more than a soak of the most runs has."""


@dataclass(frozen=True)
class HintedRuns:
    """By the names of their folders, relative to the one that was looked at."""

    uses: tuple[tuple[str, Use], ...]
    """Where the time of each good run went."""
    left_out: tuple[tuple[str, str], ...]
    """Performance runs that allow no hint, and why."""
    unreadable: tuple[str, ...]
    """Of each record that can't be read, the sentence that says so."""


def hinted_runs(folder: Path) -> HintedRuns:
    """UsageError where ``folder`` is none, EvidenceError where no run lies in it."""
    uses: list[tuple[str, Use]] = []
    left_out: list[tuple[str, str]] = []
    unreadable: list[str] = []
    for path in _record_files(folder):
        try:
            record = schema.read(path, "run")
        except EvidenceError as error:
            unreadable.append(str(error))
            continue
        if record["spec"]["mode"] != "performance":
            continue
        name = str(path.parent.relative_to(folder))
        why, use = _why_not(record), use_of(record)
        if why or use is None:
            left_out.append((name, why or "it was recorded without its times"))
        else:
            uses.append((name, use))
    return HintedRuns(tuple(uses), tuple(left_out), tuple(unreadable))


def _record_files(folder: Path) -> list[Path]:
    if not os.path.lexists(folder):
        raise UsageError(f"There is no folder {shortened(folder)}; name a run or an evidence one.")
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder; name the folder of a run, or an evidence folder.")
    found = sorted(_walked(folder))
    if not found:
        raise EvidenceError(
            f"There is no {RUN_RECORD} in {folder}; name a run or an evidence folder."
        )
    return found


def _walked(folder: Path) -> Iterator[Path]:
    """Records below ``folder``; nothing lies below a run, and what is hidden was set aside."""
    for seen, (at, folders, files) in enumerate(os.walk(folder), 1):
        if seen > MOST_FOLDERS:
            raise UsageError(
                f"{folder} holds more than {MOST_FOLDERS} folders; name a run or an evidence one."
            )
        if RUN_RECORD in files:
            yield Path(at, RUN_RECORD)
        depth = len(Path(at).relative_to(folder).parts)
        below = depth < DEEPEST and RUN_RECORD not in files
        folders[:] = [name for name in folders if below and not name.startswith(".")]


def _why_not(record: Mapping[str, Any]) -> str:
    """Why no hint can rest on a record; empty where one can."""
    samples = record["samples"]
    if record["seal"] != seal_record(record):
        return f"its {RUN_RECORD} was changed since the run"
    if record["outcome"] != "finished":
        cause = shortened(record["cause"])
        return f"it {record['outcome']}: {cause}" if cause else f"it {record['outcome']}"
    if samples["failed"] or samples["empty"]:
        return f"{samples['failed']} of its answers failed and {samples['empty']} were empty"
    return ""
