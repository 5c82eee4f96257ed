"""What finding a model or a dataset asks of child processes: fetching and generating files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.report.live import Display
from harness.request import Request
from harness.running import child
from harness.stop import StopRequests

_DOING = {"make_model": "making the embedded model", "fetch_file": "fetching a file"}
"""What a child process does, in words, by its chore."""


@dataclass(frozen=True)
class Errands:
    """The errands of one request."""

    request: Request
    log: Path
    stop: StopRequests
    display: Display

    def fetch(self, name: str) -> Path:
        """The published file called ``name``, from the cache or fetched into it."""
        self.display.step(f"Fetching {name}")
        return self._path("fetch_file", {"name": name})

    def make_model(self, suffix: str) -> Path:
        """The embedded model as a ``suffix`` file, from the cache or generated into it."""
        return self._path("make_model", {"benchmark": self.request.benchmark, "suffix": suffix})

    def _path(self, chore: str, wanted: dict[str, Any]) -> Path:
        request = self.request
        where = {
            "cache": str(request.cache),
            "mirror": request.mirror,
            "offline": request.offline,
        }
        made = child.call(
            f"harness.running.chores:{chore}",
            {**wanted, **where},
            doing=_DOING[chore],
            log=self.log,
            stop=self.stop,
            progress=lambda done, total: self.display.count(done, total, "MB"),
        )
        for note in made.get("notes", ()):
            self.display.note(note)
        return Path(made["path"])
