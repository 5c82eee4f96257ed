"""Where the files of one entry lie in a layout, and a file on its way there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from audit.submission.files import join
from audit.submission.layout import Layout


@dataclass(frozen=True)
class Piece:
    """A file to be: its place in the submitter's folder, and its bytes or the file to copy."""

    path: str
    content: bytes | Path
    keep: bool = False
    """Whether what lies there already stays."""


@dataclass(frozen=True)
class Place:
    """An entry's folders, relative to the submitter's."""

    layout: Layout
    system: str
    benchmark: str
    """The folder's name: ``resnet50`` or ``bert-99``."""
    scenario: str

    @property
    def name(self) -> str:
        """How the entry is called behind its submitter."""
        return join(self.system, self.benchmark, self.scenario)

    @property
    def results(self) -> str:
        return self._filled(self.layout.results)

    @property
    def measurements(self) -> str:
        return self._filled(self.layout.measurements)

    @property
    def measurements_file(self) -> str:
        return join(self.measurements, self._filled(self.layout.measurements_files[0]))

    @property
    def compliance(self) -> str:
        return self._filled(self.layout.compliance)

    @property
    def folders(self) -> Iterator[str]:
        """Every folder that is the entry's own, each once."""
        yield from dict.fromkeys((self.results, self.measurements, self.compliance))

    def _filled(self, pattern: str) -> str:
        return pattern.format(system=self.system, benchmark=self.benchmark, scenario=self.scenario)
