"""What a lower precision can gain on a processor, told from its units before anything is measured.

The table (gains.json) has one row for each unit, the strongest first; a row without a flag is for
processors that have none of them, and says why there is nothing to gain.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from datasets.sysfs import content

_FLAGS = ("flags", "Features")
"""What /proc/cpuinfo calls them on x86-64 and on Arm."""


@dataclass(frozen=True)
class Gain:
    """What is known of one unit. A ``flag`` is the kernel's name of it; None for no unit at all."""

    backend: str
    precision: str
    device: str
    flag: str | None
    unit: str
    useful: bool
    """Whether the precision is any faster with it than float32."""
    why: str
    source: str
    """Of the reason, where it is not plain from what the unit is."""
    measured: Mapping[str, str]
    """Benchmark → the rate over that of float32, and how it was measured."""

    def sentence(self, benchmark: str) -> str:
        """What to expect, for people."""
        if not self.useful:
            return f"no gain is to be expected of this {self.device}: {self.why} ({self.source})"
        seen = self.measured.get(benchmark)
        found = f"measured elsewhere: {seen}" if seen else "how much it gains was not measured"
        return f"this {self.device} has {self.unit}: {self.why}; {found}"


def expected_gain(backend: str, precision: str, device: str, flags: frozenset[str]) -> Gain | None:
    """The row of the strongest unit among ``flags``; None for what the table does not know."""
    asked = (backend, precision, device)
    for row in _gains():
        here = row.flag is None or row.flag in flags
        if here and (row.backend, row.precision, row.device) == asked:
            return row
    return None


def cpu_flags(root: Path = Path("/")) -> frozenset[str]:
    """The kernel's names of what this processor can do; empty where it does not tell."""
    for line in content(root / "proc/cpuinfo").splitlines():
        name, _, value = line.partition(":")
        if name.strip() in _FLAGS:
            return frozenset(value.split())
    return frozenset()


@cache
def _gains() -> tuple[Gain, ...]:
    text = files("sut.quantization").joinpath("gains.json").read_text("utf-8")
    return tuple(Gain(**row) for row in json.loads(text))
