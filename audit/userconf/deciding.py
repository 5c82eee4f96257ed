"""What the lines of a user.conf decide about one benchmark and scenario."""

from __future__ import annotations

from audit.userconf.lines import Entry, known

_NS_PER_MS = 1_000_000


def settings_for(
    entries: tuple[Entry, ...], benchmark: str, scenario: str
) -> dict[str, float | int]:
    """Members of a spec's ``loadgen`` that the entries decide for one benchmark and scenario.

    As in LoadGen, ``*.Scenario`` outranks ``model.*``, and of equals the last wins. Latencies come
    back in whole nanoseconds, percentiles as shares.
    """
    ranked: dict[str, tuple[int, float]] = {}
    for entry in entries:
        if _is_about(entry, benchmark, scenario):
            rank = 2 * (entry.scenario != "*") + (entry.model != "*")
            if rank >= ranked.get(entry.key, (-1, 0.0))[0]:
                ranked[entry.key] = (rank, entry.value)
    return dict(_field(key, value, scenario) for key, (_, value) in ranked.items())


def _is_about(entry: Entry, benchmark: str, scenario: str) -> bool:
    """Also a line about every scenario means nothing in one that has no such setting."""
    meant = known()["keys"][entry.key].get("scenarios", [scenario])
    named = entry.model in {"*", benchmark} and entry.scenario in {"*", scenario}
    return named and scenario in meant


def _field(key: str, value: float, scenario: str) -> tuple[str, float | int]:
    match key:
        case "target_latency":
            name = "target_latency_ns" if scenario == "Server" else "expected_latency_ns"
            return name, round(value * _NS_PER_MS)
        case "target_latency_percentile":
            return "percentile", value / 100
        case "min_duration":
            return "min_duration_ms", int(value)
        case "performance_sample_count_override":
            return "performance_sample_count", int(value)
        case "target_qps":
            return key, value
        case _:
            return key, int(value)
