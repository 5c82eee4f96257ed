"""The named sources: what is published where, and how the right file is known."""

from __future__ import annotations

import pytest

from datasets.errors import UsageError
from datasets.fetching.sources import Source, source, sources
from sut import zoo

UNCHECKED = {"imagenet-calibration-2", "squad-calibration-features", "squad-calibration-questions"}


def test_every_source_is_found_by_its_name() -> None:
    assert [source(entry.name) for entry in sources()] == list(sources())


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no source called 'resnet51'.*resnet50-onnx, .*bert-tf"):
        source("resnet51")


def test_only_the_images_of_imagenet_have_no_address() -> None:
    assert [entry.name for entry in sources() if not entry.urls] == ["imagenet-val"]


def test_what_can_not_be_checked_is_known() -> None:
    assert {entry.name for entry in sources() if entry.checksum is None} == UNCHECKED


@pytest.mark.parametrize(
    ("name", "file", "size_bytes", "checksum"),
    [
        ("resnet50-onnx", "resnet50_v1.onnx", None, "MD5 f6a4da60cd5f084d97efc2c1ddb10beb"),
        ("bert-tf", "model.pb", None, "MD5 dd72de12e8226f25f0128a1a864b97ad"),
        (
            "squad-v1.1-dev",
            "dev-v1.1.json",
            4_854_279,
            "SHA-256 95aa6a52d5d6a735563366753ca50492a658031da74f301ac5238b03966972c9",
        ),
        (
            "imagenet-val",
            "ILSVRC2012_img_val.tar",
            6_744_924_160,
            "SHA-256 c7e06a6c0baccf06d8dbeb6577d71efff84673a5dbdd50633ab44f8ea0456ae0",
        ),
    ],
)
def test_a_source_promises_what_was_published(
    name: str, file: str, size_bytes: int | None, checksum: str
) -> None:
    found = source(name)
    assert (found.file, found.size_bytes, str(found.checksum)) == (file, size_bytes, checksum)


def test_the_list_of_calibration_images_has_five_hundred_names() -> None:
    line = len("ILSVRC2012_val_00000000.JPEG\n")
    assert source("imagenet-calibration-1").size_bytes == 500 * line


@pytest.mark.parametrize(
    "entry", [entry for entry in zoo.models() if entry.origin == "official"], ids=lambda e: e.name
)
def test_official_models_are_fetched_by_their_names_in_the_zoo(entry: zoo.ZooModel) -> None:
    found: Source = source(entry.name)
    assert (found.file, found.md5) == (entry.file, entry.md5)
    assert found.urls
