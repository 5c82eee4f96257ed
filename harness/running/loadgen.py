"""The only door to LoadGen: settings from a spec, callbacks from a stream, logs into a folder.

What LoadGen does not do for us is done here or in the worker around it: it neither times out, nor
survives an exception in a callback, nor may run twice in a process (the built-in mlperf.conf is
applied once), nor may an audit.config be picked up by chance.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import mlperf_loadgen as lg
import numpy as np

from datasets.errors import LoadproofError
from harness.running import userconf
from harness.spec import MULTISTREAM_SAMPLES, LoadGenSettings
from sut.adapter import Answers

_MODES = {"accuracy": "AccuracyOnly", "performance": "PerformanceOnly"}
_NO_AUDIT_CONFIG = "no-audit.config"
_UNEVEN = -1


class Library(Protocol):
    """The query sample library, as LoadGen sees it."""

    @property
    def count(self) -> int: ...

    def load(self, indices: Sequence[int]) -> None: ...

    def unload(self, indices: Sequence[int]) -> None: ...


class Issue(Protocol):
    """Takes queries. Must copy the lists: they die when the call returns."""

    def issue(self, ids: list[int], indices: list[int]) -> None: ...

    def flush(self) -> None: ...


class _Responses(threading.local):
    """The response objects of a thread, made once and pointed into memory of its own.

    LoadGen copies them before ``QuerySamplesComplete`` returns. While a thread's answers are whole
    rows of one size, a batch costs one copy of its bytes and an id a sample.
    """

    def __init__(self) -> None:
        self._responses: list[Any] = []
        self._memory = memoryview(bytearray())
        self._address = 0
        self._row = _UNEVEN
        """Bytes from each response's answer to the next, and of each answer."""

    def filled(self, ids: Sequence[int], answers: Answers) -> list[Any]:
        """A response for each of ``ids``; ValueError where there are not as many answers."""
        size, count = answers.data.nbytes, len(answers)
        row = size // (count or 1)
        if size > len(self._memory) or count > len(self._responses):
            self._grow(size, count)
        if row != self._row:
            self._spread(row)
        self._memory[:size] = answers.data.tobytes()
        filled = self._responses[:count]
        for response, sample in zip(filled, ids, strict=True):
            response.id = sample
        if answers.sizes is not None:
            self._trim(filled, answers.sizes)
        return filled

    def _grow(self, size: int, count: int) -> None:
        memory = np.empty(size, np.uint8)
        self._memory, self._address = memory.data, memory.ctypes.data
        self._responses = [lg.QuerySampleResponse(0, 0, 0) for _ in range(count)]
        self._row = _UNEVEN

    def _spread(self, row: int) -> None:
        for number, response in enumerate(self._responses):
            response.data, response.size = self._address + number * row, row
        self._row = row

    def _trim(self, responses: Sequence[Any], sizes: Sequence[int]) -> None:
        for response, size in zip(responses, sizes, strict=True):
            response.size = size
        self._row = _UNEVEN


_responses = _Responses()


def complete(ids: Sequence[int], answers: Answers) -> None:
    """Hand a batch of answers to LoadGen, in one call; their bytes are read before it returns."""
    lg.QuerySamplesComplete(_responses.filled(ids, answers))


def run(
    wanted: LoadGenSettings,
    benchmark: str,
    library: Library,
    issue: Issue,
    folder: Path,
    audit_config: Path | None = None,
    guard: Callable[[Callable[..., None]], Callable[..., None]] = lambda call: call,
) -> None:
    """Run one test to its end, once in the life of a process. Logs go to ``folder``.

    ``guard`` wraps every callback: an exception that reached LoadGen would kill the process with a
    signal and leave no log.
    """
    if library.count < 1:
        raise LoadproofError("The query sample library is empty: LoadGen would crash on it.")
    settings = _settings(wanted, benchmark, folder)
    sut = lg.ConstructFastSUT(guard(issue.issue), guard(issue.flush))
    qsl = lg.ConstructQSL(
        library.count,
        min(library.count, wanted.performance_sample_count),
        guard(library.load),
        guard(library.unload),
    )
    try:
        unread = folder / _NO_AUDIT_CONFIG
        lg.StartTestWithLogSettings(
            sut, qsl, settings, _logging(folder), _named(audit_config or unread)
        )
    finally:
        lg.DestroyQSL(qsl)
        lg.DestroyFastSUT(sut)


def _settings(wanted: LoadGenSettings, benchmark: str, folder: Path) -> Any:
    """TestSettings: the built-in mlperf.conf, our user.conf, then every field that we decide."""
    conf = folder / "user.conf"
    conf.write_text(userconf.render(wanted), "utf-8")
    settings = lg.TestSettings()
    code = settings.FromConfig(_named(conf), benchmark, wanted.scenario, 1)
    if code:
        raise LoadproofError(f"LoadGen refused {conf} with code {code}; please report this file.")
    settings.scenario = getattr(lg.TestScenario, wanted.scenario)
    settings.mode = getattr(lg.TestMode, _MODES[wanted.mode])
    settings.qsl_rng_seed = wanted.seeds.qsl_rng_seed
    settings.sample_index_rng_seed = wanted.seeds.sample_index_rng_seed
    settings.schedule_rng_seed = wanted.seeds.schedule_rng_seed
    settings.min_duration_ms = wanted.min_duration_ms
    settings.max_duration_ms = 0
    settings.min_query_count = wanted.min_query_count
    settings.max_query_count = 0
    settings.performance_sample_count_override = wanted.performance_sample_count
    _set_scenario(settings, wanted)
    return settings


def _named(path: Path) -> bytes:
    """``path`` as the system has it: LoadGen takes bytes, and no text that isn't UTF-8."""
    return os.fsencode(path)


def _set_scenario(settings: Any, wanted: LoadGenSettings) -> None:
    match wanted.scenario:
        case "Offline":
            settings.offline_expected_qps = wanted.target_qps
        case "Server":
            settings.server_target_qps = wanted.target_qps
            settings.server_target_latency_ns = wanted.target_latency_ns
            settings.server_target_latency_percentile = wanted.percentile
        case "SingleStream":
            settings.single_stream_expected_latency_ns = wanted.expected_latency_ns
            settings.single_stream_target_latency_percentile = wanted.percentile
        case "MultiStream":
            settings.multi_stream_expected_latency_ns = wanted.expected_latency_ns
            settings.multi_stream_target_latency_percentile = wanted.percentile
            settings.multi_stream_samples_per_query = MULTISTREAM_SAMPLES


def _logging(folder: Path) -> Any:
    """Logs into ``folder``, nothing on the terminal, and no trace: it would slow the run itself."""
    output = lg.LogOutputSettings()
    output.outdir = _named(folder)
    output.copy_summary_to_stdout = False
    output.copy_detail_to_stdout = False
    logging = lg.LogSettings()
    logging.log_output = output
    logging.enable_trace = False
    return logging
