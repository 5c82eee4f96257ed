"""The score and the hash that an ``accuracy.txt`` states, whoever wrote it.

Several lines may look like a score, and a line may look like one and be none: both are for the
checks to tell, so every such line is given and only a whole one is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from audit import strict_json

_LOOKS_LIKE: Mapping[str, re.Pattern[str]] = {
    "top1_percent": re.compile(r"\s*accuracy\s*[=:]", re.IGNORECASE),
    "f1": re.compile(r"""\s*\{.*["'](?:f1|exact_match)["']""", re.IGNORECASE),
}
_TOP1 = re.compile(
    r"accuracy=(?P<percent>[0-9]+(?:\.[0-9]+)?)%"
    r"(?:, good=(?P<good>[0-9]{1,12}), total=(?P<total>[0-9]{1,12}))?"
)
_LAST_BITS = 1e-9
"""A division is not exact to the last bit."""
_HASH = re.compile(r"\s*hash\s*[=:]\s*(?P<value>.*?)\s*", re.IGNORECASE)
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")


@dataclass(frozen=True)
class Line:
    """A line of the file, without its end."""

    number: int
    text: str


@dataclass(frozen=True)
class Stated:
    """A score out of 100, as it was written."""

    value: float
    decimals: int
    """That the value was written with."""
    good: int | None
    total: int | None
    """Of labels; None where the line doesn't count them."""

    @property
    def counted(self) -> float | None:
        """The score that the counts make, in percent; None where they make none."""
        return 100 * self.good / self.total if self.good is not None and self.total else None

    @property
    def agrees(self) -> bool:
        """Whether the counts make the value, to the last decimal written."""
        return self.counted is not None and abs(self.counted - self.value) <= self._rounding

    @property
    def exceeds_counts(self) -> bool:
        """Whether the value is more than the counts make, to the last decimal written."""
        return self.counted is not None and self.value - self.counted > self._rounding

    @property
    def borne_out(self) -> float:
        """The value, or what the counts make where that is less."""
        return self.counted if self.counted is not None and self.exceeds_counts else self.value

    @property
    def _rounding(self) -> float:
        return 0.5 * 10.0**-self.decimals + _LAST_BITS


def score_lines(text: str, metric: str) -> tuple[Line, ...]:
    """Every line that looks like a score by ``metric``."""
    return _matching(text, _LOOKS_LIKE[metric])


def read_score(line: str, metric: str) -> Stated | None:
    """The score that ``line`` states by ``metric``; None where it states none as it should."""
    return _read_top1(line) if metric == "top1_percent" else _read_f1(line)


def stated_score(text: str, metric: str) -> Stated | None:
    """The only score that ``text`` states; None where there is none, or more than one."""
    lines = score_lines(text, metric)
    return read_score(lines[0].text, metric) if len(lines) == 1 else None


def hash_lines(text: str) -> tuple[Line, ...]:
    """Every line that gives a hash; the text is the hash alone."""
    found = _matching(text, _HASH)
    matches = ((line.number, _HASH.fullmatch(line.text)) for line in found)
    return tuple(Line(number, match["value"] if match else "") for number, match in matches)


def is_sha256(text: str) -> bool:
    """Whether ``text`` is one, in hex."""
    return bool(_SHA256.fullmatch(text))


def _matching(text: str, pattern: re.Pattern[str]) -> tuple[Line, ...]:
    lines = enumerate(text.splitlines(), start=1)
    return tuple(Line(number, line) for number, line in lines if pattern.match(line))


def _read_top1(line: str) -> Stated | None:
    match = _TOP1.fullmatch(line.strip())
    if match is None:
        return None
    counts = [None if match[name] is None else int(match[name]) for name in ("good", "total")]
    return Stated(float(match["percent"]), _decimals(match["percent"]), *counts)


def _read_f1(line: str) -> Stated | None:
    try:
        document = strict_json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict):
        return None
    scores = [document.get(name) for name in ("exact_match", "f1")]
    if any(isinstance(one, bool) or not isinstance(one, int | float) or one < 0 for one in scores):
        return None
    return Stated(float(document["f1"]), _decimals(str(document["f1"])), None, None)


def _decimals(number: str) -> int:
    return len(number.partition(".")[2])
