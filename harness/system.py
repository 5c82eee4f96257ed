"""Opening a system under test from a spec: sessions on devices, the samples, the streams."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.library import SampleLibrary
from harness.spec import BackendSpec, Batching, Scenario
from sut import adapters, devices
from sut.adapter import Adapter, Answers
from sut.backend import Backend, OpenRequest, provider
from sut.predictor import Predictor
from sut.streams import Batching as BatchingStream
from sut.streams import Complete, Fail, Inline, Slices, Stream

ADAPTER_OPTIONS = ("pad",)
"""Backend options that the adapter reads instead of the runtime."""


@dataclass(frozen=True)
class Session:
    """One open session and the adapter that drives it."""

    backend: Backend
    adapter: Adapter

    def predictor(self, library: SampleLibrary) -> Predictor:
        return Predictor(self.backend, self.adapter, library.gather)


def open_sessions(
    benchmark: str, wanted: BackendSpec, model: Path | None, batching: Batching, stack: ExitStack
) -> list[Session]:
    """``batching.streams`` sessions on each device of ``wanted``, closed with ``stack``.

    Raises DeviceError where a device asked for is not the one that would be used.
    """
    opened = []
    for index in wanted.devices:
        devices.pin_near(wanted.device, index)
        for _ in range(batching.streams):
            opened.append(open_session(benchmark, wanted, model, batching.threads, index, stack))
    return opened


def open_session(
    benchmark: str,
    wanted: BackendSpec,
    model: Path | None,
    threads: int,
    index: int,
    stack: ExitStack,
) -> Session:
    """One session on device ``index``."""
    adapter_options = {key: wanted.options[key] for key in ADAPTER_OPTIONS if key in wanted.options}
    request = OpenRequest(
        model=model,
        device=wanted.device,
        index=index,
        threads=threads,
        precision=wanted.precision,
        options={k: v for k, v in wanted.options.items() if k not in ADAPTER_OPTIONS},
    )
    backend = provider(wanted.name).open(request)
    stack.callback(backend.close)
    return Session(backend, adapters.adapter_for(benchmark, backend, adapter_options))


def make_stream(
    scenario: Scenario,
    predicts: Sequence[Callable[[NDArray[np.int64]], Answers]],
    batching: Batching,
    library: SampleLibrary,
    complete: Complete,
    fail: Fail,
) -> Stream:
    """The stream that a scenario wants: inline, slices, or dynamic batches."""
    if scenario == "Offline":
        return Slices(predicts, complete, fail, batching.max_batch, library.lengths)
    if scenario == "Server":
        return BatchingStream(
            predicts, complete, fail, batching.max_batch, batching.max_delay_us / 1e6
        )
    return Inline(predicts[0], complete, fail, batching.max_batch)


def describe(sessions: Sequence[Session]) -> Mapping[str, Any]:
    """What was opened, for the record: the device really used and what the adapter detected."""
    first = sessions[0]
    return {
        "device_used": ", ".join(sorted({session.backend.device for session in sessions})),
        "facts": dict(first.adapter.facts),
        "needs": {"layout": first.adapter.needs.layout, "dtype": first.adapter.needs.dtype},
        "max_batch": first.adapter.max_batch,
    }
