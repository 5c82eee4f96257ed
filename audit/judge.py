"""Judging an evidence folder and leaving the judgement in it.

``result.json`` is there only if every gate passes: what an older audit left goes before anything is
judged, so that a result never stands beside evidence that failed. Where the folder can't be written
to, the judgement is made all the same and says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any

from audit import schema
from audit.accuracy.accuracy_txt import write_accuracy_text
from audit.assess import assess
from audit.compliance.texts import write_texts
from audit.consistency.policy import Policy
from audit.documents import audit_document, result_document
from audit.evidence.folder import read_evidence
from audit.planned.nearby import such_as
from audit.planned.plan import PLAN
from audit.requirements import Profile, judge_requirements
from audit.verdicts import Audit
from datasets.disk.files import write_json
from datasets.errors import EvidenceError

AUDIT = "audit.json"
RESULT = "result.json"
ACCURACY_TEXT = "accuracy.txt"


def judge(folder: Path, policy: Policy | None = None, profile: Profile | None = None) -> Audit:
    """Judge the evidence in ``folder`` and write what follows from it.

    Repeats are judged by ``policy``, or by the one that names the plan's suite. A ``profile`` says
    what the system must reach; missing it is no fault of the evidence, which keeps its result.
    Raises EvidenceError where no evidence is, and touches nothing then; whatever is wrong inside is
    a finding.
    """
    require_evidence(folder, ", or run folders with --logs")
    stuck = tuple(_remove(folder / name) for name in (RESULT, AUDIT))
    audited = datetime.now(timezone.utc).isoformat(timespec="seconds")
    audit = _with_acceptance(assess(read_evidence(folder), policy), profile)
    audit = replace(audit, audited=audited)
    unwritten = (*stuck, *(_attempt(path, write) for path, write in _publications(audit)))
    return replace(audit, unwritten=tuple(dict.fromkeys(text for text in unwritten if text)))


def require_evidence(folder: Path, otherwise: str = "") -> None:
    """EvidenceError where ``folder`` holds no plan, so that nothing is to be judged;
    ``otherwise`` is what could be named instead."""
    if not folder.is_dir():
        raise EvidenceError(f"There is no evidence folder {folder}; name the one that a run left.")
    if not (folder / PLAN).is_file():
        raise EvidenceError(
            f"{folder} holds no {PLAN}, so that it is no evidence of a qualification; name the "
            f"folder that a run left{such_as(folder)}{otherwise}."
        )


def _remove(path: Path) -> str:
    return _attempt(path, lambda: path.unlink(missing_ok=True))


def _attempt(path: Path, write: Callable[[], None]) -> str:
    """Why ``path`` could not be written or removed; empty where it was."""
    try:
        write()
    except OSError as error:
        return f"{path} can't be written: {error.strerror}."
    return ""


def _with_acceptance(audit: Audit, profile: Profile | None) -> Audit:
    plan = audit.evidence.plan
    if profile is None or plan is None:
        return audit
    judged = judge_requirements(
        profile, plan.benchmark, [scenario.measured for scenario in audit.scenarios]
    )
    return replace(audit, acceptance=judged)


def _publications(audit: Audit) -> Iterator[tuple[Path, Callable[[], None]]]:
    """Every file that follows from the audit, and what writes it."""
    folder = audit.evidence.folder
    for scenario in audit.scenarios:
        if scenario.accuracy is not None:
            source = scenario.accuracy.source
            text = (folder / source.file).with_name(ACCURACY_TEXT)
            result = scenario.accuracy.score.result
            yield text, partial(write_accuracy_text, text, result, source.sha256)
    for test in audit.compliance:
        yield folder / test.run, partial(write_texts, folder, test)
    path = folder / AUDIT
    yield path, partial(_write, path, "audit", audit_document(audit))
    if audit.passed and audit.evidence.plan is not None:
        path = folder / RESULT
        yield path, partial(_write, path, "result", result_document(audit, audit.evidence.plan))


def _write(path: Path, name: str, document: dict[str, Any]) -> None:
    schema.require(document, name, path.name)
    write_json(path, _writable(document))


def document(audit: Audit) -> Any:
    """What ``audit.json`` holds, also where it could not be written."""
    return _writable(audit_document(audit))


def _writable(document: dict[str, Any]) -> Any:
    """Half a surrogate pair, which a log may quote but no file can hold, becomes "?"."""
    return json.loads(json.dumps(document, ensure_ascii=False).encode("utf-8", errors="replace"))
