"""Which run counts as finished, and what happens to earlier evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.planned.asked import asked_from
from datasets.disk.cache import default_cache
from datasets.errors import EvidenceError, UsageError
from harness.running import rundir
from harness.running.rundir import Evidence, finished
from harness.spec import RunSpec
from tests.audit.written_evidence import record
from tests.harness.specs import simulated_spec


@pytest.fixture
def spec() -> RunSpec:
    return simulated_spec(default_cache())


@pytest.fixture
def run(tmp_path: Path, spec: RunSpec) -> Path:
    """The folder of a finished run."""
    folder = tmp_path / "run"
    rundir.start_run_folder(folder, spec)
    (folder / "worker.json").write_text("{}")
    rundir.write_record(folder, record(spec.document()))
    return folder


def test_a_finished_run_is_known_by_its_record_and_its_spec(run: Path, spec: RunSpec) -> None:
    assert finished(run, spec)
    assert sorted(path.name for path in run.iterdir()) == ["run.json", "spec.json"]


@pytest.mark.parametrize(
    "other",
    [
        lambda spec: replace(spec, repeat=2),
        lambda spec: spec.at(min_duration_ms=301),
        lambda spec: replace(spec, model=replace(spec.model, sha256="1" * 64)),
        lambda spec: replace(spec, backend=replace(spec.backend, options={"base_ms": "2"})),
        lambda spec: replace(spec, batching=replace(spec.batching, threads=2)),
    ],
    ids=["repeat", "duration", "model", "option", "threads"],
)
def test_the_run_of_another_spec_is_not_the_one(
    run: Path, spec: RunSpec, other: Callable[[RunSpec], RunSpec]
) -> None:
    assert not finished(run, other(spec))


@pytest.mark.parametrize("outcome", ["failed", "aborted"])
def test_a_run_that_did_not_end_by_itself_is_done_again(
    run: Path, spec: RunSpec, outcome: str
) -> None:
    rundir.write_record(run, {**record(spec.document()), "outcome": outcome})
    assert not finished(run, spec)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


@pytest.mark.parametrize(
    "spoil", [Path.unlink, _cut, lambda path: path.write_text("{}")], ids=["gone", "cut", "empty"]
)
def test_a_record_that_can_not_be_read_is_none(
    run: Path, spec: RunSpec, spoil: Callable[[Path], Any]
) -> None:
    spoil(run / "run.json")
    assert rundir.read_record(run) is None
    assert not finished(run, spec)


def test_a_wrong_record_is_never_written(run: Path, spec: RunSpec) -> None:
    before = (run / "run.json").read_bytes()
    with pytest.raises(EvidenceError, match="is not a valid run document"):
        rundir.write_record(run, {**record(spec.document()), "outcome": "splendid"})
    assert (run / "run.json").read_bytes() == before


def test_a_record_is_whole_or_the_one_before(
    run: Path, spec: RunSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        rundir.write_record(run, {**record(spec.document()), "cause": "another"})
    assert finished(run, spec)
    assert sorted(path.name for path in run.iterdir()) == ["run.json", "spec.json"]


def test_a_run_folder_starts_empty_but_for_its_spec(run: Path, spec: RunSpec) -> None:
    rundir.start_run_folder(run, spec)
    assert [path.name for path in run.iterdir()] == ["spec.json"]


def test_earlier_evidence_is_moved_beside_itself(tmp_path: Path, run: Path) -> None:
    content = (run / "run.json").read_bytes()
    said: list[str] = []
    rundir.set_aside(run, "An earlier run", said.append)
    assert not run.exists()
    (moved,) = (tmp_path / ".previous").iterdir()
    assert said == [f"An earlier run was moved to {moved}."]
    assert (moved / "run.json").read_bytes() == content


def test_where_nothing_is_nothing_is_moved(tmp_path: Path) -> None:
    said: list[str] = []
    rundir.set_aside(tmp_path / "absent", "Nothing", said.append)
    assert said == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("mode", ["accuracy", "performance"])
def test_the_audit_looks_where_the_harness_wrote(tmp_path: Path, spec: RunSpec, mode: str) -> None:
    asked = replace(spec.at(mode=mode), repeat=3)
    written = Evidence(tmp_path).run(asked)
    assert written == tmp_path / asked_from(asked.document()).folder


def test_probes_lie_apart_from_runs(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "id")
    assert evidence.search("bert") == tmp_path / "id/bert/Server/probes/search.json"
    assert evidence.lock == tmp_path / ".id.lock"


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("keep")
    with pytest.raises(UsageError, match="something else than a run"):
        rundir.start_run_folder(tmp_path, simulated_spec(default_cache()))
    assert (tmp_path / "precious.txt").read_text() == "keep"
