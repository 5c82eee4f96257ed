"""The JSON forms of an audit: ``audit.json`` always, ``result.json`` for what passed.

Both are made from the same verdicts, so they can't disagree; the same evidence gives the same
bytes but for the time stamp.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from audit.accuracy.interval import CONFIDENCE
from audit.accuracy.squad import SquadScore
from audit.compliance.document import compliance_document
from audit.consistency.document import (
    agreement_document,
    consistency_document,
    interval_document,
    soak_document,
)
from audit.planned.plan import Plan
from audit.verdicts import (
    AccuracyVerdict,
    Audit,
    Gate,
    Number,
    RunVerdict,
    ScenarioVerdict,
)

NOT_MLPERF = "not an MLPerf result"

_ACCURACY_UNITS = {"top1_percent": "percent", "f1": "F1 of 100"}


def audit_document(audit: Audit) -> dict[str, Any]:
    """``audit.json``: every run, gate and finding."""
    return {
        "schema": "loadproof/audit",
        "version": 1,
        "audited": audit.audited,
        "passed": audit.passed,
        **_identity(audit),
        "gates": [_gate(gate) for gate in audit.gates],
        "scenarios": [_scenario(scenario) for scenario in audit.scenarios],
        "compliance": [compliance_document(test) for test in audit.compliance],
        "runs": [_run(run) for run in audit.runs],
        "findings": [found.document() for found in audit.findings],
    }


def result_document(audit: Audit, plan: Plan) -> dict[str, Any]:
    """``result.json``: what was measured, on what, under which rules."""
    return {
        "schema": "loadproof/result",
        "version": 1,
        "audited": audit.audited,
        **_identity(audit),
        "model": plan.document["model"],
        "dataset": plan.document["dataset"],
        "plan": dict(plan.document),
        "system": audit.evidence.system,
        "software": _software(audit),
        "gates": [_gate(gate) for gate in audit.gates],
        "scenarios": [_scenario(scenario) for scenario in audit.scenarios],
        "compliance": [compliance_document(test) for test in audit.compliance],
        "runs": [_run(run) for run in audit.runs],
        "notes": list(plan.document["notes"]),
    }


def _identity(audit: Audit) -> dict[str, Any]:
    plan = audit.evidence.plan
    known = plan.document if plan else {}
    comparable = audit.comparable and audit.passed and not known.get("embedded")
    return {
        **{key: known.get(key) for key in ("id", "benchmark", "suite", "round", "system_type")},
        "embedded": known.get("embedded"),
        "label": "comparable with MLPerf" if comparable else NOT_MLPERF,
        "comparable": audit.comparable,
        "why_not_comparable": list(audit.why_not),
        "policy": audit.policy.document,
        "agreement": agreement_document(audit.agreement),
        "requirements": audit.acceptance.document() if audit.acceptance else None,
    }


def _gate(gate: Gate) -> dict[str, Any]:
    return {
        "id": gate.id,
        "sentence": gate.sentence,
        "passed": gate.passed,
        "errors": gate.errors,
    }


def _scenario(scenario: ScenarioVerdict) -> dict[str, Any]:
    return {
        "benchmark": scenario.benchmark,
        "scenario": scenario.scenario,
        "in_round": scenario.in_round,
        "comparable": scenario.comparable,
        "why_not_comparable": list(scenario.why_not),
        "performance": _performance(scenario),
        "accuracy": accuracy_document(scenario.accuracy) if scenario.accuracy else None,
    }


def _performance(scenario: ScenarioVerdict) -> dict[str, Any]:
    metric = scenario.metric
    return {
        "name": metric.name,
        "unit": metric.unit,
        "better": "higher" if metric.higher_is_better else "lower",
        "percentile": scenario.percentile,
        "planned": scenario.planned,
        "values": [number_document(value) for value in scenario.values],
        "spread": asdict(scenario.spread) if scenario.spread else None,
        "consistency": consistency_document(scenario.consistency),
        "soak": soak_document(scenario.soak) if scenario.soak else None,
    }


def number_document(number: Number) -> dict[str, Any]:
    """A measured number with its source."""
    return {
        "value": number.value,
        "unit": number.unit,
        "key": number.key,
        "file": number.source.file,
        "sha256": number.source.sha256,
    }


def accuracy_document(accuracy: AccuracyVerdict) -> dict[str, Any]:
    """The ``accuracy`` member of a scenario."""
    verdict, result = accuracy.verdict, accuracy.score.result
    metric = verdict.target.metric
    return {
        "metric": metric,
        "value": accuracy.score.value,
        "unit": _ACCURACY_UNITS[metric],
        "target": verdict.target.value,
        "target_source": verdict.target.source,
        "passed": verdict.passed,
        "margin_samples": verdict.margin_samples,
        "interval": interval_document(accuracy.score.interval),
        "confidence": CONFIDENCE,
        "total": result.total,
        **(
            {"exact_match": result.exact_match}
            if isinstance(result, SquadScore)
            else {"correct": result.correct}
        ),
        "dtype": accuracy.score.dtype,
        "file": accuracy.source.file,
        "sha256": accuracy.source.sha256,
    }


def _run(run: RunVerdict) -> dict[str, Any]:
    return {
        "folder": run.name,
        "scenario": run.asked.scenario,
        "mode": run.asked.mode,
        "repeat": run.asked.repeat,
        "test": run.asked.test,
        "outcome": run.outcome,
        "cause": run.cause,
        "loadgen": run.loadgen,
        "error_lines": run.error_lines,
        "samples": asdict(run.samples) if run.samples else None,
        "backend": run.asked.document["backend"],
        "batching": run.asked.document["batching"],
        "settings": dict(run.asked.settings),
        "device_used": run.device_used,
        "sensors": run.sensors,
        "good": run.good,
        "metric": number_document(run.metric) if run.metric else None,
        "comparable": run.comparable,
        "why_not_comparable": list(run.why_not),
    }


def _software(audit: Audit) -> dict[str, str]:
    """Versions in use, by name; all that were seen where runs differ."""
    seen: dict[str, set[str]] = {}
    for run in audit.evidence.runs:
        for name, version in (run.record.document["software"] if run.record else {}).items():
            seen.setdefault(name, set()).add(version)
    return {name: ", ".join(sorted(versions)) for name, versions in sorted(seen.items())}
