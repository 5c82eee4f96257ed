"""What the submitter adds, and what stays unknown until somebody says it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.rules import common_rules
from audit.submission.packaging.choosing import Chosen, choose
from audit.submission.packaging.description import merged, unknown_fields
from audit.submission.packaging.facts import system_facts, system_title
from audit.submission.packaging.measurements import measurements_of, starting_weights
from audit.submission.packaging.own_fields import OwnFields, Unknown, read_own_fields, template
from audit.submission.packaging.wording import calibration, calibration_unknown
from datasets.errors import UsageError
from datasets.fetching import sources
from tests.audit.written_evidence import Evidence

GPU = {"name": "Sample GPU", "memory": "80 GiB", "driver": "1"}


@pytest.fixture(scope="module")
def chosen(tmp_path_factory: pytest.TempPathFactory) -> Chosen:
    evidence = Evidence(tmp_path_factory.mktemp("own") / "evidence", repeats=1)
    return choose(evidence.folder, None, "open").chosen[0]


def on(chosen: Chosen, *, precision: str = "fp32", **changes: Any) -> Chosen:
    """The same run with another model or backend."""
    run = chosen.performance
    backend = {**run.asked.document["backend"], "precision": precision}
    document = {**run.asked.document, "backend": backend}
    document |= {key: {**document[key], **change} for key, change in changes.items()}
    return replace(chosen, performance=replace(run, asked=replace(run.asked, document=document)))


def with_gpus(chosen: Chosen, count: int, *, devices: list[int]) -> Chosen:
    evidence = chosen.audit.evidence
    assert evidence.system is not None
    host = {**evidence.system["host"], "gpus": [GPU] * count}
    evidence = replace(evidence, system={**evidence.system, "host": host})
    moved = replace(chosen, audit=replace(chosen.audit, evidence=evidence))
    return on(moved, backend={"device": "gpu", "devices": devices})


def written(path: Path, document: object) -> Path:
    path.write_text(json.dumps(document), "utf-8")
    return path


def test_a_file_of_own_fields_without_its_empty_ones(tmp_path: Path) -> None:
    document = {
        "status": "preview",
        "cooling": "",
        "accelerators_per_node": 0,
        "measurements": {"bert": {"retraining": "no", "weight_transformations": ""}},
    }
    own = read_own_fields(written(tmp_path / "own.json", document))
    assert own.system == {"status": "preview", "accelerators_per_node": 0}
    assert own.measurements == {"bert": {"retraining": "no"}}


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"host_procesor_model_name": "x"}, "'host_processor_model_name'"),
        ({"measurements": {"bert": {"retrained": "no"}}}, "'retraining'"),
        ({"measurements": {"gpt": {}}}, "gpt"),
        ({"status": ["available"]}, "status"),
        ([], "object"),
    ],
)
def test_a_wrong_field_is_named_with_the_nearest_right_one(
    tmp_path: Path, document: object, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        read_own_fields(written(tmp_path / "own.json", document))


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="own"):
        read_own_fields(tmp_path / "own")


def test_a_template_asks_for_the_unknown_alone() -> None:
    unknown = (
        Unknown("systems/a.json", "cooling"),
        Unknown("calibration.md", "how the weights were calibrated"),
        Unknown("results/a/bert-99/Offline/measurements.json", "retraining", benchmark="bert"),
    )
    assert template(unknown) == {"cooling": "", "measurements": {"bert": {"retraining": ""}}}


def test_every_field_is_there_and_only_unknown_ones_are_empty(chosen: Chosen) -> None:
    folders = {"division": "open", "submitter": "x", "system_type": "edge", "system_name": "y"}
    made = merged(system_facts(chosen), folders)
    assert list(made)[: len(common_rules()["system_fields"])] == common_rules()["system_fields"]
    unknown = {one.field for one in unknown_fields(made, "systems/x.json")}
    assert {"status", "cooling", "host_storage_type"} <= unknown
    assert all(
        made[name] != "" for name in set(common_rules()["system_fields_non_empty"]) - unknown
    )
    assert made["accelerators_per_node"] == 0


def test_the_later_outranks_the_earlier_and_an_empty_text_says_nothing() -> None:
    there = {"cooling": "air", "status": "rdi", "division": "closed"}
    made = merged(there, {"cooling": "liquid", "status": ""}, {"division": "open"})
    assert [made[name] for name in ("cooling", "status", "division")] == ["liquid", "rdi", "open"]


def test_accelerators_are_those_that_ran(chosen: Chosen) -> None:
    made = merged(system_facts(with_gpus(chosen, 4, devices=[1, 3])))
    assert made["accelerators_per_node"] == 2
    assert made["accelerator_model_name"] == "Sample GPU"
    assert made["accelerator_memory_capacity"] == "80 GiB"
    assert made["accelerator_interconnect"] == ""
    assert system_title(with_gpus(chosen, 4, devices=[1, 3])) == "2x Sample GPU simulated gpu"
    assert system_title(with_gpus(chosen, 0, devices=[0])) == ""


@pytest.mark.parametrize(
    ("origin", "precision", "empty"),
    [
        ("official", "fp32", set()),
        ("official", "int8", {"weight_transformations"}),
        ("own", "fp32", {"retraining", "weight_transformations"}),
        ("embedded", "fp32", set()),
    ],
)
def test_measurements_say_what_the_spec_tells(
    chosen: Chosen, origin: str, precision: str, empty: set[str]
) -> None:
    made = measurements_of(on(chosen, model={"origin": origin}, precision=precision), {})
    assert list(made) == common_rules()["measurement_fields"]
    unknown = {name for name, value in made.items() if not value} - {"input_data_types"}
    assert unknown == empty
    assert made["weight_data_types"] == precision
    own = measurements_of(on(chosen, model={"origin": origin}), {"retraining": "mine"})
    assert own["retraining"] == "mine"


MADE = {
    "method": "static int8, per channel",
    "made_from": f"resnet50-onnx, SHA-256 {'a' * 64}",
    "calibration": "mlperf-1, 500 samples, SHA-256 b",
}


def made(chosen: Chosen, **facts: str) -> Chosen:
    document = {**chosen.plan.document, "facts": {**MADE, **facts}}
    plan = replace(chosen.plan, document=document)
    return on(replace(chosen, plan=plan), model={"origin": "own"}, precision="int8")


def test_a_model_that_loadproof_made_tells_from_what_and_how(chosen: Chosen) -> None:
    told = measurements_of(made(chosen), {})
    assert told["weight_transformations"] == MADE["method"]
    assert told["starting_weights_filename"] == sources.source("resnet50-onnx").urls[0]
    assert told["retraining"] == "no"
    own = measurements_of(made(chosen, made_from="mine, SHA-256 c"), {})
    assert (own["starting_weights_filename"], own["retraining"]) == ("mine", "")


def test_calibration_is_told_or_asked_for(chosen: Chosen) -> None:
    unknown = on(chosen, precision="int8")
    assert "calibrated with mlperf-1, 500 samples" in calibration([made(chosen)])
    assert "nothing was calibrated" in calibration([made(chosen, calibration="none"), chosen])
    assert "To be described here" in calibration([unknown])
    assert [calibration_unknown(one) for one in (made(chosen), chosen, unknown)] == [0, 0, 1]


def test_where_the_weights_start() -> None:
    official = {"name": "resnet50-onnx", "origin": "official", "path": "/x/model.onnx"}
    assert starting_weights(official).startswith("https://")
    assert starting_weights({**official, "origin": "own", "name": "mine"}) == "model.onnx"
    assert starting_weights({**official, "name": "simulated", "path": None}) == "simulated"


def test_no_own_fields_by_default() -> None:
    assert OwnFields() == OwnFields({}, {})
