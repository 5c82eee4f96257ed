"""``loadproof prepare``: what ends in the cache, and what is said where it can't."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from harness import exits
from tests.acceptance.command import clean_environment, command, loadproof

IMAGES = 12


@pytest.fixture
def images(tmp_path: Path) -> Path:
    """A folder of twelve labelled pictures."""
    folder = tmp_path / "imagenet"
    (folder / "val").mkdir(parents=True)
    rows = []
    for number in range(IMAGES):
        pixels = np.full((300, 400, 3), 20 * number, np.uint8)
        pixels[:, :200] += 15
        name = f"ILSVRC2012_val_{number + 1:08d}.JPEG"
        cv2.imwrite(str(folder / "val" / name), pixels)
        rows.append(f"val/{name} {number * 80}\n")
    (folder / "val_map.txt").write_text("".join(rows))
    return folder


def _prepared(*arguments: str | Path) -> list[dict[str, Any]]:
    done = loadproof("prepare", *arguments, "--json")
    assert done.returncode == exits.FINE, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def _bytes(store: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(store).iterdir()}


def test_images_are_prepared_once_and_in_the_same_bytes_everywhere(
    tmp_path: Path, images: Path
) -> None:
    (first,) = _prepared("imagenet", "--data", images, "--cache", tmp_path / "one")
    assert first["what"] == "imagenet (own)"
    assert first["samples"] == IMAGES
    assert first["path"].startswith(str(tmp_path / "one"))
    (again,) = _prepared("imagenet", "--data", images, "--cache", tmp_path / "one")
    assert again == first
    (other,) = _prepared("imagenet", "--data", images, "--cache", tmp_path / "two")
    assert other["sha256"] == first["sha256"]
    assert _bytes(other["path"]) == _bytes(first["path"])


def test_a_changed_image_and_another_layout_are_prepared_anew(tmp_path: Path, images: Path) -> None:
    cache = ("--cache", tmp_path / "cache")
    (first,) = _prepared("imagenet", "--data", images, *cache)
    (layout,) = _prepared("imagenet", "--data", images, *cache, "--layout", "NHWC")
    cv2.imwrite(
        str(images / "val/ILSVRC2012_val_00000003.JPEG"), np.full((300, 400, 3), 9, np.uint8)
    )
    (changed,) = _prepared("imagenet", "--data", images, *cache)
    assert len({row["sha256"] for row in (first, layout, changed)}) == 3


def test_every_bad_image_is_named_before_anything_is_kept(tmp_path: Path, images: Path) -> None:
    (images / "val/ILSVRC2012_val_00000002.JPEG").unlink()
    (images / "val/ILSVRC2012_val_00000005.JPEG").write_bytes(b"")
    cache = ("--cache", tmp_path / "cache")
    done = loadproof("prepare", "imagenet", "--data", images, *cache)
    assert done.returncode == exits.USAGE
    assert "ILSVRC2012_val_00000002.JPEG" in done.stderr
    assert "ILSVRC2012_val_00000005.JPEG" in done.stderr
    assert "00000003" not in done.stderr
    (subset,) = _prepared("imagenet", "--data", images, *cache, "--allow-subset")
    assert subset["samples"] == IMAGES - 2


def test_a_picture_that_is_cut_short_is_named(tmp_path: Path, images: Path) -> None:
    path = images / "val/ILSVRC2012_val_00000007.JPEG"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    done = loadproof("prepare", "imagenet", "--data", images, "--cache", tmp_path / "cache")
    assert done.returncode == exits.USAGE
    assert path.name in done.stderr
    assert not list((tmp_path / "cache").rglob("manifest.json"))


def test_a_preparation_that_is_killed_ends_in_the_same_bytes(tmp_path: Path, images: Path) -> None:
    (whole,) = _prepared("imagenet", "--data", images, "--cache", tmp_path / "whole")
    arguments = ("prepare", "imagenet", "--data", images, "--cache", tmp_path / "killed")
    for delay_s in (0.2, 0.4, 0.6, 0.8):
        process = subprocess.Popen(
            command(*arguments), stderr=subprocess.DEVNULL, env=clean_environment()
        )
        time.sleep(delay_s)
        process.send_signal(signal.SIGKILL)
        process.wait()
    (again,) = _prepared(*arguments[1:])
    assert _bytes(again["path"]) == _bytes(whole["path"])


@pytest.mark.usefixtures("official_vocab")
def test_embedded_models_and_data_are_ready_for_use_without_a_network() -> None:
    first = _prepared("embedded")
    assert {"digits-embedded (embedded)", "questions-embedded (embedded)"} <= {
        row["what"] for row in first
    }
    assert _prepared("embedded", "--offline") == first


def test_a_wrong_file_is_set_aside_and_never_used(tmp_path: Path) -> None:
    mirror, cache = tmp_path / "mirror", tmp_path / "cache"
    mirror.mkdir()
    (mirror / "resnet50_v1.onnx").write_bytes(b"\x08\x07 not the model")
    done = loadproof("prepare", "models", "resnet50-onnx", "--mirror", mirror, "--cache", cache)
    assert done.returncode == exits.USAGE
    assert "f6a4da60cd5f084d97efc2c1ddb10beb" in done.stderr
    assert not (cache / "fetched/resnet50-onnx/resnet50_v1.onnx").exists()


def test_an_unknown_model_lists_the_known_ones(tmp_path: Path) -> None:
    done = loadproof("prepare", "models", "resnet", "--cache", tmp_path)
    assert done.returncode == exits.USAGE
    assert "those are: resnet50-onnx" in done.stderr
