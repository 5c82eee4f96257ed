"""Which runs a hint may rest on, and how far they are looked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from audit import schema
from audit.evidence.sealing import seal_record
from datasets.errors import EvidenceError, UsageError
from harness import exits
from harness.commands.tuning import hint_command
from harness.report.bottleneck import render
from harness.tuning import hinted_runs as module
from harness.tuning.hinted_runs import hinted_runs

RUN = Path("id/resnet50/Offline/performance/run_1")
RECORD: Mapping[str, Any] = {
    "spec": {
        "mode": "performance",
        "scenario": "Offline",
        "batching": {"streams": 1, "threads": 1, "max_batch": 8},
        "backend": {"devices": [0], "device": "cpu"},
    },
    "outcome": "finished",
    "cause": "",
    "samples": {"issued": 8, "completed": 8, "failed": 0, "empty": 0},
    "streams": {
        "samples": 8,
        "idle_s": 0.1,
        "gather_s": 0.1,
        "complete_s": 0.1,
        "predict_s": 1.0,
        "batch_sizes": {"8": 1},
        "queue_length_mean": 1.0,
    },
    "resources": {"cpu_seconds": 1.0, "wall_seconds": 1.5},
}


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Makes a sealed run; ``edited`` is changed after the seal."""
    records: dict[Path, dict[str, Any]] = {}

    def make(at: Path = RUN, edited: Mapping[str, Any] | None = None, **changes: Any) -> Path:
        record = {**RECORD, **changes}
        path = tmp_path / at / "run.json"
        path.parent.mkdir(parents=True)
        path.touch()
        records[path] = {**record, "seal": seal_record(record), **(edited or {})}
        return tmp_path

    def read(path: Path, _name: str) -> dict[str, Any]:
        if path not in records:
            raise EvidenceError(f"{path} is not JSON.")
        return records[path]

    monkeypatch.setattr(schema, "read", read)
    return make


def test_a_good_run_is_found(made: Callable[..., Path]) -> None:
    found = hinted_runs(made())
    assert [name for name, _ in found.uses] == [str(RUN)]
    assert not found.left_out


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"outcome": "failed", "cause": "no device"}, "it failed: no device"),
        ({"outcome": "aborted"}, "it aborted"),
        ({"edited": {"resources": {"cpu_seconds": 9.0, "wall_seconds": 9.0}}}, "was changed"),
        (
            {"samples": {"issued": 8, "completed": 8, "failed": 2, "empty": 3}},
            "2 of its answers failed and 3 were empty",
        ),
        ({"streams": None}, "without its times"),
    ],
)
def test_a_run_that_measured_nothing_good_gets_no_hint(
    made: Callable[..., Path], changes: dict[str, Any], why: str
) -> None:
    found = hinted_runs(made(**changes))
    assert not found.uses
    ((name, said),) = found.left_out
    assert name == str(RUN)
    assert why in said


def test_a_record_that_can_not_be_read_is_named_and_stops_no_other(
    made: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    root = made()
    broken = root / RUN.with_name("run_0") / "run.json"
    broken.parent.mkdir()
    broken.touch()
    assert hint_command(root, as_json=False) == exits.FINDINGS
    said = capsys.readouterr()
    assert said.err == f"{broken} is not JSON.\n"
    assert f"\n{RUN}: " in said.out
    broken.unlink()
    assert hint_command(root, as_json=False) == exits.FINE


def test_the_folder_that_all_runs_lie_in_is_named_once(made: Callable[..., Path]) -> None:
    made(Path("id/resnet50/Server/performance/run_1"))
    text = render(hinted_runs(made()).uses)
    assert text.startswith("Runs in id/resnet50:\n")
    assert text.count("id/resnet50") == 1
    assert "\nServer/performance/run_1: " in text


def test_only_where_evidence_has_runs_is_looked(made: Callable[..., Path]) -> None:
    made(Path("a/b/c/d/e/f/g/run_1"))
    root = made(Path(".previous/run_1"))
    with pytest.raises(EvidenceError, match=r"There is no run\.json"):
        hinted_runs(root)


def test_a_whole_disk_is_not_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_FOLDERS", 3)
    for number in range(4):
        (tmp_path / str(number)).mkdir()
    with pytest.raises(UsageError, match="more than 3 folders"):
        hinted_runs(tmp_path)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "run.json").touch()
    with pytest.raises(UsageError, match=r"run\.json is no folder"):
        hinted_runs(tmp_path / "run.json")
