"""Calibration lists: what they name, and that the embedded one names nothing that is scored."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.calibration import (
    CALIBRATION_LISTS,
    DIGITS,
    CalibrationList,
    chosen_images,
    read_calibration_list,
    write_digits_calibration,
)
from datasets.embedded.digits import scored_digits
from datasets.errors import DataError
from datasets.fetching.sources import source
from datasets.images.imagenet import ImageNet, read_imagenet

WORDS = st.lists(
    st.text("abcdefgh_.0123456789", min_size=1, max_size=12), min_size=1, max_size=30, unique=True
)


@pytest.fixture(scope="module")
def digits(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return write_digits_calibration(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def images(digits: tuple[Path, Path]) -> ImageNet:
    return read_imagenet(digits[0])


def _list(*items: str) -> CalibrationList:
    return CalibrationList("a list", "0" * 64, items)


@settings(deadline=None)
@given(words=WORDS, end=st.sampled_from(["\n", "\r\n", " 17\n", "\n\n"]))
def test_the_first_word_of_each_line_is_an_item(
    words: list[str], end: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "list.txt"
    content = "".join(f"{word}{end}" for word in words).encode()
    path.write_bytes(content)
    found = read_calibration_list(path)
    assert found.items == tuple(words)
    assert found.sha256 == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"one\ntwo\none\n", "names one more than once"),
        (b"\xff\xfe\x00one", "is no text"),
    ],
)
def test_what_is_no_list_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(content)
    with pytest.raises(DataError, match=says):
        read_calibration_list(path)


def test_a_list_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="can't be read"):
        read_calibration_list(tmp_path / "absent.txt")


def test_no_digit_of_the_embedded_list_is_scored(digits: tuple[Path, Path]) -> None:
    items = read_calibration_list(digits[1]).items
    scored = {f"digit_{number:04d}.png" for number in scored_digits().number}
    assert len(items) == DIGITS
    assert not scored & set(items)


def test_the_embedded_list_is_the_same_everywhere(
    digits: tuple[Path, Path], tmp_path: Path
) -> None:
    _, again = write_digits_calibration(tmp_path)
    assert again.read_bytes() == digits[1].read_bytes()


def test_images_come_in_the_order_of_the_list(images: ImageNet) -> None:
    wanted = [image.name for image in images.images[9:2:-3]]
    chosen = chosen_images(images, _list(*wanted))
    assert [image.name for image in chosen.images] == wanted
    assert chosen.sha256 != images.sha256
    assert chosen.name != images.name


def test_images_that_are_missing_are_named(images: ImageNet) -> None:
    with pytest.raises(DataError, match=r"lacks gone\.png of the calibration list a list"):
        chosen_images(images, _list(images.images[0].name, "gone.png"))


def test_every_published_list_has_an_address() -> None:
    names = [name for lists in CALIBRATION_LISTS.values() for name in lists]
    assert len(set(names)) == len(names)
    assert all(source(name).urls for name in names)
