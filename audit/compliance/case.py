"""One compliance test beside the runs that it is compared with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from audit.accuracy.truth import Truth
from audit.compliance_tests import ComplianceTest, compliance_test
from audit.logs.loadgen_log import DetailLog
from audit.representative import representative
from audit.rules import Metric, Round
from audit.runs.demands import too_short
from audit.scenario_verdict import Judged
from audit.verdicts import ScenarioVerdict

_NOT_FINISHED = "its run did not finish"
_NOT_GOOD = "its run is not good, as other findings say"
_NO_PERFORMANCE = "the scenario has no good performance run to compare it with"
_NO_ACCURACY = "the scenario has no accuracy run that can be scored, to compare its answers with"
_SHORT_REFERENCE = "in the performance run that it is compared with, "

ReadTruth = Callable[[], Truth]


@dataclass(frozen=True)
class Case:
    """Everything that decides one verdict."""

    test: ComplianceTest
    run: Judged
    log: DetailLog | None
    """Of a run that finished."""
    performance: Judged | None
    """The good one that stands for its repeats: a submission holds that one alone."""
    accuracy: Judged | None
    scenario: ScenarioVerdict
    round: Round
    truth: ReadTruth

    @property
    def where(self) -> str:
        """The folder of the test's run."""
        return self.run.verdict.name

    def why_not_judged(self) -> str:
        """The first reason why a verdict would mean nothing; empty where there is none."""
        return next(self._reasons(), "")

    def _reasons(self) -> Iterator[str]:
        if self.log is None:
            yield _NOT_FINISHED
        elif not _usable(self.run):
            yield _NOT_GOOD
        else:
            yield from self._too_short(self.log)
        if self.performance is None:
            yield _NO_PERFORMANCE
        elif self.performance.run.log is not None:
            short = self._too_short(self.performance.run.log)
            yield from (_SHORT_REFERENCE + reason for reason in short)
        if self.test.compares_answers and not self._scored:
            yield _NO_ACCURACY

    @property
    def _scored(self) -> bool:
        return self.accuracy is not None and self.scenario.accuracy is not None

    def _too_short(self, log: DetailLog) -> Iterator[str]:
        rules = self.round.benchmark(self.scenario.benchmark)
        return (note.sentence for note in too_short(log, rules, self.round))


def cases(
    judged: Sequence[Judged],
    scenarios: Sequence[ScenarioVerdict],
    round_: Round,
    truth: ReadTruth,
) -> Iterator[Case]:
    """The case of every compliance test among ``judged``, in their order."""
    verdicts = {(one.benchmark, one.scenario): one for one in scenarios}
    for one in judged:
        asked = one.run.asked
        if asked.test is None:
            continue
        beside = [other for other in judged if _beside(other, one)]
        scenario = verdicts[asked.benchmark, asked.scenario]
        yield Case(
            test=compliance_test(asked.test),
            run=one,
            log=one.run.log if _finished(one) else None,
            performance=_representative(beside, scenario.metric),
            accuracy=next((other for other in beside if _answers_all(other)), None),
            scenario=scenario,
            round=round_,
            truth=truth,
        )


def _beside(other: Judged, one: Judged) -> bool:
    """Whether ``other`` is an ordinary run of the same scenario."""
    asked, same = other.run.asked, one.run.asked
    same_scenario = (asked.benchmark, asked.scenario) == (same.benchmark, same.scenario)
    return asked.test is None and same_scenario


def _representative(beside: Sequence[Judged], metric: Metric) -> Judged | None:
    verdicts = [other.verdict for other in beside]
    chosen = representative(verdicts, higher_is_better=metric.higher_is_better)
    return next((other for other in beside if other.verdict is chosen), None)


def _usable(one: Judged) -> bool:
    return one.verdict.good and one.verdict.metric is not None


def _answers_all(one: Judged) -> bool:
    return one.run.asked.mode == "accuracy" and _finished(one)


def _finished(one: Judged) -> bool:
    return one.verdict.outcome == "finished"
