"""Writes evidence folders: a plan and finished runs over simulated samples, each file as it is."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from audit.evidence.recorded import sent_samples
from audit.evidence.sealing import checksums, seal_plan, seal_record
from audit.logs.loadgen_log import read_detail
from audit.planned.effective import effective_settings
from datasets.disk.files import read_json_or_none, write_json
from datasets.samples.simulated import labels
from tests.audit.written_logs import accuracy, performance, write_accuracy, write_detail

SHA = "0" * 64
DETAIL, ANSWERS = "mlperf_log_detail.txt", "mlperf_log_accuracy.json"
COUNT = 50
"""Samples of the simulated dataset."""

_MIN_QUERIES = {"Offline": 1, "Server": 100, "SingleStream": 64, "MultiStream": 662}
_SOFTWARE = {"numpy": "2.4", "mlcommons-loadgen": "6.0.17"}


def spec(
    scenario: str,
    mode: str = "performance",
    repeat: int = 1,
    *,
    settings: Mapping[str, Any] | None = None,
    origin: str = "embedded",
) -> dict[str, Any]:
    """A ``spec`` document; its settings follow from the rest unless they are given."""
    document: dict[str, Any] = {
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
            "min_query_count": _MIN_QUERIES.get(scenario, 1),
            "performance_sample_count": COUNT,
            "target_qps": None,
            "expected_latency_ns": None,
            "target_latency_ns": None,
            "percentile": None,
        },
        "settings": {},
        "batching": {"max_batch": 8, "streams": 1, "threads": 1, "max_delay_us": 0},
        "notes": [],
        "soak_s": None,
    }
    derived = effective_settings(document["loadgen"], None)
    return {**document, "settings": derived if settings is None else dict(settings)}


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
        "embedded": documents[0]["model"]["origin"] == "embedded",
        "comparable": False,
        "why_not_comparable": ["runs last seconds"],
        "system_type": "edge",
        "benchmark": "resnet50",
        "model": documents[0]["model"],
        "dataset": documents[0]["dataset"],
        "accuracy_target": {"metric": "top1_percent", "value": 90.0, "source": "the tests"},
        "facts": {"device": "simulated"},
        "runs": documents,
        "notes": ["five repeats"],
        "stall_s": 60.0,
        "run_s": {document["scenario"]: 604.0 for document in documents},
        "user_conf": [],
    }


def system(**host: Any) -> dict[str, Any]:
    """A ``system`` document; ``host`` replaces facts about the machine."""
    words = ("hostname", "cpu_model", "microcode", "kernel", "distribution", "governor")
    return {
        "schema": "loadproof/system",
        "version": 1,
        "host": {
            **dict.fromkeys((*words, "virtualization"), "of the tests"),
            **dict.fromkeys(("logical_cores", "usable_cores", "memory_bytes"), 4),
            "gpus": [],
            **host,
        },
        "fingerprint": SHA,
        "software": dict(_SOFTWARE),
        "packages": dict(_SOFTWARE),
        "command": ["loadproof", "qualify"],
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
        "ended": "2026-11-30T23:10:04+00:00",
        "exit_status": 0,
        "samples": {"issued": 100, "completed": 100, "failed": 0, "empty": 0},
        "device_used": "simulated",
        "software": dict(_SOFTWARE),
        "facts": {},
        "resources": {"peak_rss_bytes": 1, "cpu_seconds": 1.0, "wall_seconds": 604.0},
        "streams": {"samples": 100},
        "completions": {"interval_ms": 1000, "counts": [99], "even": True},
        "files": {},
        "plan": None,
        "seal": SHA,
    }


def timed(completed: int) -> dict[str, Any]:
    """The times of ``completed`` samples after a first batch of one, at an even rate."""
    each, rest = divmod(max(0, completed - 1), 24)
    return {"interval_ms": 1000, "counts": [*[each] * 24, rest], "even": True}


def right_answers() -> list[tuple[int, bytes]]:
    """Every sample answered with its true label as float32."""
    return [(index, struct.pack("<f", label)) for index, label in enumerate(labels(COUNT))]


def folder_of(document: Mapping[str, Any]) -> Path:
    """The folder of a run inside the evidence."""
    base = Path(document["benchmark"], document["scenario"], document["test"] or "")
    return base / (
        "accuracy" if document["mode"] == "accuracy" else f"performance/run_{document['repeat']}"
    )


class Evidence:
    """A good evidence folder; a test spoils one thing and judges it.

    What is changed by way of ``root`` is sealed again, as if the runs had left it so. Who changes
    ``folder`` and judges that has edited the evidence.
    """

    def __init__(
        self,
        root: Path,
        scenarios: Iterable[str] = ("Offline",),
        repeats: int = 3,
        origin: str = "embedded",
    ):
        self.folder = root
        self.specs = [
            document
            for scenario in scenarios
            for document in (
                spec(scenario, "accuracy", origin=origin),
                *(spec(scenario, repeat=number, origin=origin) for number in range(1, repeats + 1)),
            )
        ]
        self._counted: set[Path] = set()
        write_json(root / "plan.json", plan(self.specs))
        write_json(root / "system.json", system())
        for document in self.specs:
            self._write_run(document)
        self.seal()

    @property
    def root(self) -> Path:
        """The folder, sealed."""
        self.seal()
        return self.folder

    def seal(self) -> None:
        """Let every record that can be read tell of the files, the plan and the samples there."""
        planned = _json(self.folder / "plan.json")
        for path in self.folder.glob("*/*/**/run.json"):
            written = _json(path)
            if isinstance(written, dict) and "samples" in written:
                self._seal_run(path.parent, written, planned)

    def replan(self, **changes: Any) -> None:
        """Write the plan anew with these members changed."""
        write_json(self.folder / "plan.json", {**plan(self.specs), **changes})

    def respec(self, **changes: Any) -> None:
        """Plan all runs with these members changed, and let them have been made so."""
        for document in self.specs:
            document.update(changes)
            self._rerecord(document)
        self.replan(**changes)

    def retime(self, min_duration_ms: int, test: str | None = None) -> None:
        """Plan the performance runs, or those of a test, with this minimum duration."""
        for document in self.specs:
            if (document["mode"], document["test"]) == ("performance", test):
                document["loadgen"]["min_duration_ms"] = min_duration_ms
                document["settings"] = effective_settings(document["loadgen"], test)
                self._rerecord(document)
        self.replan()

    def _rerecord(self, document: Mapping[str, Any]) -> None:
        path = self.folder / folder_of(document) / "run.json"
        write_json(path, {**_json(path), "spec": document})

    def run(self, scenario: str = "Offline", repeat: int | None = 1) -> Path:
        """The folder of a performance run; of the accuracy run where ``repeat`` is None."""
        base = self.folder / "resnet50" / scenario
        return base / ("accuracy" if repeat is None else f"performance/run_{repeat}")

    def change_record(self, folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
        """Change the run.json in ``folder``."""
        self.seal()
        changed = json.loads((folder / "run.json").read_text("utf-8"))
        change(changed)
        self._counted.add(folder)
        write_json(folder / "run.json", {**changed, "seal": seal_record(changed)})

    def change_log(self, folder: Path, more: str = "", **changes: Any) -> None:
        """Change entries of the detail log in ``folder``; ``more`` lines go behind them."""
        scenario = folder.relative_to(self.folder).parts[1]
        make = accuracy if folder.name == "accuracy" else performance
        entries = make(scenario, **{**_library(), "sut_name": folder.name, **changes})
        write_detail(folder / DETAIL, entries, more)

    def _write_run(self, document: Mapping[str, Any]) -> None:
        folder = self.folder / folder_of(document)
        self.change_log(folder)
        if document["mode"] == "accuracy":
            write_accuracy(folder / ANSWERS, right_answers())
        else:
            self.change_log(folder, "", **_a_little_apart(document))
        write_json(folder / "run.json", record(document))

    def _seal_run(self, folder: Path, written: dict[str, Any], planned: Any) -> None:
        for name in ("spec.json", "user.conf", "mlperf_log_summary.txt"):
            (folder / name).touch()
        sent = _sent(folder)
        if folder not in self._counted and sent is not None:
            written["samples"].update(issued=sent, completed=sent)
        completed = written["samples"]["completed"]
        written["streams"] = {"samples": completed}
        if sum(written["completions"]["counts"]) != completed - 1:
            written["completions"] = timed(completed)
        written["files"] = checksums(folder)
        if isinstance(planned, dict) and "runs" in planned:
            written["plan"] = asdict(seal_plan(planned, self.folder / "system.json"))
        write_json(folder / "run.json", {**written, "seal": seal_record(written)})


def _json(path: Path) -> Any:
    return read_json_or_none(path) if path.is_file() else None


def _sent(folder: Path) -> int | None:
    if folder.name == "accuracy" and (folder / ANSWERS).is_file():
        return (folder / ANSWERS).read_bytes().count(b"seq_id")
    return sent_samples(read_detail(folder / DETAIL)) if (folder / DETAIL).is_file() else None


def _library() -> dict[str, int]:
    return {"qsl_reported_total_count": COUNT, "effective_performance_sample_count": COUNT}


def _a_little_apart(document: Mapping[str, Any]) -> dict[str, Any]:
    if document["scenario"] != "Offline":
        return {}
    return {"result_samples_per_second": 100.0 + document["repeat"]}
