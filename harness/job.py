"""One job under way: what was asked for, and what all of its steps share."""

from __future__ import annotations

from dataclasses import dataclass

from harness.host.description import Host
from harness.request import Request
from harness.running.display import Display
from harness.running.errands import Errands
from harness.running.userconf import Entry
from harness.stop import StopRequests
from harness.suites import Suite


@dataclass(frozen=True)
class Job:
    """What every step of a qualification, a search or a sweep needs."""

    request: Request
    suite: Suite
    host: Host
    display: Display
    stop: StopRequests
    user_conf: tuple[Entry, ...] = ()

    @property
    def errands(self) -> Errands:
        """What is asked of child processes, whose log lies beside the evidence."""
        return Errands(self.request, self.request.output / "loadproof.log", self.stop, self.display)
