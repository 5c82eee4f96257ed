"""The adapters, and which of them drives a model: told from the benchmark and the model itself."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from datasets.errors import UsageError
from sut.adapter import Adapter
from sut.backend import Backend

OPTIONS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "resnet50": {"label_offset": "class of the first label: 0 or 1 (default: by the model)"},
        "bert": {"pad": "tokens of every sample: 384, or batch (default: longest of the batch)"},
    }
)
"""Benchmark → option → what it does. :func:`adapter_for` takes no notice of other options."""


def adapter_for(benchmark: str, backend: Backend, options: Mapping[str, str]) -> Adapter:
    """The adapter that drives the model of ``backend``.

    Raises UsageError for an unknown benchmark or option value, and ModelError where the model's
    inputs and outputs are not those of the benchmark; the sentence says what they are.
    """
    if benchmark not in OPTIONS:
        known = ", ".join(OPTIONS)
        raise UsageError(f"There is no benchmark called {benchmark!r}; use one of: {known}.")
    if [tensor.name for tensor in backend.inputs] == ["answer"]:
        from sut.adapters.simulated import SimulatedAdapter

        return SimulatedAdapter(benchmark)
    if benchmark == "resnet50":
        from sut.adapters.resnet50 import resnet50_adapter

        return resnet50_adapter(backend.inputs, backend.outputs, options)
    from sut.adapters.bert import bert_adapter

    return bert_adapter(backend.inputs, backend.outputs, options)
