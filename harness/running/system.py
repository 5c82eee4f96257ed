"""Opening a system under test from a spec: sessions on devices, the samples, the streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from datasets.samples.library import SampleLibrary
from harness.spec import BackendSpec, Batching, Scenario, backend_from
from sut import adapters, streams
from sut.adapter import Adapter
from sut.backend import Backend, OpenRequest, provider
from sut.devices import Cores, gpu_cores, near
from sut.predictor import Predictor
from sut.streams import Complete, Fail, Lengths, Predict, Stream


@dataclass(frozen=True)
class Session:
    """One open session, the adapter that drives it, and the cores near its device."""

    backend: Backend
    adapter: Adapter
    cores: Cores

    def predictor(self, library: SampleLibrary) -> Predictor:
        """What a stream calls, in one thread: sample indices to answers."""
        return Predictor(self.backend, self.adapter, library.gatherer())


@dataclass(frozen=True)
class Description:
    """What was opened: the device really used, what the adapter detected, how it wants samples."""

    device_used: str
    facts: dict[str, str]
    layout: str
    dtype: str
    max_batch: int | None


def open_sessions(
    benchmark: str, wanted: BackendSpec, model: Path | None, batching: Batching, stack: ExitStack
) -> list[Session]:
    """``batching.streams`` sessions on each device of ``wanted``, closed with ``stack``.

    Raises DeviceError where a device asked for is not the one that would be used.
    """
    opened = []
    for index in wanted.devices:
        cores = gpu_cores(index) if wanted.device == "gpu" else frozenset()
        with near(cores):
            for _ in range(batching.streams):
                backend = _open(benchmark, wanted, model, batching.threads, index)
                stack.callback(backend.close)
                adapter = adapters.adapter_for(benchmark, backend, wanted.options)
                opened.append(Session(backend, adapter, cores))
    return opened


def sessions_asked_for(
    wanted: Mapping[str, Any], batching: Batching, stack: ExitStack
) -> list[Session]:
    """Those of {benchmark, backend, model}, as every chore is told; as :func:`open_sessions`."""
    model = Path(wanted["model"]) if wanted["model"] else None
    backend = backend_from(wanted["backend"])
    return open_sessions(wanted["benchmark"], backend, model, batching, stack)


def _open(
    benchmark: str, wanted: BackendSpec, model: Path | None, threads: int, index: int
) -> Backend:
    """A session. The adapter's own options are no options of the runtime."""
    adapters_own = adapters.OPTIONS.get(benchmark, {})
    options = {key: value for key, value in wanted.options.items() if key not in adapters_own}
    return provider(wanted.name).open(
        OpenRequest(model, wanted.device, index, threads, wanted.precision, options)
    )


def describe(sessions: Sequence[Session]) -> Description:
    """What the sessions have in common, and every device that they use."""
    adapter = sessions[0].adapter
    return Description(
        device_used=", ".join(dict.fromkeys(session.backend.device for session in sessions)),
        facts=dict(adapter.facts),
        layout=adapter.needs.layout,
        dtype=adapter.needs.dtype,
        max_batch=adapter.max_batch,
    )


def make_stream(
    scenario: Scenario,
    predicts: Sequence[Predict],
    cores: Sequence[Cores],
    batching: Batching,
    library: SampleLibrary,
    complete: Complete,
    fail: Fail,
) -> Stream:
    """The stream that a scenario wants: slices, dynamic batches, or inline."""
    if scenario == "Offline":
        lengths = _lengths(library)
        return streams.Slices(predicts, complete, fail, batching.max_batch, lengths, cores)
    if scenario == "Server":
        delay_s = batching.max_delay_us / 1e6
        return streams.Batching(predicts, complete, fail, batching.max_batch, delay_s, cores)
    return streams.Inline(predicts[0], complete, fail, batching.max_batch)


def has_even_work(scenario: Scenario, library: SampleLibrary) -> bool:
    """Whether every part of a run has about the same work to do. Not in Server, where arrivals
    decide the rate, and not in Offline where samples are answered by falling length."""
    return scenario != "Server" and not (scenario == "Offline" and _lengths(library))


def _lengths(library: SampleLibrary) -> Lengths | None:
    def known(indices: Any) -> Any:
        return library.lengths(indices)

    return None if library.lengths(np.zeros(1, np.int64)) is None else known
