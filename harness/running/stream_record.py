"""The ``streams`` member of run.json: batches, waits, and where the streams' time went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sut.predictor import Predictor
from sut.streams import StreamStatistics


def stream_record(statistics: StreamStatistics, predictors: Sequence[Predictor]) -> dict[str, Any]:
    """What a stream counted, with the time that its ``predictors`` spent outside the backend set
    apart; audit/schemas/run.json says what each member is."""
    gather_s = sum(predictor.spent.gather_ns for predictor in predictors) / 1e9
    answers_s = sum(predictor.spent.answers_ns for predictor in predictors) / 1e9
    return asdict(statistics) | {
        "gather_s": gather_s,
        "predict_s": statistics.predict_s - gather_s - answers_s,
        "complete_s": statistics.complete_s + answers_s,
    }
