"""TEST01's answers: those of a performance run are the accuracy run's, or as right as they.

Both logs are cut in a submission, so the counts of ``verify_accuracy.txt`` are judged, and the
answers that are visible on both sides. Where some differ, two scores must agree.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.accuracy.stated import stated_score
from audit.compliance.apart import agree, apart_percent
from audit.compliance.complaints import first_few
from audit.compliance.sampled import sampled_answers
from audit.compliance.verified import (
    BASELINE,
    COMPLIANCE,
    VERIFY_ACCURACY,
    VerifiedAnswers,
    read_answers,
    read_word,
)
from audit.compliance_tests import accuracy_tolerance_percent
from audit.logs.accuracy_log import visible_answers
from audit.logs.loadgen_log import DetailLog
from audit.submission.checks.logs import (
    answers_are_cut,
    files_are_readable,
    hash_is_given,
)
from audit.submission.files import join
from audit.submission.findings import Outcome, judged
from audit.submission.subject import ACCURACY_LOG, ACCURACY_TEXT, Subject

_SHOWN = b'"qsl_idx"'
"""Of each answer that a truncated log shows."""


def check_answers(subject: Subject, folder: str, run: DetailLog | None) -> Iterator[Outcome]:
    """Everything about the answers of the test in ``folder``, whose detail log is ``run``."""
    log, text_file = (join(folder, "accuracy", name) for name in (ACCURACY_LOG, ACCURACY_TEXT))
    path = join(folder, VERIFY_ACCURACY)
    yield from files_are_readable(subject, "TEST-001", log, text_file, path)
    yield from answers_are_cut(subject, "TEST-019", "TEST-020", log)
    yield from hash_is_given(subject, "TEST-021", text_file)
    yield from _own_log(subject, log)
    text = subject.text(path)
    if text is None:
        return
    counts = read_answers(text)
    found = "all five" if counts else "not all of them"
    yield judged(counts is not None, "TEST-013", path, found=found, expected="once each")
    if counts is not None:
        yield from _counts(subject, path, counts)
        yield from _sampled(path, counts, _cut_log(subject, log), run)
        yield from _word(path, text, counts)
        yield from _differing(subject, folder, counts)
        yield from _visible(subject, log, counts)


def _counts(subject: Subject, path: str, counts: VerifiedAnswers) -> Iterator[Outcome]:
    """The whole accuracy log was compared, with every sampled answer."""
    benchmark = subject.entry.benchmark
    size = benchmark.dataset_size if benchmark else 0
    whole = counts.complete and counts.accuracy_answers >= size
    yield judged(
        whole,
        "TEST-014",
        path,
        found=f"{counts.matched} of {counts.sampled} sampled answers compared, {counts.missing} "
        f"missing, with {counts.accuracy_answers} of the accuracy run",
        expected=size,
    )


def _sampled(
    path: str, counts: VerifiedAnswers, log: bytes, run: DetailLog | None
) -> Iterator[Outcome]:
    """As many answers as the test logged, by what is left of them and by its detail log."""
    shown, logged = log.count(_SHOWN), sampled_answers(run) if run else None
    found = counts.sampled
    yield judged(found >= shown, "TEST-023", path, found=found, expected=shown)
    if logged is not None:
        yield judged(logged.allows(found), "TEST-024", path, found=found, expected=logged)


def _own_log(subject: Subject, path: str) -> Iterator[Outcome]:
    """The answers that are offered as the accuracy run's are not those of the test."""
    other = join(subject.entry.accuracy, ACCURACY_LOG)
    logs = [_cut_log(subject, one) for one in (path, other)]
    if all(_SHOWN in one for one in logs):
        yield judged(logs[0] != logs[1], "TEST-025", other, found=path)


def _word(path: str, text: str, counts: VerifiedAnswers) -> Iterator[Outcome]:
    """The verdict is the one that the counts make."""
    word, made = read_word(text), "PASS" if counts.same else "FAIL"
    yield judged(word == made, "TEST-015", path, found=word or "nothing", expected=made)


def _differing(subject: Subject, folder: str, counts: VerifiedAnswers) -> Iterator[Outcome]:
    """Scores of the sampled part, from both runs, where answers differ."""
    if not counts.differing:
        return
    files = [join(folder, name) for name in (BASELINE, COMPLIANCE)]
    scores = [_score(subject, path) for path in files]
    for path, score in zip(files, scores, strict=True):
        yield judged(
            score is not None,
            "TEST-016",
            path,
            found=_shown(score),
            expected=counts.differing,
            verified=join(folder, VERIFY_ACCURACY),
        )
    reference, test = scores
    if reference is not None and test is not None:
        yield _agreement(subject, files[1], reference, test)


def _cut_log(subject: Subject, path: str) -> bytes:
    """The accuracy log at ``path``; nothing where it can't be read or is longer than a cut one."""
    raw = subject.raw(path)
    return raw if raw and len(raw) <= subject.round.accuracy_log_max_bytes else b""


def _agreement(subject: Subject, path: str, reference: float, test: float) -> Outcome:
    benchmark = subject.entry.benchmark
    limit = accuracy_tolerance_percent(benchmark.name if benchmark else "")
    return judged(
        agree(reference, test, limit),
        "TEST-017",
        path,
        found=_shown(test),
        expected=_shown(reference),
        apart=f"{apart_percent(reference, test):.4g}",
        limit=f"{limit:g}",
    )


def _score(subject: Subject, path: str) -> float | None:
    benchmark = subject.entry.benchmark
    target = benchmark.accuracy_target if benchmark else None
    stated = stated_score(subject.text(path) or "", target.metric) if target else None
    return stated.borne_out if stated else None


def _shown(score: float | None) -> str:
    return "none" if score is None else f"{score:.6g}"


def _visible(subject: Subject, path: str, counts: VerifiedAnswers) -> Iterator[Outcome]:
    """Answers that both cut logs still show."""
    if counts.differing:
        return
    logs = (path, join(subject.entry.accuracy, ACCURACY_LOG))
    sampled, accuracy = (visible_answers(_cut_log(subject, one)) for one in logs)
    first = dict(reversed(accuracy))
    both = [(sample, answer) for sample, answer in sampled if sample in first]
    differing = [sample for sample, answer in both if answer != first[sample]]
    yield judged(
        not differing,
        "TEST-018",
        path,
        found=len(differing),
        expected=len(both),
        samples=first_few(tuple(dict.fromkeys(differing))),
    )
