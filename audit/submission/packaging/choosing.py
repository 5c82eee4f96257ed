"""Which scenarios of an evidence folder may be submitted, by its audit; and why others may not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from audit.assess import assess
from audit.evidence.folder import read_evidence
from audit.findings import Finding, errors
from audit.judge import require_evidence
from audit.planned.plan import Plan
from audit.representative import representative
from audit.rules import Round, load_round
from audit.verdicts import AccuracyVerdict, Audit, ComplianceVerdict, RunVerdict, ScenarioVerdict

_NOTHING_MEASURED = "it has no good performance run with a score beside it"
_NOT_RUN = "the closed division demands it and it was not run: qualify again with --compliance"


@dataclass(frozen=True)
class Chosen:
    """One scenario that goes into the tree."""

    audit: Audit
    plan: Plan
    verdict: ScenarioVerdict
    repeats: tuple[RunVerdict, ...]
    """The good performance runs."""
    performance: RunVerdict
    """The one of them that is submitted."""
    accuracy: AccuracyVerdict
    tests: tuple[ComplianceVerdict, ...]

    @property
    def folder(self) -> Path:
        """The evidence folder."""
        return self.audit.evidence.folder

    @property
    def record(self) -> Mapping[str, Any]:
        """The ``run`` document of the submitted run."""
        name = self.performance.name
        run = next(one for one in self.audit.evidence.runs if one.name == name)
        return run.record.document if run.record else {}

    @property
    def spec(self) -> Mapping[str, Any]:
        """The ``spec`` document of the submitted run."""
        return self.performance.asked.document


@dataclass(frozen=True)
class LeftOut:
    """What does not go into the tree."""

    what: str
    reasons: tuple[str, ...]
    fault: bool
    """Whether the evidence is to blame; else the round or the division has no place for it."""


@dataclass(frozen=True)
class Choice:
    """What becomes of evidence."""

    chosen: tuple[Chosen, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def faults(self) -> bool:
        """Whether any evidence was rejected."""
        return any(one.fault for one in self.left_out)


def choose(folder: Path, round_name: str | None, division: str) -> Choice:
    """Judge the evidence in ``folder`` and choose from it for a round; its own if None is given.

    UsageError for an unknown round; whatever is wrong with the evidence is told in the choice.
    """
    require_evidence(folder)
    rules = load_round(round_name) if round_name else None
    audit = assess(read_evidence(folder))
    plan = audit.evidence.plan
    reasons = tuple(_against_all(audit, rules))
    if reasons or plan is None:
        return Choice(left_out=(LeftOut(folder.name, reasons, fault=True),))
    rules = load_round(plan.round)
    found = [_choose_scenario(audit, plan, one, rules, division) for one in audit.scenarios]
    chosen = [one for one in found if isinstance(one, Chosen)]
    left_out = [one for one in found if isinstance(one, LeftOut)]
    if division == "closed":
        left_out += [one for scenario in chosen for one in _unfit_tests(scenario, rules)]
    return Choice(tuple(chosen), tuple(left_out))


def _against_all(audit: Audit, rules: Round | None) -> Iterator[str]:
    """Why nothing of the evidence may be submitted."""
    names = [f"{one.benchmark}/{one.scenario}" for one in audit.scenarios]
    for found in errors(audit.findings):
        if not any(_within(name, found.where) for name in names):
            yield _told(found)
    plan = audit.evidence.plan
    if plan is not None:
        if not plan.runs:
            yield "its plan has no runs"
        yield from _other_seeds(plan, rules or load_round(plan.round))


def _other_seeds(plan: Plan, rules: Round) -> Iterator[str]:
    wanted = asdict(rules.seeds)
    seeds = [run.document["loadgen"]["seeds"] for run in plan.runs]
    if plan.round != rules.name or any(one != wanted for one in seeds):
        yield (
            f"it was made under {plan.round} with other seeds than those of {rules.name}: measure "
            f"again with --round {rules.name}, or package it for the round it was made under"
        )


def _choose_scenario(
    audit: Audit, plan: Plan, verdict: ScenarioVerdict, rules: Round, division: str
) -> Chosen | LeftOut:
    name = f"{verdict.benchmark}/{verdict.scenario}"
    what = f"{audit.evidence.folder.name} {name}"
    found = tuple(_told(one) for one in errors(audit.findings) if _within(name, one.where))
    if found:
        return LeftOut(what, found, fault=True)
    if not verdict.in_round:
        reason = f"{rules.name} does not have it for {plan.system_type} systems"
        return LeftOut(what, (reason,), fault=False)
    repeats = _repeats(audit.runs, verdict)
    taken = representative(repeats, higher_is_better=verdict.metric.higher_is_better)
    if taken is None or verdict.accuracy is None:
        return LeftOut(what, (_NOTHING_MEASURED,), fault=True)
    tests = _tests(audit, verdict) if division == "closed" else ()
    passed = tuple(one for one in tests if one.outcome == "PASS")
    return Chosen(audit, plan, verdict, repeats, taken, verdict.accuracy, passed)


def _told(found: Finding) -> str:
    """A finding in one sentence that says where."""
    sentence = found.sentence
    return sentence if found.where in sentence else f"{found.where}: {sentence}"


def _within(name: str, where: str) -> bool:
    return where == name or where.startswith(f"{name}/")


def _repeats(runs: Sequence[RunVerdict], scenario: ScenarioVerdict) -> tuple[RunVerdict, ...]:
    wanted = (scenario.benchmark, scenario.scenario, "performance", None)
    return tuple(
        run
        for run in runs
        if run.good
        and (run.asked.benchmark, run.asked.scenario, run.asked.mode, run.asked.test) == wanted
    )


def _tests(audit: Audit, scenario: ScenarioVerdict) -> Iterator[ComplianceVerdict]:
    for test in audit.compliance:
        if (test.benchmark, test.scenario) == (scenario.benchmark, scenario.scenario):
            yield test


def _unfit_tests(chosen: Chosen, rules: Round) -> Iterator[LeftOut]:
    """The compliance tests that the closed division demands and the evidence can't give."""
    passed = {test.test for test in chosen.tests}
    judged = {test.test: test for test in _tests(chosen.audit, chosen.verdict)}
    name = f"{chosen.verdict.benchmark}/{chosen.verdict.scenario}"
    for test in rules.benchmark(chosen.plan.benchmark).compliance_tests:
        if test not in passed:
            why = judged[test].why_not_judged if test in judged else _NOT_RUN
            yield LeftOut(f"{chosen.folder.name} {name} {test}", (why,), fault=False)
