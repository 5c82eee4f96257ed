"""What a command asks of child processes: the asking side of :mod:`harness.running.chores`.

What a child counts is shown; what it prints goes to the log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from harness.request import Request
from harness.running import child
from harness.running.curve import LatencyCurve
from harness.running.display import Display
from harness.running.system import Description
from harness.spec import BackendSpec, DatasetRef, ModelRef
from harness.stop import StopRequests

_CHORES = "harness.running.chores"


@dataclass(frozen=True)
class Errands:
    """The errands of one request. Errors as :func:`harness.running.child.call`."""

    request: Request
    log: Path
    stop: StopRequests
    display: Display

    def fetch(self, name: str) -> Path:
        """The published file called ``name``, from the cache or fetched into it."""
        self.display.step(f"Fetching {name}")
        wanted = {"name": name, **self._places()}
        made = self._patiently("fetch_file", wanted, "fetching a file")
        for note in made["notes"]:
            self.display.note(note)
        return Path(made["path"])

    def make_model(self, suffix: str) -> Path:
        """The embedded model as a ``suffix`` file, from the cache or generated into it."""
        wanted = {"benchmark": self.request.benchmark, "suffix": suffix, **self._places()}
        made = self._patiently("make_model", wanted, "making the embedded model")
        return Path(made["path"])

    def look(self, backend: BackendSpec, model: ModelRef) -> Description:
        """Open every device; DeviceError where one is not the one asked for."""
        wanted = self.opening(backend, model.path)
        doing = f"opening {backend.name}/{backend.device}"
        return Description(**self.ask(f"{_CHORES}:look", wanted, doing))

    def prepare(self, dataset: DatasetRef, layout: str, dtype: str) -> DatasetRef:
        """``dataset`` with its store and its number of samples, as a model takes them."""
        wanted = {
            "dataset": asdict(dataset),
            "layout": layout,
            "dtype": dtype,
            "cache": str(self.request.cache),
        }
        made = self.ask(f"{_CHORES}:prepare", wanted, "preparing the samples")
        return replace(dataset, **made)

    def time_batches(
        self,
        backend: BackendSpec,
        model: ModelRef,
        store: str,
        threads: int,
        max_batch: int | None,
        per_size_s: float,
    ) -> LatencyCurve:
        """The latency curve of one stream on the prepared samples in ``store``."""
        wanted = self.opening(backend, model.path) | {
            "store": store,
            "threads": threads,
            "max_batch": max_batch,
            "per_size_s": per_size_s,
        }
        doing = f"probing batch sizes on {backend.name}/{backend.device}"
        made = self.ask(f"{_CHORES}:time_batches", wanted, doing)
        return LatencyCurve(tuple(made["sizes"]), tuple(made["seconds"]))

    def opening(self, backend: BackendSpec, model: str | None) -> dict[str, Any]:
        """What every chore is told that opens ``backend`` with the file ``model``."""
        return {
            "benchmark": self.request.benchmark,
            "backend": asdict(backend),
            "model": model,
        }

    def ask(
        self,
        function: str,
        wanted: Mapping[str, Any],
        doing: str,
        unit: str = "samples",
        silence_s: float | None = None,
        heard: Callable[[int], None] = lambda _: None,
    ) -> Any:
        """What the chore ``function`` makes of ``wanted``; it counts in ``unit``, and is ended
        after ``silence_s`` without a word, the request's own limit if not given. ``heard`` gets the
        numbers of its signs of life."""
        return child.call(
            function,
            wanted,
            doing=doing,
            log=self.log,
            stop=self.stop,
            progress=lambda done, total: self._show(done, total, unit, heard),
            silence_s=silence_s or self.request.stall_s or child.SILENCE_S,
        )

    def _patiently(self, chore: str, wanted: Mapping[str, Any], doing: str) -> Any:
        """A chore whose silences say nothing of the system that is to be measured."""
        return self.ask(f"{_CHORES}:{chore}", wanted, doing, "MB", child.SILENCE_S)

    def _show(self, done: int, total: int, unit: str, heard: Callable[[int], None]) -> None:
        """A count without a total is but a sign of life."""
        if total:
            self.display.count(done, total, unit)
        else:
            heard(done)

    def _places(self) -> dict[str, Any]:
        request = self.request
        return {
            "cache": str(request.cache),
            "mirror": request.mirror,
            "offline": request.offline,
        }
