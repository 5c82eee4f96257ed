"""Where a run falls short of what a round of MLPerf Inference demands.

None of it makes a run wrong: a short run on small data is a fair measurement of its own. It only
can't be compared with the published results of the round, and each reason is a note that says so.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit import quantities
from audit.findings import Finding, finding
from audit.logs.loadgen_log import DetailLog
from audit.logs.numbers import percentile_share
from audit.planned.asked import MADE_HERE, Asked
from audit.rules import BenchmarkRules, Round, normal_system_type

_SEEDS = ("qsl_rng_seed", "sample_index_rng_seed", "schedule_rng_seed")


def shortfalls(
    log: DetailLog, benchmark: str, round_: Round, system_type: str, asked: Asked | None = None
) -> tuple[Finding, ...]:
    """A note for each demand of ``round_`` that the run does not meet."""
    rules = round_.benchmark(benchmark)
    notes = [*_origin(log, asked), *_scenario(log, benchmark, rules, round_, system_type)]
    return (*notes, *unmet(log, rules, round_))


def unmet(log: DetailLog, rules: BenchmarkRules, round_: Round) -> Iterator[Finding]:
    """A note for each demand of ``round_`` on the run itself, whoever made it."""
    yield from seeds(log, round_)
    if log.value("effective_test_mode") == "AccuracyOnly":
        yield from dataset_size(log, rules, round_)
    else:
        yield from _amount(log, rules, round_)
        yield from _latency(log, rules, round_)


def _origin(log: DetailLog, asked: Asked | None) -> Iterator[Finding]:
    origins = {asked.model.origin, asked.dataset.origin} if asked else set()
    for origin in sorted(origins & MADE_HERE):
        yield finding("round.origin", log.where, found=origin)


def _scenario(
    log: DetailLog, benchmark: str, rules: BenchmarkRules, round_: Round, system_type: str
) -> Iterator[Finding]:
    scenario = str(log.value("effective_scenario"))
    if not rules.has_scenario(system_type, scenario):
        yield finding(
            "round.scenario",
            log.place("effective_scenario"),
            found=scenario,
            expected=normal_system_type(system_type),
            benchmark=benchmark,
            round=round_.name,
        )


def seeds(log: DetailLog, round_: Round) -> Iterator[Finding]:
    """A note for each seed that is not the one of ``round_``."""
    for name in _SEEDS:
        demanded = getattr(round_.seeds, name)
        if log.value(f"effective_{name}") != demanded:
            yield _note("round.seeds", log, f"effective_{name}", demanded, round_, name)


def dataset_size(log: DetailLog, rules: BenchmarkRules, round_: Round) -> Iterator[Finding]:
    """A note where the library of an accuracy run is smaller than the dataset."""
    if _below(log, "qsl_reported_total_count", rules.dataset_size):
        yield _note(
            "round.dataset_size", log, "qsl_reported_total_count", rules.dataset_size, round_
        )


def _amount(log: DetailLog, rules: BenchmarkRules, round_: Round) -> Iterator[Finding]:
    yield from too_short(log, rules, round_)
    yield from _sample_count(log, rules, round_)
    key = "effective_samples_per_query"
    fixed = round_.multistream_samples_per_query
    if log.value("effective_scenario") == "MultiStream" and log.value(key) != fixed:
        yield _note("round.samples_per_query", log, key, fixed, round_)


def too_short(log: DetailLog, rules: BenchmarkRules, round_: Round) -> Iterator[Finding]:
    """A note for each way in which a performance run is shorter than ``round_`` demands."""
    key = "effective_min_duration_ms"
    if _below(log, key, round_.min_duration_ms):
        yield _duration_note("round.min_duration", log, key, round_.min_duration_ms, 1e6, round_)
    key, offline = "effective_samples_per_query", log.value("effective_scenario") == "Offline"
    least = rules.offline_min_samples
    if offline and least is not None and _below(log, key, least):
        yield _note("round.offline_samples", log, key, least, round_)


def _sample_count(log: DetailLog, rules: BenchmarkRules, round_: Round) -> Iterator[Finding]:
    """The library may be smaller than the count that LoadGen repeats: the smaller counts."""
    keys = ("effective_performance_sample_count", "qsl_reported_total_count")
    demanded = rules.performance_sample_count
    key = min(keys, key=lambda one: log.number(one) or 0)
    if _below(log, key, demanded):
        yield _note("round.performance_sample_count", log, key, demanded, round_)


def _latency(log: DetailLog, rules: BenchmarkRules, round_: Round) -> Iterator[Finding]:
    scenario = str(log.value("effective_scenario"))
    limit_ns = None if rules.limits_tokens else rules.latency_limit_ns(scenario)
    used_ns = log.number("effective_target_latency_ns")
    if limit_ns is not None and (used_ns is None or not 0 < used_ns <= limit_ns):
        key = "effective_target_latency_ns"
        yield _duration_note("round.latency_limit", log, key, limit_ns, 1, round_)
    demanded = rules.percentile(scenario)
    key = "effective_target_latency_percentile"
    share = percentile_share(log)
    if demanded is not None and (share is None or share < demanded):
        used = log.number(key)
        yield finding(
            "round.percentile",
            log.place(key),
            found="unknown" if used is None else quantities.percentile(used),
            expected=quantities.percentile(demanded),
            round=round_.name,
        )


def _below(log: DetailLog, key: str, demanded: float) -> bool:
    value = log.number(key)
    return value is None or value < demanded


def _note(
    rule: str, log: DetailLog, key: str, demanded: object, round_: Round, name: str = ""
) -> Finding:
    value = log.value(key)
    found = "unknown" if value is None else value
    where = log.place(key)
    return finding(rule, where, found=found, expected=demanded, round=round_.name, key=name)


def _duration_note(
    rule: str, log: DetailLog, key: str, demanded: float, unit_ns: float, round_: Round
) -> Finding:
    value = log.number(key)
    return finding(
        rule,
        log.place(key),
        found="unknown" if value is None else quantities.duration(value * unit_ns),
        expected=quantities.duration(demanded * unit_ns),
        round=round_.name,
    )
