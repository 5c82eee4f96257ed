"""Images in class folders, and every source of labels for them."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

import pytest

from datasets.errors import DataError
from datasets.images.imagenet import read_imagenet
from tests.datasets.images.pictures import write_folder

WNIDS = tuple(f"n{number * 7919:08}" for number in range(1000))
"""As many ids as there are classes, in their order."""
PLACED = {"b.JPEG": 4, "a.JPEG": 999, "d.JPEG": 4, "c.JPEG": 0}
"""Images, and the class whose folder each lies in."""


def sorted_into_folders(root: Path, placed: dict[str, int]) -> Path:
    for name, label in placed.items():
        folder = root / WNIDS[label]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"\xff\xd8\xff" + name.encode())
    return root


def caffe_archive(path: Path, **members: str) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, text in members.items():
            info = tarfile.TarInfo(f"{name}.txt")
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return path


def found(root: Path, labels: Path | None = None) -> dict[str, int]:
    return {image.name: image.label for image in read_imagenet(root, labels).images}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return sorted_into_folders(tmp_path / "val", PLACED)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("synsets.txt", "{wnid}\n"),
        ("synset_words.txt", "{wnid} tench, Tinca tinca\r\n"),
        ("LOC_synset_mapping.txt", "{wnid} tench\n"),
    ],
)
def test_a_class_is_the_rank_of_its_id_in_any_list(root: Path, name: str, line: str) -> None:
    (root.parent / name).write_text("".join(line.format(wnid=wnid) for wnid in reversed(WNIDS)))
    assert found(root.parent) == PLACED


def test_samples_come_in_the_order_of_file_names_whatever_their_class(root: Path) -> None:
    (root / "synsets.txt").write_text("\n".join(WNIDS))
    images = read_imagenet(root).images
    assert [(image.index, image.name) for image in images] == [
        (0, "a.JPEG"),
        (1, "b.JPEG"),
        (2, "c.JPEG"),
        (3, "d.JPEG"),
    ]


def test_all_thousand_folders_need_no_list(tmp_path: Path) -> None:
    placed = {f"{label:04}.JPEG": 999 - label for label in range(1000)}
    assert found(sorted_into_folders(tmp_path, placed)) == placed


def test_a_label_map_gives_labels_by_name_whatever_the_folder(root: Path) -> None:
    rows = {name: label for label, name in enumerate(PLACED)}
    (root / "val.txt").write_text("".join(f"{name} {label}\n" for name, label in rows.items()))
    assert found(root) == rows


def test_a_label_map_may_name_the_folders_too(root: Path) -> None:
    lines = (f"val/{WNIDS[label]}/{name} {label}\n" for name, label in PLACED.items())
    (root.parent / "val_map.txt").write_text("".join(lines))
    assert sorted(found(root.parent).values()) == sorted(PLACED.values())


def test_the_archive_of_labels_serves_a_flat_folder(tmp_path: Path) -> None:
    root = write_folder(tmp_path / "flat", 3)
    text = (root / "val_map.txt").read_text()
    (root / "val_map.txt").unlink()
    caffe_archive(root / "caffe_ilsvrc12.tar.gz", train="x 1\n", val=text, test="")
    assert list(found(root).values()) == [0, 10, 20]


def test_the_archive_of_labels_serves_class_folders(root: Path, tmp_path: Path) -> None:
    synsets = "\n".join(WNIDS)
    lines = "".join(f"{name} {label}\n" for name, label in PLACED.items())
    known = caffe_archive(tmp_path / "known.tar.gz", val=lines, synsets=synsets)
    assert found(root, known) == PLACED
    others = caffe_archive(tmp_path / "others.tar.gz", val="other.JPEG 1\n", synsets=synsets)
    assert found(root, others) == PLACED


def test_an_image_that_the_archive_knows_and_the_folders_lack_is_missing(
    root: Path, tmp_path: Path
) -> None:
    lines = "".join(f"{name} {label}\n" for name, label in {**PLACED, "e.JPEG": 1}.items())
    labels = caffe_archive(tmp_path / "known.tar.gz", val=lines, synsets="\n".join(WNIDS))
    with pytest.raises(DataError, match=r"1 missing \(e\.JPEG\)"):
        read_imagenet(root, labels)


def test_a_label_map_of_other_images_does_not_leave_the_classes_to_the_folders(
    tmp_path: Path,
) -> None:
    placed = {f"{label:04}.JPEG": label for label in range(1000)}
    root = sorted_into_folders(tmp_path, placed)
    (root / "val.txt").write_text("other.JPEG 1\n")
    with pytest.raises(DataError, match=r"1 missing \(other\.JPEG\)"):
        read_imagenet(root)


def test_an_archive_of_other_images_tells_which_a_flat_folder_lacks(tmp_path: Path) -> None:
    root = write_folder(tmp_path / "flat", 3)
    (root / "val_map.txt").unlink()
    synsets = "\n".join(WNIDS)
    caffe_archive(root / "caffe_ilsvrc12.tar.gz", val="other.JPEG 1\n", synsets=synsets)
    with pytest.raises(DataError, match=r"1 missing \(other\.JPEG\)"):
        read_imagenet(root)


def test_a_row_goes_to_the_image_beside_the_class_folders_first(root: Path) -> None:
    (root / "a.JPEG").write_bytes(b"\xff\xd8\xff beside")
    (root / "val.txt").write_text("".join(f"{name} {label}\n" for name, label in PLACED.items()))
    image = next(one for one in read_imagenet(root, allow_subset=True).images if one.label == 999)
    assert image.file.path == root / "a.JPEG"


def test_a_few_folders_without_a_list_have_no_classes(root: Path) -> None:
    with pytest.raises(DataError, match=r"has 3 class folders: .* name synsets\.txt or caffe"):
        read_imagenet(root)


def test_a_folder_of_an_unlisted_class_is_named(root: Path) -> None:
    (root / "synsets.txt").write_text("\n".join((*WNIDS[1:], "n99999999")))
    with pytest.raises(DataError, match="folders of classes that are not listed: n00000000"):
        read_imagenet(root)


def test_an_image_outside_the_class_folders_has_no_label(root: Path) -> None:
    (root / "synsets.txt").write_text("\n".join(WNIDS))
    (root / "stray.JPEG").write_bytes(b"\xff\xd8\xff")
    with pytest.raises(DataError, match=r"has no label for stray\.JPEG"):
        read_imagenet(root)


def test_one_name_in_two_folders_is_refused(root: Path) -> None:
    sorted_into_folders(root, {"a.JPEG": 3})
    with pytest.raises(DataError, match=r"two images a\.JPEG"):
        read_imagenet(root)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("\n".join(WNIDS[:-1]), "999 different WordNet ids in 999 lines"),
        ("\n".join((*WNIDS, WNIDS[0])), "1000 different WordNet ids in 1001 lines"),
        ("\n".join((*WNIDS[:-1], "tench")), "a line starts with 'tench'"),
    ],
)
def test_a_list_that_is_not_the_thousand_is_refused(root: Path, text: str, problem: str) -> None:
    (root / "synsets.txt").write_text(text)
    with pytest.raises(DataError, match=problem):
        read_imagenet(root)


def test_an_archive_without_labels_is_refused(root: Path, tmp_path: Path) -> None:
    empty = caffe_archive(tmp_path / "labels.tar.gz", train="x 1\n")
    with pytest.raises(DataError, match=r"labels\.tar\.gz holds no val\.txt"):
        read_imagenet(root, empty)
    empty.write_bytes(empty.read_bytes()[:-20])
    with pytest.raises(DataError, match=r"labels\.tar\.gz is no whole archive of labels"):
        read_imagenet(root, empty)


def test_validation_images_keep_their_number_and_the_missing_are_known(tmp_path: Path) -> None:
    placed = {"ILSVRC2012_val_00000003.JPEG": 5, "ILSVRC2012_val_00050000.JPEG": 2}
    root = sorted_into_folders(tmp_path, placed)
    (root / "synsets.txt").write_text("\n".join(WNIDS))
    with pytest.raises(
        DataError, match=r"Of 50000 images .* 49998 missing \(ILSVRC2012_val_00000001\.JPEG, .*more"
    ):
        read_imagenet(root)
    subset = read_imagenet(root, allow_subset=True)
    assert [(image.index, image.label) for image in subset.images] == [(2, 5), (49_999, 2)]
    assert len(subset.skipped) == 49_998


def test_a_number_beyond_the_validation_set_is_no_place_in_it(tmp_path: Path) -> None:
    placed = {"ILSVRC2012_val_00000003.JPEG": 5, "ILSVRC2012_val_00050001.JPEG": 2}
    root = sorted_into_folders(tmp_path, placed)
    (root / "synsets.txt").write_text("\n".join(WNIDS))
    assert [image.index for image in read_imagenet(root).images] == [0, 1]


def test_the_real_map_and_class_folders_agree_on_identity(shared: Path, tmp_path: Path) -> None:
    text = gzip.decompress((shared / "data/imagenet/val_map.txt.gz").read_bytes()).decode()
    rows = [line.removeprefix("val/").split() for line in text.splitlines()[:40]]
    placed = {name: int(label) for name, label in rows}
    root = sorted_into_folders(tmp_path, placed)
    (tmp_path / "synsets.txt").write_text("\n".join(WNIDS))
    by_folder = read_imagenet(root, allow_subset=True)
    (tmp_path / "val_map.txt").write_text(text)
    by_name = read_imagenet(root, allow_subset=True)
    assert [image.label for image in by_name.images] == list(placed.values())
    assert by_folder.sha256 == by_name.sha256
