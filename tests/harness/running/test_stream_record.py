"""The record of a stream tells its time apart by what was done in it."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from harness.running.stream_record import stream_record
from sut.predictor import Predictor, Spent
from sut.streams.statistics import Tally, total


class Spender:
    spent = Spent(gather_ns=100_000_000, answers_ns=50_000_000)


def test_time_outside_the_backend_is_not_counted_as_its_own() -> None:
    statistics = replace(total([Tally()]), predict_s=2.0, complete_s=0.5, idle_s=0.25)
    spender = cast("Predictor", Spender())
    record = stream_record(statistics, [spender, spender])
    assert [record[f"{part}_s"] for part in ("gather", "predict", "complete", "idle")] == [
        0.2,
        1.7,
        0.6,
        0.25,
    ]
