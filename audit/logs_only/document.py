"""The JSON form of a verdict on another harness's logs, schema ``logs``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from audit.consistency.document import consistency_document
from audit.documents import accuracy_document, number_document
from audit.logs_only.verdicts import LoggedVerdict, LogsAudit


def logs_document(audit: LogsAudit, audited: str) -> dict[str, Any]:
    """Every run, number and finding. ``audited`` is the time, ISO 8601 in UTC."""
    yardstick = audit.yardstick
    return {
        "schema": "loadproof/logs",
        "version": 1,
        "audited": audited,
        "passed": audit.passed,
        "benchmark": yardstick.benchmark,
        "scenario": audit.scenario,
        "round": yardstick.round.name,
        "system_type": yardstick.system_type,
        "policy": yardstick.policy.document if yardstick.policy else None,
        "comparable": audit.comparable,
        "why_not_comparable": list(audit.why_not),
        "requirements": audit.acceptance.document() if audit.acceptance else None,
        "spread": asdict(audit.spread) if audit.spread else None,
        "consistency": consistency_document(audit.consistency) if audit.consistency else None,
        "runs": [_run(one) for one in audit.runs],
        "findings": [found.document() for found in audit.findings],
    }


def _run(one: LoggedVerdict) -> dict[str, Any]:
    return {
        "folder": str(one.run.folder),
        "scenario": one.run.scenario,
        "mode": one.run.mode,
        "loadgen": one.validity.status,
        "error_lines": len(one.run.log.errors),
        "good": one.good,
        "metric": number_document(one.metric) if one.metric else None,
        "accuracy": accuracy_document(one.accuracy) if one.accuracy else None,
    }
