"""ImageNet-layout folders: labels by name, gaps listed in full, subsets on purpose."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from datasets.errors import DataError
from datasets.images.imagenet import read_imagenet
from datasets.listing import listed
from tests.datasets.images.pictures import write_folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "imagenet", 12)


def test_images_come_in_the_order_of_the_map_with_their_labels(root: Path) -> None:
    rows = (root / "val_map.txt").read_text().splitlines()
    (root / "val_map.txt").write_text("\n".join(reversed(rows)))
    dataset = read_imagenet(root)
    assert [image.index for image in dataset.images] == list(range(12))
    assert [image.label for image in dataset.images] == [10 * i for i in reversed(range(12))]
    assert dataset.images[0].file.path == root / "val" / "picture_0011.JPEG"


def test_images_may_lie_beside_the_map(root: Path) -> None:
    before = read_imagenet(root)
    for path in (root / "val").iterdir():
        path.rename(root / path.name)
    (root / "val").rmdir()
    after = read_imagenet(root)
    assert [image.label for image in after.images] == [image.label for image in before.images]
    assert after.sha256 == before.sha256


def test_the_map_may_be_elsewhere(root: Path, tmp_path: Path) -> None:
    labels = (root / "val_map.txt").rename(tmp_path / "labels.txt")
    with pytest.raises(DataError, match=r"has no label map: put one of val_map\.txt, val\.txt"):
        read_imagenet(root)
    assert len(read_imagenet(root, labels).images) == 12


def test_exactly_the_missing_and_the_empty_images_are_named(root: Path) -> None:
    (root / "val/picture_0003.JPEG").unlink()
    (root / "val/picture_0007.JPEG").write_bytes(b"")
    with pytest.raises(DataError) as caught:
        read_imagenet(root)
    message = str(caught.value)
    assert "1 missing (picture_0003.JPEG) and 1 empty (picture_0007.JPEG)" in message
    assert message.count("picture_") == 2


def test_a_long_list_of_missing_images_is_counted(root: Path) -> None:
    names = [f"absent_{number:03}.JPEG 1" for number in range(100)]
    with (root / "val_map.txt").open("a") as file:
        file.write("\n".join(names))
    with pytest.raises(DataError, match=r"100 missing \(absent_000.*absent_019.JPEG and 80 more"):
        read_imagenet(root)


def test_a_long_list_is_whole_in_the_file_that_the_sentence_names() -> None:
    names = [f"absent_{number:03}.JPEG" for number in range(100)]
    sentence = listed(names)
    path = Path(sentence.rsplit(" ", 1)[1])
    assert path.read_text().splitlines() == names
    path.unlink()
    assert listed(names[:3]) == "absent_000.JPEG, absent_001.JPEG, absent_002.JPEG"


def test_the_images_of_a_subset_keep_their_own_index_and_label(root: Path) -> None:
    whole = {image.name: image for image in read_imagenet(root).images}
    (root / "val/picture_0003.JPEG").unlink()
    (root / "val/picture_0007.JPEG").write_bytes(b"")
    subset = read_imagenet(root, allow_subset=True)
    assert [image.index for image in subset.images] == [0, 1, 2, 4, 5, 6, 8, 9, 10, 11]
    assert all(image == whole[image.name] for image in subset.images)
    assert subset.skipped == ("picture_0003.JPEG", "picture_0007.JPEG")


def test_an_image_without_a_row_is_an_error_that_names_where_the_map_ends(root: Path) -> None:
    rows = (root / "val_map.txt").read_text().splitlines()
    (root / "val_map.txt").write_text("\n".join(rows[:-1]))
    with pytest.raises(
        DataError, match=r"ends at line 11 with 11 rows and has no label for picture_0011"
    ):
        read_imagenet(root)
    assert len(read_imagenet(root, allow_subset=True).images) == 11


def test_what_a_file_manager_left_needs_no_label(root: Path) -> None:
    before = read_imagenet(root)
    for name in (".DS_Store", "._picture_0003.JPEG", "Thumbs.db"):
        (root / "val" / name).write_bytes(b"\0")
    assert read_imagenet(root) == before


def test_a_subset_of_nothing_is_refused(root: Path) -> None:
    shutil.rmtree(root / "val")
    with pytest.raises(DataError, match="none of the 12 images"):
        read_imagenet(root, allow_subset=True)


def test_an_absent_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no folder or archive .*nowhere"):
        read_imagenet(tmp_path / "nowhere")


def test_the_identity_follows_names_labels_and_sizes(root: Path, tmp_path: Path) -> None:
    before = read_imagenet(root).sha256
    copy = shutil.copytree(root, tmp_path / "copy", copy_function=shutil.copyfile)
    assert read_imagenet(copy).sha256 == before
    labels = root / "val_map.txt"
    labels.write_text(labels.read_text().replace("0002.JPEG 20", "0002.JPEG 21"))
    assert read_imagenet(root).sha256 != before
    with (copy / "val/picture_0000.JPEG").open("ab") as file:
        file.write(b"\0")
    assert read_imagenet(copy).sha256 != before
