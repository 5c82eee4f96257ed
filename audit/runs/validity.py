"""What LoadGen said of a run, why, and whether the log bears it out.

LoadGen's VALID is necessary, never sufficient: its log must hold no error line, must agree with
itself, and must show the settings that were asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from audit.findings import Finding, finding
from audit.logs.loadgen_log import DetailLog
from audit.planned.asked import Asked
from audit.rules import Round
from audit.runs import (
    claims,
    demands,
    elapsed,
    invalid,
    latencies,
    modes,
    recomputed,
    settings,
    words,
)

Status = Literal["VALID", "INVALID", "NOT JUDGED", "MISSING"]


@dataclass(frozen=True)
class Validity:
    """The judgement of one log."""

    status: Status
    """LoadGen's own verdict. It judges no accuracy run; MISSING where it should have."""
    findings: tuple[Finding, ...]
    comparable: bool
    """Whether it meets what the round demands of a run that is published."""
    why_not: tuple[str, ...]


def explain(
    log: DetailLog,
    asked: Asked | None,
    round_: Round | None,
    *,
    benchmark: str | None = None,
    system_type: str = "edge",
) -> Validity:
    """Judge ``log`` by itself, by what was asked and by what the round demands.

    Without ``asked``, name the benchmark to compare with the round. Where neither is known,
    nothing is comparable.
    """
    status = _status(log)
    name = asked.benchmark if asked else benchmark
    notes: tuple[Finding, ...] = ()
    if name and round_:
        notes = demands.shortfalls(log, name, round_, system_type, asked)
    judged = (
        *of_itself(log),
        *modes.departures(log, test=asked.test if asked else None, ours=asked is not None),
        *(settings.differences(log, asked) if asked else ()),
    )
    known = bool(name and round_)
    why_not = tuple(dict.fromkeys(note.sentence for note in notes))
    if not known:
        why_not = ("the benchmark or the round is not known",)
    return Validity(status, (*judged, *notes), not why_not, why_not)


def of_itself(log: DetailLog) -> tuple[Finding, ...]:
    """What ``log`` says against its run, whatever was asked and wherever it is to be published."""
    status = _status(log)
    return (
        *log.problems,
        *_verdict(log, status),
        *error_lines(log),
        *_claims(log, status),
        *settings.library_too_small(log),
        *settings.generated_less(log),
    )


def _status(log: DetailLog) -> Status:
    said = log.value("result_validity")
    if said in ("VALID", "INVALID"):
        return "VALID" if said == "VALID" else "INVALID"
    return "NOT JUDGED" if log.value("effective_test_mode") == "AccuracyOnly" else "MISSING"


def _verdict(log: DetailLog, status: Status) -> tuple[Finding, ...]:
    if status == "INVALID":
        return invalid.reasons(log)
    return (finding("validity.missing", log.where),) if status == "MISSING" else ()


def error_lines(log: DetailLog) -> Iterator[Finding]:
    """An error where LoadGen logged one, or counts others than the log holds."""
    counted = log.number("num_errors")
    if counted is not None and counted != len(log.errors):
        yield finding(
            "run.errors_not_logged",
            log.place("num_errors"),
            found=f"{counted:.0f}",
            expected=len(log.errors),
        )
    if log.errors:
        first = log.errors[0]
        yield finding(
            "run.valid_with_errors" if _status(log) == "VALID" else "run.errors",
            f"{log.where}:{first.line}",
            found=f"{first.key}: {first.value}",
            count=len(log.errors),
        )


def _claims(log: DetailLog, status: Status) -> Iterator[Finding]:
    """What a VALID log says of itself and its own numbers contradict."""
    if status != "VALID":
        return
    yield from claims.contradictions(log)
    if log.value("effective_test_mode") == "PerformanceOnly":
        yield from recomputed.contradictions(log)
        yield from elapsed.disagreements(log)
        yield from latencies.contradictions(log)
        yield from words.contradictions(log)
