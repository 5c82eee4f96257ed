"""Evidence of full-length runs with compliance tests, of which a test spoils one thing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from audit.compliance_tests import compliance_test
from datasets.disk.files import write_json
from tests.audit.written_evidence import COUNT, Evidence, record, right_answers, spec
from tests.audit.written_logs import performance, write_accuracy, write_detail

METRIC = {"Offline": "result_samples_per_second", "SingleStream": "early_stopping_latency_ss"}


class WithTests(Evidence):
    """Good evidence of one scenario with TEST01 and TEST04 beside its performance run."""

    def __init__(self, root: Path, scenario: str = "Offline", repeats: int = 1) -> None:
        super().__init__(root, (scenario,), repeats=repeats)
        self.scenario = scenario
        for name in ("TEST01", "TEST04"):
            document = spec(scenario)
            document["settings"] |= compliance_test(name).effective
            self.specs.append({**document, "test": name})
            self.change_test(name)
            write_json(self.test(name) / "run.json", record(self.specs[-1]))
        self.sample(right_answers())
        self.replan()

    def test(self, name: str = "TEST01") -> Path:
        """The folder of a test's run."""
        return self.root / "resnet50" / self.scenario / name / "performance/run_1"

    def change_test(self, name: str, **changes: Any) -> None:
        """Write the detail log of a test, equal to the performance run's but for the changes."""
        effective = compliance_test(name).effective
        entries = performance(self.scenario, qsl_reported_total_count=COUNT)
        entries["effective_performance_sample_count"] = COUNT
        entries |= {f"effective_{key}": value for key, value in effective.items()}
        if self.scenario == "Offline":
            entries[METRIC["Offline"]] = 101.0
        changed = {**entries, **changes}
        kept = {key: value for key, value in changed.items() if value is not None}
        write_detail(self.test(name) / "mlperf_log_detail.txt", kept)

    def sample(self, answers: Iterable[tuple[int, bytes]]) -> None:
        """Write what TEST01 logged of its answers."""
        write_accuracy(self.test() / "mlperf_log_accuracy.json", answers)
