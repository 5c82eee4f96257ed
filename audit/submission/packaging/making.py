"""How a model of lower precision was made, where loadproof made it: its plan holds the facts."""

from __future__ import annotations

from dataclasses import dataclass

from audit.submission.packaging.choosing import Chosen

_NO_CALIBRATION = "none"


@dataclass(frozen=True)
class Making:
    """Post-training: no weight was trained again."""

    source: str
    """The name of the model that it was made from."""
    method: str
    calibration: str
    """The list of samples that decided the ranges; empty where none did."""


def making_of(chosen: Chosen) -> Making | None:
    """What the model's own metadata said when the runs were planned; None for any other model."""
    facts = chosen.plan.document["facts"]
    if not {"made_from", "method", "calibration"} <= facts.keys():
        return None
    calibration = facts["calibration"]
    return Making(
        source=facts["made_from"].partition(",")[0],
        method=facts["method"],
        calibration="" if calibration == _NO_CALIBRATION else calibration,
    )
