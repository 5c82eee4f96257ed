"""What the user asked a qualification for, before anything is looked up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from audit.rules import newest_round
from harness.spec import SCENARIOS, BackendSpec, Scenario


@dataclass(frozen=True)
class Request:
    """Options of ``loadproof qualify``. None leaves the choice to loadproof."""

    benchmark: str
    backend: str
    device: str
    output: Path
    cache: Path
    devices: tuple[int, ...] = (0,)
    precision: str = "fp32"
    options: Mapping[str, str] = field(default_factory=dict)
    suite: str | None = None
    round: str = field(default_factory=newest_round)
    system_type: str = "edge"
    scenarios: tuple[Scenario, ...] = SCENARIOS
    model: Path | None = None
    """A model file of the user's own."""
    model_name: str | None = None
    """An official model, by its name in the zoo."""
    data: Path | None = None
    labels: Path | None = None
    allow_subset: bool = False
    """Use an image folder though images are missing from it."""
    vocab: Path | None = None
    model_dir: Path | None = None
    streams: int | None = None
    threads: int | None = None
    max_batch: int | None = None
    mirror: str | None = None
    offline: bool = False
    fresh: bool = False
    repeat: int | None = None
    """At least so many performance runs of each scenario. More than the suite has are added to a
    plan, whose other runs stay what they are."""
    soak_s: float | None = None
    """Seconds for which each scenario's performance run is repeated. The runs are added to a plan,
    whose other runs stay what they are."""
    compliance: bool = False
    """Also the compliance tests that the round demands. They are added to a plan, whose other runs
    stay what they are."""
    stall_s: float | None = None
    user_conf: Path | None = None
    """LoadGen settings of the user's own. Its lines decide the runs, not where it lies."""

    def runtime(self) -> BackendSpec:
        """Which backend is asked for, on what, and how."""
        return BackendSpec(
            name=self.backend,
            device=self.device,
            devices=self.devices,
            precision=self.precision,
            options=self.options,
        )

    def decides(self) -> Mapping[str, Any]:
        """What decides the runs, as opposed to where they are kept and how files are fetched."""
        apart = {"output", "cache", "mirror", "offline", "fresh", "stall_s", "suite"}
        apart |= {"compliance", "repeat", "soak_s", "user_conf"}
        return {key: value for key, value in asdict(self).items() if key not in apart}


def request_key(request: Request, *identities: str) -> str:
    """SHA-256 over everything that decides a plan: the request and the identities of suite, model,
    dataset, machine and software. Equal keys mean that finished runs may be kept."""
    text = json.dumps([request.decides(), *identities], sort_keys=True, default=str)
    return sha256(text.encode()).hexdigest()
