"""Auditing the logs of another harness: from what the user named to a verdict and its document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit.logs_only.truth import TruthFiles
from datasets.errors import DataError, LoadproofError, UsageError

if TYPE_CHECKING:
    from audit.accuracy.truth import Truth
    from audit.logs_only.reading import LoggedRun
    from audit.logs_only.verdicts import LogsAudit


@dataclass(frozen=True)
class LogsRequest:
    """Options of ``loadproof audit --logs``."""

    benchmark: str | None
    folders: tuple[Path, ...]
    round: str
    system_type: str
    scenario: str | None = None
    policy: str | None = None
    require: Path | None = None
    truth: TruthFiles = field(default_factory=TruthFiles)


def audit_logs(request: LogsRequest) -> LogsAudit:
    """Judge the logs. UsageError or EvidenceError where the request itself makes no sense; labels
    or questions that can't be read are a finding, since all else can still be judged."""
    from audit.consistency.policy import load_policy
    from audit.logs_only.judging import judge_logs
    from audit.logs_only.reading import read_folders
    from audit.logs_only.verdicts import Yardstick
    from audit.requirements import read_profile
    from audit.rules import load_round

    if request.benchmark is None:
        raise UsageError("Logs don't say what was run: name it with --benchmark resnet50 or bert.")
    yardstick = Yardstick(
        benchmark=request.benchmark,
        round=load_round(request.round),
        system_type=request.system_type,
        scenario=request.scenario,
        policy=load_policy(request.policy) if request.policy else None,
        profile=read_profile(request.require) if request.require else None,
    )
    yardstick.round.benchmark(request.benchmark)
    runs = read_folders(request.folders)
    return judge_logs(runs, _truth(request, runs), yardstick)


def _truth(request: LogsRequest, runs: Sequence[LoggedRun]) -> Truth | LoadproofError:
    """What is right, or why that is not known. Nobody is asked for it where nothing is scored."""
    from audit.logs_only.truth import read_truth

    _refuse_absent(request.truth)
    if request.truth == TruthFiles() and not any(run.mode == "accuracy" for run in runs):
        return DataError("There is no accuracy run to score.")
    try:
        return read_truth(request.benchmark or "", request.truth)
    except UsageError:
        raise
    except LoadproofError as error:
        return error


def _refuse_absent(files: TruthFiles) -> None:
    named = (("--labels", files.labels), ("--data", files.data), ("--vocab", files.vocab))
    for option, path in named:
        if path is not None and not path.exists():
            raise UsageError(f"There is nothing at {path}; check the path after {option}.")


def document(audit: LogsAudit) -> dict[str, Any]:
    """The JSON form, checked by its schema, with the present time."""
    from audit import schema
    from audit.logs_only.document import logs_document

    made = logs_document(audit, datetime.now(timezone.utc).isoformat(timespec="seconds"))
    schema.require(made, "logs", "the verdict on the logs")
    return made
