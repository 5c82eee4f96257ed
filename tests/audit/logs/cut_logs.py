"""Accuracy logs as published submissions carry them: cut in the middle, with whole lines around."""

from __future__ import annotations

import re
from pathlib import Path

from audit.logs.accuracy_log import AccuracyRecord

_LINE = re.compile(r'"seq_id" : (\d+), "qsl_idx" : (\d+), "data" : "([0-9A-F]+)" \}')


def visible(path: Path) -> tuple[AccuracyRecord, ...]:
    """The whole answers of a log that a submission has cut."""
    found = _LINE.findall(path.read_text("utf-8"))
    return tuple(
        AccuracyRecord(int(seq), int(index), bytes.fromhex(data), number)
        for number, (seq, index, data) in enumerate(found)
    )
