"""What is done in child processes before anything is measured, on the simulated device."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from datasets.disk.cache import default_cache
from datasets.errors import BackendError, UsageError
from harness.benchmarks import benchmark_named
from harness.running import chores

SHA = "0" * 64
DATASET = {
    "name": "simulated",
    "kind": "simulated",
    "path": None,
    "sha256": SHA,
    "count": 16,
    "origin": "simulated",
}


def _asked(devices: tuple[int, ...] = (0,), **options: str) -> dict[str, Any]:
    backend = {
        "name": "simulated",
        "device": "cpu",
        "devices": list(devices),
        "precision": "fp32",
        "options": {"base_ms": "4", "per_sample_ms": "1", **options},
    }
    return {"benchmark": "resnet50", "backend": backend, "model": None}


def _silent(_done: int, _total: int) -> None: ...


@pytest.fixture
def store() -> str:
    wanted = {"dataset": DATASET, "layout": "", "dtype": "", "cache": str(default_cache())}
    prepared = chores.prepare(wanted, _silent)
    assert prepared["count"] == 16
    assert Path(prepared["store"]).is_dir()
    return str(prepared["store"])


def test_a_look_names_every_device_that_was_opened() -> None:
    seen = json.loads(json.dumps(chores.look(_asked(devices=(0, 2)), _silent)))
    assert seen["device_used"] == "simulated cpu 0, simulated cpu 2"
    assert {"facts", "layout", "dtype", "max_batch"} <= seen.keys()


@pytest.mark.parametrize(("most", "sizes"), [(None, [1, 2, 4, 8, 16]), (4, [1, 2, 4])])
def test_batches_are_timed_up_to_the_dataset_or_what_was_asked(
    store: str, most: int | None, sizes: list[int]
) -> None:
    heard: list[int] = []
    wanted = {"store": store, "threads": 1, "max_batch": most, "per_size_s": 0.0}
    curve = chores.time_batches({**_asked(), **wanted}, lambda done, _total: heard.append(done))
    assert list(curve["sizes"]) == sizes
    for size, seconds in zip(curve["sizes"], curve["seconds"], strict=True):
        assert seconds >= (4 + size) / 1000
    assert set(heard) == set(sizes)


def test_a_device_that_raises_while_it_is_timed_is_an_error(store: str) -> None:
    wanted = {"store": store, "threads": 1, "max_batch": 4, "per_size_s": 0.0}
    with pytest.raises(BackendError, match="raise_at"):
        chores.time_batches({**_asked(raise_at="3"), **wanted}, _silent)


def test_a_model_is_made_by_the_embedded_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def embedded_model(*places: Any, **how: Any) -> Path:
        asked.append((*places, how))
        return Path("made.onnx")

    monkeypatch.setattr("sut.embedded.catalog.embedded_model", embedded_model)
    wanted = {"benchmark": "bert", "suffix": ".onnx", "cache": "c", "mirror": "m", "offline": True}
    assert chores.make_model(wanted, _silent) == {"path": "made.onnx"}
    assert asked == [("bert", ".onnx", Path("c"), {"mirror": "m", "offline": True})]


def test_a_benchmark_that_is_not_known_is_refused_with_the_known_ones() -> None:
    assert benchmark_named("bert").metric == "f1"
    with pytest.raises(UsageError, match="no benchmark 'gpt'; the benchmarks are resnet50, bert"):
        benchmark_named("gpt")
