"""Suites: how long, how often and under which limits a qualification measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from audit import schema
from datasets.errors import UsageError

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Length:
    """How long one performance run of a scenario is."""

    min_duration_ms: int
    min_query_count: int
    percentile: float | None = None


@dataclass(frozen=True)
class Suite:
    """A suite. Where ``official``, lengths are the round's own and ``lengths`` is empty."""

    name: str
    title: str
    official: bool
    why_not_comparable: tuple[str, ...]
    most_repeats: int
    fewest_repeats: int
    short_s: float
    max_items: int | None
    """Only the first images or questions of the dataset; None for all."""
    offline_margin: float
    """Offline is told to expect this many times the probed rate: its run then lasts about that
    much longer than its minimum, and long enough on a machine that was busy when it was probed."""
    own_server_limit_multiple: float
    """Server's limit in single-query latencies, where the round's is out of reach."""
    lengths: Mapping[str, Length]
    most_server_probes: int
    """Short runs that look for a Server rate; 0 trusts the simulation of the queue alone."""
    server_probe_ms: int
    confirm_server_rate: bool
    """Look for the highest Server rate and confirm it; otherwise for any that holds."""

    def repeats(self, expected_s: float) -> int:
        """Performance runs of a scenario of which one takes about ``expected_s`` seconds."""
        return self.most_repeats if expected_s < self.short_s else self.fewest_repeats


def suite_names() -> tuple[str, ...]:
    """The suites that ship with loadproof."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


def load_suite(name: str) -> Suite:
    """The suite called ``name``; UsageError lists the known ones."""
    if name not in suite_names():
        raise UsageError(f"There is no suite {name!r}; the suites are {', '.join(suite_names())}.")
    document = schema.read(_FOLDER / f"{name}.json", "suite")
    repeats = document["repeats"]
    return Suite(
        name=document["name"],
        title=document["title"],
        official=document["official"],
        why_not_comparable=tuple(document["why_not_comparable"]),
        most_repeats=repeats["most"],
        fewest_repeats=repeats["fewest"],
        short_s=repeats["short_s"],
        max_items=document["max_items"],
        most_server_probes=document["server_probes"]["most"],
        server_probe_ms=document["server_probes"]["min_duration_ms"],
        confirm_server_rate=document["server_probes"]["confirm"],
        own_server_limit_multiple=document["own_server_limit_multiple"],
        offline_margin=document["offline_margin"],
        lengths={key: Length(**value) for key, value in document["scenarios"].items()},
    )
