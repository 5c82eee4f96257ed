"""Values as people read them: durations with the unit that fits, percentiles, rounded rates."""

from __future__ import annotations

import math
from collections.abc import Iterable


def duration(nanoseconds: float) -> str:
    """``15 ms``, ``600 s``, ``822 ns``, ``22220 s``: the largest unit that keeps the number at
    least 1, and never a power of ten."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if abs(nanoseconds) >= size:
            return f"{_plain(nanoseconds / size)} {unit}"
    return f"{nanoseconds:.4g} ns"


def _plain(number: float) -> str:
    """Four significant digits, and all of those before the point."""
    return f"{number:.0f}" if abs(number) >= 1e4 else f"{number:.4g}"


def span(seconds: float) -> str:
    """``4 h``, ``30 min``, ``90 s``: how long something went on, as people plan it."""
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def percentile(share: float) -> str:
    """``99th``, ``90th``, ``99.9th``."""
    return f"{share * 100:.4g}th"


def ranges(numbers: Iterable[int]) -> str:
    """``1 to 3, 5``: numbers in rising order, neighbours together."""
    parts: list[list[int]] = []
    for number in sorted(set(numbers)):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(_range(part) for part in parts)


def _range(part: list[int]) -> str:
    first, last = part[0], part[-1]
    if last - first < 2:
        return ", ".join(map(str, part))
    return f"{first} to {last}"


def rounded_down(value: float, digits: int = 3) -> float:
    """``value`` > 0 cut to so many significant digits: never more than it."""
    step = _step(value, digits)
    return float(f"{math.floor(value / step) * step:.{digits}g}")


def rounded_up(value: float, digits: int = 3) -> float:
    """``value`` > 0 raised to so many significant digits: never less than it."""
    step = _step(value, digits)
    return float(f"{math.ceil(value / step) * step:.{digits}g}")


def logged(value: object) -> str:
    """A value as LoadGen writes it: truth values in small letters."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _step(value: float, digits: int) -> float:
    return float(10.0 ** (math.floor(math.log10(value)) - digits + 1))
