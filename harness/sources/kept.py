"""Models that are on this machine, by the names that they have in the zoo. Nothing is fetched."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from datasets.errors import UsageError
from datasets.fetching.fetch import place_of as fetched_place
from datasets.fetching.sources import source
from sut import zoo
from sut.embedded.catalog import place_of as embedded_place
from sut.zoo import ZooModel


def model_at(wanted: Path, cache: Path) -> Path:
    """``wanted`` where there is such a file or folder, else the kept file of the model that has
    this name. UsageError where there is neither, with what to do."""
    if wanted.exists():
        return wanted
    known = {entry.name: entry for entry in zoo.models()}
    entry = known.get(str(wanted))
    if entry is None:
        raise UsageError(_unknown(str(wanted), list(known)))
    path = _place(entry, cache)
    if not path.is_file():
        raise UsageError(f"{entry.name} is not in {cache} yet: {_bringing(entry)} brings it there.")
    return path


def _unknown(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1)
    advice = f"did you mean {near[0]}?" if near else f"the names are {', '.join(known)}."
    return f"There is no model at {name}, and none is called so; {advice}"


def _place(entry: ZooModel, cache: Path) -> Path:
    if entry.origin == "embedded":
        return embedded_place(entry.benchmark, entry.suffix, cache)
    return fetched_place(source(entry.name), cache)


def _bringing(entry: ZooModel) -> str:
    """The command that makes or fetches a model."""
    if entry.origin == "embedded":
        return "`loadproof prepare embedded`"
    return f"`loadproof prepare models {entry.name}`"
