"""Packing evidence into a submission tree: everything is chosen and composed before anything is
written, and then written in one step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit.rules import common_rules, load_round
from audit.submission.files import join
from audit.submission.layout import Layout, layout_of, other_folders
from audit.submission.packaging.benchmark_names import require_name
from audit.submission.packaging.choosing import Choice, Chosen, LeftOut, choose
from audit.submission.packaging.composing import Composition, compose
from audit.submission.packaging.own_fields import Unknown, template
from audit.submission.packaging.request import Request, require_places
from audit.submission.packaging.staging import remove, staged, write
from audit.submission.packaging.systems import systems_of
from datasets.errors import EvidenceError, UsageError


@dataclass(frozen=True)
class Packed:
    """What became of a request."""

    tree: Path
    round: str
    """Empty where nothing was fit to be packed."""
    entries: tuple[str, ...]
    """As the checker names them; empty where nothing was written."""
    left_out: tuple[LeftOut, ...]
    unknown: tuple[Unknown, ...]
    notes: tuple[str, ...]

    @property
    def written(self) -> bool:
        return bool(self.entries)


def pack(request: Request) -> Packed:
    """Pack what ``request`` asks for.

    Evidence that its audit rejects refuses the whole unless only valid evidence was asked for.
    UsageError where names or rounds don't fit together, or something is there already.
    """
    require_places(request)
    choice = _choose(request)
    if not choice.chosen or (choice.faults and not request.only_valid):
        return Packed(request.tree, "", (), choice.left_out, (), ())
    inner = join(request.division, request.submitter_folder)
    with staged(request.tree, inner) as folder:
        made = _composed(request, choice.chosen, request.tree / inner)
        _require_short(made, inner)
        _put(made, folder, request)
    return Packed(
        tree=request.tree,
        round=_one_round(choice.chosen),
        entries=tuple(join(inner, one.name) for one in made.places),
        left_out=choice.left_out,
        unknown=made.unknown,
        notes=(*made.notes, *_notes(request, choice.chosen)),
    )


def questions(request: Request) -> dict[str, Any]:
    """A file of the submitter's own fields to fill in, for what ``request`` would leave unknown.

    EvidenceError where nothing of the evidence could be packed.
    """
    require_places(request)
    chosen = _choose(request).chosen
    if not chosen:
        raise EvidenceError("None of the evidence can be packed, so that nothing is to be asked.")
    folder = request.tree / request.division / request.submitter_folder
    return template(_composed(request, chosen, folder).unknown)


def _choose(request: Request) -> Choice:
    choices = [choose(folder, request.round, request.division) for folder in request.evidence]
    return Choice(
        chosen=tuple(one for choice in choices for one in choice.chosen),
        left_out=tuple(one for choice in choices for one in choice.left_out),
    )


def _composed(request: Request, chosen: Sequence[Chosen], folder: Path) -> Composition:
    round_name = _one_round(chosen)
    layout = layout_of(round_name)
    if request.benchmark is not None:
        ours = {one.plan.benchmark for one in chosen}
        require_name(request.benchmark, load_round(round_name), ours)
    _require_layout(folder, layout, round_name)
    return compose(systems_of(chosen, request, layout), request, load_round(round_name), folder)


def _require_layout(folder: Path, layout: Layout, round_name: str) -> None:
    """A submitter's folder is of one layout, which its other folders tell."""
    found = [name for name in other_folders(layout) if (folder / name).is_dir()]
    if found:
        raise UsageError(
            f"{folder} has a folder {found[0]}, for which {round_name} has no place: migrate that "
            "tree first, or name another with --out."
        )


def _require_short(made: Composition, inner: str) -> None:
    limit = common_rules()["path_limit_characters"]
    longest = max((join(inner, piece.path) for piece in made.pieces), key=len)
    if len(longest) > limit:
        raise UsageError(
            f"{longest} would have {len(longest)} characters, and a submission accepts {limit}; "
            "give a shorter --system-name or --submitter."
        )


def _put(made: Composition, folder: Path, request: Request) -> None:
    """Write the pieces. UsageError where an entry is there already and is not to be replaced."""
    for own in (one for place in made.places for one in place.folders):
        if (folder / own).exists() and not request.replace:
            raise UsageError(
                f"{request.tree} has {own} of {request.submitter} already; replace it with "
                "--replace, or name another system with --system-name."
            )
        remove(folder, own)
    for piece in made.pieces:
        if not piece.keep or not (folder / piece.path).exists():
            write(folder, piece.path, piece.content)


def _notes(request: Request, chosen: Sequence[Chosen]) -> Iterator[str]:
    name = request.submitter_folder
    if name != request.submitter:
        yield f"the submitter is called {name}, in the folder's name and in the descriptions"
    if request.division == "closed" and not all(one.verdict.comparable for one in chosen):
        yield (
            "by its audit, the evidence is not comparable with results of the closed division, "
            "which will refuse it; the README.md of each entry says why"
        )


def _one_round(chosen: Sequence[Chosen]) -> str:
    rounds = sorted({one.plan.round for one in chosen})
    if len(rounds) > 1:
        raise UsageError(
            f"The evidence is of the rounds {', '.join(rounds)}; a tree is of one round: name it "
            "with --round, or package each by itself."
        )
    return rounds[0]
