"""Whether a score reaches its target, and by how much in samples."""

from __future__ import annotations

import math
from dataclasses import dataclass

_LAST_DIGIT = 1e-9
"""Targets are products such as 0.99 x 76.46, which no float holds."""


@dataclass(frozen=True)
class Target:
    """The score to reach, out of 100."""

    metric: str
    """``top1_percent`` or ``f1``."""
    value: float
    source: str


@dataclass(frozen=True)
class Verdict:
    """A score beside its target."""

    target: Target
    passed: bool
    margin_samples: float
    """Samples to spare; negative where so many more would have to be right. Whole for top-1."""

    @property
    def margin(self) -> str:
        """In words."""
        size = f"{abs(self.margin_samples):.4g} sample(s)"
        return f"{size} to spare" if self.margin_samples >= 0 else f"{size} too few"


def reaches(score: float, target: float) -> bool:
    """Whether a score, out of 100, is as high as ``target`` to the last digit written."""
    return score >= target - _LAST_DIGIT


def judge_top1(correct: int, total: int, target: Target) -> Verdict:
    """Compare ``correct`` of ``total`` labels with the target."""
    needed = math.ceil(total * target.value / 100 - _LAST_DIGIT)
    return Verdict(target, correct >= needed, float(correct - needed))


def judge_f1(f1: float, total: int, target: Target) -> Verdict:
    """Compare an F1 over ``total`` questions with the target."""
    return Verdict(target, reaches(f1, target.value), (f1 - target.value) * total / 100)
