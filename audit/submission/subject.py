"""One entry with what its checks read. Each file is read once, however many checks want it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

from audit.logs.loadgen_log import DetailLog, parse_detail
from audit.rules import Round, common_rules
from audit.submission.files import Tree, join
from audit.submission.inferred import Inference, inference, logged_scenario
from audit.submission.layout import Layout
from audit.submission.tree import Entry
from datasets.errors import EvidenceError

DETAIL = "mlperf_log_detail.txt"
SUMMARY = "mlperf_log_summary.txt"
ACCURACY_LOG = "mlperf_log_accuracy.json"
ACCURACY_TEXT = "accuracy.txt"
_END_BYTES = 16384
"""Of a detail log, that tell it from all others; hashing all of it would take a quarter as long as
reading what it says."""


@dataclass(frozen=True)
class LogFile:
    """A detail log that was read, and how to know it again."""

    where: str
    run: str
    """``performance``, ``accuracy`` or the name of a test."""
    fingerprint: tuple[int, bytes]
    """Its size, and the SHA-256 of its end, where its times and results stand to the nanosecond:
    two runs never have both in common."""


@dataclass(frozen=True)
class Subject:
    """An entry, the tree it lies in, and the rules that it is checked by."""

    entry: Entry
    tree: Tree
    round: Round
    layout: Layout
    _logs: dict[str, LogFile] = field(default_factory=dict, init=False, compare=False)

    @property
    def logs(self) -> tuple[LogFile, ...]:
        """Every detail log that was read so far."""
        return tuple(self._logs.values())

    @cached_property
    def performance_log(self) -> DetailLog | None:
        """The detail log of the performance run; None where none can be read."""
        return self.log(self.entry.performance)

    @cached_property
    def accuracy_log(self) -> DetailLog | None:
        """The detail log of the accuracy run; None where none can be read."""
        return self.log(self.entry.accuracy)

    @cached_property
    def accuracy_text(self) -> str | None:
        """What ``accuracy.txt`` says; None where it can't be read."""
        return self.text(join(self.entry.accuracy, ACCURACY_TEXT))

    @property
    def scored(self) -> bool:
        """Whether loadproof knows how the benchmark is scored and tested."""
        benchmark = self.entry.benchmark
        return benchmark is not None and benchmark.accuracy_target is not None

    @property
    def inference(self) -> Inference | None:
        """How the performance run's log, if it is of another scenario, may stand for this one."""
        scenario, log = self.entry.scenario, self.performance_log
        logged = str(log.value("effective_scenario")) if log else ""
        if scenario is None or logged == logged_scenario(scenario):
            return None
        return inference(scenario, logged, self.entry.system_type)

    def log(self, folder: str) -> DetailLog | None:
        """The detail log in ``folder``; None where there is none that can be read."""
        path = join(folder, DETAIL)
        raw = self._read(path)
        if raw is None:
            return None
        log = parse_detail(raw, path)
        if log.entries:
            end = sha256(raw[-_END_BYTES:]).digest()
            self._logs[path] = LogFile(path, self._run(folder), (len(raw), end))
        return log

    def _run(self, folder: str) -> str:
        """What the run in ``folder`` is of the entry."""
        known = {self.entry.performance: "performance", self.entry.accuracy: "accuracy"}
        return known.get(folder) or folder.removeprefix(f"{self.entry.compliance}/").split("/")[0]

    def text(self, path: str) -> str | None:
        """The text of the file at ``path``; None where none can be read."""
        raw = self.raw(path)
        return None if raw is None else raw.decode("utf-8-sig", errors="replace")

    def raw(self, path: str) -> bytes | None:
        """The bytes of the file at ``path``; None where none can be read."""
        if path not in self._kept:
            self._kept[path] = self._read(path)
        return self._kept[path]

    @cached_property
    def _kept(self) -> dict[str, bytes | None]:
        """What was read, but for detail logs, which are large and kept as what they say."""
        return {}

    def _read(self, path: str) -> bytes | None:
        if not self.tree.is_file(path) or self.tree.size(path) > _most_bytes():
            return None
        try:
            return self.tree.read(path)
        except EvidenceError:
            return None

    def unreadable(self, path: str) -> str:
        """Why the file at ``path`` is not read; empty where it is, or where there is no file."""
        if not self.tree.is_file(path):
            return ""
        size, most = self.tree.size(path), _most_bytes()
        if size > most:
            return f"it has {size} bytes, and no file of a submission more than {most}"
        allowed = os.access(self.tree.on_disk(path), os.R_OK)
        return "" if allowed else "its permissions forbid it"


def _most_bytes() -> int:
    """Of a file of a submission; larger ones aren't read."""
    most: int = common_rules()["file_size_limit_mb"] * 2**20
    return most
