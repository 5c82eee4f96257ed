"""Models by the names that ``loadproof list`` prints: found where they are kept, never fetched."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasets.disk.cache import default_cache
from datasets.errors import UsageError
from datasets.fetching.fetch import place_of
from datasets.fetching.sources import source
from harness import exits
from harness.cli.app import app, guarded
from harness.sources.kept import model_at
from sut import zoo
from sut.embedded import catalog

NAMES = [entry.name for entry in zoo.models()]


def _kept(name: str, cache: Path) -> Path:
    entry = zoo.model(name)
    if entry.origin == "official":
        return place_of(source(name), cache)
    return catalog.place_of(entry.benchmark, entry.suffix, cache)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_means_its_kept_file_or_the_command_that_brings_it(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises(UsageError) as refused:
        model_at(Path(name), tmp_path)
    origin = zoo.model(name).origin
    command = "prepare embedded" if origin == "embedded" else f"prepare models {name}"
    assert f"`loadproof {command}` brings it there." in str(refused.value)
    path = _kept(name, tmp_path)
    path.parent.mkdir(parents=True)
    path.touch()
    assert model_at(Path(name), tmp_path) == path


def test_the_file_that_is_looked_for_is_the_one_that_is_made() -> None:
    made = catalog.embedded_model("resnet50", ".onnx", default_cache())
    assert model_at(Path("resnet50-embedded-onnx"), default_cache()) == made


def test_a_file_goes_before_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bert-onnx").touch()
    assert model_at(Path("bert-onnx"), tmp_path) == Path("bert-onnx")


@pytest.mark.parametrize(
    ("name", "advice"), [("bert-onx", "did you mean bert-onnx?"), ("x", "the names are resnet50-")]
)
def test_a_misspelt_name_is_answered_with_those_that_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, advice: str
) -> None:
    assert guarded(lambda: app(["inspect", name, "--cache", str(tmp_path)])) == exits.USAGE
    (sentence,) = capsys.readouterr().err.splitlines()
    assert sentence.startswith(f"loadproof: There is no model at {name}, and none is called so; ")
    assert advice in sentence


def test_an_embedded_model_is_not_asked_for_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["qualify", "-b", "bert", "--model", "bert-embedded-onnx"]
    assert guarded(lambda: app(asked)) == exits.USAGE
    assert "bert-embedded-onnx is embedded: it is used where --model is left out." in (
        capsys.readouterr().err
    )
