"""Where a file of one layout lies in another.

Every file of a submitter is of one area: code, results, measurements, compliance, or none. The
layout with all in one folder tells areas apart by what lies in a scenario: ``accuracy`` and
``performance`` are results, ``TEST…`` is compliance, and the rest are measurements.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from audit.submission.files import Tree, join
from audit.submission.layout import Layout

Area = Literal["code", "results", "measurements", "compliance"]

_RESULTS = {"accuracy", "performance"}
_TEST = re.compile(r"TEST[0-9]+", re.IGNORECASE)
_SCENARIO = 3
"""Which part of a path names the scenario, behind the area, the system and the benchmark."""


@dataclass(frozen=True)
class LayoutChange:
    """Two layouts, and the submitter's folder whose files move from the one to the other."""

    tree: Tree
    folder: str
    source: Layout
    target: Layout

    def target_of(self, path: str) -> str:
        """The path in the target's layout; both are relative to the submitter's folder."""
        parts = path.split("/")
        area = self._area(parts)
        if area is None:
            return path
        rest = self._rest(area, parts)
        return join(_root(self.target, area), *rest)

    def _area(self, parts: list[str]) -> Area | None:
        if parts[0] == self.source.code:
            return "code"
        for area in ("results", "measurements", "compliance"):
            if parts[0] == _root(self.source, area):
                shared = _root(self.source, "measurements") == parts[0]
                return _area_within(parts[1:]) if shared and area == "results" else area
        return None

    def _rest(self, area: Area, parts: list[str]) -> list[str]:
        """What stands behind the area's folder, with the scenario and the file as the target
        calls them."""
        rest = list(parts[1:])
        if area in {"measurements", "compliance"} and len(parts) > _SCENARIO + 1:
            rest[_SCENARIO - 1] = self._scenario(parts)
            if area == "measurements" and self._is_measurements_file(parts):
                rest[-1] = _filled(self.target.measurements_files[0], parts)
        return rest

    def _scenario(self, parts: list[str]) -> str:
        """The scenario's folder as the results call it: elsewhere its case may be another."""
        wanted = parts[_SCENARIO]
        beside = join(self.folder, _root(self.source, "results"), parts[1], parts[2])
        names = [one for one in self.tree.folders(beside) if one.lower() == wanted.lower()]
        return wanted if wanted in names or not names else names[0]

    def _is_measurements_file(self, parts: list[str]) -> bool:
        """Whether the path is that of the scenario's file of measurements."""
        if len(parts) != _SCENARIO + 2:
            return False
        there = self.tree.listed(join(self.folder, *parts[:-1]))
        known = [_filled(pattern, parts) for pattern in self.source.measurements_files]
        other = [one for one in there if one.startswith(parts[1]) and one.endswith(".json")]
        found = [one for one in known if one in there] or other[:1]
        return parts[-1] in found[:1]


def _root(layout: Layout, area: str) -> str:
    pattern: str = getattr(layout, area)
    return pattern.partition("/")[0]


def _area_within(behind: list[str]) -> Area:
    """The area of a path behind the one folder that holds all; the last part is a file."""
    within = behind[_SCENARIO:]
    if len(within) > 1 and within[0] in _RESULTS:
        return "results"
    return "compliance" if len(within) > 1 and _TEST.fullmatch(within[0]) else "measurements"


def _filled(pattern: str, parts: list[str]) -> str:
    return pattern.format(system=parts[1], benchmark=parts[2], scenario=parts[_SCENARIO])
