"""The files of a submission, listed once: every check asks here, none walks the disk again.

Paths are relative to the tree's root, with slashes; the root itself is the empty text. Names are
kept in order, so that two checks of one tree meet the same files in the same order.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Literal

from audit.regular_file import read_regular

Kind = Literal["file", "folder", "link", "broken link", "other"]


@dataclass(frozen=True)
class Node:
    """One name in the tree. A link is never followed: what it points to has a name of its own."""

    kind: Kind
    size: int
    """In bytes, of a file; 0 otherwise."""


@dataclass(frozen=True)
class Tree:
    """A folder and everything in it, as it was when it was listed."""

    root: Path
    nodes: Mapping[str, Node]
    names: Mapping[str, tuple[str, ...]]
    """The sorted names in each folder."""
    unreadable: Mapping[str, str]
    """Folders that can't be listed, with the reason."""

    def kind(self, path: str) -> Kind | None:
        """What lies at ``path``; None where nothing does."""
        node = self.nodes.get(path)
        return node.kind if node else None

    def is_file(self, path: str) -> bool:
        return self.kind(path) == "file"

    def is_folder(self, path: str) -> bool:
        return path in self.names

    def folders(self, path: str) -> tuple[str, ...]:
        """The names of the folders in ``path``; none where it is no folder."""
        return tuple(name for name in self.listed(path) if self.is_folder(join(path, name)))

    def listed(self, path: str) -> tuple[str, ...]:
        """Every name in the folder ``path``; none where it is no folder."""
        return self.names.get(path, ())

    def hides(self, path: str) -> bool:
        """Whether ``path`` is, or would lie in, a folder that can't be listed."""
        return any(f"{path}/".startswith(f"{folder}/") for folder in self.unreadable)

    def size(self, path: str) -> int:
        """Bytes of the file at ``path``; 0 where there is none."""
        node = self.nodes.get(path)
        return node.size if node else 0

    def below(self, path: str) -> Iterator[str]:
        """Every path under the folder ``path``, depth first, in order."""
        waiting = [join(path, name) for name in reversed(self.listed(path))]
        while waiting:
            inner = waiting.pop()
            yield inner
            waiting += [join(inner, name) for name in reversed(self.listed(inner))]

    def read(self, path: str) -> bytes:
        """The bytes at ``path``. EvidenceError where no regular file can be read there."""
        return read_regular(self.on_disk(path), path)

    def on_disk(self, path: str) -> str:
        """Where the operating system finds ``path``."""
        return f"{self.root}/{path}"


def join(*parts: str) -> str:
    """One path of the tree from parts of it; empty parts add nothing."""
    return "/".join(filter(None, parts))


_FOLDER = Node("folder", 0)
_NAME = attrgetter("name")


def scan(root: Path, leave_out: Collection[str] = ()) -> Tree:
    """List ``root``, but for the names to leave out there. OSError where it can't be listed."""
    nodes: dict[str, Node] = {}
    names: dict[str, tuple[str, ...]] = {}
    unreadable: dict[str, str] = {}
    tree, waiting = Tree(root, nodes, names, unreadable), [""]
    while waiting:
        folder = waiting.pop()
        found = _scan_folder(tree, folder, unreadable)
        kept = [one for one in found if folder or one.name not in leave_out]
        names[folder] = tuple(one.name for one in kept)
        start = f"{folder}/" if folder else ""
        below = {f"{start}{one.name}": _node(one) for one in kept}
        nodes.update(below)
        waiting += [path for path, node in below.items() if node is _FOLDER]
    return tree


def _scan_folder(tree: Tree, folder: str, unreadable: dict[str, str]) -> Sequence[os.DirEntry[str]]:
    """What lies in ``folder``, by name; nothing, with the reason noted, where it is kept shut."""
    try:
        with os.scandir(tree.on_disk(folder)) as found:
            return sorted(found, key=_NAME)
    except OSError as error:
        if not folder:
            raise
        unreadable[folder] = error.strerror or str(error)
        return ()


def _node(entry: os.DirEntry[str]) -> Node:
    if entry.is_symlink():
        return Node("broken link" if _stat(entry) is None else "link", 0)
    if entry.is_dir():
        return _FOLDER
    found = _stat(entry)
    return Node("file", found.st_size) if found and entry.is_file() else Node("other", 0)


def _stat(entry: os.DirEntry[str]) -> os.stat_result | None:
    """Of what a link leads to; None where that is nothing."""
    try:
        return entry.stat()
    except OSError:
        return None
