"""Label maps: what is accepted, and that everything else is refused with its line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from datasets.errors import DataError
from datasets.images.label_files import labels_in


def read(tmp_path: Path, content: bytes) -> list[tuple[str, int]]:
    path = tmp_path / "val_map.txt"
    path.write_bytes(content)
    return [(row.name, row.label) for row in labels_in(path).rows]


@pytest.mark.parametrize(
    "content",
    [
        b"a.JPEG 65\nb.JPEG 970\n",
        b"a.JPEG 65\nb.JPEG 970",
        b"a.JPEG 65\nb.JPEG 970\n\n",
        b"a.JPEG 65\r\nb.JPEG 970\r\n",
        b"\xef\xbb\xbfa.JPEG 65\nb.JPEG 970\n",
        b"a.JPEG\t65\nb.JPEG\t970\n",
        b"a.JPEG,65\nb.JPEG, 970\n",
        b"  a.JPEG   65  \nb.JPEG 0970\n",
        b"val/a.JPEG 65\nval/b.JPEG 970\n",
    ],
)
def test_every_usual_way_to_write_a_map_reads_the_same(tmp_path: Path, content: bytes) -> None:
    assert read(tmp_path, content) == [("a.JPEG", 65), ("b.JPEG", 970)]


def test_names_may_hold_spaces_and_commas(tmp_path: Path) -> None:
    content = "my first picture.JPEG 3\na,b.JPEG,4\nétude, 北京.JPEG 5\n"
    assert read(tmp_path, content.encode()) == [
        ("my first picture.JPEG", 3),
        ("a,b.JPEG", 4),
        ("étude, 北京.JPEG", 5),
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"image label", "no class number"),
        (b"b.JPEG n01440764", "WordNet id"),
        (b"b.JPEG 1000", "class 1000, outside 0 to 999"),
        (b"b.JPEG -1", "class -1, outside 0 to 999"),
        (b"b.JPEG 1.0", "no class number"),
        (b"b.JPEG 12345678901234567890", "no class number"),
        (b"b.JPEG", "needs an image name and a label"),
        (b"a.JPEG 7", "names 'a.JPEG', which line 1 named already"),
        (b"val/a.JPEG 7", "which line 1 named already"),
        (b"../b.JPEG 7", "outside the images' folder"),
        (b"/b.JPEG 7", "outside the images' folder"),
    ],
)
def test_a_bad_line_is_refused_by_its_number(tmp_path: Path, line: bytes, problem: str) -> None:
    with pytest.raises(DataError, match=problem) as caught:
        read(tmp_path, b"a.JPEG 65\n\n" + line + b"\nc.JPEG 1\n")
    assert "val_map.txt, line 3" in str(caught.value)


@pytest.mark.parametrize(
    ("content", "problem"), [(b"\n \n", "has no rows"), (b"\xff\xfe\x00", "are not UTF-8 text")]
)
def test_a_file_that_is_no_map_is_refused(tmp_path: Path, content: bytes, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        read(tmp_path, content)


def test_an_absent_map_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"absent\.txt can't be read"):
        labels_in(tmp_path / "absent.txt")


def test_the_map_of_the_validation_set(shared: Path, tmp_path: Path) -> None:
    packed = (shared / "data/imagenet/val_map.txt.gz").read_bytes()
    rows = read(tmp_path, gzip.decompress(packed))
    assert len(rows) == 50_000
    assert rows[0] == ("ILSVRC2012_val_00000001.JPEG", 65)
    assert {label for _, label in rows} == set(range(1000))
