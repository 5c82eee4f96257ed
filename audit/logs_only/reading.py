"""Folders that LoadGen wrote into, whatever harness drove it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from audit.evidence.folder import ACCURACY, DETAIL
from audit.logs.loadgen_log import DetailLog, read_detail
from datasets.errors import EvidenceError


@dataclass(frozen=True)
class LoggedRun:
    """One run of LoadGen, as its logs tell it."""

    folder: Path
    log: DetailLog

    @property
    def scenario(self) -> str:
        """As LoadGen names it; ``unknown`` where its log does not."""
        said = self.log.value("effective_scenario")
        return said if isinstance(said, str) else "unknown"

    @property
    def mode(self) -> str:
        """``accuracy``, ``performance``, or whatever else LoadGen calls the mode of the run."""
        said = str(self.log.value("effective_test_mode"))
        return {"AccuracyOnly": "accuracy", "PerformanceOnly": "performance"}.get(said, said)

    @property
    def accuracy_log(self) -> Path:
        return self.folder / ACCURACY


def read_folders(folders: Iterable[Path]) -> tuple[LoggedRun, ...]:
    """The runs in ``folders``: each holds one run's logs, or ``run_N`` folders that do.

    EvidenceError names a folder that holds neither, or was named twice.
    """
    found = [one for folder in folders for one in _run_folders(folder)]
    repeated = next((one for one in found if found.count(one) > 1), None)
    if repeated:
        raise EvidenceError(f"{repeated} is named twice; a run counts once.")
    return tuple(LoggedRun(one, read_detail(one / DETAIL)) for one in found)


def _run_folders(folder: Path) -> Iterator[Path]:
    if (folder / DETAIL).exists():
        yield folder
        return
    inside = sorted(folder.glob(f"run_*/{DETAIL}"), key=_number)
    if not inside:
        raise EvidenceError(
            f"{folder} holds no {DETAIL}, nor run_N folders that do; name the folder that LoadGen "
            "wrote its logs into."
        )
    yield from (path.parent for path in inside)


def _number(detail: Path) -> tuple[int, str]:
    """Run 10 comes behind run 2."""
    digits = re.sub(r"\D", "", detail.parent.name)
    return int(digits or 0), detail.parent.name
