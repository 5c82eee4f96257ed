"""How a metric and its values are written in tables: latencies in ms, rates in their own unit."""

from __future__ import annotations


def heading(name: str, unit: str, percentile: float | None) -> str:
    """``samples/s``, ``p99 latency, ms``."""
    if unit != "ns":
        return unit
    share = f"p{percentile * 100:g} " if percentile else ""
    return f"{share}{name}, ms"


def interval(low: float, high: float) -> str:
    """Of a score out of 100: ``91.79 to 95.93``."""
    return f"{low:.2f} to {high:.2f}"


def against(score: float, target: float, passed: bool, digits: int = 3) -> str:
    """``94.200 ≥ 93.258``, or ``93.000 BELOW 93.258``."""
    return f"{score:.{digits}f} {held(target, passed, digits)}"


def held(target: float, passed: bool, digits: int = 3) -> str:
    """A target alone: ``≥ 93.258``, or ``BELOW 93.258``."""
    return f"{'≥' if passed else 'BELOW'} {target:.{digits}f}"


def run_count(count: int) -> str:
    """``1 run``, ``5 runs``."""
    return "1 run" if count == 1 else f"{count} runs"


def amount(value: float, unit: str) -> str:
    """``value`` with four significant digits, in ms where ``unit`` is ns."""
    return f"{value / 1e6:.4g}" if unit == "ns" else f"{value:.4g}"
