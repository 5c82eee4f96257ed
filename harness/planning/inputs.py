"""Everything that a plan is made of: what was asked for, found, and learned of the machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit.rules import Round
from harness.planning.limits import ServerLimit
from harness.planning.targets import Target
from harness.running.curve import LatencyCurve
from harness.running.userconf import Entry
from harness.spec import BackendSpec, Batching, DatasetRef, ModelRef, Scenario
from harness.suites import Suite

STALL_LEAST_S = 60.0
STALL_BATCHES = 20


@dataclass(frozen=True)
class Machine:
    """What was learned about the machine before anything is measured."""

    curve: LatencyCurve
    batching: Batching
    server_limit: ServerLimit
    device_used: str
    facts: Mapping[str, str]
    devices: int

    @property
    def stall_s(self) -> float:
        """Seconds without a completed sample after which a run counts as hung."""
        return max(STALL_LEAST_S, STALL_BATCHES * self.curve.batch_s(self.batching.max_batch))

    def offline_qps(self) -> float:
        """Samples per second of all streams at the batch that Offline uses."""
        streams = self.batching.streams * self.devices
        return self.curve.throughput(self.batching.max_batch) * streams


@dataclass(frozen=True)
class Inputs:
    """Everything that a plan is made of."""

    id: str
    request: str
    benchmark: str
    suite: Suite
    rules: Round
    system_type: str
    backend: BackendSpec
    model: ModelRef
    dataset: DatasetRef
    target: Target
    scenarios: tuple[Scenario, ...]
    machine: Machine
    user_conf: tuple[Entry, ...] = ()
    """What the user set in place of what follows from the rest."""
