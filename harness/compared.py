"""Which of the places that the user named hold results to compare.

A shell's ``output/*`` names more than those: a log, the folder of a sweep, evidence that gave none.
What is left out is always said. The first result that there is, is the one to compare with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from audit.judge import AUDIT, RESULT
from audit.planned.plan import PLAN
from audit.result import Result, read_result
from datasets.errors import EvidenceError, UsageError


@dataclass(frozen=True)
class Compared:
    """At least two results, and what was left out."""

    results: tuple[Result, ...]
    left_out: tuple[str, ...]
    """A sentence about each other place."""
    lacking: bool
    """Whether evidence without a result, or a result that can't be read, is among those."""


def compared(paths: Sequence[Path]) -> Compared:
    """What can be compared of ``paths``. UsageError where that are fewer than two, or one of them
    is not there at all."""
    results: list[Result] = []
    left_out: list[str] = []
    lacking = False
    for path in paths:
        if not path.exists():
            raise UsageError(f"There is nothing at {path}; name results, or evidence folders.")
        try:
            results.append(read_result(path))
        except EvidenceError as error:
            other = _is_something_else(path)
            left_out.append(f"{path} is no result and no evidence folder." if other else str(error))
            lacking = lacking or not other
    if len(results) < 2:
        raise UsageError(_too_few(len(results), left_out))
    return Compared(tuple(results), tuple(left_out), lacking)


def _is_something_else(path: Path) -> bool:
    """Whether ``path``, which holds no result, is nothing that should have one."""
    if path.is_dir():
        return not any((path / name).exists() for name in (PLAN, AUDIT, RESULT))
    return path.suffix != ".json"


def _too_few(count: int, left_out: Sequence[str]) -> str:
    named = f"{count or 'none'} of what was named is one"
    reason = f": {left_out[0]}" if left_out else "; name the one to compare with."
    return f"A comparison needs at least two results, and {named}{reason}"
