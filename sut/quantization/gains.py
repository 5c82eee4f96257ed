"""What a lower precision can gain on a processor, told from its units before anything is measured.

The table (gains.json) has one row for each unit, the strongest first; a row without a flag is for
processors that have none of them, and says why there is nothing to gain.
"""

from __future__ import annotations

import json
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
    gain: float | None
    """The rate over that of float32; None where nobody has measured it."""
    why: str
    source: str
    """Of the number, or of the reason."""

    @property
    def sentence(self) -> str:
        """What to expect, for people."""
        if self.gain == 1.0:
            return f"no gain is to be expected of this {self.device}: {self.why} ({self.source})"
        found = "how much it gains was not measured"
        if self.gain is not None:
            found = f"about {self.gain:g} × was measured ({self.source})"
        where = "this GPU" if self.device == "gpu" else f"this CPU has {self.unit}"
        return f"{where}: {self.why}; {found}"


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
