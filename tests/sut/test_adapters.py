"""Which adapter drives a model is told from the benchmark and from the model itself."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from datasets.errors import UsageError
from sut.adapters import OPTIONS, adapter_for
from sut.backend import Tensor


def backend(*inputs: Tensor, outputs: tuple[Tensor, ...] = ()) -> Any:
    return SimpleNamespace(inputs=inputs, outputs=outputs)


SIMULATED = backend(Tensor("answer", "float32", (None,)))
RESNET50 = backend(
    Tensor("input_tensor:0", "float32", (None, 224, 224, 3)),
    outputs=(Tensor("ArgMax:0", "int64", (None,)),),
)


@pytest.mark.parametrize("benchmark", list(OPTIONS))
def test_a_model_that_takes_answers_is_simulated(benchmark: str) -> None:
    adapter = adapter_for(benchmark, SIMULATED, {})
    assert adapter.outputs == ("answer",)
    assert benchmark in adapter.facts["model"]


def test_options_of_others_are_left_alone() -> None:
    adapter = adapter_for("resnet50", RESNET50, {"pad": "7", "arena": "off", "label_offset": "0"})
    assert adapter.facts["label_offset"] == "0: as asked"


def test_an_unknown_benchmark_is_refused() -> None:
    with pytest.raises(UsageError, match="'bert-99'; use one of: resnet50, bert"):
        adapter_for("bert-99", RESNET50, {})
