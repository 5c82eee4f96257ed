"""Whether, and how, the adapter of each benchmark would drive a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from datasets.errors import ModelError
from sut.adapter import Adapter
from sut.adapters.bert import bert_adapter
from sut.adapters.resnet50 import resnet50_adapter
from sut.backend import Tensor

_Maker = Callable[[Sequence[Tensor], Sequence[Tensor], Mapping[str, str]], Adapter]
_ADAPTERS: Mapping[str, _Maker] = {"resnet50": resnet50_adapter, "bert": bert_adapter}


@dataclass(frozen=True)
class Driving:
    """What one adapter makes of a model."""

    benchmark: str
    facts: Mapping[str, str] = field(default_factory=dict)
    """What it detected; empty where it can't drive the model."""
    reason: str = ""
    """Why it can't."""


def driving(inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> tuple[Driving, ...]:
    """The verdict of each adapter on a model with these inputs and outputs."""
    return tuple(_driving(benchmark, inputs, outputs) for benchmark in _ADAPTERS)


def _driving(benchmark: str, inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> Driving:
    try:
        adapter = _ADAPTERS[benchmark](inputs, outputs, {})
    except ModelError as error:
        return Driving(benchmark, reason=str(error))
    return Driving(benchmark, dict(adapter.facts))
