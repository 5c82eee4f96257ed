"""Evidence as long and as complete as a round demands: what a submission is packed from.

The simulated device answers every image rightly; answers to questions are scored by a fixed truth,
since reading the real ones needs data that is not here.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

from audit.accuracy.squad import SquadScore
from audit.accuracy.truth import Dataset, Score, Truth, truth_of
from audit.compliance_tests import compliance_test
from audit.logs.accuracy_log import AccuracyRecord
from audit.planned.effective import effective_settings
from audit.rules import load_round
from audit.submission.subject import ACCURACY_LOG, DETAIL, SUMMARY
from datasets.disk.files import write_json
from datasets.samples.simulated import labels
from tests.audit.submission import samples
from tests.audit.written_evidence import COUNT, Evidence, folder_of, record, spec, system
from tests.audit.written_logs import write_accuracy

F1 = 90.9
FACTS = {"input_dtype": "float32"}
OWN: Mapping[str, str] = {
    "status": "available",
    "host_processors_per_node": "1",
    "host_processor_core_count": "2",
    "host_memory_configuration": "1 x 8 GB",
    "host_storage_capacity": "1 TB",
    "host_storage_type": "SSD",
    "host_networking": "Ethernet",
    "host_network_card_count": "1",
    "host_networking_topology": "N/A",
    "cooling": "air",
}
"""What no evidence tells."""


@dataclass(frozen=True)
class FixedTruth:
    """Scores every log of questions alike."""

    total: int

    def score(self, records: Iterable[AccuracyRecord]) -> Score:
        return Score(F1, SquadScore(83.5, F1, self.total, 0, 20.0), "float32")


def without_questions(patch: pytest.MonkeyPatch) -> None:
    """Let logs over simulated questions be scored without them."""

    def known(dataset: Dataset) -> Truth:
        return FixedTruth(dataset.count) if dataset.kind == "squad" else truth_of(dataset)

    patch.setattr("audit.scoring.truth_of", known)


class FullLength(Evidence):
    """One benchmark, all scenarios that its round demands of an edge system, and their tests.

    Where it is ``quick``, it is as the quick suite leaves it: few samples, short runs, no tests.
    """

    def __init__(
        self,
        root: Path,
        benchmark: str = "resnet50",
        round_name: str = "v6.1",
        scenarios: Iterable[str] | None = None,
        repeats: int = 3,
        quick: bool = False,
    ) -> None:
        self.folder = root
        self.quick = quick
        self.rules = load_round(round_name)
        self.benchmark = self.rules.benchmark(benchmark)
        wanted = scenarios or self.benchmark.required_scenarios("edge")
        self.specs = [
            self._spec(benchmark, *one)
            for scenario in wanted
            for one in _runs(scenario, repeats, () if quick else self.benchmark.compliance_tests)
        ]
        self._counted = set()
        self.replan(**self._plan(benchmark))
        host = system(cpu_model="Sample processor", memory_bytes=2**33)
        write_json(root / "system.json", {**host, "fingerprint": "1" * 64})
        answers = list(_answers(benchmark, self._samples))
        for number, document in enumerate(self.specs):
            self._write(document, answers, number)
        self.seal()

    @property
    def _samples(self) -> int:
        return COUNT if self.quick else self.benchmark.dataset_size

    def _plan(self, benchmark: str) -> dict[str, Any]:
        published = self.benchmark.accuracy_target
        target = {"metric": published.metric, "value": published.value, "source": "the round"}
        return {
            "benchmark": benchmark,
            "round": self.rules.name,
            "why_not_comparable": ["the quick suite is a first look"] if self.quick else [],
            "accuracy_target": target,
        }

    def _spec(
        self, benchmark: str, scenario: str, mode: str, repeat: int, test: str | None
    ) -> dict[str, Any]:
        document = spec(scenario, mode, repeat, origin="embedded" if self.quick else "official")
        told = {
            "seeds": asdict(self.rules.seeds),
            "performance_sample_count": min(self.benchmark.performance_sample_count, self._samples),
            "min_duration_ms": 4000 if self.quick else self.rules.min_duration_ms,
        }
        loadgen = {**document["loadgen"], **told}
        kind = "simulated" if benchmark == "resnet50" else "squad"
        data = {**document["dataset"], "kind": kind, "count": self._samples}
        return {
            **document,
            "benchmark": benchmark,
            "round": self.rules.name,
            "test": test,
            "dataset": data,
            "loadgen": loadgen,
            "settings": effective_settings(loadgen, test),
        }

    def _write(
        self, document: Mapping[str, Any], answers: list[tuple[int, bytes]], number: int
    ) -> None:
        """What the ``number``-th run left, an hour after the one before."""
        folder = self.folder / folder_of(document)
        folder.mkdir(parents=True)
        detail = self._detail(document, number)
        (folder / DETAIL).write_text(detail, "utf-8")
        measured = document["mode"] == "performance"
        summary = samples.summary(detail) if measured else samples.NO_COMPLAINTS
        (folder / SUMMARY).write_text(summary, "utf-8")
        conf = f"*.{document['scenario']}.min_duration = 600000\n"
        (folder / "user.conf").write_text(conf, "utf-8")
        if not measured:
            write_accuracy(folder / ACCURACY_LOG, answers)
        elif document["test"] and compliance_test(document["test"]).compares_answers:
            write_accuracy(folder / ACCURACY_LOG, answers[:4100])
        write_json(folder / "run.json", {**record(document), "facts": FACTS})

    def _detail(self, document: Mapping[str, Any], number: int) -> str:
        scenario, settings = document["scenario"], document["settings"]
        if document["mode"] == "accuracy":
            return samples.accuracy(self.rules, self.benchmark, scenario, **self._library(settings))
        changes = {f"effective_{key}": value for key, value in settings.items()}
        changes |= self._library(settings) | _clock(number)
        if scenario == "Offline":
            changes["result_samples_per_second"] = 100.0 + document["repeat"]
        return samples.performance(self.rules, self.benchmark, scenario, **changes)

    def _library(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "qsl_reported_total_count": self._samples,
            "effective_min_duration_ms": settings["min_duration_ms"],
            "effective_performance_sample_count": settings["performance_sample_count"],
        }


def _clock(hour: int) -> dict[str, str]:
    return {
        "power_begin": f"11-30-2026 {hour:02}:00:00.000",
        "power_end": f"11-30-2026 {hour:02}:10:03.000",
    }


def _runs(
    scenario: str, repeats: int, tests: Iterable[str]
) -> Iterator[tuple[str, str, int, str | None]]:
    yield scenario, "accuracy", 1, None
    for repeat in range(1, repeats + 1):
        yield scenario, "performance", repeat, None
    for test in tests:
        yield scenario, "performance", 1, test


def _answers(benchmark: str, count: int) -> Iterator[tuple[int, bytes]]:
    if benchmark == "resnet50":
        yield from ((index, struct.pack("<f", one)) for index, one in enumerate(labels(count)))
    else:
        yield from ((index, struct.pack("<2f", index, 0)) for index in range(count))
