"""Which scenarios are of one system under test, and what it is called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from audit.evidence.folder import SYSTEM
from audit.rules import normal_system_type
from audit.submission.layout import Layout
from audit.submission.packaging.benchmark_names import benchmark_folder
from audit.submission.packaging.choosing import Chosen
from audit.submission.packaging.facts import system_title
from audit.submission.packaging.names import slug
from audit.submission.packaging.place import Place
from audit.submission.packaging.request import Request
from datasets.errors import UsageError


@dataclass(frozen=True)
class System:
    """One system and its entries, each with its place."""

    name: str
    title: str
    """What its name is a slug of."""
    display_name: str
    """As it was asked for; empty where it was not."""
    entries: tuple[tuple[Chosen, Place], ...]

    @property
    def first(self) -> Chosen:
        return self.entries[0][0]

    @property
    def system_type(self) -> str:
        return normal_system_type(self.first.plan.system_type)


def systems_of(chosen: Sequence[Chosen], request: Request, layout: Layout) -> tuple[System, ...]:
    """Group by name. UsageError where one name would stand for two machines or two entries."""
    named: dict[str, list[Chosen]] = {}
    for one in chosen:
        named.setdefault(_title(one, request), []).append(one)
    systems = [_system(title, own, request, layout) for title, own in named.items()]
    _require_one_each(systems)
    return tuple(systems)


def _title(chosen: Chosen, request: Request) -> str:
    title = request.system or system_title(chosen)
    if not title and chosen.audit.evidence.system is None:
        raise UsageError(
            f"{chosen.folder / SYSTEM} is missing or can't be read, so that nothing says on which "
            "machine it was measured: put it back, or name the system with --system-name."
        )
    if not title:
        raise UsageError(
            f"{chosen.folder} does not say on which machine it was measured: name the system with "
            "--system-name."
        )
    return title


def _system(title: str, chosen: list[Chosen], request: Request, layout: Layout) -> System:
    name = slug(title, "--system-name")
    _require_one_machine(name, chosen)
    stated = request.display_name or request.own.system.get("system_name", "")
    places = ((one, _place(one, name, layout, request)) for one in chosen)
    return System(name, title, str(stated), tuple(places))


def _place(chosen: Chosen, system: str, layout: Layout, request: Request) -> Place:
    return Place(layout, system, benchmark_folder(chosen, request), chosen.verdict.scenario)


def _require_one_machine(name: str, chosen: list[Chosen]) -> None:
    machines = {_machine(one): one for one in chosen}
    if len(machines) > 1:
        folders = " and ".join(one.folder.name for one in machines.values())
        raise UsageError(
            f"{folders} were measured on different machines or as different system types, but "
            f"would all be the system {name}; package each with a --system-name of its own."
        )


def _machine(chosen: Chosen) -> tuple[object, str]:
    system: Mapping[str, object] = chosen.audit.evidence.system or {}
    return system.get("fingerprint"), normal_system_type(chosen.plan.system_type)


def _require_one_each(systems: Sequence[System]) -> None:
    seen: dict[str, Chosen] = {}
    for one, place in _entries(systems):
        if place.results in seen:
            raise UsageError(
                f"{seen[place.results].folder.name} and {one.folder.name} both have "
                f"{place.benchmark} {place.scenario} of the system {place.system}; package each "
                "with a --system-name of its own."
            )
        seen[place.results] = one


def _entries(systems: Sequence[System]) -> Iterator[tuple[Chosen, Place]]:
    for system in systems:
        yield from system.entries
