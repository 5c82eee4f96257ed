"""The power that an entry drew, made from the samples of its meter and the window of its run.

A sample counts where it lies between LoadGen's marks and is above zero. Offline and Server are
published in watts, latencies with the energy of one query: mean watts x seconds / queries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from audit.logs.loadgen_log import DetailLog
from audit.logs.numbers import counted, written
from audit.logs.window import moment
from audit.rules import common_rules
from audit.submission.files import join
from audit.submission.subject import Subject

SAMPLES = "spl.txt"

_SAMPLE = re.compile(r"Time,(?P<time>[^,]*),Watts,(?P<watts>[^,]*)(?:,.*)?")
_PER_QUERY = "millijoules"


@dataclass(frozen=True)
class Power:
    """What is published."""

    value: float
    unit: str
    """``Watts``, or ``millijoules`` of one query."""


@dataclass(frozen=True)
class Window:
    """The time that a run was measured in, by the clock of the machine."""

    begin: datetime
    end: datetime

    @property
    def seconds(self) -> float:
        return (self.end - self.begin).total_seconds()


@dataclass(frozen=True)
class Sample:
    """One line of the meter's log."""

    time: datetime
    watts: float


def measures_power(subject: Subject) -> bool:
    """Whether the entry is offered with power."""
    return subject.tree.is_folder(join(subject.entry.results, "performance", "power"))


def power_of(subject: Subject) -> Power | None:
    """The entry's power; None where it measured none, or where none can be made."""
    log = subject.performance_log
    if log is None or not measures_power(subject):
        return None
    window = window_of(log)
    text = subject.text(join(subject.entry.performance, SAMPLES)) or ""
    samples = [one for _, _, one in read_samples(text) if one is not None]
    used = list(inside(samples, window)) if window else []
    if window is None or not used:
        return None
    return _published(subject, log, sum(one.watts for one in used) / len(used), window)


def window_of(log: DetailLog) -> Window | None:
    """From ``power_begin`` to ``power_end``; None where either is missing or they are reversed."""
    begin, end = moment(log.first("power_begin")), moment(log.value("power_end"))
    return Window(begin, end) if begin and end and begin < end else None


def read_samples(text: str) -> Iterator[tuple[int, str, Sample | None]]:
    """Number and text of each line that is not blank, and its sample; None where it is none."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield number, line, _sample(line.strip())


def inside(samples: list[Sample], window: Window) -> Iterator[Sample]:
    """The samples that count."""
    return (one for one in samples if window.begin < one.time < window.end and one.watts > 0)


def _sample(line: str) -> Sample | None:
    match = _SAMPLE.fullmatch(line)
    time = moment(match["time"]) if match else None
    if match is None or time is None:
        return None
    watts = written(match["watts"].strip())
    return None if watts is None else Sample(time, watts)


def _published(subject: Subject, log: DetailLog, watts: float, window: Window) -> Power | None:
    unit: str = common_rules()["power_units"].get(subject.entry.scenario, "Watts")
    if unit != _PER_QUERY:
        return Power(watts, unit)
    queries = counted(log, "result_query_count")
    if not queries:
        return None
    inferred = subject.inference
    samples = inferred.samples_per_query if inferred else 1
    return Power(samples * watts * window.seconds * 1000 / queries, unit)
