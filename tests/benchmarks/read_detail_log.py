"""Recognising the lines of LoadGen's detail logs, against decoding them all."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence

from audit.logs.log_lines import read_lines
from audit.submission.subject import DETAIL
from tests.benchmarks.benchmark import Benchmark, Figure, Pair, Place, Round
from tests.benchmarks.check_submission import base

PARSE = "detail logs"


def rounds(place: Place, count: int) -> Iterator[Round]:
    """Every detail log of the small tree, in this process."""
    files = base(place.scratch / "base").rglob(DETAIL)
    texts = [file.read_text("utf-8") for file in files]
    for _ in range(count):
        yield {PARSE: Pair(_seconds(_recognise, texts), _seconds(_decode, texts))}


def _seconds(read: Callable[[str], object], texts: Sequence[str]) -> float:
    began = time.process_time()
    for text in texts:
        read(text)
    return time.process_time() - began


def _recognise(text: str) -> None:
    read_lines(text)


def _decode(text: str) -> None:
    for line in text.splitlines():
        json.loads(line.partition(" ")[2])


BENCHMARKS = (
    Benchmark(
        name="read-detail-log",
        ours="recognising the lines of a submission's detail logs",
        reference="decoding them all",
        figures=(Figure(PARSE, "s", most=1 / 3),),
        rounds=rounds,
    ),
)
