"""How far two scores of the same samples lie apart, and whether that is near enough."""

from __future__ import annotations


def apart_percent(reference: float, test: float) -> float:
    """How far ``test`` lies from ``reference``, in percent of the latter."""
    if reference == test:
        return 0.0
    return 100 * abs(test / reference - 1) if reference else 100.0


def agree(reference: float, test: float, limit_percent: float) -> bool:
    """Whether both are as right. Where ``reference`` has nothing right, no score shows that."""
    return reference > 0 and apart_percent(reference, test) <= limit_percent
