"""The embedded images: the same everywhere, apart from the fitted ones, whole after accidents."""

from __future__ import annotations

import hashlib
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from datasets.embedded.digits import (
    FRAME,
    calibration_digits,
    digit_files,
    enlarge,
    scored_digits,
    write_digit_images,
)
from datasets.embedded.digits_png import grey_png

FILES_SHA256 = "07cbc4e17e3bcca9ed74ea36fcd24665c26d7094cba9bd9d66cf718af61ac21e"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_digit_images(tmp_path_factory.mktemp("cache"))


def snapshot(folder: Path) -> dict[str, tuple[int, str]]:
    """Inode and SHA-256 of every file by its name: a rewritten file has another inode."""
    return {
        str(path.relative_to(folder)): (
            path.stat().st_ino,
            hashlib.sha256(path.read_bytes()).hexdigest(),
        )
        for path in folder.rglob("*")
        if path.is_file()
    }


def contents(folder: Path) -> dict[str, str]:
    return {name: digest for name, (_, digest) in snapshot(folder).items()}


def test_files_are_the_recorded_bytes(folder: Path) -> None:
    digest = hashlib.sha256()
    for name, content in digit_files(scored_digits()):
        assert (folder / name).read_bytes() == content
        digest.update(name.encode() + b"\0" + content)
    assert digest.hexdigest() == FILES_SHA256


def test_label_map_names_500_images_with_their_labels(folder: Path) -> None:
    lines = (folder / "val_map.txt").read_text().splitlines()
    assert len(lines) == 500
    assert lines[0] == "val/digit_1200.png 7"
    names, labels = zip(*(line.split(" ") for line in lines), strict=True)
    assert sorted(f"val/{path.name}" for path in (folder / "val").iterdir()) == list(names)
    assert [int(label) for label in labels] == scored_digits().labels.tolist()
    assert set(labels) == set("0123456789")


def test_scored_and_fitted_digits_never_meet() -> None:
    fitted, scored = calibration_digits(), scored_digits()
    assert (len(fitted), len(scored)) == (1200, 500)
    assert not set(fitted.number) & set(scored.number)
    pictures = {cells.tobytes() for cells in fitted.cells}
    assert not any(cells.tobytes() in pictures for cells in scored.cells)


def test_standard_preprocessing_changes_no_pixel(folder: Path) -> None:
    digits = scored_digits()
    for number, cells in zip(digits.number[:20], digits.cells, strict=False):
        image = cv2.imread(str(folder / f"val/digit_{number}.png"), cv2.IMREAD_COLOR)
        resized = cv2.resize(image, (256, 256), interpolation=cv2.INTER_AREA)
        crop = resized[FRAME:-FRAME, FRAME:-FRAME]
        assert crop.shape == (224, 224, 3)
        cell_centres = crop[14::28, 14::28]
        assert (cell_centres == np.round(cells * 255.0 / 16 + 1e-9)[..., np.newaxis]).all()
        assert (crop == cell_centres.repeat(28, axis=0).repeat(28, axis=1)).all()


def test_frame_is_paper() -> None:
    large = enlarge(np.full((1, 8, 8), 16, np.uint8))[0]
    assert large.shape == (256, 256)
    assert (large[FRAME:-FRAME, FRAME:-FRAME] == 255).all()
    assert large.sum(dtype=np.int64) == 255 * 224 * 224


def test_second_call_writes_nothing(folder: Path) -> None:
    before = snapshot(folder)
    assert write_digit_images(folder.parent) == folder
    assert snapshot(folder) == before


def test_interrupted_and_damaged_work_is_mended(folder: Path, tmp_path: Path) -> None:
    damaged = tmp_path / folder.name
    (damaged / "val").mkdir(parents=True)
    (damaged / "val/digit_1200.png").write_bytes(b"")
    whole = (folder / "val/digit_1201.png").read_bytes()
    (damaged / "val/digit_1201.png").write_bytes(whole[:-1] + b"?")
    (damaged / "val_map.txt").write_text("val/digit_1200.png 0\n")
    assert contents(write_digit_images(tmp_path)) == contents(folder)


def test_two_processes_make_one_whole_set(folder: Path, tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        made = list(pool.map(write_digit_images, [tmp_path, tmp_path]))
    assert made[0] == made[1]
    assert contents(made[0]) == contents(folder)


@settings(max_examples=30, deadline=None)
@given(
    st.tuples(st.integers(1, 300), st.integers(1, 300)).flatmap(
        lambda shape: arrays(np.uint8, shape, fill=st.integers(0, 255))
    )
)
def test_png_keeps_every_pixel(pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> None:
    decoded = cv2.imdecode(np.frombuffer(grey_png(pixels), np.uint8), cv2.IMREAD_UNCHANGED)
    assert decoded is not None
    assert decoded.dtype == np.uint8
    np.testing.assert_array_equal(decoded, pixels)
