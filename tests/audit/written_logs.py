"""Writes logs as LoadGen 6.0 does, so that a test can change one line of a run and judge it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from audit.logs.loadgen_log import DetailLog
from audit.logs.log_entry import Entry

SEEDS = {
    "effective_qsl_rng_seed": 2085463073848966840,
    "effective_sample_index_rng_seed": 2747215439041700203,
    "effective_schedule_rng_seed": 16159082839903944936,
}

_BEGIN = "11-30-2026 23:00:00.000"
_END = "11-30-2026 23:10:03.000"
_TIME = "result_max_latency_ns"
_MET = {
    "result_validity": "VALID",
    "result_min_duration_met": True,
    "result_min_queries_met": True,
    "early_stopping_met": True,
}
_PERFORMANCE: Mapping[str, Mapping[str, Any]] = {
    "Offline": {
        "effective_samples_per_query": 66000,
        "effective_target_qps": 100,
        "effective_target_latency_ns": 0,
        "effective_target_latency_percentile": 0.99,
        "effective_min_query_count": 1,
        "result_query_count": 1,
        "result_samples_per_second": 109.5,
        "result_max_latency_ns": 602739726027,
    },
    "Server": {
        "effective_samples_per_query": 1,
        "effective_target_qps": 80,
        "effective_target_latency_ns": 15000000,
        "effective_target_latency_percentile": 0.99,
        "effective_min_query_count": 100,
        "result_perf_constraints_met": True,
        "result_query_count": 48000,
        "result_overlatency_query_count": 12,
        "result_completed_samples_per_sec": 79.9,
        "result_99.00_percentile_latency_ns": 12000000,
    },
    "SingleStream": {
        "requested_single_stream_expected_latency_ns": 1e7,
        "effective_samples_per_query": 1,
        "effective_target_qps": 100,
        "effective_target_latency_ns": 0,
        "effective_target_latency_percentile": 0.9,
        "effective_min_query_count": 64,
        "result_query_count": 60000,
        "result_mean_latency_ns": 10001000,
        "early_stopping_latency_ss": 10500000,
    },
    "MultiStream": {
        "requested_multi_stream_expected_latency_ns": 8e7,
        "effective_samples_per_query": 8,
        "effective_target_qps": 12.5,
        "effective_target_latency_ns": 0,
        "effective_target_latency_percentile": 0.99,
        "effective_min_query_count": 662,
        "result_query_count": 7500,
        "result_mean_query_latency_ns": 79000000,
        "early_stopping_latency_ms": 81000000,
    },
}


def performance(scenario: str, **changes: Any) -> dict[str, Any]:
    """Entries of a VALID performance log under the rules of v6.1; None as a change takes one out.

    Dots in a key can't be written as a keyword: change those in the returned mapping.
    """
    return _changed(
        {
            "qsl_reported_total_count": 50000,
            "effective_scenario": scenario,
            "effective_test_mode": "PerformanceOnly",
            "effective_min_duration_ms": 600000,
            "effective_max_duration_ms": 0,
            "effective_performance_sample_count": 1024,
            **SEEDS,
            "power_begin": _BEGIN,
            "power_end": _END,
            **_MET,
            **_PERFORMANCE[scenario],
            "num_errors": 0,
        },
        changes,
    )


def accuracy(scenario: str, **changes: Any) -> dict[str, Any]:
    """Entries of an accuracy log, which LoadGen doesn't judge."""
    usual = _PERFORMANCE[scenario].items()
    return _changed(
        {
            **{key: value for key, value in usual if key.startswith("effective_")},
            "qsl_reported_total_count": 50000,
            "effective_scenario": scenario,
            "effective_test_mode": "AccuracyOnly",
            "effective_min_duration_ms": 600000,
            "effective_performance_sample_count": 1024,
            **SEEDS,
            "power_begin": _BEGIN,
            "power_end": _END,
        },
        changes,
    )


def holding(entries: Mapping[str, Any]) -> DetailLog:
    """A log of these values as it is read, called ``log``; None takes one out."""
    known = [(key, value) for key, value in entries.items() if value is not None]
    return DetailLog(
        where="log",
        entries={
            key: (Entry(key, value, number, False, False),)
            for number, (key, value) in enumerate(known, 1)
        },
        errors=(),
        warnings=(),
        problems=(),
    )


def line(key: str, value: Any, *, is_error: bool = False, is_warning: bool = False) -> str:
    """One line of a detail log."""
    document = {
        "key": key,
        "value": value,
        "time_ms": 0.021042,
        "namespace": "mlperf::logging",
        "event_type": "POINT_IN_TIME",
        "metadata": {
            "is_error": is_error,
            "is_warning": is_warning,
            "file": "results.cc",
            "line_no": 674,
            "pid": 2730,
            "tid": 2730,
        },
    }
    return f":::MLLOG {json.dumps(document)}\n"


def detail(entries: Mapping[str, Any]) -> str:
    """A whole detail log."""
    return "".join(line(key, value) for key, value in agreeing(entries).items())


def agreeing(entries: Mapping[str, Any]) -> Mapping[str, Any]:
    """``entries`` of an Offline run with as many samples as its rate needs for its time, unless
    either was chosen."""
    usual = _PERFORMANCE["Offline"]
    rate, chosen = entries.get("result_samples_per_second"), ("effective_samples_per_query", _TIME)
    if rate == usual["result_samples_per_second"] or not isinstance(rate, int | float):
        return entries
    if not 0 < rate < 1e9 or any(entries.get(key) != usual[key] for key in chosen):
        return entries
    samples = round(rate * usual[_TIME] / 1e9)
    return {**entries, chosen[0]: samples, _TIME: round(samples / rate * 1e9)}


def write_detail(path: Path, entries: Mapping[str, Any], more: str = "") -> Path:
    """Write a detail log with ``more`` lines behind it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(detail(entries) + more, encoding="utf-8")
    return path


def accuracy_log(answers: Iterable[tuple[int, bytes]]) -> str:
    """An accuracy log of (sample index, bytes)."""
    rows = [
        f'{{ "seq_id" : {number}, "qsl_idx" : {index}, "data" : "{data.hex().upper()}" }}'
        for number, (index, data) in enumerate(answers)
    ]
    return "[\n" + ",\n".join(rows) + "\n]\n"


def write_accuracy(path: Path, answers: Iterable[tuple[int, bytes]]) -> Path:
    """Write an accuracy log."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(accuracy_log(answers), encoding="utf-8")
    return path


def _changed(entries: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**entries, **changes}
    return {key: value for key, value in merged.items() if value is not None}
