"""Moving a submission from one round's layout to another's. Nothing but places and the name of the
file of measurements changes, and no file is lost: what has no place is kept beside the new tree."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from audit.rules import common_rules, load_round
from audit.submission.files import Tree, join, scan
from audit.submission.layout import Layout, layout_of, other_folders
from audit.submission.packaging.layout_change import LayoutChange
from audit.submission.packaging.staging import staged
from datasets.disk.files import naming
from datasets.errors import StorageError, UsageError

UNPLACED = ".unplaced"
"""Behind the name of the new tree: the folder for what it has no place for."""
_WITHIN = 2
"""Parts of a path behind the division, at least, of what a submitter's folder holds."""


@dataclass(frozen=True)
class Move:
    """One file on its way; both paths are relative to the root of a tree."""

    source: str
    target: str
    why_unplaced: str = ""
    """Empty for a file that has a place."""


@dataclass(frozen=True)
class Migrated:
    """What became of a tree."""

    tree: Path
    moves: tuple[Move, ...]
    notes: tuple[str, ...]

    @property
    def unplaced(self) -> tuple[Move, ...]:
        return tuple(move for move in self.moves if move.why_unplaced)

    @property
    def moved(self) -> int:
        """How many files lie elsewhere than before."""
        return sum(move.source != move.target for move in self.moves)


def migrate(tree: Path, source: str, target: str, new: Path) -> Migrated:
    """Write ``tree``, of the round ``source``, to ``new`` in the layout of the round ``target``.

    UsageError where ``tree`` is no submission or of another layout, or where ``new`` lies in it or
    holds something already; StorageError where a part of ``tree`` can't be read.
    """
    _require_outside(new, tree)
    listed = _listed(tree)
    _require_divisions(listed)
    _require_new(new)
    moves = tuple(_moves(listed, source, target))
    unplaced = [move for move in moves if move.why_unplaced]
    if unplaced:
        _write(listed, unplaced, unplaced_tree(new))
    _write(listed, [move for move in moves if not move.why_unplaced], new)
    return Migrated(new, moves, tuple(_notes(listed, moves, source, target)))


def unplaced_tree(new: Path) -> Path:
    """Where the files are kept that have no place in ``new``."""
    return new.with_name(new.name + UNPLACED)


def _listed(tree: Path) -> Tree:
    try:
        listed = scan(tree)
    except OSError as error:
        raise StorageError(f"{tree} can't be listed: {error.strerror}.") from error
    for folder, reason in listed.unreadable.items():
        raise StorageError(f"{tree / folder} can't be listed: {reason}; nothing was migrated.")
    for path, node in listed.nodes.items():
        if node.kind == "other":
            raise StorageError(
                f"{tree / path} is neither a file nor a folder, and can't be migrated; remove it."
            )
    return listed


def _require_outside(new: Path, tree: Path) -> None:
    if new.resolve().is_relative_to(tree.resolve()):
        raise UsageError(f"{new} lies in {tree}, which is to be migrated; name a place beside it.")


def _require_divisions(tree: Tree) -> None:
    known = sorted(common_rules()["divisions"])
    if not any(name in known for name in tree.folders("")):
        raise UsageError(
            f"{tree.root} holds none of the folders {', '.join(known)}, so that it is no "
            "submission; name the folder that holds them."
        )


def _require_new(new: Path) -> None:
    for folder in (new, unplaced_tree(new)):
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder} holds something already; name a new folder with --out.")


def _moves(tree: Tree, source: str, target: str) -> Iterator[Move]:
    """Every file with its new place, each place given once, and none to a file and a folder."""
    taken: dict[str, str] = {}
    folders: dict[str, str] = {}
    for path, place in sorted(_places(tree, source, target), key=_untouched_first):
        above = [str(one) for one in PurePosixPath(place).parents]
        there = [taken.get(one) for one in (place, *above)] + [folders.get(place)]
        known = next((one for one in there if one), None)
        if known:
            yield Move(path, path, f"{known} has its place, {place}")
        else:
            taken[place] = path
            folders |= dict.fromkeys(above, path)
            yield Move(path, place)


def _untouched_first(move: tuple[str, str]) -> tuple[bool, str]:
    return move[0] != move[1], move[0]


def _places(tree: Tree, source: str, target: str) -> Iterator[tuple[str, str]]:
    """Every file with where it belongs; only those of submitters are moved."""
    before, after = layout_of(source), layout_of(target)
    _require_layout(tree, before, source)
    for path in _files(tree):
        division, *inner = path.split("/")
        if len(inner) < _WITHIN or division.startswith("."):
            yield path, path
        else:
            folder = join(division, inner[0])
            change = LayoutChange(tree, folder, before, after)
            yield path, join(folder, change.target_of(join(*inner[1:])))


def _require_layout(tree: Tree, layout: Layout, round_name: str) -> None:
    """A submitter's folder is of one layout, which its other folders tell."""
    for division in tree.folders(""):
        for submitter in tree.folders(division):
            folder = join(division, submitter)
            found = [one for one in other_folders(layout) if tree.is_folder(join(folder, one))]
            if found and not division.startswith("."):
                raise UsageError(
                    f"{folder} has a folder {found[0]}, so that it is not of the layout of "
                    f"{round_name}; name another round with --from."
                )


def _files(tree: Tree) -> Iterator[str]:
    return (path for path in tree.below("") if not tree.is_folder(path))


def _write(tree: Tree, moves: list[Move], new: Path) -> None:
    with staged(new, "") as folder:
        for move in moves:
            _copy(tree.root / move.source, folder / move.target)


def _copy(source: Path, target: Path) -> None:
    """A file with its times and permissions; a link as the link that it is."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with naming(target):
        if source.is_symlink():
            target.symlink_to(source.readlink())
        else:
            shutil.copy2(source, target)


def _notes(tree: Tree, moves: tuple[Move, ...], source: str, target: str) -> Iterator[str]:
    if load_round(source).seeds != load_round(target).seeds:
        yield (
            f"only the layout has changed: runs made with the seeds of {source} keep them, and "
            f"must be measured again to be submitted to {target}, which demands others"
        )
    if layout_of(source) == layout_of(target):
        yield f"{source} and {target} have one layout: every file lies where it lay"
    for move in moves:
        if "link" in (tree.kind(move.source) or "") and move.source != move.target:
            yield f"{move.target} is a link and may no longer lead where it led"
