"""The files of an image dataset, by name, wherever they lie: in a folder or in a tar archive.

Archives are read in place: a tar holds its members whole and in one piece, so unpacking 50,000
images would cost another 6.7 GB and as many files, to read the same bytes once.

Names are relative to the images' folder: ``val`` where there is one, the only folder of an
archive, or else the top. They reach one folder deep, which is where class folders have theirs.
"""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from posixpath import splitext

from datasets.disk.regular import irregular
from datasets.errors import DataError
from datasets.fetching.sources import Source
from datasets.images.archives import published_archives, published_as, require_size
from datasets.images.extent import Extent
from datasets.images.synsets import WNID

IMAGE_SUFFIXES = frozenset({".jpeg", ".jpg", ".png"})
_VAL = "val/"


@dataclass(frozen=True)
class ImageTree:
    """The files of a dataset."""

    where: Path
    """The images' folder, or the archive."""
    files: Mapping[str, Extent]
    """By name relative to the images' folder; label maps may be among them."""
    published: Source | None = None
    """What the archive must be, where its name says so."""

    def image_names(self) -> Iterator[str]:
        """The names that look like images', in no order."""
        for name in self.files:
            _, _, last = name.rpartition("/")
            if splitext(last)[1].lower() in IMAGE_SUFFIXES and not last.startswith("."):
                yield name


def read_tree(root: Path) -> ImageTree:
    """The files of ``root``: a folder of images, a folder that holds a published archive and no
    images, or a tar archive. DataError where there is no such thing, or the archive is damaged."""
    if root.is_file():
        return _archive(root)
    if not root.is_dir():
        found = irregular(root) if root.exists() else None
        where = f"{root}, which is {found}," if found else f"{root}"
        raise DataError(f"There is no folder or archive {where} to read images from.")
    folder = root / "val" if (root / "val").is_dir() else root
    tree = ImageTree(folder, dict(_folder(folder)))
    if not any(tree.image_names()):
        for known in published_archives():
            if known.file in tree.files:
                return _archive(folder / known.file)
    return tree


def _folder(folder: Path) -> Iterator[tuple[str, Extent]]:
    yield from _plain_files(folder, "")
    with os.scandir(folder) as entries:
        below = [entry.name for entry in entries if entry.is_dir()]
    for name in below:
        yield from _plain_files(folder / name, f"{name}/")


def _plain_files(folder: Path, prefix: str) -> Iterator[tuple[str, Extent]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file():
                status = entry.stat()
                extent = Extent(folder / entry.name, status.st_size, status.st_mtime_ns)
                yield prefix + entry.name, extent


def _archive(path: Path) -> ImageTree:
    published = published_as(path)
    if published is not None:
        require_size(path, published)
    try:
        with tarfile.open(path, "r:") as archive:
            members = dict(_members(archive, path))
    except tarfile.TarError as error:
        raise DataError(
            f"{path} can't be read as a tar archive ({error}): fetch it again, or unpack it first "
            "where it is compressed."
        ) from error
    return ImageTree(path, _below_the_top(members), published)


def _members(archive: tarfile.TarFile, path: Path) -> Iterator[tuple[str, Extent]]:
    modified_ns = path.stat().st_mtime_ns
    while (member := archive.next()) is not None:
        if member.isreg() and not member.issparse():
            name = str(PurePosixPath(member.name))
            yield name, Extent(path, member.size, modified_ns, member.offset_data, name)
        archive.members.clear()  # type: ignore[attr-defined]  # it keeps every header otherwise


def _below_the_top(members: Mapping[str, Extent]) -> dict[str, Extent]:
    """``members`` without the name of the folder in which all of them lie, and without ``val``."""
    tops = {name.partition("/")[0] for name in members}
    top = tops.pop() if len(tops) == 1 else ""
    shared = "" if WNID.fullmatch(top) else f"{top}/"
    below = {name.removeprefix(shared): extent for name, extent in members.items()}
    return {name.removeprefix(_VAL): extent for name, extent in below.items()}
