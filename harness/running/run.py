"""What a worker knows of its run, and how the run ends: with a report, or at once by a failure.

Threads of LoadGen and of the streams call it; the first failure of any of them is the run's.
"""

from __future__ import annotations

import os
import resource
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from audit import schema
from datasets.disk.files import write_json
from datasets.errors import DeviceError, LoadproofError
from harness import exits
from harness.running import loadgen, rundir
from harness.running.completions import CompletionRecord
from harness.running.empty_answers import count_empty
from harness.running.peak_memory import peak_rss_bytes
from harness.running.progress import ProgressWriter
from harness.spec import RunSpec, spec_from
from sut.adapter import Answers


class Run:
    """One run in this process: the spec, its folder, and what is known when it ends."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.spec: RunSpec = spec_from(schema.read(folder / rundir.SPEC, "spec"))
        self.progress = ProgressWriter(folder)
        self.completions = CompletionRecord()
        self.report: dict[str, Any] = {}
        self._counting = threading.Lock()
        self._ending = threading.Lock()

    def write_report(self, **more: Any) -> None:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        self.report |= more
        self.report["cpu_seconds"] = usage.ru_utime + usage.ru_stime
        self.report["peak_rss_bytes"] = peak_rss_bytes()
        write_json(self.folder / rundir.WORKER_REPORT, self.report)

    def fail(self, error: BaseException) -> None:
        """Record the first failure and end the process: LoadGen has no way to stop a run."""
        with self._ending:
            self.progress.fail(1)
            traceback.print_exception(error)
            self.write_report(cause=_sentence(error))
            sys.stderr.flush()
            os._exit(exits.DEVICE if isinstance(error, DeviceError) else exits.FINDINGS)

    def guard(self, call: Callable[..., None]) -> Callable[..., None]:
        """``call``, with whatever it raises made the failure of this run."""

        def guarded(*arguments: Any) -> None:
            try:
                call(*arguments)
            except BaseException as error:  # noqa: BLE001 — an edge: LoadGen would abort
                self.fail(error)

        return guarded

    def complete(self, ids: Sequence[int], answers: Answers) -> None:
        loadgen.complete(ids, answers)
        empty = count_empty(answers)
        with self._counting:
            self.progress.complete(len(ids), empty)
            self.completions.add(len(ids), time.monotonic_ns())


def _sentence(error: BaseException) -> str:
    return str(error) if isinstance(error, LoadproofError) else f"{type(error).__name__}: {error}"
