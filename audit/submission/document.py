"""The JSON form of a submission's check, schema ``submission-check``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from audit.submission.check import Checked
from audit.submission.findings import shown
from audit.submission.other_round import other_round
from audit.submission.verdict import EntryVerdict


def check_document(checked: Checked, at: str) -> dict[str, Any]:
    """Every verdict and every finding. ``at`` is the time of the check, ISO 8601 in UTC."""
    submission = checked.submission
    return {
        "schema": "loadproof/submission-check",
        "version": 1,
        "checked": at,
        "tree": shown(str(submission.tree.root)),
        "round": submission.round.name,
        "submitter": submission.asked,
        "only": list(checked.choice.only),
        "ignored": list(checked.choice.ignored),
        "complete": checked.complete,
        "accepted": checked.accepted,
        "advice": other_round(checked),
        "entries": [_entry(one) for one in checked.verdicts],
        "findings": [one.document() for one in checked.findings],
    }


def _entry(verdict: EntryVerdict) -> dict[str, Any]:
    entry = verdict.entry
    return {
        "name": shown(entry.name),
        "division": shown(entry.division),
        "submitter": shown(entry.submitter),
        "system": shown(entry.system),
        "system_type": entry.system_type,
        "benchmark": entry.benchmark.name if entry.benchmark else None,
        "benchmark_folder": shown(entry.benchmark_folder),
        "scenario": entry.scenario,
        "results": shown(entry.results),
        "status": verdict.status,
        "errors": verdict.errors,
        "result": asdict(verdict.measured) if verdict.measured else None,
    }
