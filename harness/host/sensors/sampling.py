"""Reading sensors while a run is measured, each in a thread of its own.

A thread is a daemon and is waited for no longer than a stated time, so that a driver that hangs
delays a run's end by that and nothing else. Nothing that a sensor raises leaves its thread.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from typing import Any

from harness.host.sensors.reading import Reading, Source
from harness.host.sensors.series import Series

INTERVAL_S = 1.0
LAST_WAIT_S = 2.0
"""For all sensors together, once the run has ended."""
SHORTEST_S = 0.2
"""Between two readings of which the second still means something: the system counts the time of
its processors in hundredths of a second."""


class Sampling:
    """The sensors of one run. They are opened at once, and read from begin to end."""

    def __init__(self, sources: Iterable[Source], interval_s: float = INTERVAL_S) -> None:
        self._interval_s = interval_s
        self._begun, self._over = threading.Event(), threading.Event()
        self._samplers = [
            _Sampler(source, interval_s, self._begun, self._over) for source in sources
        ]
        for sampler in self._samplers:
            sampler.start()

    def __enter__(self) -> Sampling:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def follow(self, running: bool) -> None:
        """Begin where the run is being measured, end once it no longer is; may be called often."""
        if running:
            self._begun.set()
        elif self._begun.is_set():
            self._over.set()

    def end(self) -> None:
        """Read no more; may be called often."""
        self._over.set()
        self._begun.set()

    def document(self, wait_s: float = LAST_WAIT_S) -> dict[str, Any]:
        """The ``sensors`` member of a run's record, at most ``wait_s`` after it is asked for."""
        self.end()
        deadline = time.monotonic() + wait_s
        for sampler in self._samplers:
            sampler.join(max(0.0, deadline - time.monotonic()))
        said = [(one.source, one.summary(), one.trouble(wait_s)) for one in self._samplers]
        cpu = [seen for source, seen, _ in said if seen and source.kind == "cpu"]
        return {
            "interval_s": self._interval_s,
            **({"cpu": cpu[0]} if cpu else {}),
            "gpus": [
                {"device": source.device, **seen}
                for source, seen, _ in said
                if seen and source.kind == "gpu"
            ],
            "failed": [
                {"sensor": source.name, "cause": trouble} for source, _, trouble in said if trouble
            ],
        }


class _Sampler(threading.Thread):
    """Opens a sensor, then reads it from ``begun`` to ``over``.

    The first reading is where rates and counts begin; it tells of the time before, as a GPU's use
    and power do, which are means of a moment past. So it is not kept.
    """

    def __init__(
        self, source: Source, interval_s: float, begun: threading.Event, over: threading.Event
    ) -> None:
        super().__init__(name=f"sensor {source.name}", daemon=True)
        self.source = source
        self._interval_s, self._begun, self._over = interval_s, begun, over
        self._series, self._lock = Series(), threading.Lock()
        self._cause = ""

    def run(self) -> None:
        try:
            self._sample()
        except Exception as error:  # noqa: BLE001 — an edge: no sensor may disturb a run
            self._cause = str(error) or type(error).__name__

    def _sample(self) -> None:
        sensor = self.source.open()
        self._begun.wait()
        if self._over.is_set():
            return
        sensor.read()
        at = time.monotonic()
        while not self._over.wait(self._interval_s):
            self._add(sensor.read())
            at = time.monotonic()
        if time.monotonic() - at >= SHORTEST_S:
            self._add(sensor.read())

    def _add(self, reading: Reading) -> None:
        with self._lock:
            self._series.add(reading)

    def summary(self) -> dict[str, Any] | None:
        """What was read so far; None where that is nothing."""
        with self._lock:
            return self._series.document() if self._series.readings else None

    def trouble(self, waited_s: float) -> str:
        """Why there are no readings, or no more; empty where nothing is wrong."""
        if self.is_alive():
            return f"it gave no answer for {waited_s:g} s"
        return self._cause
