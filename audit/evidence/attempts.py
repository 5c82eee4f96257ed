"""The earlier attempts at a run, which the harness keeps, and whether it was right to make another.

    ID/attempts/BENCHMARK/SCENARIO/performance/run_N/attempt_M/{run.json, LoadGen's logs}

A run is made again where it failed or where it was too short and nothing else. An attempt is kept
only with its record: one without, or whose seal is broken, was changed or lost since.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from audit import quantities, schema
from audit.evidence.sealing import is_as_left
from audit.findings import Finding, finding
from audit.logs.loadgen_log import DetailLog, read_detail
from audit.logs.window import measured_ns
from audit.runs.too_short import only_too_short
from datasets.errors import EvidenceError

ATTEMPTS = "attempts"


@dataclass(frozen=True)
class Attempt:
    """One earlier attempt: it ended by itself, or failed and is as it was left."""

    name: str
    """Its folder, relative to the evidence folder."""
    log: DetailLog | None
    """None where it is not what the run left, or failed."""
    failed: bool = False


def folder_of(root: Path, run: str) -> Path:
    """Where the earlier attempts at the run in the folder ``run`` of ``root`` are kept."""
    return root / ATTEMPTS / run


def finished_attempts(root: Path, run: str) -> tuple[Attempt, ...]:
    """Those that ended by themselves, in their order. Never raises for what stands in them."""
    return tuple(one for one in kept_attempts(root, run) if not one.failed)


def kept_attempts(root: Path, run: str) -> tuple[Attempt, ...]:
    """Those whose record can be relied on, and those that ended by themselves, in their order.
    Never raises for what stands in them."""
    found = (_attempt(root, one) for one in sorted(folder_of(root, run).glob("attempt_*")))
    return tuple(one for one in found if one is not None)


def complaints(name: str, count: int, kept: Sequence[Attempt]) -> Iterator[Finding]:
    """What there is to say of a run ``name`` that is attempt ``count``."""
    lost, failed = count - 1 - len(kept), sum(one.failed for one in kept)
    if lost > 0:
        yield finding("run.attempts_lost", name, found=count, lost=lost)
    if failed:
        yield finding("run.retried", name, found=count, failed=failed)
    for one in kept:
        if one.failed:
            continue
        if one.log is not None and only_too_short(one.log):
            yield _lengthened(name, one, one.log)
        else:
            yield finding("run.chosen", name, found=one.name)


def _lengthened(name: str, one: Attempt, log: DetailLog) -> Finding:
    lasted_ns, least_ms = measured_ns(log), log.number("effective_min_duration_ms")
    return finding(
        "run.lengthened",
        name,
        found="an unknown time" if lasted_ns is None else quantities.duration(lasted_ns),
        expected="an unknown time" if least_ms is None else quantities.duration(least_ms * 1e6),
        attempt=one.name,
    )


def _attempt(root: Path, folder: Path) -> Attempt | None:
    try:
        record = schema.read(folder / "run.json", "run")
    except EvidenceError:
        return None
    name, as_left = str(folder.relative_to(root)), is_as_left(folder, record)
    if record["outcome"] != "finished":
        return Attempt(name, None, failed=True) if as_left else None
    return Attempt(name, _log(folder, name) if as_left else None)


def _log(folder: Path, name: str) -> DetailLog | None:
    path = folder / "mlperf_log_detail.txt"
    try:
        return read_detail(path, f"{name}/{path.name}")
    except EvidenceError:
        return None
