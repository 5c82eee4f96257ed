"""Which model and dataset a request means, and what is said where they are not there."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from datasets.disk.cache import default_cache
from datasets.disk.files import sha256_of
from datasets.errors import DataError, ModelError, UsageError
from harness.report.live import PlainDisplay
from harness.request import Request
from harness.running import child
from harness.running.errands import Errands
from harness.sources import Sources, data, resolve
from harness.stop import StopRequests
from sut import zoo
from tests.harness.plans import request

MODEL_BYTES = b"a model that nobody opens"
NAMES = ("one.png", "two.png", "three.png")


@pytest.fixture
def images(tmp_path: Path) -> Path:
    """An ImageNet-layout folder whose three pictures nobody decodes."""
    folder = tmp_path / "imagenet"
    (folder / "val").mkdir(parents=True)
    for name in NAMES:
        (folder / "val" / name).write_bytes(name.encode())
    rows = [f"{name} {label}\n" for label, name in enumerate(NAMES)]
    (folder / "val_map.txt").write_text("".join(rows))
    return folder


@pytest.fixture
def squad(tmp_path: Path) -> Path:
    """A folder with a question and a vocabulary."""
    answers = [{"text": "Ann", "answer_start": 0}]
    paragraph = {
        "context": "Ann wrote it.",
        "qas": [{"id": "q1", "question": "Who wrote it?", "answers": answers}],
    }
    document = {"version": "1.1", "data": [{"title": "", "paragraphs": [paragraph]}]}
    folder = tmp_path / "squad"
    folder.mkdir()
    (folder / "dev-v1.1.json").write_text(json.dumps(document))
    (folder / "vocab.txt").write_text("[PAD]\n")
    return folder


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an "official" file of each benchmark, small enough to be written."""
    folder = tmp_path / "models"
    folder.mkdir()
    md5 = hashlib.md5(MODEL_BYTES).hexdigest()
    real = zoo.models

    def known(benchmark: str | None = None, suffix: str | None = None) -> tuple[Any, ...]:
        return tuple(replace(entry, md5=md5) for entry in real(benchmark, suffix))

    monkeypatch.setattr(zoo, "models", known)
    (folder / "resnet50_v1.onnx").write_bytes(MODEL_BYTES)
    (folder / "model.onnx").write_bytes(MODEL_BYTES)
    return folder


def _resolve(asked: Request, first: int | None = None) -> Sources:
    display = PlainDisplay(Console(quiet=True))
    return resolve(Errands(asked, asked.output / "log", StopRequests(), display), first)


def _asked(tmp_path: Path, benchmark: str = "resnet50", **changes: Any) -> Request:
    return request(tmp_path, backend="onnxruntime", benchmark=benchmark, **changes)


def test_official_images_and_model_are_known_by_name_and_content(
    tmp_path: Path, models: Path, images: Path
) -> None:
    found = _resolve(_asked(tmp_path, model_dir=models, data=images))
    assert (found.model.name, found.model.origin) == ("resnet50-onnx", "official")
    assert found.model.path == str(models / "resnet50_v1.onnx")
    assert found.model.sha256 == hashlib.sha256(MODEL_BYTES).hexdigest()
    assert (found.dataset.kind, found.dataset.origin) == ("imagenet", "own")
    assert found.dataset.path == str(images)
    assert len(set(found.dataset.sha256)) > 1


def test_images_are_official_only_where_names_and_labels_are_those_published(
    tmp_path: Path, models: Path, images: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (images / "val_map.txt").read_text().splitlines()
    published = "".join(f"val/{line}\n" for line in lines).encode()
    monkeypatch.setattr(data, "IMAGENET_MAP_MD5", hashlib.md5(published).hexdigest())
    asked = _asked(tmp_path, model_dir=models, data=images)
    assert _resolve(asked).dataset.origin == "official"
    assert _resolve(asked, first=2).dataset.origin == "own"
    name, label = lines[0].rsplit(" ", 1)
    lines[0] = f"{name} {(int(label) + 1) % 1000}"
    (images / "val_map.txt").write_text("\n".join(lines))
    assert _resolve(asked).dataset.origin == "own"


def test_an_official_model_by_name_is_fetched_with_its_data(
    tmp_path: Path, squad: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "bert-onnx": tmp_path / "model.onnx",
        "squad-v1.1-dev": squad / "dev-v1.1.json",
        "bert-vocab": squad / "vocab.txt",
    }
    files["bert-onnx"].write_bytes(MODEL_BYTES)

    def call(function: str, wanted: dict[str, Any], **_: Any) -> dict[str, Any]:
        assert function == "harness.running.chores:fetch_file"
        return {"path": str(files[wanted["name"]]), "notes": []}

    monkeypatch.setattr(child, "call", call)
    found = _resolve(_asked(tmp_path, benchmark="bert", model_name="bert-onnx"))
    assert (found.model.name, found.model.origin) == ("bert-onnx", "official")
    assert found.dataset.vocab == str(squad / "vocab.txt")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"benchmark": "resnet50", "model_name": "bert-onnx"}, "can't be run as resnet50"),
        ({"benchmark": "bert", "model_name": "bert-tf"}, "can't be run as bert on onnxruntime"),
    ],
)
def test_an_official_model_of_something_else_is_refused(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        _resolve(_asked(tmp_path, **changes))


def test_imagenet_can_not_be_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "resnet50_v1.onnx"
    model.write_bytes(MODEL_BYTES)
    monkeypatch.setattr(child, "call", lambda *_, **__: {"path": str(model), "notes": []})
    with pytest.raises(UsageError, match="name your own copy"):
        _resolve(_asked(tmp_path, model_name="resnet50-onnx"))


def test_the_identity_of_a_dataset_is_that_of_its_content(
    tmp_path: Path, models: Path, images: Path
) -> None:
    asked = _asked(tmp_path, model_dir=models, data=images)
    whole, part = _resolve(asked), _resolve(asked, first=2)
    assert part.dataset.first == 2
    assert part.dataset.sha256 != whole.dataset.sha256
    (images / "val/two.png").write_bytes(b"a longer picture")
    assert _resolve(asked).dataset.sha256 != whole.dataset.sha256


@pytest.mark.parametrize("as_file", [True, False])
def test_official_questions_are_a_file_or_the_folder_that_holds_it(
    tmp_path: Path, models: Path, squad: Path, as_file: bool
) -> None:
    data = squad / "dev-v1.1.json" if as_file else squad
    found = _resolve(_asked(tmp_path, "bert", model_dir=models, data=data))
    assert found.model.name == "bert-onnx"
    assert found.dataset.path == str(squad / "dev-v1.1.json")
    assert found.dataset.vocab == str(squad / "vocab.txt")
    assert found.dataset.sha256 == sha256_of(squad / "dev-v1.1.json")


def test_the_vocabulary_may_lie_beside_the_models(
    tmp_path: Path, models: Path, squad: Path
) -> None:
    (squad / "vocab.txt").rename(models / "vocab.txt")
    found = _resolve(_asked(tmp_path, "bert", model_dir=models, data=squad))
    assert found.dataset.vocab == str(models / "vocab.txt")


@pytest.mark.parametrize("named", ["", "nope.json"])
def test_questions_that_are_not_there_are_missed_before_the_vocabulary(
    tmp_path: Path, models: Path, squad: Path, named: str
) -> None:
    (squad / "dev-v1.1.json").unlink()
    with pytest.raises(UsageError, match=f"There are no questions at {squad}/.*; name a SQuAD"):
        _resolve(_asked(tmp_path, "bert", model_dir=models, data=squad / named))


def test_without_a_vocabulary_bert_says_where_to_put_it(
    tmp_path: Path, models: Path, squad: Path
) -> None:
    (squad / "vocab.txt").unlink()
    with pytest.raises(UsageError) as caught:
        _resolve(_asked(tmp_path, "bert", model_dir=models, data=squad))
    assert f"put vocab.txt beside {squad / 'dev-v1.1.json'}, or name it with --vocab" in str(
        caught.value
    )


def test_a_vocabulary_can_be_named(tmp_path: Path, models: Path, squad: Path) -> None:
    own = (squad / "vocab.txt").rename(tmp_path / "words.txt")
    found = _resolve(_asked(tmp_path, "bert", model_dir=models, data=squad, vocab=own))
    assert found.dataset.vocab == str(own)


def test_an_official_name_with_other_content_is_refused(
    tmp_path: Path, models: Path, images: Path
) -> None:
    (models / "resnet50_v1.onnx").write_bytes(b"cut short")
    with pytest.raises(ModelError) as caught:
        _resolve(_asked(tmp_path, model_dir=models, data=images))
    md5 = hashlib.md5(b"cut short").hexdigest()
    assert f"is not the official resnet50 model: its MD5 is {md5}" in str(caught.value)
    assert "run it as your own with --model" in str(caught.value)


def test_a_folder_without_the_official_model_says_which_file_is_wanted(
    tmp_path: Path, models: Path, images: Path
) -> None:
    (models / "resnet50_v1.onnx").unlink()
    with pytest.raises(UsageError, match=r"put resnet50_v1\.onnx there") as caught:
        _resolve(_asked(tmp_path, model_dir=models, data=images))
    assert f"MODEL_DIR {models} has no official resnet50 model" in str(caught.value)


def test_an_own_model_is_called_one(tmp_path: Path, models: Path, images: Path) -> None:
    own = models / "resnet50_v1.onnx"
    found = _resolve(_asked(tmp_path, model=own, data=images))
    assert (found.model.name, found.model.origin) == ("resnet50-resnet50_v1", "own")
    assert found.model.sha256 == sha256_of(own)


def test_a_saved_model_is_known_by_all_its_files(tmp_path: Path, images: Path) -> None:
    saved = tmp_path / "saved"
    (saved / "variables").mkdir(parents=True)
    (saved / "saved_model.pb").write_bytes(b"graph")
    (saved / "variables/data").write_bytes(b"weights")
    asked = _asked(tmp_path, model=saved, data=images)
    before = _resolve(asked).model.sha256
    (saved / "variables/data").write_bytes(b"WEIGHTS")
    assert _resolve(asked).model.sha256 != before


def test_a_model_that_is_not_there_is_named(tmp_path: Path, images: Path) -> None:
    with pytest.raises(UsageError, match=r"There is no model at absent\.onnx"):
        _resolve(_asked(tmp_path, model=Path("absent.onnx"), data=images))


def test_labels_of_ones_own_decide_the_images(tmp_path: Path, models: Path, images: Path) -> None:
    asked = _asked(tmp_path, model_dir=models, data=images)
    labels = tmp_path / "own.txt"
    labels.write_text("".join(f"{name} 7\n" for name in NAMES))
    relabelled = _resolve(replace(asked, labels=labels))
    assert relabelled.dataset.labels == str(labels)
    assert relabelled.dataset.sha256 != _resolve(asked).dataset.sha256


def test_images_without_a_label_map_are_refused(tmp_path: Path, models: Path, images: Path) -> None:
    (images / "val_map.txt").unlink()
    with pytest.raises(DataError, match=r"has no label map"):
        _resolve(_asked(tmp_path, model_dir=models, data=images))


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What was asked of the child that makes models, which leaves a small file instead."""
    asked: dict[str, Any] = {}
    path = tmp_path / "made.onnx"
    path.write_bytes(MODEL_BYTES)

    def call(function: str, argument: dict[str, Any], **_: Any) -> dict[str, str]:
        asked.update(argument, function=function)
        return {"path": str(path)}

    monkeypatch.setattr(child, "call", call)
    return asked


def test_nothing_named_means_the_embedded_model_and_digits(
    tmp_path: Path, made: dict[str, Any]
) -> None:
    asked = _asked(tmp_path, cache=default_cache(), offline=True)
    found = _resolve(asked, first=32)
    assert made == {
        "function": "harness.running.chores:make_model",
        "benchmark": "resnet50",
        "suffix": ".onnx",
        "cache": str(default_cache()),
        "mirror": None,
        "offline": True,
    }
    assert (found.model.name, found.model.origin) == ("resnet50-embedded", "embedded")
    assert found.model.sha256 == hashlib.sha256(MODEL_BYTES).hexdigest()
    assert (found.dataset.name, found.dataset.origin) == ("digits-embedded", "embedded")
    assert found.dataset.first == 32


def test_nothing_named_means_the_embedded_questions(
    tmp_path: Path, made: dict[str, Any], squad: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data, "wheel_file", lambda *_, **__: squad / "vocab.txt")
    found = _resolve(_asked(tmp_path, "bert"))
    assert made["benchmark"] == "bert"
    assert (found.dataset.name, found.dataset.origin) == ("questions-embedded", "embedded")
    assert found.dataset.vocab == str(squad / "vocab.txt")


@pytest.mark.parametrize(("first", "count"), [(None, 1024), (32, 32)])
def test_a_simulated_device_needs_no_files(tmp_path: Path, first: int | None, count: int) -> None:
    found = _resolve(request(tmp_path), first)
    assert (found.model.path, found.dataset.path) == (None, None)
    assert (found.model.origin, found.dataset.origin) == ("simulated", "simulated")
    assert found.dataset.count == count


def test_a_simulated_device_can_not_answer_questions(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"can't simulate bert; ask for resnet50"):
        _resolve(request(tmp_path, benchmark="bert"))


@pytest.mark.parametrize(
    ("backend", "benchmark", "option", "why"),
    [
        ("simulated", "resnet50", {"model": Path("m.onnx")}, "takes neither a model nor data"),
        ("simulated", "resnet50", {"model_name": "bert-onnx"}, "takes neither a model nor data"),
        ("simulated", "resnet50", {"model_dir": Path("m")}, "takes neither a model nor data"),
        ("simulated", "resnet50", {"data": Path("d")}, "takes neither a model nor data"),
        ("simulated", "resnet50", {"labels": Path("l")}, "takes neither a model nor data"),
        ("simulated", "resnet50", {"vocab": Path("v")}, "takes neither a model nor data"),
        ("simulated", "resnet50", {"allow_subset": True}, "takes neither a model nor data"),
        ("onnxruntime", "resnet50", {"vocab": Path("v")}, "resnet50 has no vocabulary"),
        ("onnxruntime", "bert", {"labels": Path("l")}, "bert has no images"),
        ("onnxruntime", "bert", {"allow_subset": True}, "bert has no images"),
        ("onnxruntime", "resnet50", {"labels": Path("l")}, "no dataset is named with --data"),
        ("onnxruntime", "resnet50", {"allow_subset": True}, "no dataset is named with --data"),
        ("onnxruntime", "bert", {"vocab": Path("v")}, "no dataset is named with --data"),
    ],
)
def test_an_option_that_would_change_nothing_is_refused(
    tmp_path: Path, backend: str, benchmark: str, option: dict[str, Any], why: str
) -> None:
    asked = request(tmp_path, backend=backend, benchmark=benchmark, **option)
    with pytest.raises(UsageError, match=f"would change nothing, because .*{why}"):
        _resolve(asked)


def test_a_model_that_is_no_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "model.onnx")
    with pytest.raises(UsageError, match=r"model\.onnx is a named pipe, not a file"):
        _resolve(_asked(tmp_path, model=tmp_path / "model.onnx"))
