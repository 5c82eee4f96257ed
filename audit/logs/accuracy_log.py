"""LoadGen's accuracy log: one answer a line, in hex.

Read strictly: a log that is cut, or in which any line is not an answer, is no evidence of accuracy.
LoadGen itself repeats some samples to fill the last query of MultiStream, so a repeated sample is
not wrong; :func:`by_sample` tells whether its answers agree.
"""

from __future__ import annotations

import re
from binascii import unhexlify
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from audit import strict_json
from audit.regular_file import read_regular
from datasets.errors import EvidenceError

_ANSWER = re.compile(
    rb'\{ "seq_id" : ([0-9]{1,18}), "qsl_idx" : ([0-9]{1,18}), "data" : "([0-9A-Fa-f]*)" \}'
)

_VISIBLE = re.compile(
    rb'"seq_id" : [0-9]{1,18}, "qsl_idx" : ([0-9]{1,18}), "data" : "([0-9A-Fa-f]*)" \}'
)
_NUMBER = re.compile(rb'"seq_id" : ([0-9]{1,18}),')
_BEYOND = 1 << 63
"""LoadGen counts in 64 bits."""


class AccuracyRecord(NamedTuple):
    """One logged answer."""

    seq_id: int
    qsl_idx: int
    """The sample's index in the query sample library."""
    data: bytes
    line: int


def read_accuracy_log(path: Path, where: str | None = None) -> tuple[AccuracyRecord, ...]:
    """Read ``mlperf_log_accuracy.json``; ``where`` is how messages name it, its path if not given.

    Raises EvidenceError naming the line where the file is cut, an answer is not whole bytes in
    hex, a sequence number comes twice or a line is not an answer; and where it holds no answer.
    """
    name = where or str(path)
    lines = read_regular(path, name).removeprefix(b"\xef\xbb\xbf").split(b"\n")
    filled = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not filled:
        raise EvidenceError(f"{name} is empty; run accuracy mode again.")
    _require_brackets(filled, name)
    records = tuple(_records(filled[1:-1], name))
    if not records:
        raise EvidenceError(f"{name} holds no answers; only an accuracy run logs them all.")
    _require_new_sequence_numbers(records, name)
    return records


def last_number(raw: bytes) -> int:
    """The highest sequence number that a log that was cut shows; 0 where it shows none."""
    return max(map(int, _NUMBER.findall(raw)), default=0)


def visible_answers(raw: bytes) -> list[tuple[int, bytes]]:
    """(sample, answer) of each answer that is still whole in a log that was cut, in order, as a
    submission holds it."""
    return [
        (int(sample), unhexlify(digits))
        for sample, digits in _VISIBLE.findall(raw)
        if len(digits) % 2 == 0
    ]


def by_sample(records: Iterable[AccuracyRecord]) -> Mapping[int, tuple[AccuracyRecord, ...]]:
    """The answers of each sample, by its index, in the order they were logged."""
    table: dict[int, list[AccuracyRecord]] = {}
    for record in records:
        table.setdefault(record.qsl_idx, []).append(record)
    return {index: tuple(found) for index, found in table.items()}


def conflict(answers: tuple[AccuracyRecord, ...]) -> AccuracyRecord | None:
    """The first answer to a sample that differs from the answer logged before, or None."""
    return next((one for one in answers[1:] if one.data != answers[0].data), None)


def _require_brackets(filled: list[tuple[int, bytes]], name: str) -> None:
    first, last = filled[0], filled[-1]
    if first[1].strip() != b"[":
        raise EvidenceError(
            f'{name}:{first[0]} starts with {_shown(first[1])} instead of "["; '
            "this is not LoadGen's accuracy log."
        )
    if last[1].strip() != b"]":
        raise EvidenceError(
            f'{name}:{last[0]} ends with {_shown(last[1])} instead of "]"; '
            "the log is cut, use the full one."
        )


def _records(lines: list[tuple[int, bytes]], name: str) -> Iterable[AccuracyRecord]:
    final = len(lines) - 1
    for position, (number, line) in enumerate(lines):
        answer = line.rstrip()
        if answer.endswith(b",") != (position < final):
            raise EvidenceError(
                f"{name}:{number} has a comma too many or too few; the log was edited or cut."
            )
        yield _record(answer.removesuffix(b","), number, name)


def _record(answer: bytes, number: int, name: str) -> AccuracyRecord:
    match = _ANSWER.fullmatch(answer)
    if match is None:
        return _unusual_record(answer, number, name)
    seq_id, qsl_idx, digits = match.groups()
    data = _bytes(digits, number, int(qsl_idx), name)
    return AccuracyRecord(int(seq_id), int(qsl_idx), data, number)


def _bytes(digits: bytes, line: int, qsl_idx: int, name: str) -> bytes:
    try:
        return bytes.fromhex(digits.decode("ascii"))
    except ValueError:
        raise EvidenceError(
            f"{name}:{line} answers sample {qsl_idx} with {_shown(digits)}, "
            "which is not whole bytes in hex."
        ) from None


def _unusual_record(answer: bytes, number: int, name: str) -> AccuracyRecord:
    """An answer in another spacing than LoadGen's own."""
    try:
        document: Any = strict_json.loads(answer)
        seq_id, qsl_idx, digits = (document[key] for key in ("seq_id", "qsl_idx", "data"))
    except (ValueError, KeyError, TypeError, RecursionError):
        seq_id = qsl_idx = digits = None
    counted = all(type(one) is int and 0 <= one < _BEYOND for one in (seq_id, qsl_idx))
    if not counted or type(digits) is not str:
        raise EvidenceError(
            f"{name}:{number} is not an answer but {_shown(answer)}; the log is cut or was edited."
        )
    return AccuracyRecord(
        seq_id, qsl_idx, _bytes(digits.encode("utf-8"), number, qsl_idx, name), number
    )


def _require_new_sequence_numbers(records: tuple[AccuracyRecord, ...], name: str) -> None:
    seen: dict[int, int] = {}
    for record in records:
        if record.seq_id in seen:
            raise EvidenceError(
                f"{name}:{record.line} repeats seq_id {record.seq_id} of line "
                f"{seen[record.seq_id]}; two logs were joined or one was edited."
            )
        seen[record.seq_id] = record.line


def _shown(text: bytes) -> str:
    shown = text[:60].decode("utf-8", errors="replace").strip()
    return f'"{shown}…"' if len(text) > 60 else f'"{shown}"'
