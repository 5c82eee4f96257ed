"""Which configurations a sweep measures, and which it leaves out with the reason.

Pure: what backends offer and what the machine has is handed in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from datasets.errors import UsageError
from sut.threads import budget

PROVIDER_OPTION = "provider"
"""Option of a backend that runs a model by one of several execution providers."""


@dataclass(frozen=True)
class Configuration:
    """One way to run a model."""

    backend: str
    precision: str
    provider: str | None
    """Execution provider; None for the backend's own choice."""
    streams: int
    threads: int
    """Of each stream."""
    batch: int

    def __str__(self) -> str:
        return f"{self.session} {self.streams} × {self.threads} threads, batch {self.batch}"

    @property
    def session(self) -> str:
        """What is opened, in words."""
        provider = f" {self.provider}" if self.provider else ""
        return f"{self.backend}{provider} {self.precision}"

    @property
    def at_any_batch(self) -> Configuration:
        """The same for all configurations that differ in nothing but the batch."""
        return replace(self, batch=0)


@dataclass(frozen=True)
class Axes:
    """What is varied."""

    backends: tuple[str, ...]
    precisions: tuple[str, ...]
    providers: tuple[str | None, ...]
    streams: tuple[int, ...]
    threads: tuple[int | None, ...]
    """None fills the cores."""
    batches: tuple[int, ...]


@dataclass(frozen=True)
class Offer:
    """What a backend can be asked for; ``missing`` says why it can't be used at all."""

    precisions: tuple[str, ...]
    options: tuple[str, ...]
    missing: str = ""


@dataclass(frozen=True)
class Skipped:
    """A configuration that is not measured."""

    configuration: Configuration
    reason: str


@dataclass(frozen=True)
class Grid:
    """A laid-out sweep, in the order in which it is measured."""

    configurations: tuple[Configuration, ...]
    skipped: tuple[Skipped, ...]


def lay_out(axes: Axes, offers: Mapping[str, Offer], cores: int) -> Grid:
    """Every combination once. ``cores`` are those of one device."""
    kept: list[Configuration] = []
    skipped: list[Skipped] = []
    for one in dict.fromkeys(_combinations(axes, cores)):
        reason = next(_objections(one, offers[one.backend], cores), None)
        if reason is None:
            kept.append(one)
        else:
            skipped.append(Skipped(one, reason))
    return Grid(tuple(kept), tuple(skipped))


def _combinations(axes: Axes, cores: int) -> Iterator[Configuration]:
    for backend, precision, provider, streams, threads, batch in product(
        axes.backends, axes.precisions, axes.providers, axes.streams, axes.threads, axes.batches
    ):
        filled = threads or max(1, cores // streams)
        yield Configuration(backend, precision, provider, streams, filled, batch)


def _objections(one: Configuration, offer: Offer, cores: int) -> Iterator[str]:
    if offer.missing:
        yield offer.missing
    elif one.precision not in offer.precisions:
        known = ", ".join(offer.precisions)
        yield f"{one.backend} has no precision {one.precision}; it has {known}"
    if one.provider and PROVIDER_OPTION not in offer.options:
        yield f"{one.backend} has no execution providers to choose from"
    yield from _too_many_threads(one, cores)


def _too_many_threads(one: Configuration, cores: int) -> Iterator[str]:
    try:
        made = budget(one.streams, one.threads, cores)
    except UsageError as error:
        yield str(error)
        return
    if made.oversubscribed:
        yield f"{one.streams} × {one.threads} threads are more than the {cores} usable cores"
