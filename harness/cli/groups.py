"""The groups of options that the measuring commands share, and what each says of a request."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datasets.disk.cache import default_cache
from harness.cli.options import (
    NEWEST_ROUND,
    AllowSubset,
    BackendName,
    Benchmark,
    Cache,
    Data,
    Device,
    Devices,
    Fresh,
    Labels,
    MaxBatch,
    Mirror,
    ModelChoice,
    ModelDir,
    Offline,
    Options,
    Output,
    Precision,
    RoundName,
    Stall,
    Streams,
    SuiteName,
    Threads,
    UserConf,
    Vocab,
)
from harness.cli.parsing import device_from, devices_from, model_from, options_from


@dataclass(frozen=True)
class Subject:
    """What is measured: a benchmark on devices, by the rules of a round."""

    benchmark: Benchmark
    device: Device = "cpu"
    devices: Devices = "0"
    backend_option: Options = None
    round_name: RoundName = NEWEST_ROUND

    def members(self) -> dict[str, Any]:
        """Of :class:`harness.request.Request`; UsageError for a value that means nothing."""
        return {
            "benchmark": self.benchmark,
            "device": device_from(self.device),
            "devices": devices_from(self.devices),
            "options": options_from(self.backend_option),
            "round": self.round_name,
        }


@dataclass(frozen=True)
class Inputs:
    """The model, and the data that it is given."""

    model: ModelChoice = None
    data: Data = None
    model_dir: ModelDir = None
    labels: Labels = None
    allow_subset: AllowSubset = False
    vocab: Vocab = None

    def members(self) -> dict[str, Any]:
        """Of :class:`harness.request.Request`; UsageError where there is no such model."""
        file, name = model_from(self.model)
        return {
            "model": file,
            "model_name": name,
            "data": self.data,
            "model_dir": self.model_dir,
            "labels": self.labels,
            "allow_subset": self.allow_subset,
            "vocab": self.vocab,
        }


@dataclass(frozen=True)
class Serving:
    """How one configuration is served."""

    backend: BackendName = "onnxruntime"
    precision: Precision = "fp32"
    suite: SuiteName = None
    streams: Streams = None
    threads: Threads = None
    max_batch: MaxBatch = None
    user_conf: UserConf = None

    def members(self) -> dict[str, Any]:
        """Of :class:`harness.request.Request`."""
        return {
            "backend": self.backend,
            "precision": self.precision,
            "suite": self.suite,
            "streams": self.streams,
            "threads": self.threads,
            "max_batch": self.max_batch,
            "user_conf": self.user_conf,
        }


@dataclass(frozen=True)
class Fetching:
    """Where models and data come from, and are kept."""

    cache: Cache = None
    mirror: Mirror = None
    offline: Offline = False

    def members(self) -> dict[str, Any]:
        """Of :class:`harness.request.Request`."""
        return {
            "cache": (self.cache or default_cache()).absolute(),
            "mirror": self.mirror,
            "offline": self.offline,
        }


@dataclass(frozen=True)
class Evidence:
    """Where evidence goes, and when a run counts as hung."""

    output: Output = Path("output")
    fresh: Fresh = False
    stall_timeout: Stall = None

    def members(self) -> dict[str, Any]:
        """Of :class:`harness.request.Request`."""
        return {
            "output": self.output.absolute(),
            "fresh": self.fresh,
            "stall_s": self.stall_timeout,
        }
