"""What a search ran and what it found, as text."""

from __future__ import annotations

from collections.abc import Iterator

from audit.documents import NOT_MLPERF
from harness.report.bottleneck import sentence
from harness.report.sentences import sentences
from harness.report.width import fitted
from harness.running.rundir import read_record
from harness.searching import Found
from harness.tuning.bottleneck import hint
from harness.tuning.search import Tell
from harness.tuning.search_record import SearchRecord
from harness.tuning.use import use_of

HEADINGS = ("run", "kind", "queries/s", "queries", "late", "verdict")
UNSCORED = (
    "The answers are not scored here, and what a search finds is "
    f"{NOT_MLPERF}; `loadproof qualify` measures that."
)


def render(found: Found) -> str:
    """Every run and the answer, without a trailing newline."""
    record = found.record
    rows = [
        (number, tell.kind, f"{tell.asked_qps:g}", f"{tell.queries:,}", _late(tell), _verdict(tell))
        for number, tell in enumerate(record.tells, 1)
    ]
    table = fitted(rows, HEADINGS, (5,))
    return "\n\n".join([table, sentences(_below(found))])


def _late(tell: Tell) -> str:
    return f"{100 * tell.late / tell.queries:.2f} %" if tell.queries else "none"


def _verdict(tell: Tell) -> str:
    """A probe is too short to be judged: early stopping wants more queries of it."""
    if tell.cause:
        return f"FAILED: {tell.cause}"
    if tell.kind == "confirm":
        return "VALID" if tell.valid else "INVALID"
    return "not judged"


def _below(found: Found) -> Iterator[str]:
    answer = found.record.answer
    if answer is None or answer.rate_qps is None:
        yield f"No rate was found: {answer.reason if answer else 'the search is not finished'}."
    else:
        yield (
            f"Highest rate confirmed VALID: {answer.rate_qps:g} queries/s, {_limit(found.record)}, "
            f"by a run of {found.record.goal.full_s:g} s: {found.last_run}"
        )
        yield from _hint(found)
    yield UNSCORED
    yield f"Search: {found.path}"


def _hint(found: Found) -> Iterator[str]:
    """What limits the system at the rate of the last run."""
    record = read_record(found.last_run)
    use = use_of(record) if record else None
    if use:
        yield f"At that rate {sentence(hint(use))}"


def _limit(record: SearchRecord) -> str:
    limit_ms = (record.spec.loadgen.target_latency_ns or 0) / 1e6
    return f"{100 * record.goal.percentile:g} % within {limit_ms:g} ms"
