"""What every command that measures does first: refuse what can't be had, find model and data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from audit.rules import load_round
from datasets.errors import UsageError
from harness.benchmarks import benchmark_named
from harness.exits import StoppedError
from harness.host.description import describe_host
from harness.host.software import versions_common
from harness.job import Job
from harness.request import Request, request_key
from harness.running import userconf
from harness.running.display import Display
from harness.running.userconf import Entry
from harness.sources import SIMULATED, Sources, resolve
from harness.spec import BackendSpec
from harness.stop import StopRequests
from harness.suites import load_suite
from sut.backend import provider, usable_provider

EMBEDDED_SUITE = "quick"
OFFICIAL_SUITE = "official"


@dataclass(frozen=True)
class Begun:
    """A request that can be carried out, and what it means."""

    job: Job
    sources: Sources

    @property
    def backend(self) -> BackendSpec:
        """Which backend is asked for, on what, and how."""
        return self.job.request.runtime()

    @property
    def key(self) -> str:
        """What a search or a sweep must have been made for to be gone on with."""
        return self._key(str([entry.text for entry in self.job.user_conf]))

    @property
    def plan_key(self) -> str:
        """What a plan must have been made for to be kept; its user.conf stands in the plan."""
        return self._key()

    def _key(self, *more: str) -> str:
        """Of request, content, machine and software, and what there is ``more``."""
        job = self.job
        return request_key(
            job.request,
            job.suite.name,
            self.sources.model.sha256,
            self.sources.dataset.sha256,
            job.host.fingerprint,
            str(versions_common()),
            str(provider(job.request.backend).availability().version),
            *more,
        )


def begin(request: Request, display: Display, stop: StopRequests) -> Begun:
    """Refuse what can't be had, then find the model and the data. LoadproofError of the kind that
    fits."""
    _require_available(request)
    suite = load_suite(request.suite or default_suite(request))
    load_round(request.round)
    user_conf = _user_conf(request)
    job = Job(request, suite, describe_host(), display, stop, user_conf)
    display.step("Finding the model and the dataset")
    return Begun(job, resolve(job.errands, suite.max_items))


def waiting(display: Display, stop: StopRequests, place: Path) -> Callable[[], None]:
    """What is said and heeded while another process works on the same folder."""
    said: list[str] = []

    def wait() -> None:
        if not said:
            said.append(f"Waiting for another loadproof that works on {place}.")
            display.note(said[0])
        if stop.requested:
            raise StoppedError(f"Stopped by {stop.name} while waiting.")

    return wait


def _require_available(request: Request) -> None:
    """Refuse what can't be had before anything is looked up."""
    benchmark_named(request.benchmark)
    usable_provider(request.backend)
    if request.device == "cpu" and len(request.devices) > 1 and request.backend != SIMULATED:
        raise UsageError(
            "The CPU is one device, whatever its number of cores or sockets: use --streams "
            "instead of --devices."
        )


def _user_conf(request: Request) -> tuple[Entry, ...]:
    """What a user.conf says; UsageError where nothing of it is about what is asked for."""
    if request.user_conf is None:
        return ()
    entries = userconf.read(request.user_conf)
    about = (
        userconf.settings_for(entries, request.benchmark, scenario)
        for scenario in request.scenarios
    )
    if not any(about):
        raise UsageError(
            f"{request.user_conf} decides nothing about {request.benchmark} in "
            f"{', '.join(request.scenarios)}; leave it out, or name what it is about."
        )
    return entries


def default_suite(request: Request) -> str:
    """The suite of a request that names none."""
    official = request.model or request.model_name or request.model_dir
    return OFFICIAL_SUITE if official else EMBEDDED_SUITE
