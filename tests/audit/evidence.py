"""Writes evidence folders: a plan and finished runs over simulated samples, each file as it is."""

from __future__ import annotations

import copy
import struct
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from datasets.files import write_json
from datasets.simulated import labels
from tests.audit.logs import accuracy, performance, write_accuracy, write_detail

SHA = "0" * 64
COUNT = 50
"""Samples of the simulated dataset."""

_SOFTWARE = {"numpy": "2.4", "mlcommons-loadgen": "6.0.17"}


def spec(
    scenario: str,
    mode: str = "performance",
    repeat: int = 1,
    *,
    settings: Mapping[str, Any] | None = None,
    origin: str = "simulated",
) -> dict[str, Any]:
    """A ``spec`` document."""
    return {
        "schema": "loadproof/spec",
        "version": 1,
        "benchmark": "resnet50",
        "scenario": scenario,
        "mode": mode,
        "suite": "quick",
        "round": "v6.1",
        "repeat": repeat,
        "test": None,
        "backend": {
            "name": "simulated",
            "device": "cpu",
            "devices": [0],
            "precision": "fp32",
            "options": {},
        },
        "model": {"name": "simulated", "path": None, "sha256": SHA, "origin": origin},
        "dataset": {
            "name": "simulated",
            "kind": "simulated",
            "path": None,
            "sha256": SHA,
            "count": COUNT,
            "origin": origin,
            "labels": None,
            "vocab": None,
            "store": "",
            "first": None,
            "allow_subset": False,
        },
        "loadgen": {
            "scenario": scenario,
            "mode": mode,
            "seeds": {
                "qsl_rng_seed": 2085463073848966840,
                "sample_index_rng_seed": 2747215439041700203,
                "schedule_rng_seed": 16159082839903944936,
            },
            "min_duration_ms": 600000,
            "min_query_count": 64,
            "performance_sample_count": COUNT,
            "target_qps": None,
            "expected_latency_ns": None,
            "target_latency_ns": None,
            "percentile": None,
        },
        "settings": {"performance_sample_count": COUNT} if settings is None else dict(settings),
        "batching": {"max_batch": 8, "streams": 1, "threads": 1, "max_delay_us": 0},
        "notes": [],
    }


def plan(runs: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """A ``plan`` document for these runs."""
    documents = [dict(run) for run in runs]
    return {
        "schema": "loadproof/plan",
        "version": 1,
        "id": "simulated-cpu-fp32-resnet50-simulated",
        "suite": "quick",
        "round": "v6.1",
        "created": "2026-11-30T23:00:00+00:00",
        "request": SHA,
        "embedded": True,
        "comparable": False,
        "why_not_comparable": ["runs last seconds"],
        "system_type": "edge",
        "benchmark": "resnet50",
        "model": documents[0]["model"],
        "dataset": documents[0]["dataset"],
        "accuracy_target": {"metric": "top1_percent", "value": 90.0, "source": "the tests"},
        "facts": {},
        "runs": documents,
        "notes": ["five repeats"],
        "stall_s": 60.0,
    }


def record(document: Mapping[str, Any]) -> dict[str, Any]:
    """A ``run`` document of a finished run."""
    return {
        "schema": "loadproof/run",
        "version": 1,
        "spec": dict(document),
        "outcome": "finished",
        "cause": "",
        "attempt": 1,
        "started": "2026-11-30T23:00:00+00:00",
        "ended": "2026-11-30T23:10:00+00:00",
        "exit_status": 0,
        "samples": {"issued": 100, "completed": 100, "failed": 0, "empty": 0},
        "device_used": "simulated",
        "software": dict(_SOFTWARE),
        "facts": {},
        "resources": {"peak_rss_bytes": 1, "cpu_seconds": 1.0, "wall_seconds": 1.0},
        "streams": None,
        "files": {},
        "plan": None,
    }


def right_answers() -> list[tuple[int, bytes]]:
    """Every sample answered with its true label as float32."""
    return [(index, struct.pack("<f", label)) for index, label in enumerate(labels(COUNT))]


def folder_of(document: Mapping[str, Any]) -> Path:
    """The folder of a run inside the evidence."""
    base = Path(document["benchmark"], document["scenario"])
    return base / (
        "accuracy" if document["mode"] == "accuracy" else f"performance/run_{document['repeat']}"
    )


class Evidence:
    """A good evidence folder under ``root``; a test spoils one thing and judges it."""

    def __init__(self, root: Path, scenarios: Iterable[str] = ("Offline",), repeats: int = 3):
        self.root = root
        self.specs = [
            document
            for scenario in scenarios
            for document in (
                spec(scenario, "accuracy"),
                *(spec(scenario, repeat=number) for number in range(1, repeats + 1)),
            )
        ]
        write_json(root / "plan.json", plan(self.specs))
        write_json(root / "system.json", {"host": "a machine"})
        for document in self.specs:
            self._write_run(document)

    def replan(self, **changes: Any) -> None:
        """Write the plan anew with these members changed."""
        write_json(self.root / "plan.json", {**plan(self.specs), **changes})

    def run(self, scenario: str = "Offline", repeat: int | None = 1) -> Path:
        """The folder of a performance run; of the accuracy run where ``repeat`` is None."""
        base = self.root / "resnet50" / scenario
        return base / ("accuracy" if repeat is None else f"performance/run_{repeat}")

    def change_record(self, folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
        """Change the run.json in ``folder``."""
        document = next(one for one in self.specs if self.root / folder_of(one) == folder)
        changed = copy.deepcopy(record(document))
        change(changed)
        write_json(folder / "run.json", changed)

    def change_log(self, folder: Path, more: str = "", **changes: Any) -> None:
        """Change entries of the detail log in ``folder``; ``more`` lines go behind them."""
        scenario = folder.relative_to(self.root).parts[1]
        make = accuracy if folder.name == "accuracy" else performance
        entries = make(scenario, **{**_library(), **changes})
        write_detail(folder / "mlperf_log_detail.txt", entries, more)

    def _write_run(self, document: Mapping[str, Any]) -> None:
        folder = self.root / folder_of(document)
        self.change_log(folder)
        if document["mode"] == "accuracy":
            write_accuracy(folder / "mlperf_log_accuracy.json", right_answers())
        else:
            self.change_log(folder, "", **_a_little_apart(document))
        write_json(folder / "run.json", record(document))


def _library() -> dict[str, int]:
    return {"qsl_reported_total_count": COUNT, "effective_performance_sample_count": COUNT}


def _a_little_apart(document: Mapping[str, Any]) -> dict[str, Any]:
    if document["scenario"] != "Offline":
        return {}
    return {"result_samples_per_second": 100.0 + document["repeat"]}
