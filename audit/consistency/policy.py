"""A policy: how far repeats may lie apart, and which verdicts leave no result.

The shipped ones are data in ``audit/policies``, each limit with its reason; a user's own file has
the same schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from audit import schema
from datasets.errors import UsageError

Verdict = Literal["stable", "unstable", "not comparable", "not enough runs"]

STRICTEST = "qualification"
"""For a suite that no policy names."""

_FOLDER = Path(__file__).parent.parent / "policies"


@dataclass(frozen=True)
class Limits:
    """The most that is allowed, in percent."""

    cv_percent: float
    drift_percent: float
    """Fitted change from the first run to the last."""
    drift_inside_percent: float
    """Change of the rate from the first third of a run to the last."""
    outlier_percent: float
    """Distance of one run from the median of all."""
    differing_answers_percent: float


@dataclass(frozen=True)
class Policy:
    """The limits and the statistics behind them."""

    name: str
    title: str
    suites: tuple[str, ...]
    min_runs: int
    confidence: float
    significance: float
    resamples: int
    seed: int
    limits: Limits
    closes_gate: frozenset[str]
    document: Mapping[str, Any]

    def forbids(self, verdict: Verdict) -> bool:
        """Whether there is no result with this verdict."""
        return verdict in self.closes_gate


def policy_names() -> tuple[str, ...]:
    """The policies that ship with loadproof."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


@cache
def load_policy(wanted: str) -> Policy:
    """The shipped policy of that name, or the one in that file.

    UsageError where there is neither, EvidenceError naming the place where a file is no policy.
    """
    if wanted in policy_names():
        return policy_from(schema.read(_FOLDER / f"{wanted}.json", "policy"))
    path = Path(wanted)
    if not path.is_file():
        known = ", ".join(policy_names())
        raise UsageError(
            f"There is no policy {wanted!r} and no such file; shipped are {known}, or name a "
            "policy file."
        )
    return policy_from(schema.read(path, "policy"))


def policy_for(suite: str) -> Policy:
    """The shipped policy that ``suite`` is judged by unless the user asks for another."""
    shipped = [load_policy(name) for name in policy_names()]
    found = (policy for policy in shipped if suite in policy.suites)
    return next(found, None) or load_policy(STRICTEST)


def policy_from(document: Mapping[str, Any]) -> Policy:
    """The policy in a checked document of schema ``policy``."""
    return Policy(
        name=document["name"],
        title=document["title"],
        suites=tuple(document["suites"]),
        min_runs=document["min_runs"],
        confidence=document["confidence"],
        significance=document["significance"],
        resamples=document["bootstrap"]["resamples"],
        seed=document["bootstrap"]["seed"],
        limits=Limits(**{key: limit["value"] for key, limit in document["limits"].items()}),
        closes_gate=frozenset(document["closes_gate"]),
        document=document,
    )
