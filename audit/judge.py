"""Judging an evidence folder and leaving the judgement in it.

``audit.json`` is always written. ``result.json`` is there only if every gate passes: an older one
goes before anything else is written, so that a result never stands beside evidence that failed.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from audit import schema
from audit.accuracy.accuracy_txt import write_accuracy_text
from audit.assess import assess
from audit.compliance.texts import write_texts
from audit.consistency.policy import Policy
from audit.documents import audit_document, result_document
from audit.evidence import read_evidence
from audit.requirements import Profile, judge_requirements
from audit.verdicts import Audit
from datasets.errors import EvidenceError
from datasets.files import write_json

AUDIT = "audit.json"
RESULT = "result.json"
ACCURACY_TEXT = "accuracy.txt"


def judge(folder: Path, policy: Policy | None = None, profile: Profile | None = None) -> Audit:
    """Judge the evidence in ``folder`` and write what follows from it.

    Repeats are judged by ``policy``, or by the one that names the plan's suite. A ``profile`` says
    what the system must reach; missing it is no fault of the evidence, which keeps its result.
    Raises EvidenceError only where there is no such folder; whatever is wrong inside is a finding.
    """
    if not folder.is_dir():
        raise EvidenceError(f"There is no evidence folder {folder}; name the one that a run left.")
    (folder / RESULT).unlink(missing_ok=True)
    audit = _with_acceptance(assess(read_evidence(folder), policy), profile)
    _publish(audit, datetime.now(timezone.utc).isoformat(timespec="seconds"))
    return audit


def _with_acceptance(audit: Audit, profile: Profile | None) -> Audit:
    plan = audit.evidence.plan
    if profile is None or plan is None:
        return audit
    judged = judge_requirements(profile, plan.benchmark, audit.scenarios)
    return replace(audit, acceptance=judged)


def _publish(audit: Audit, audited: str) -> None:
    folder = audit.evidence.folder
    for scenario in audit.scenarios:
        if scenario.accuracy is not None:
            source = scenario.accuracy.source
            text = (folder / source.file).with_name(ACCURACY_TEXT)
            write_accuracy_text(text, scenario.accuracy.score.result, source.sha256)
    for test in audit.compliance:
        write_texts(folder, test)
    _write(folder / AUDIT, "audit", audit_document(audit, audited))
    if audit.passed and audit.evidence.plan is not None:
        result = result_document(audit, audit.evidence.plan, audited)
        _write(folder / RESULT, "result", result)


def _write(path: Path, name: str, document: dict[str, Any]) -> None:
    schema.require(document, name, path.name)
    write_json(path, _writable(document))


def _writable(document: dict[str, Any]) -> Any:
    """Half a surrogate pair, which a log may quote but no file can hold, becomes "?"."""
    return json.loads(json.dumps(document, ensure_ascii=False).encode("utf-8", errors="replace"))
