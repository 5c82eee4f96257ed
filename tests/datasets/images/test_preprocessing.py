"""ResNet50's preprocessing: right pixels from every kind of file, and no half picture ever."""

from __future__ import annotations

import struct
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from datasets.errors import DataError
from datasets.images.preprocessing import MEAN_RGB, decode_and_crop, mean_of
from tests.datasets.images import pictures
from tests.datasets.images.pictures import gradient, laid_out

EXAMPLES = Path(__file__).parent / "examples"
JPEG = pictures.jpeg(gradient())
PNG = pictures.png(gradient())


def area_weights(source: int, target: int) -> NDArray[np.float64]:
    """[target, source]: how much of each source pixel lies in each target pixel, rows sum to 1."""
    edges = np.arange(target + 1) * source / target
    left, right = edges[:-1, np.newaxis], edges[1:, np.newaxis]
    pixels = np.arange(source)
    overlap = np.clip(np.minimum(right, pixels + 1) - np.maximum(left, pixels), 0, None)
    weights: NDArray[np.float64] = overlap / overlap.sum(axis=1, keepdims=True)
    return weights


def expected_crop(image: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The definition worked out with exact areas: short side 256, middle 224 × 224."""
    height, width = image.shape[:2]
    new_height = 256 if height <= width else int(256 * height / width)
    new_width = 256 if width <= height else int(256 * width / height)
    rows, columns = area_weights(height, new_height), area_weights(width, new_width)
    resized: NDArray[np.float64] = np.einsum(
        "ij,jkc,lk->ilc", rows, image.astype(float), columns, optimize=True
    )
    top, left = (new_height - 224) // 2, (new_width - 224) // 2
    return resized[top : top + 224, left : left + 224]


def differ(crop: NDArray[np.uint8], expected: NDArray[np.float64]) -> float:
    """The largest difference, in levels."""
    return float(np.abs(crop.astype(float) - expected).max())


@pytest.mark.parametrize(
    ("width", "height"), [(400, 300), (300, 400), (512, 512), (500, 375), (333, 500), (1201, 801)]
)
def test_the_crop_is_the_reference_definition(width: int, height: int) -> None:
    noise = np.random.default_rng(7).integers(0, 256, (height, width, 3), np.uint8)
    image = (gradient(width, height) // 2 + noise // 2).astype(np.uint8)
    crop = decode_and_crop(pictures.png(image), "picture")
    assert crop.shape == (224, 224, 3)
    assert crop.dtype == np.uint8
    assert differ(crop, expected_crop(image)) <= 1


def test_enlarging_by_a_whole_number_repeats_pixels() -> None:
    image = gradient(128, 128)
    crop = decode_and_crop(pictures.png(image), "picture")
    repeated = image.repeat(2, axis=0).repeat(2, axis=1)
    assert np.array_equal(crop, repeated[16:240, 16:240])


@pytest.mark.parametrize(
    ("row", "column", "rgb"),
    [
        (0, 0, [43, 16, 31]),
        (17, 140, [148, 33, 99]),
        (111, 111, [126, 127, 126]),
        (200, 9, [50, 215, 121]),
        (223, 223, [210, 238, 222]),
    ],
)
def test_golden_pixels_of_a_gradient(row: int, column: int, rgb: list[int]) -> None:
    assert decode_and_crop(PNG, "picture")[row, column].tolist() == rgb


def test_a_jpeg_is_decoded_to_rgb() -> None:
    assert differ(decode_and_crop(JPEG, "picture"), expected_crop(gradient())) <= 6


def test_a_png_behind_the_name_of_a_jpeg_is_read() -> None:
    crop = decode_and_crop(PNG, "x.JPEG")
    assert differ(crop, expected_crop(gradient())) <= 1


def test_grey_is_repeated_over_the_channels() -> None:
    grey = gradient()[:, :, 0]
    for data in (pictures.jpeg(grey, quality=100), pictures.png(grey)):
        crop = decode_and_crop(data, "grey")
        assert np.array_equal(crop[..., 0], crop[..., 1])
        assert np.array_equal(crop[..., 0], crop[..., 2])
        assert differ(crop, expected_crop(grey[..., np.newaxis].repeat(3, axis=2))) <= 3


def test_cmyk_is_converted_without_a_profile() -> None:
    y, x = np.mgrid[0:300, 0:400]
    ink = np.stack([x * 255 // 399, y * 255 // 299, (x + y) * 255 // 698], axis=-1)
    rgb = ((255 - ink) * (255 - 40) // 255).astype(np.uint8)
    data = (EXAMPLES / "cmyk-gradient.jpeg").read_bytes()
    assert differ(decode_and_crop(data, "cmyk"), expected_crop(rgb)) <= 6


def test_an_exif_orientation_is_applied() -> None:
    turned = pictures.with_segment(JPEG, pictures.exif_orientation(6))
    upright = np.ascontiguousarray(np.rot90(gradient(), k=-1))
    assert differ(decode_and_crop(turned, "turned"), expected_crop(upright)) <= 6


def test_an_alpha_channel_is_dropped_without_blending() -> None:
    alpha = np.full((300, 400, 1), 100, np.uint8)
    crop = decode_and_crop(pictures.png(np.concatenate([gradient(), alpha], axis=2)), "rgba")
    assert differ(crop, expected_crop(gradient())) <= 1


def test_sixteen_bits_are_cut_to_the_upper_eight() -> None:
    deep = gradient().astype(np.uint16) * 256 + 200
    assert differ(decode_and_crop(pictures.png(deep), "deep"), expected_crop(gradient())) <= 1


def test_a_single_pixel_fills_the_crop() -> None:
    crop = decode_and_crop(pictures.png(np.array([[[9, 80, 200]]], np.uint8)), "dot")
    assert np.array_equal(crop, np.broadcast_to([9, 80, 200], (224, 224, 3)))


def test_a_strip_is_cropped_to_its_middle() -> None:
    image = np.zeros((3, 400, 3), np.uint8)
    image[:, 199:201] = (255, 128, 64)
    crop = decode_and_crop(pictures.png(image), "strip")
    assert crop.shape == (224, 224, 3)
    assert crop[112, 112].tolist() == [255, 128, 64]


def test_a_strip_that_would_take_gigabytes_is_refused() -> None:
    with pytest.raises(DataError, match="strip is 1001 × 1 pixels"):
        decode_and_crop(pictures.png(np.zeros((1, 1001, 3), np.uint8)), "strip")


@given(st.sampled_from([JPEG, PNG]), st.floats(0.01, 0.999999))
def test_a_file_cut_anywhere_is_refused_by_name(data: bytes, part: float) -> None:
    with pytest.raises(DataError, match=r"photo\.JPEG is a (JPEG|PNG) image cut short"):
        decode_and_crop(data[: max(8, int(part * len(data)))], "photo.JPEG")


def test_a_file_without_its_last_byte_is_refused() -> None:
    for data in (JPEG, PNG):
        with pytest.raises(DataError, match="cut short"):
            decode_and_crop(data[:-1], "photo")


def test_the_end_of_a_thumbnail_is_not_the_end_of_the_image() -> None:
    thumbnail = pictures.jpeg(gradient(40, 30))
    whole = pictures.with_segment(JPEG, b"Exif\0\0" + thumbnail)
    assert decode_and_crop(whole, "photo").shape == (224, 224, 3)
    with pytest.raises(DataError, match="cut short"):
        decode_and_crop(whole[: len(whole) // 2], "photo")


def test_an_end_inside_a_later_segment_is_not_the_end_of_a_progressive_image() -> None:
    """A table between scans may hold the bytes of an end marker; more scans are to come."""
    done, encoded = cv2.imencode(".jpg", gradient(), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])
    assert done
    whole = encoded.tobytes()
    assert decode_and_crop(whole, "photo").shape == (224, 224, 3)
    second = whole.index(b"\xff\xda", whole.index(b"\xff\xda") + 2)
    comment = b"\xff\xfe\x00\x04\xff\xd9"
    with pytest.raises(DataError, match="cut short"):
        decode_and_crop(whole[:second] + comment, "photo")


def test_bytes_behind_the_end_are_no_fault() -> None:
    assert np.array_equal(decode_and_crop(JPEG + bytes(7), "photo"), decode_and_crop(JPEG, "photo"))


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "is empty"),
        (b"<html><body>404</body></html>", "is an HTML page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "is a Git LFS pointer"),
        (b"GIF89a" + bytes(20), "starts with b'GIF89a"),
    ],
)
def test_what_is_no_image_is_said(data: bytes, found: str) -> None:
    with pytest.raises(
        DataError, match=rf"photo\.JPEG {found}|photo\.JPEG is something that {found}"
    ):
        decode_and_crop(data, "photo.JPEG")


def test_a_damaged_image_is_refused() -> None:
    damaged = bytearray(PNG)
    damaged[len(PNG) // 2] ^= 0xFF
    with pytest.raises(DataError, match="photo can't be decoded"):
        decode_and_crop(bytes(damaged), "photo")


def test_a_picture_that_claims_a_monstrous_size_is_refused() -> None:
    size = JPEG.index(b"\xff\xc0") + 5
    monster = JPEG[:size] + struct.pack(">HH", 65500, 65500) + JPEG[size + 4 :]
    with pytest.raises(DataError, match="photo can't be decoded: pixels"):
        decode_and_crop(monster, "photo")


def test_both_layouts_hold_the_same_pixels() -> None:
    crop = gradient(224, 224)
    rows, planes = laid_out(crop, "NHWC"), laid_out(crop, "NCHW")
    assert rows.dtype == planes.dtype == np.uint8
    assert np.array_equal(rows, crop)
    assert planes.shape == (3, 224, 224)
    assert np.array_equal(planes.transpose(1, 2, 0), crop)


def test_the_mean_belongs_to_the_channels_of_either_layout() -> None:
    crop = gradient(224, 224)
    rows = laid_out(crop, "NHWC") - mean_of("NHWC")
    planes = laid_out(crop, "NCHW") - mean_of("NCHW")
    assert rows.dtype == planes.dtype == np.float32
    assert np.array_equal(planes.transpose(1, 2, 0), rows)
    expected = [float(crop[5, 9, channel]) - MEAN_RGB[channel] for channel in range(3)]
    assert rows[5, 9].tolist() == pytest.approx(expected, abs=1e-5)
    assert MEAN_RGB == (123.68, 116.78, 103.94)
