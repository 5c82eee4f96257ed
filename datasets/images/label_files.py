"""Where labels come from: a label map, a list of WordNet ids, or an archive that holds both.

``caffe_ilsvrc12.tar.gz`` is such an archive: its ``val.txt`` is the label map that the benchmark
uses, its ``synsets.txt`` the ids of the classes.
"""

from __future__ import annotations

import io
import tarfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from datasets.errors import DataError
from datasets.images.extent import Extent, whole_file
from datasets.images.labels import LabelRow, parse_labels
from datasets.images.synsets import is_synset_list, parse_synsets
from datasets.images.tree import ImageTree

MAP_NAMES = ("val_map.txt", "val.txt")
SYNSET_NAMES = ("synsets.txt", "synset_words.txt", "LOC_synset_mapping.txt")
ARCHIVE_NAME = "caffe_ilsvrc12.tar.gz"
_ARCHIVED_MAP = "val.txt"
_ARCHIVED_SYNSETS = "synsets.txt"
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Labels:
    """What a file says of classes."""

    where: str
    rows: tuple[LabelRow, ...] = ()
    """One an image, by its name; empty where the file only lists classes."""
    synsets: tuple[str, ...] = ()
    """The WordNet ids of the classes in their order; empty where the file has none."""

    @property
    def end(self) -> str:
        """Where the rows end, for messages."""
        return f"{self.where} ends at line {self.rows[-1].line} with {len(self.rows)} rows"


def find_labels(root: Path, tree: ImageTree, given: Path | None) -> Labels | None:
    """The labels in the file ``given``, else in the first known file beside or among the images;
    None where there is none. DataError where the file is not what it should be."""
    if given is not None:
        return labels_in(given)
    found = _known_file(root, tree)
    return None if found is None else _read(found)


def labels_in(path: Path) -> Labels:
    """What the file ``path`` says; DataError where it is not what it should be."""
    return _read(_whole(path))


def _whole(path: Path) -> Extent:
    try:
        return whole_file(path)
    except OSError as error:
        raise DataError(f"The labels {path} can't be read: {error.strerror}.") from error


def _known_file(root: Path, tree: ImageTree) -> Extent | None:
    folder = root if root.is_dir() else root.parent
    for name in (*MAP_NAMES, ARCHIVE_NAME, *SYNSET_NAMES):
        if (folder / name).exists() and not (folder / name).is_dir():
            return _whole(folder / name)
        if name in tree.files:
            return tree.files[name]
    return None


def _read(file: Extent) -> Labels:
    try:
        data = file.read()
    except OSError as error:
        raise DataError(f"The labels {file} can't be read: {error.strerror}.") from error
    if data.startswith(_GZIP):
        return _unpacked(data, str(file))
    text = _text(data, str(file))
    if is_synset_list(text):
        return Labels(str(file), synsets=parse_synsets(text, str(file)))
    return Labels(str(file), rows=parse_labels(text, str(file)))


def _unpacked(data: bytes, where: str) -> Labels:
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
            texts = {
                name: _text(file.read(), f"{name} in {where}")
                for member in archive
                if (name := PurePosixPath(member.name).name) in (_ARCHIVED_MAP, _ARCHIVED_SYNSETS)
                and (file := archive.extractfile(member)) is not None
            }
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise DataError(f"{where} is no whole archive of labels ({error}): fetch it again.") from (
            error
        )
    return _from_texts(texts, where)


def _from_texts(texts: dict[str, str], where: str) -> Labels:
    if _ARCHIVED_MAP not in texts:
        raise DataError(f"{where} holds no {_ARCHIVED_MAP}: name a label map, or {ARCHIVE_NAME}.")
    labels = f"{_ARCHIVED_MAP} in {where}"
    synsets = texts.get(_ARCHIVED_SYNSETS)
    return Labels(
        labels,
        rows=parse_labels(texts[_ARCHIVED_MAP], labels),
        synsets=parse_synsets(synsets, f"{_ARCHIVED_SYNSETS} in {where}") if synsets else (),
    )


def _text(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"The labels {where} are not UTF-8 text: {error.reason}.") from error
