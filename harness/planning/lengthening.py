"""Planning a run again that was too short and nothing else, from the rate that it showed itself.

The length of Offline, SingleStream and MultiStream follows from a rate that was probed. A machine
that was busier then makes a run too short, and INVALID for it. Only that is mended here: a run that
is INVALID for its result stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable

from audit.logs.loadgen_log import DetailLog
from audit.logs.numbers import positive
from audit.runs.invalid import mean_query_ns
from audit.runs.too_short import LENGTH_SETTINGS, only_too_short
from harness.planning.plan import Plan
from harness.running.userconf import entries_of, settings_for
from harness.spec import EXPECTED_LATENCY_SHARE, RunSpec, rounded
from harness.suites import load_suite

MOST_TIMES = 2
"""A run is planned again so often: a machine whose speed changes more often can't be measured."""


def lengthened(
    plan: Plan, short: RunSpec, log: DetailLog, still_to_run: Callable[[RunSpec], bool]
) -> Plan | None:
    """``plan`` with a longer run in place of ``short``, whose ``log`` this is, and in place of the
    scenario's others that are ``still_to_run``; None where it was not merely too short, or where a
    user.conf decides its length."""
    setting = LENGTH_SETTINGS.get(short.scenario)
    own = settings_for(entries_of(plan.user_conf), short.benchmark, short.scenario)
    if setting is None or setting in own or not only_too_short(log):
        return None
    value = _value(short, log)
    if value is None:
        return None

    def planned(run: RunSpec) -> RunSpec:
        alike = (run.scenario, run.mode) == (short.scenario, short.mode)
        changed = run == short or (alike and still_to_run(run))
        return run.at(**{setting: value}) if changed else run

    return plan.with_runs(planned(run) for run in plan.runs)


def _value(short: RunSpec, log: DetailLog) -> float | int | None:
    """Of the setting that decides the length; None where the log shows no rate."""
    if short.scenario == "Offline":
        rate = positive(log, "result_samples_per_second")
        margin = load_suite(short.suite).offline_margin
        return None if rate is None else rounded(rate * margin)
    latency_ns = mean_query_ns(log)
    return None if latency_ns is None else max(1, round(latency_ns * EXPECTED_LATENCY_SHARE))
