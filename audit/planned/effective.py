"""What LoadGen's log must report of a run, derived from what LoadGen was told.

Harness and audit both derive it here, so that a spec can't claim settings which don't follow from
the rest of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audit.compliance_tests import compliance_test
from audit.rules import common_rules

TEST_MODES: Mapping[str, str] = {"accuracy": "AccuracyOnly", "performance": "PerformanceOnly"}
"""LoadGen's name of each mode."""

_WHERE_USED = {
    "target_qps": "target_qps",
    "target_latency_ns": "target_latency_ns",
    "target_latency_percentile": "percentile",
}


def effective_settings(loadgen: Mapping[str, Any], test: str | None) -> dict[str, Any]:
    """LoadGen's ``effective_*`` keys without that prefix, and their values.

    ``loadgen`` is that member of a ``spec`` document; a compliance ``test`` overrides some of it.
    """
    scenario = loadgen["scenario"]
    wanted: dict[str, Any] = {
        "scenario": scenario,
        "test_mode": TEST_MODES[loadgen["mode"]],
        "min_duration_ms": loadgen["min_duration_ms"],
        "performance_sample_count": loadgen["performance_sample_count"],
        **loadgen["seeds"],
    }
    wanted |= {key: loadgen[name] for key, name in _WHERE_USED.items() if loadgen[name] is not None}
    if scenario != "Offline":
        wanted["min_query_count"] = loadgen["min_query_count"]
    if scenario == "MultiStream":
        wanted["samples_per_query"] = common_rules()["multistream_samples_per_query"]
    return {**wanted, **(compliance_test(test).effective if test else {})}
