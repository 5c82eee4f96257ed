"""Whether the folder that was named is a submission at all, or lies inside one or above some.

Only a folder without a division of its own is looked into: whatever holds one is checked as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from audit.rules import common_rules
from audit.submission.files import Tree, join

_DEEPEST = 6
"""Folders from a division down to the scenario of an entry."""
_MOST_NAMED = 5


def misplaced(tree: Tree) -> str | None:
    """What to name instead of the tree's root, as a sentence; None where nothing is to be said."""
    divisions = common_rules()["divisions"]
    if any(tree.is_folder(one) for one in divisions):
        return None
    whole = next(_above(tree.root, divisions), None)
    if whole is not None:
        return f"{tree.root} is only a part of a submission; name the folder above it: {whole}."
    below = [
        name
        for name in tree.folders("")
        if any(tree.is_folder(join(name, one)) for one in divisions)
    ]
    if below:
        return f"{tree.root} is no submission, but holds some; name one: {_listed(tree, below)}."
    return None


def _above(root: Path, divisions: list[str]) -> Iterator[Path]:
    """The folders that hold a division which ``root`` is, or lies in."""
    inside = [root, *root.parents][:_DEEPEST]
    for depth, folder in enumerate(inside):
        submitters = [inside[depth - 1]] if depth else folder.iterdir()
        if folder.name in divisions and any((one / "results").is_dir() for one in submitters):
            yield folder.parent


def _listed(tree: Tree, names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(str(tree.root / name) for name in names[:_MOST_NAMED]) + more
