"""How many answers LoadGen logs in a run that samples them.

It logs each sample's answer with one probability: the target over the samples that it expects to
send (loadgen.cc, IssueQueries). A fast or slow system therefore logs more or less than the target.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from audit.logs.loadgen_log import DetailLog
from audit.logs.numbers import counted

_DEVIATIONS = 8
"""Standard deviations that chance does not go beyond."""


@dataclass(frozen=True)
class SampledAnswers:
    """What chance allows."""

    expected: float

    def allows(self, count: int) -> bool:
        """Whether a run may have logged ``count`` answers."""
        return abs(count - self.expected) <= _DEVIATIONS * math.sqrt(max(self.expected, 1))

    def __str__(self) -> str:
        reach = _DEVIATIONS * math.sqrt(max(self.expected, 1))
        return f"{max(self.expected - reach, 0):.0f} to {self.expected + reach:.0f}"


def sampled_answers(log: DetailLog) -> SampledAnswers | None:
    """What the run of ``log`` logged; None where the log doesn't tell."""
    target = log.number("effective_accuracy_log_sampling_target")
    each, queries = (
        counted(log, key) for key in ("effective_samples_per_query", "result_query_count")
    )
    sent = _expected_samples(log)
    if not target or not each or not queries or not sent:
        return None
    return SampledAnswers(min(1.0, target / sent) * queries * each)


def _expected_samples(log: DetailLog) -> float | None:
    """The samples that LoadGen expects to send; its rate counts queries, but samples in Offline."""
    offline = log.value("effective_scenario") == "Offline"
    least = log.number("effective_min_sample_count" if offline else "effective_min_query_count")
    rate, least_ms = (log.number(f"effective_{key}") for key in ("target_qps", "min_duration_ms"))
    each = 1.0 if offline else log.number("effective_samples_per_query")
    if least is None or rate is None or least_ms is None or each is None:
        return None
    return max(rate * least_ms / 1000, least) * each
