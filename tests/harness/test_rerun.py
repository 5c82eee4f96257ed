"""What a rerun asks for: the same plan's sources, wherever they are now."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.planning.additions import with_repeats
from harness.planning.plan import Plan, make_plan
from harness.report.comparison import changes_lines
from harness.rerun import Place, changes_since, is_laid_down, request_for
from harness.spec import BackendSpec, DatasetRef, ModelRef, Origin
from tests.harness.plans import inputs

PLACE = Place(Path("/new"), Path("/cache"), "https://mirror", offline=True)


def with_sources(model: ModelRef, dataset: DatasetRef) -> Plan:
    return make_plan(inputs(model=model, dataset=dataset), 100.0)


def dataset(origin: Origin) -> DatasetRef:
    found = DatasetRef("imagenet", "imagenet", "/data", "0" * 64, 8, origin, "/data/map.txt")
    return replace(found, allow_subset=True)


def test_the_request_is_the_plan_s_in_another_place() -> None:
    backend = BackendSpec("onnxruntime", "gpu", (0, 1), "fp32", {"memory_arena": "off"})
    made = make_plan(inputs(backend=backend, scenarios=("Server", "Offline")), 100.0)
    request = request_for(made, PLACE)
    assert (request.output, request.cache) == (Path("/new"), Path("/cache"))
    assert (request.mirror, request.offline) == ("https://mirror", True)
    assert request.scenarios == ("Server", "Offline")
    assert (request.backend, request.device, request.devices) == ("onnxruntime", "gpu", (0, 1))
    assert (request.precision, request.options) == ("fp32", {"memory_arena": "off"})
    assert (request.suite, request.round, request.system_type) == ("quick", "v6.1", "edge")


def test_an_own_model_and_its_data_are_named_by_their_files() -> None:
    model = ModelRef("mine", "/models/mine.onnx", "0" * 64, "own")
    request = request_for(with_sources(model, dataset("own")), PLACE)
    assert (request.model, request.model_dir) == (Path("/models/mine.onnx"), None)
    assert (request.data, request.labels) == (Path("/data"), Path("/data/map.txt"))
    assert request.vocab is None
    assert request.allow_subset


def test_an_official_model_is_used_where_it_is_and_fetched_where_it_is_gone(
    tmp_path: Path,
) -> None:
    path = tmp_path / "resnet50_v1.onnx"
    model = ModelRef("resnet50-onnx", str(path), "0" * 64, "official")
    fetched = request_for(with_sources(model, dataset("official")), PLACE)
    assert (fetched.model_name, fetched.model_dir) == ("resnet50-onnx", None)
    path.touch()
    kept = request_for(with_sources(model, dataset("official")), PLACE)
    assert (kept.model_name, kept.model_dir) == (None, tmp_path)
    assert kept.data == Path("/data")


def test_embedded_sources_are_made_again() -> None:
    model = ModelRef("resnet50-embedded", "/gone.onnx", "0" * 64, "embedded")
    request = request_for(with_sources(model, dataset("embedded")), PLACE)
    assert (request.model, request.model_name, request.model_dir, request.data) == (None,) * 4


def test_a_plan_that_was_laid_down_is_known_also_where_runs_were_added_or_lengthened() -> None:
    laid = make_plan(inputs(scenarios=("Offline",)), None)
    longer = laid.with_runs(run.at(target_qps=9.0) for run in with_repeats(laid, 9).runs)
    assert is_laid_down(longer.document, laid.document)
    assert not is_laid_down(laid.document, longer.document)
    assert not is_laid_down({**longer.document, "round": "v5.0"}, laid.document)
    damages: tuple[Any, ...] = (None, [], {}, {**laid.document, "runs": None})
    for damaged in damages:
        assert not is_laid_down(damaged, laid.document)


def test_changes_are_listed_up_to_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    from audit.comparison.changes import system_changes

    monkeypatch.setattr("harness.report.comparison.MOST_CHANGES", 2)
    before = {"packages": {"a": "1", "b": "1", "c": "1", "d": "1"}}
    after = {"packages": {"a": "2", "c": "3", "d": "1"}}
    assert list(changes_lines(system_changes(before, after))) == [
        "Changed since the result was measured:",
        "  - package a: 1 → 2",
        "  - package b: 1 → none",
        "  … and 1 more in the comparison's JSON",
    ]
    (same,) = changes_lines(())
    assert "what they were" in same


def test_a_result_without_a_description_of_its_machine_has_changed_in_everything(
    tmp_path: Path,
) -> None:
    from audit.result import Result

    changed = changes_since(Result(tmp_path, {"system": None}, ()))
    assert {"host kernel", "package numpy"} <= {change.what for change in changed}
    assert {change.before for change in changed} == {"none"}
