"""How a model of each benchmark is brought to each precision (recipes.json), as was found to work.

ResNet50: unsigned activations with signed weights are what ONNX Runtime's fast kernels take on
x86-64; signed ones gain nothing. Its head costs nothing in float32 and loses accuracy in int8.
BERT: with static ranges the embedded model's F1 fell from 90.8 to 79.0, and with dynamic ones to
88.6 until the products behind GELU, whose activations have far outliers, stayed float32. Attention
is fused beforehand, because quantised nodes hide it from the runtime.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from datasets.errors import UsageError


@dataclass(frozen=True)
class Recipe:
    """How a variant is made."""

    kind: Literal["static", "dynamic", "float16"]
    operators: tuple[str, ...]
    """Types of operators that are quantised; empty for all."""
    calibrator: str | None
    """ONNX Runtime's name of how ranges follow from what was seen; None where none is seen."""
    float_behind: tuple[str, ...]
    """Types of operators whose results go into operators that stay float32."""
    method: str
    """In words, as the made file says it."""


def recipe(benchmark: str, precision: str) -> Recipe:
    """UsageError where there is none for the precision; the sentence says which there are."""
    known = _recipes()[benchmark]
    if precision not in known:
        raise UsageError(
            f"{precision} models of {benchmark} can't be made; ask for {' or '.join(known)}."
        )
    entry = known[precision]
    lists = {key: tuple(entry[key]) for key in ("operators", "float_behind")}
    return Recipe(**{**entry, **lists})


@cache
def _recipes() -> dict[str, dict[str, Any]]:
    text = files("sut.quantization").joinpath("recipes.json").read_text("utf-8")
    found: dict[str, dict[str, Any]] = json.loads(text)
    return found
