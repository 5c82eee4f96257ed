"""Variants of lower precision: what is refused, how both sides are compared, what is said."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from audit import schema
from datasets.calibration import CalibrationList
from datasets.errors import LoadproofError, ModelError, UsageError
from datasets.fetching.sources import source
from datasets.samples.library import SampleLibrary
from datasets.samples.simulated import prepare_arrays, prepare_labels
from harness.report.quantization import render
from harness.sources import Sources
from harness.spec import DatasetRef, ModelRef, Origin
from harness.variants import comparing
from harness.variants.calibration import CalibrationChoice
from harness.variants.comparing import Pairs, compare
from harness.variants.describing import Variant, division, qualify_command, variant_document
from harness.variants.quantize import nothing_left
from harness.variants.refusals import (
    check_backend,
    refuse_foreign,
    refuse_lowered,
    refuse_unplaceable,
)
from harness.variants.wanted import Wanted, recipe_for
from sut.adapter import Answers
from sut.backend import availability_of
from sut.quantization.recipes import recipe
from tests.harness.plans import SHA, request

TARGET = {"metric": "top1_percent", "value": 75.0, "source": "a round"}
OFFICIAL_LIST = source("imagenet-calibration-1").sha256 or ""


def _sources(model: Origin = "embedded", dataset: Origin = "embedded") -> Sources:
    return Sources(
        ModelRef("a-model", "model.onnx", SHA, model),
        DatasetRef("images", "imagenet", "folder", SHA, 8, dataset),
    )


def _calibration(sha256: str = SHA) -> CalibrationChoice:
    content = CalibrationList("list.txt", sha256, ("one.png",))
    return CalibrationChoice("a-list", Path("list.txt"), Path("folder"), None, content, "images")


def _double(rows: NDArray[np.int64]) -> Answers:
    """Each sample's answer is twice its index, as float32."""
    return Answers((2 * rows).astype(np.float32))


@pytest.fixture(autouse=True)
def _without_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "REST_S", 0)


@pytest.mark.parametrize(("batch", "count"), [(1, 1), (1, 3), (3, 7), (8, 8), (9, 8)])
def test_both_sides_answer_every_sample_once(tmp_path: Path, batch: int, count: int) -> None:
    library = SampleLibrary(prepare_labels(count, tmp_path))
    heard: list[tuple[int, int]] = []
    pairs = compare(_double, _double, library, batch, lambda *seen: heard.append(seen))
    for records in pairs.records:
        assert sorted(record.qsl_idx for record in records) == list(range(count))
        assert [record.seq_id for record in records] == list(range(count))
        answers = [np.frombuffer(record.data, np.float32)[0] for record in records]
        assert answers == [2 * record.qsl_idx for record in records]
    assert sum(pairs.sizes) == count
    assert max(pairs.sizes) <= batch
    assert heard[-1] == (count, count)


def test_the_longest_samples_come_first(tmp_path: Path) -> None:
    arrays: dict[str, NDArray[Any]] = {
        "answer": np.zeros(4, np.float32),
        "length": np.array([3, 9, 5, 7], np.int64),
    }
    library = SampleLibrary(prepare_arrays(tmp_path / "samples", arrays))
    pairs = compare(_double, _double, library, 2, lambda *_: None)
    assert [record.qsl_idx for record in pairs.records[0]] == [1, 3, 2, 0]


def test_a_ratio_is_of_pairs_and_not_of_sums() -> None:
    seconds = ([2.0, 4.0, 60.0], [1.0, 2.0, 20.0])
    pairs = Pairs(([], []), seconds, [8, 8, 8])
    assert pairs.ratio() == (2.0, 2.0, 2.5)
    assert pairs.rate(0) == 2.0
    assert Pairs(([], []), ([2.0], [1.0]), [8]).ratio() == (2.0, 2.0, 2.0)


@pytest.mark.parametrize(
    ("backend", "wanted", "says"),
    [
        ("simulated", Wanted("int8"), "simulated has no lower precision"),
        ("onnxruntime", Wanted("fp32"), "ask for int8 or fp16"),
        ("onnxruntime", Wanted("bf16"), "ask for int8 or fp16"),
        ("onnxruntime", Wanted("fp16", calibration="x"), "--calibration would change nothing"),
        ("onnxruntime", Wanted("fp16", reduce_range=True), "--reduce-range is about"),
        ("tensorflow", Wanted("int8"), "ask for bf16"),
        ("tensorflow", Wanted("bf16", target=Path("m.onnx")), "--to makes no sense here"),
        ("tensorflow", Wanted("bf16", check=False), "--no-check makes no sense here"),
    ],
)
def test_what_makes_no_sense_is_refused(
    tmp_path: Path, backend: str, wanted: Wanted, says: str
) -> None:
    _skip_without(backend)
    with pytest.raises(UsageError, match=says):
        recipe_for(request(tmp_path, backend=backend), wanted)


def _skip_without(backend: str) -> None:
    seen = availability_of(backend)
    if seen.version is None:
        pytest.skip(seen.reason)


def test_what_the_runtime_does_itself_has_no_recipe(tmp_path: Path) -> None:
    _skip_without("tensorflow")
    assert recipe_for(request(tmp_path, backend="tensorflow"), Wanted("bf16")) is None


def test_a_file_of_the_users_is_not_overwritten(tmp_path: Path) -> None:
    precious = tmp_path / "precious.onnx"
    refuse_foreign(precious)
    precious.write_bytes(b"something")
    with pytest.raises(UsageError, match="was not made by `loadproof quantize`"):
        refuse_foreign(precious)
    with pytest.raises(UsageError, match=r"must end in \.onnx"):
        refuse_foreign(tmp_path / "model.pb")


def test_a_source_that_is_empty_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "e.onnx").touch()
    with pytest.raises(ModelError, match=r"e\.onnx is an empty file, not a model"):
        refuse_lowered(tmp_path / "e.onnx")


def test_a_place_where_no_file_can_be_made_is_refused(tmp_path: Path) -> None:
    refuse_unplaceable(tmp_path / "new" / "folder" / "m.onnx")
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="file is no folder; name another with --to"):
        refuse_unplaceable(tmp_path / "file" / "m.onnx")


@pytest.mark.parametrize(
    ("device", "options", "says"),
    [
        ("cpu", {"provider": "CUDA"}, "the session would use CPU|drives a gpu only"),
        ("cpu", {"nonsense": "1"}, "has no option 'nonsense'"),
        ("cpu", {"arena": "perhaps"}, "arena=perhaps is not one of"),
        ("moon", {}, "has no kind of device 'moon'"),
    ],
)
def test_what_a_backend_refuses_is_found_without_a_model(
    device: str, options: dict[str, str], says: str
) -> None:
    _skip_without("onnxruntime")
    asked = {"name": "onnxruntime", "device": device, "devices": [0], "precision": "fp32"}
    with pytest.raises(LoadproofError, match=says):
        check_backend({"backend": {**asked, "options": options}}, _ignored)


def test_a_backend_that_only_lacks_its_model_is_fine() -> None:
    _skip_without("onnxruntime")
    asked = {"name": "onnxruntime", "device": "cpu", "devices": [0], "precision": "fp32"}
    assert check_backend({"backend": {**asked, "options": {"arena": "off"}}}, _ignored) == {}


@pytest.mark.parametrize("error", [UsageError("no"), None])
def test_a_made_file_that_could_not_be_checked_is_taken_away(
    tmp_path: Path, error: UsageError | None
) -> None:
    made = tmp_path / "made.onnx"
    made.touch()
    with suppress(UsageError), nothing_left(Variant(None, None, str(made))):
        if error:
            raise error
    assert made.exists() == (error is None)


def _ignored(_done: int, _total: int) -> None:
    """Of progress."""


@pytest.mark.parametrize(
    ("model", "dataset", "calibration", "says"),
    [
        ("embedded", "embedded", None, "none: "),
        ("own", "embedded", _calibration(), "none: "),
        ("own", "official", _calibration(OFFICIAL_LIST), "open"),
        ("official", "own", _calibration(OFFICIAL_LIST), "open"),
        ("official", "official", _calibration(), "open: the calibration list"),
        ("official", "official", _calibration(OFFICIAL_LIST), "closed or open"),
        ("official", "official", None, "closed or open"),
    ],
)
def test_a_division_goes_by_model_data_and_list(
    model: Origin, dataset: Origin, calibration: CalibrationChoice | None, says: str
) -> None:
    assert division(_sources(model, dataset), calibration).startswith(says)


def test_the_command_that_qualifies_names_what_was_made(tmp_path: Path) -> None:
    asked = request(tmp_path, backend="onnxruntime")
    command = qualify_command(asked, _sources(), "int8", "made.onnx")
    assert command == (
        "loadproof qualify -b resnet50 -k onnxruntime --precision int8 --model made.onnx "
        "--suite quick"
    )
    assert "--model" not in qualify_command(asked, _sources(), "bf16", None)
    own = qualify_command(replace(asked, data=tmp_path), _sources("own", "own"), "int8", "m.onnx")
    assert own.endswith("--model m.onnx --data folder")
    assert "--model 'a b.onnx'" in qualify_command(asked, _sources(), "int8", "a b.onnx")


def _document(tmp_path: Path, checked: dict[str, Any] | None) -> dict[str, Any]:
    variant = Variant(recipe("resnet50", "int8"), _calibration(), "made.onnx")
    asked = request(tmp_path, backend="onnxruntime")
    document = variant_document(asked, Wanted("int8"), _sources(), variant, checked)
    schema.require(document, "quantization", "a test")
    return document


def _checked(accuracy: float, passed: bool) -> dict[str, Any]:
    right = {"accuracy": 80.0, "passed": True, "margin": "5 to spare", "samples_per_s": 50.0}
    variant = {"accuracy": accuracy, "passed": passed, "margin": "m", "samples_per_s": 150.0}
    ratio = {"low": 2.9, "median": 3.0, "high": 3.1}
    sides = [right, variant]
    return {"sides": sides, "ratio": ratio, "batch": 4, "samples": 8, "target": TARGET}


def test_both_sides_stand_beside_the_target(tmp_path: Path) -> None:
    text = render(_document(tmp_path, _checked(78.0, passed=True)))
    assert "80.000 ≥ 75.000" in text
    assert "78.000 ≥ 75.000" in text
    assert "3.00 × (2.90 to 3.10)" in text
    assert "loadproof qualify -b resnet50" in text
    assert "a-list: 1 images" in text


def test_a_variant_that_misses_is_no_candidate(tmp_path: Path) -> None:
    text = render(_document(tmp_path, _checked(70.0, passed=False)))
    assert "70.000 < 75.000" in text
    assert "MISSED" in text
    assert "no candidate" in text
    assert "loadproof qualify -b" not in text


def test_a_variant_that_was_not_checked_says_what_checks_it(tmp_path: Path) -> None:
    text = render(_document(tmp_path, None))
    assert "Not checked" in text
    assert "loadproof qualify -b resnet50" in text
