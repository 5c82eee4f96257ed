"""What a sweep knows about one configuration."""

from __future__ import annotations

from dataclasses import dataclass

from harness.sweep.grid import Configuration


@dataclass(frozen=True)
class Measured:
    """What a configuration did, with all its streams busy all the time."""

    samples_per_s: float
    p50_ms: float
    """Of a batch."""
    p90_ms: float
    p99_ms: float
    batches: int
    """Over all streams: fewer than 100 have no 99th percentile of their own, but a largest."""
    peak_rss_bytes: int
    cpu_percent: float
    """Of the usable cores."""
    gpu_percent: float | None = None
    """Of the time, in which kernels ran, over all; None, as the next, where no sensor tells."""
    gpu_memory_bytes: float | None = None
    """The most on any GPU, of all processes."""


@dataclass(frozen=True)
class Row:
    """One configuration and what came of it: a measurement, or the cause of its failure."""

    configuration: Configuration
    request: str
    """Key of what it was measured for: request, model, dataset, machine and software."""
    measured: Measured | None
    cause: str = ""


@dataclass(frozen=True)
class Accuracy:
    """What one backend, precision and provider scored; it holds for all their configurations."""

    session: str
    """As :attr:`Configuration.session` names it."""
    request: str
    percent: float | None
    target: float
    passed: bool
    cause: str = ""
    """Why there is no score."""

    @property
    def shortfall(self) -> str:
        """What bars its configurations from use, in words; empty where they passed."""
        if self.passed:
            return ""
        if self.percent is None:
            return f"{self.session} could not be scored"
        return f"{self.session} scored {self.percent:.2f}, below {self.target:.2f}"
