"""Which samples a variant is calibrated on, with the list that names them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from datasets.calibration import (
    CALIBRATION_LISTS,
    CalibrationList,
    read_calibration_list,
    write_digits_calibration,
)
from datasets.errors import UsageError
from datasets.fetching.sources import source
from harness.running.errands import Errands
from harness.spec import DatasetRef


@dataclass(frozen=True)
class CalibrationChoice:
    """A list, and where the images that it names lie."""

    name: str
    path: Path
    images: Path
    labels: str | None
    content: CalibrationList
    about: str
    """For people: what the samples are, and whether they are scored as well."""

    def document(self) -> dict[str, str | None]:
        """What the chore that makes the file is told."""
        return {
            "name": self.name,
            "path": str(self.path),
            "images": str(self.images),
            "labels": self.labels,
        }


def calibration_for(
    errands: Errands, benchmark: str, dataset: DatasetRef, asked: str | None
) -> CalibrationChoice:
    """The list ``asked`` for by name or path, else the one that goes with ``dataset``."""
    if dataset.origin == "embedded" and asked is None:
        images, path = write_digits_calibration(errands.request.cache)
        about = "digits of those that fitted the model; none of them is scored"
        return _choice("digits-calibration", path, images, None, about)
    if dataset.path is None:
        raise UsageError(f"The dataset {dataset.name} has no images to calibrate on.")
    name, path = _list(errands, benchmark, asked)
    about = f"images of {dataset.name}, which are scored as well, as MLPerf's own lists are"
    return _choice(name, path, Path(dataset.path), dataset.labels, about)


def _list(errands: Errands, benchmark: str, asked: str | None) -> tuple[str, Path]:
    if asked is not None and Path(asked).exists():
        return Path(asked).name, Path(asked)
    known = CALIBRATION_LISTS[benchmark]
    name = asked or known[0]
    if name not in known:
        raise UsageError(
            f"There is no calibration list at {name}, and none published of that name for "
            f"{benchmark}; those are: {', '.join(known)}."
        )
    return name, errands.fetch(name)


def _choice(
    name: str, path: Path, images: Path, labels: str | None, about: str
) -> CalibrationChoice:
    return CalibrationChoice(name, path, images, labels, read_calibration_list(path), about)


def is_official(choice: CalibrationChoice) -> bool:
    """Whether the list is, byte for byte, a published one whose checksum is known."""
    names = [name for lists in CALIBRATION_LISTS.values() for name in lists]
    return choice.content.sha256 in {source(name).sha256 for name in names}
