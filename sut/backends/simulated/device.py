"""The time that a simulated device takes, and waiting for it."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass
from weakref import WeakValueDictionary

_SPIN_NS = 50_000
"""The system wakes a sleeper about this late, so the last stretch is polled."""


@dataclass(frozen=True)
class Law:
    """How long a batch takes: ``base_ms`` + size × ``per_sample_ms``, give or take the jitter,
    and longer by ``drift_percent`` for every minute that the device has worked."""

    base_ms: float
    per_sample_ms: float
    jitter_percent: float = 0.0
    drift_percent: float = 0.0
    seed: int = 0

    def service_ns(self, size: int, noise: float = 0.0, busy_ns: int = 0) -> int:
        """Time of a batch of ``size``; ``noise`` from −1 to 1, after ``busy_ns`` of work."""
        jitter = 1 + self.jitter_percent / 100 * noise
        drift = 1 + self.drift_percent / 100 * busy_ns / 60e9
        return round((self.base_ms + size * self.per_sample_ms) * 1e6 * jitter * drift)


class Device:
    """Serves its batches one after the other, whichever session they come from."""

    def __init__(self, law: Law, index: int) -> None:
        self._law = law
        self._random = random.Random(f"{law.seed}/{index}")
        self._lock = threading.Lock()
        self._free_ns = 0
        self._busy_ns = 0

    def reserve(self, size: int, now_ns: int) -> int:
        """When a batch of ``size`` that arrives at ``now_ns`` is ready."""
        with self._lock:
            noise = self._random.uniform(-1, 1)
            service_ns = self._law.service_ns(size, noise, self._busy_ns)
            self._busy_ns += service_ns
            self._free_ns = max(now_ns, self._free_ns) + service_ns
            return self._free_ns

    def serve(self, size: int) -> None:
        """Return when a batch that arrives now is ready; other threads run meanwhile."""
        _wait_until(self.reserve(size, time.perf_counter_ns()))


_in_use: WeakValueDictionary[tuple[str, int, Law], Device] = WeakValueDictionary()
_in_use_lock = threading.Lock()


def shared_device(kind: str, index: int, law: Law) -> Device:
    """The device that all open sessions of this kind, index and law have in common."""
    with _in_use_lock:
        return _in_use.setdefault((kind, index, law), Device(law, index))


def _wait_until(end_ns: int) -> None:
    while (left_ns := end_ns - time.perf_counter_ns()) > 0:
        time.sleep(max(0, left_ns - _SPIN_NS) / 1e9)
