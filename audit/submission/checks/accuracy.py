"""The accuracy run: whether its score is whole, stands for the whole dataset, and is high enough.

The logged answers themselves are cut to a few in a submission, so the score can't be made again
here; what its file, its log and the hash say must be one story.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.accuracy.stated import Line, Stated, read_score, score_lines
from audit.accuracy.target import reaches
from audit.logs.accuracy_log import last_number
from audit.logs.loadgen_log import DetailLog
from audit.logs.numbers import counted_all
from audit.planned.effective import TEST_MODES
from audit.rules import AccuracyTarget, BenchmarkRules
from audit.runs import demands, summary, validity
from audit.submission.checks.logs import (
    answers_are_cut,
    files_are_readable,
    hash_is_given,
    judged_key,
    logs_are_readable,
)
from audit.submission.files import join
from audit.submission.findings import Outcome, judged
from audit.submission.inferred import logged_scenario
from audit.submission.standing import told
from audit.submission.subject import ACCURACY_LOG, ACCURACY_TEXT, SUMMARY, Subject

_GROUP = "ACC"
_NAMES = {"top1_percent": "top-1", "f1": "F1"}
_FORMS = {
    "top1_percent": "accuracy=76.456%, good=38228, total=50000",
    "f1": '{"exact_match": 83.6, "f1": 90.8}',
}


def check_accuracy(subject: Subject) -> Iterator[Outcome]:
    """Everything about the accuracy run of an entry."""
    folder = subject.entry.accuracy
    text_file = join(folder, ACCURACY_TEXT)
    yield from logs_are_readable(subject, "ACC-001", folder)
    yield from files_are_readable(subject, "ACC-001", text_file)
    yield from answers_are_cut(subject, "ACC-016", "ACC-017", join(folder, ACCURACY_LOG))
    yield from hash_is_given(subject, "ACC-015", text_file)
    if subject.accuracy_log is not None:
        yield from _run(subject, subject.accuracy_log)
    benchmark = subject.entry.benchmark
    if benchmark and benchmark.accuracy_target:
        yield from _numbered(subject, join(folder, ACCURACY_LOG), benchmark.dataset_size)
    if benchmark and benchmark.accuracy_target and subject.accuracy_text is not None:
        yield from _score(subject, subject.accuracy_text, benchmark, benchmark.accuracy_target)


def _numbered(subject: Subject, path: str, samples: int) -> Iterator[Outcome]:
    """An accuracy run counts its samples through; LoadGen repeats a few to fill a query."""
    raw = subject.raw(path)
    if raw is not None and len(raw) <= subject.round.accuracy_log_max_bytes:
        last = last_number(raw)
        yield judged(last < 2 * samples, "ACC-021", path, found=last, expected=samples)


def _run(subject: Subject, log: DetailLog) -> Iterator[Outcome]:
    """What the detail log says of the run."""
    benchmark = subject.entry.benchmark
    if not log.entries:
        yield from told(_GROUP, log, log.problems)
        return
    found = [*log.problems, *validity.error_lines(log)]
    beside = subject.text(join(subject.entry.accuracy, SUMMARY))
    found += summary.disagreements(beside or "", log)
    found += demands.seeds(log, subject.round)
    if benchmark and subject.scored:
        found += demands.dataset_size(log, benchmark, subject.round)
    yield from told(_GROUP, log, found)
    key, expected = "effective_test_mode", TEST_MODES["accuracy"]
    yield judged_key(log.value(key) == expected, "ACC-005", log, key, expected)
    key, scenario = "effective_scenario", logged_scenario(subject.entry.scenario or "")
    if scenario and key in log.entries:
        yield judged_key(log.value(key) == scenario, "ACC-009", log, key, scenario)
    if benchmark and subject.scored:
        yield from _answered(log, benchmark)


def _answered(log: DetailLog, benchmark: BenchmarkRules) -> Iterator[Outcome]:
    """An accuracy run sends the dataset a part at a time, and logs the size of each."""
    queries, samples = (
        counted_all(log, f"generated_{name}") for name in ("query_count", "samples_per_query")
    )
    if not queries or len(queries) != len(samples):
        return
    sent = sum(count * each for count, each in zip(queries, samples, strict=True))
    holds = sent >= benchmark.dataset_size
    yield judged(holds, "ACC-008", log.where, found=sent, expected=benchmark.dataset_size)


def _score(
    subject: Subject, text: str, benchmark: BenchmarkRules, target: AccuracyTarget
) -> Iterator[Outcome]:
    where, form = join(subject.entry.accuracy, ACCURACY_TEXT), _FORMS[target.metric]
    lines = score_lines(text, target.metric)
    yield judged(
        len(lines) == 1,
        "ACC-010",
        where,
        line=lines[-1].number if lines else None,
        found=len(lines),
        expected=form,
    )
    for line in lines:
        stated = read_score(line.text, target.metric)
        shown = line.text.strip()[:80]
        holds = stated is not None
        yield judged(holds, "ACC-011", where, line=line.number, found=shown, expected=form)
        if stated is not None:
            yield from _value(subject, where, line, stated, target)
            yield from _counts(where, line, stated, benchmark)


def _value(
    subject: Subject, where: str, line: Line, stated: Stated, target: AccuracyTarget
) -> Iterator[Outcome]:
    """At most 100; in the closed division at least the target, by the counts as well."""
    found, number = f"{stated.value:g}", line.number
    yield judged(
        stated.value <= 100, "ACC-012", where, line=number, found=found, expected="at most 100"
    )
    if not subject.entry.ruled:
        return
    scores = [stated.value] if stated.counted is None else [stated.value, stated.counted]
    yield judged(
        all(reaches(score, target.value) for score in scores),
        "ACC-014",
        where,
        line=number,
        found=f"{min(scores):.6g}",
        expected=f"{target.value:.6g}",
        metric=_NAMES[target.metric],
    )


def _counts(where: str, line: Line, stated: Stated, benchmark: BenchmarkRules) -> Iterator[Outcome]:
    """What good and total say, where the line counts them."""
    if stated.total is None:
        return
    number, found = line.number, f"{stated.value:g}"
    made = "nothing" if stated.counted is None else f"{stated.counted:.3f}"
    rule = "ACC-019" if stated.exceeds_counts else "ACC-013"
    yield judged(stated.agrees, rule, where, line=number, found=found, expected=made)
    possible = 0 <= (stated.good or 0) <= stated.total
    whole = possible and stated.total >= benchmark.dataset_size
    found = f"{stated.good} of {stated.total}"
    yield judged(whole, "ACC-018", where, line=number, found=found, expected=benchmark.dataset_size)
