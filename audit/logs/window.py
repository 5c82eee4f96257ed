"""How long a run was measured, by the two wall-clock marks that LoadGen sets for power meters.

LoadGen writes both into every log, so one that is absent or can't be read is said aloud: whatever
is judged by the clock would go unjudged without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from audit.findings import Finding, finding
from audit.logs.loadgen_log import DetailLog

_FORM = re.compile(
    r"([0-9]{1,2})-([0-9]{1,2})-([0-9]{4}) ([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})\.([0-9]{1,6})"
)
"""Month, day, year and time."""
RESOLUTION_NS = 1_000_000
"""The marks are written in milliseconds."""
CLOCK_TOLERANCE = 0.001
"""A wall clock that is being disciplined may run so much slower than LoadGen's own."""
_OVERHEAD_SHARE, _OVERHEAD_NS = 0.01, 100e6
"""What passes before the first sample is sent and after the last completed, at the most. Seen was
less than 1 ms, in runs of half a second to eleven minutes and of up to 59 million samples; a
hundred times that is left to a busy machine, and the share to a clock that is being set."""
_BEGIN, _END = "power_begin", "power_end"


def measured_ns(log: DetailLog) -> int | None:
    """Nanoseconds from ``power_begin`` to ``power_end``; None where either can't be read, or the
    end does not lie behind the beginning: see :func:`complaints`.

    An accuracy run has a pair for each set of samples that it loads: the first begins, the last
    ends.
    """
    begin, end = moment(log.first(_BEGIN)), moment(log.value(_END))
    if begin is None or end is None or end < begin:
        return None
    return round((end - begin).total_seconds() * 1e9)


def work_ns(passed_ns: float) -> tuple[float, float]:
    """The shortest and the longest time that the work between two such marks can have taken."""
    return passed_ns * (1 - _OVERHEAD_SHARE) - _OVERHEAD_NS, longest_ns(passed_ns)


def longest_ns(passed_ns: float) -> float:
    """The longest time that can have passed where two readings of a clock lie so far apart."""
    return passed_ns * (1 + CLOCK_TOLERANCE) + 2 * RESOLUTION_NS


def complaints(log: DetailLog) -> Iterator[Finding]:
    """An error for each mark that is absent or no time, and for an end before the beginning."""
    marks = {_BEGIN: log.first(_BEGIN), _END: log.value(_END)}
    for key, text in marks.items():
        if text is None:
            yield finding("log.absent", log.where, key=key)
        elif moment(text) is None:
            yield finding("log.clock", log.place(key), found=repr(text)[:80], key=key)
    begin, end = map(moment, marks.values())
    if begin is not None and end is not None and end < begin:
        key, found = _END, repr(marks[_END])
        yield finding("log.clock_backwards", log.place(key), found=found, expected=marks[_BEGIN])


def moment(text: object) -> datetime | None:
    """The time that a mark or a power meter wrote; None where it is none."""
    written = _FORM.fullmatch(str(text))
    if written is None:
        return None
    *whole, fraction = written.groups()
    month, day, year, hour, minute, second = map(int, whole)
    try:
        return datetime(year, month, day, hour, minute, second, int(fraction.ljust(6, "0")))
    except ValueError:
        return None
