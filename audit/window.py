"""How long a run was measured, by the two wall-clock marks that LoadGen sets for power meters."""

from __future__ import annotations

import re
from datetime import datetime

from audit.loadgen_log import DetailLog

_FORM = re.compile(
    r"([0-9]{1,2})-([0-9]{1,2})-([0-9]{4}) ([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})\.([0-9]{1,6})"
)
"""Month, day, year and time."""
RESOLUTION_NS = 1_000_000
"""The marks are written in milliseconds."""


def measured_ns(log: DetailLog) -> int | None:
    """Nanoseconds from ``power_begin`` to ``power_end``; None where either can't be read.

    An accuracy run has a pair for each set of samples that it loads: the first begins, the last
    ends.
    """
    begin, end = moment(log.first("power_begin")), moment(log.value("power_end"))
    if begin is None or end is None:
        return None
    return round((end - begin).total_seconds() * 1e9)


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
