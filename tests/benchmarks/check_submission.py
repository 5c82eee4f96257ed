"""Checking a submission of 1,500 entries, against reading its files and recognising its log lines.

The tree is made of hard links to one system of each real submission where the reference material
lies beside the checkout, else to one that the tests make. Only the detail logs are each system's
own, by one number, for no run may be offered twice.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from audit.submission.layout import layout_of
from audit.submission.subject import DETAIL
from tests.audit.submission.trees import build
from tests.benchmarks.benchmark import Benchmark, Figure, Pair, Place, Round
from tests.conftest import REFERENCE

ENTRIES, ROUND = 1500, "v5.1"
BASES = ("R", "O")
"""Real submissions to that round."""
WALL, PROCESSORS, MEMORY = "wall", "processor time", "memory"
POLL_S = 0.1
_FOLDERS = ("results", "measurements", "compliance")


@dataclass(frozen=True)
class Cost:
    """What a command took, with all of its processes."""

    wall_s: float
    processors_s: float
    peak_mib: float


def rounds(place: Place, count: int) -> Iterator[Round]:
    """Both commands on one tree, one after the other."""
    tree = place.scratch / "tree"
    multiply(base(place.scratch / "base"), tree, ENTRIES)
    for _ in range(count):
        reference = run("tests.benchmarks.recognise", str(tree))
        ours = run("harness", "check", str(tree), "--round", ROUND)
        yield {
            WALL: Pair(ours.wall_s, reference.wall_s),
            PROCESSORS: Pair(ours.processors_s, reference.processors_s),
            MEMORY: Pair(ours.peak_mib, 0.0),
        }


def base(folder: Path) -> Path:
    """A tree with few entries."""
    archives = [REFERENCE / "cases" / "submissions" / f"{name}.tar.gz" for name in BASES]
    if not all(archive.is_file() for archive in archives):
        return build(folder, ROUND).root
    for archive in archives:
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
    return folder


def multiply(source: Path, target: Path, entries: int) -> None:
    """``source`` with so many copies of each of its systems that there are that many entries."""
    shutil.copytree(source, target, copy_function=os.link)
    found = len(list(source.glob("*/*/results/*/*/*")))
    for description in sorted(source.glob("*/*/systems/*.json")):
        for copy in range(1, entries // found):
            _copy_system(description, target / description.relative_to(source).parent.parent, copy)


def _copy_system(description: Path, submitter: Path, copy: int) -> None:
    name = description.stem
    named = f"{name}-{copy:03}"
    os.link(description, submitter / "systems" / f"{named}.json")
    for folder in _FOLDERS:
        own = description.parent.parent / folder / name
        if own.is_dir():
            shutil.copytree(own, submitter / folder / named, copy_function=os.link)
            for log in (submitter / folder / named).rglob(DETAIL):
                _make_own(log, copy)
    for pattern in layout_of(ROUND).measurements_files:
        for file in (submitter / "measurements" / named).glob(
            f"*/*/{pattern.format(system=name, scenario='*')}"
        ):
            file.rename(file.with_name(file.name.replace(name, named, 1)))


def _make_own(log: Path, number: int) -> None:
    """Give the last line of a log that is a link another process, and the log a file of its own.

    Logs of one run that stand for several scenarios stay alike.
    """
    content = log.read_bytes()
    log.unlink()
    before, mark, after = content.rpartition(b'"pid": ')
    log.write_bytes(b"%b%b%d%b" % (before, mark, number, after))


def run(module: str, *arguments: str) -> Cost:
    """Run a module as a command that prints what nobody reads."""
    command = [sys.executable, "-m", module, *arguments]
    before, began, peak = os.times(), time.perf_counter(), 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        watched = psutil.Process(child.pid)
        while child.poll() is None:
            peak = max(peak, _memory(watched))
            time.sleep(POLL_S)
        taken_s = time.perf_counter() - began
    if child.returncode != os.EX_OK:
        raise RuntimeError(f"{' '.join(command)} ended with {child.returncode}")
    after = os.times()
    used = sum(
        getattr(after, f"children_{kind}") - getattr(before, f"children_{kind}")
        for kind in ("user", "system")
    )
    return Cost(taken_s, used, peak / 2**20)


def _memory(process: psutil.Process) -> int:
    """Bytes that a process and its children hold, shared ones counted once."""
    try:
        family = [process, *process.children(recursive=True)]
        return sum(one.memory_full_info().pss for one in family)
    except psutil.Error:
        return 0


BENCHMARKS = (
    Benchmark(
        name="check-submission",
        ours=f"`loadproof check` of {ENTRIES} entries",
        reference="reading every file and recognising every log line by one pattern",
        figures=(
            Figure(WALL, "s", most=1.4),
            Figure(PROCESSORS, "s", most=1.4),
            Figure(MEMORY, "MiB", most=150, excess=True),
        ),
        rounds=rounds,
    ),
)
