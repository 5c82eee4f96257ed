"""Whether LoadGen used the settings that were asked for.

LoadGen takes some wishes silently for something else (a second run in one process, a library
smaller than its sample count), so nothing is believed that its log does not confirm.
"""

from __future__ import annotations

import math

from audit import quantities
from audit.findings import Finding, finding
from audit.logs.loadgen_log import DetailLog
from audit.planned.asked import Asked

LOGGED_DIGITS = 6
"""LoadGen logs a fraction with so many significant digits."""

_PREFIX = "effective_"


def differences(log: DetailLog, asked: Asked) -> tuple[Finding, ...]:
    """An error for each setting that the log gives otherwise than asked, or not at all."""
    wanted = {"scenario": asked.scenario, "test_mode": asked.test_mode, **asked.settings}
    return tuple(
        finding(
            "settings.differs",
            log.place(_PREFIX + key),
            found=_shown(log, _PREFIX + key),
            expected=quantities.logged(expected),
            key=_PREFIX + key,
        )
        for key, expected in wanted.items()
        if not _same(expected, log.value(_PREFIX + key))
    )


def library_too_small(log: DetailLog) -> tuple[Finding, ...]:
    """An error where fewer samples exist than LoadGen claims to use for performance."""
    held = log.number("qsl_reported_total_count")
    used = log.number("effective_performance_sample_count")
    if held is None or used is None or held >= used:
        return ()
    where = log.place("qsl_reported_total_count")
    return (finding("settings.library_small", where, found=f"{held:.0f}", expected=f"{used:.0f}"),)


def generated_less(log: DetailLog) -> tuple[Finding, ...]:
    """An error where the queries of a measured run have fewer samples than were set."""
    key, made = "effective_samples_per_query", log.number("generated_samples_per_query")
    told = log.number(key)
    measured = log.value("effective_test_mode") == "PerformanceOnly"
    if not measured or made is None or told is None or made >= told:
        return ()
    where = log.place("generated_samples_per_query")
    fewer = finding("settings.generated", where, found=f"{made:.0f}", expected=told, key=key)
    return (fewer,)


def _same(asked: object, used: object) -> bool:
    numbers = [
        one for one in (asked, used) if isinstance(one, int | float) and not isinstance(one, bool)
    ]
    if len(numbers) == 2 and any(isinstance(one, float) for one in numbers):
        return math.isclose(*numbers, rel_tol=0.5 * 10 ** (1 - LOGGED_DIGITS))
    return asked == used


def _shown(log: DetailLog, key: str) -> str:
    return quantities.logged(log.value(key)) if key in log.entries else "nothing"
