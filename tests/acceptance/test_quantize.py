"""``loadproof quantize`` and ``prepare calibration``, as a user calls them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.fetching.sources import source
from harness import exits
from harness.cli.app import app, guarded
from tests.datasets.fetching.server import Internet, serving
from tests.sut.models import CLASS_OF_CHANNEL
from tests.sut.quantizable import convolutional_onnx

IMAGES = 6
Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Command:
    """The command line in this process, in an empty folder: its exit code and what it said."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOADPROOF_CACHE", str(tmp_path / "cache"))

    def run(*words: str | Path) -> tuple[int, str, str]:
        code = guarded(lambda: app([str(word) for word in words]))
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def images(tmp_path: Path) -> Path:
    """Pictures of one colour, labelled by the channel that it is of."""
    folder = tmp_path / "images"
    (folder / "val").mkdir(parents=True)
    rows = []
    for number in range(IMAGES):
        channel = number % 3
        pixels = np.zeros((256, 256, 3), np.uint8)
        pixels[:, :, 2 - channel] = 250
        cv2.imwrite(str(folder / f"val/{number}.png"), pixels)
        rows.append(f"val/{number}.png {CLASS_OF_CHANNEL[channel] - 1}\n")
    (folder / "val_map.txt").write_text("".join(rows))
    (folder / "list.txt").write_text("0.png\n1.png\n2.png\n")
    return folder


def _quantize(command: Command, images: Path, *words: str | Path) -> tuple[int, str, str]:
    model = convolutional_onnx(images / "source.onnx")
    return command(
        "quantize", "-b", "resnet50", "--model", model, "--data", images,
        "--calibration", images / "list.txt", *words,
    )  # fmt: skip


def test_a_variant_is_made_compared_and_ready_to_be_qualified(
    command: Command, images: Path
) -> None:
    code, out, err = _quantize(command, images, "--json", "--to", "small.onnx")
    assert code == exits.FINE, err
    document = json.loads(out)
    made = Path(document["model"])
    assert [side["accuracy"] for side in document["check"]["sides"]] == [100.0, 100.0]
    assert document["calibration"]["samples"] == 3
    assert document["check"]["samples"] == IMAGES
    assert document["division"] == "open"
    code, out, err = command("inspect", made, "--json")
    inspected = json.loads(out)
    assert inspected["runtime"]["precision"] == "int8"
    metadata = inspected["metadata"]
    assert document["source"]["sha256"] in metadata["loadproof.made_from"]
    assert metadata["loadproof.calibration"].startswith("list.txt, 3 samples, SHA-256")
    assert f"--model {made}" in document["qualify"]
    code, _, err = command("quantize", "-b", "resnet50", "--model", made, "--data", images)
    assert code == exits.USAGE
    assert "small.onnx is int8 already" in err


def test_a_variant_that_misses_the_target_ends_with_findings(
    command: Command, images: Path
) -> None:
    rows = (images / "val_map.txt").read_text().splitlines()
    wrong = [f"{row.split()[0]} 3\n" for row in rows]
    (images / "val_map.txt").write_text("".join(wrong))
    code, out, _ = _quantize(command, images)
    assert code == exits.FINDINGS
    assert "MISSED" in out
    assert "no candidate for any division" in out


def test_images_that_the_list_names_must_be_there(command: Command, images: Path) -> None:
    (images / "list.txt").write_text("0.png\nelsewhere.png\n")
    code, _, err = _quantize(command, images, "--no-check")
    assert code == exits.USAGE
    assert "lacks elsewhere.png of the calibration list" in err
    assert not list(Path.cwd().glob("*.onnx"))


def test_calibration_lists_are_fetched_checked_and_counted(command: Command) -> None:
    promised = source("squad-calibration-questions").size_bytes
    content = "".join(f"{number:024x}\n" for number in range(100)).encode()
    assert len(content) == promised
    with serving(Internet(content)) as internet:
        code, out, err = command(
            "prepare", "calibration", "bert", "--mirror", f"{internet.url}/lists", "--json"
        )
    assert code == exits.FINE, err
    assert [row["samples"] for row in json.loads(out)] == [100, 100]
    assert "was not checked" in err


def test_a_list_that_is_not_the_published_one_is_refused(command: Command, tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    (mirror / "cal_image_list_option_1.txt").write_text("another list\n")
    code, _, err = command("prepare", "calibration", "resnet50", "--mirror", mirror)
    assert code == exits.USAGE
    assert "7662247d1d9407d6" in err
