"""Where the time of a run went, by its run.json: what its streams did, and what sensors saw."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Use:
    """Where the time of a run went; shares are of the streams' whole time."""

    scenario: str
    device: str
    max_batch: int
    streams: int
    """On each device."""
    threads: int
    """Of all streams together."""
    batch: float
    """Mean size."""
    queue: float
    """Samples that waited, averaged over time."""
    predict: float
    idle: float
    overhead: float
    """Gathering and completing, as a share of the busy time."""
    cpu: float
    """Of the threads' cores, over the whole process."""
    wall_s: float
    others: float | None = None
    """Of the cores that the run may keep busy, what others took; None, as the next two, where no
    sensor tells."""
    gpu: float | None = None
    """Of the time, in which kernels ran, over all GPUs."""
    gpu_memory_bytes: float | None = None
    """The most on any GPU, of all processes."""


def use_of(record: Mapping[str, Any]) -> Use | None:
    """Where the time of a run went, from its run.json; None where it did not come to its end or
    was recorded without the times."""
    streams, spec = record["streams"], record["spec"]
    if not streams or "idle_s" not in streams or not streams["samples"]:
        return None
    outside_s = streams["gather_s"] + streams["complete_s"]
    busy_s = outside_s + streams["predict_s"]
    total_s = busy_s + streams["idle_s"]
    batching, backend = spec["batching"], spec["backend"]
    threads = batching["streams"] * batching["threads"] * len(backend["devices"])
    resources, sensors = record["resources"], record.get("sensors") or {}
    gpus = gpu_use(sensors.get("gpus", ()))
    return Use(
        scenario=spec["scenario"],
        device=backend["device"],
        max_batch=batching["max_batch"],
        streams=batching["streams"],
        threads=threads,
        batch=streams["samples"] / sum(streams["batch_sizes"].values()),
        queue=streams["queue_length_mean"],
        predict=streams["predict_s"] / total_s,
        idle=streams["idle_s"] / total_s,
        overhead=outside_s / busy_s,
        cpu=resources["cpu_seconds"] / max(resources["wall_seconds"], 1e-3) / threads,
        wall_s=resources["wall_seconds"],
        others=_others(sensors),
        gpu=gpus.busy,
        gpu_memory_bytes=gpus.memory_bytes,
    )


@dataclass(frozen=True)
class GpuUse:
    """What all GPUs of a run did; None where no sensor tells."""

    busy: float | None
    """Share of the time in which kernels ran, over all of them."""
    memory_bytes: float | None
    """The most on any, of all processes."""


def gpu_use(gpus: Collection[Mapping[str, Any]]) -> GpuUse:
    """From the ``gpus`` of a run's sensors."""
    busy = [gpu["utilisation_percent"]["mean"] for gpu in gpus if "utilisation_percent" in gpu]
    memory = [gpu["memory_used_bytes"]["max"] for gpu in gpus if "memory_used_bytes" in gpu]
    return GpuUse(sum(busy) / len(busy) / 100 if busy else None, max(memory, default=None))


def _others(sensors: Mapping[str, Any]) -> float | None:
    seen = sensors.get("cpu", {}).get("others_percent")
    return seen["mean"] / 100 if seen else None
