"""How far accuracy runs agree: every pair of repeats, scenarios, batch sizes or backends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from audit.consistency.answers import Answers
from audit.consistency.policy import Policy
from audit.consistency.verdict import severity_under
from audit.findings import Finding, finding

MOST_NAMED = 10
"""Differing samples of a pair that are named; the count says how many there are."""


@dataclass(frozen=True)
class LogitDifference:
    """The largest difference between two runs' logits for one token."""

    value: float
    sample: int


@dataclass(frozen=True)
class Pair:
    """Two accuracy runs, compared over the samples that both have."""

    first: str
    second: str
    compared: int
    only_in_one: int
    """Samples that just one of them has."""
    differing: int
    samples: tuple[int, ...]
    """The first :data:`MOST_NAMED` that are answered otherwise, by index."""
    logits: LogitDifference | None
    """Of BERT."""

    @property
    def differing_percent(self) -> float:
        """Of the samples compared; 0 where there is none."""
        return 100 * self.differing / self.compared if self.compared else 0.0


def compare_all(runs: Sequence[Answers]) -> tuple[Pair, ...]:
    """Every pair of ``runs``, in their order."""
    return tuple(compare(first, second) for first, second in combinations(runs, 2))


def compare(first: Answers, second: Answers) -> Pair:
    """Compare two runs of one benchmark, sample by sample."""
    shared, at, other = np.intersect1d(
        first.samples, second.samples, assume_unique=True, return_indices=True
    )
    differs = (first.choices[at] != second.choices[other]).any(axis=1)
    return Pair(
        first=first.name,
        second=second.name,
        compared=len(shared),
        only_in_one=len(first.samples) + len(second.samples) - 2 * len(shared),
        differing=int(differs.sum()),
        samples=tuple(shared[differs][:MOST_NAMED].tolist()),
        logits=_largest(first, second, shared),
    )


def _largest(first: Answers, second: Answers, shared: NDArray[np.int64]) -> LogitDifference | None:
    """Over the tokens that both logged: how far an answer is padded depends on its batch."""
    if first.logits is None or second.logits is None or not len(shared):
        return None
    differences = [
        _distance(first.logits[sample], second.logits[sample]) for sample in shared.tolist()
    ]
    at = int(np.argmax(differences))
    return LogitDifference(differences[at], int(shared[at]))


def _distance(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    length = min(len(one), len(other))
    return float(np.abs(one[:length] - other[:length]).max())


def disagreements(pairs: Sequence[Pair], policy: Policy) -> Iterator[Finding]:
    """A finding for each pair that differs: as grave as the policy has it above its limit, else a
    warning. A single answer is never above it: a small dataset has no smaller step."""
    for pair in pairs:
        limit = policy.limits.differing_answers_percent
        if pair.differing > 1 and pair.differing_percent > limit:
            found = _finding("consistency.answers_differ", pair, policy)
            yield replace(found, severity=severity_under(policy, "unstable"))
        elif pair.differing:
            yield _finding("consistency.answers_flip", pair, policy)


def _finding(rule: str, pair: Pair, policy: Policy) -> Finding:
    return finding(
        rule,
        pair.first,
        found=pair.differing,
        expected=f"{policy.limits.differing_answers_percent:g} %",
        other=pair.second,
        compared=pair.compared,
        sample=pair.samples[0],
        policy=policy.name,
    )
