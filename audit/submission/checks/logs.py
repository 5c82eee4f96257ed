"""What holds of the logs of any run of an entry, whether it was measured or scored."""

from __future__ import annotations

from collections.abc import Iterator

from audit.accuracy.stated import hash_lines, is_sha256
from audit.logs.loadgen_log import DetailLog
from audit.runs import summary
from audit.submission.files import join
from audit.submission.findings import Outcome, judged
from audit.submission.standing import line_in
from audit.submission.subject import ACCURACY_LOG, DETAIL, SUMMARY, Subject

_ANSWER = b'"qsl_idx"'
_MOST_READ = 1 << 20
"""Bytes of an accuracy log that are looked at: a submission may hold a hundredth of that."""


def files_are_readable(subject: Subject, rule: str, *paths: str) -> Iterator[Outcome]:
    """What can't be read is not passed over in silence."""
    for path in paths:
        if subject.tree.is_file(path):
            reason = subject.unreadable(path)
            yield judged(not reason, rule, path, found=reason or "readable", expected="readable")


def logs_are_readable(subject: Subject, rule: str, folder: str) -> Iterator[Outcome]:
    """LoadGen's three logs in ``folder``."""
    names = (DETAIL, SUMMARY, ACCURACY_LOG)
    yield from files_are_readable(subject, rule, *(join(folder, name) for name in names))


def summary_is_whole(subject: Subject, rule: str, folder: str) -> Iterator[Outcome]:
    """The summary of a measured run goes as far as LoadGen's verdict."""
    path = join(folder, SUMMARY)
    text = subject.text(path)
    if text is not None:
        whole = summary.has_verdict(text)
        found = "its verdict" if whole else "no verdict"
        yield judged(whole, rule, path, found=found, expected="Result is : VALID")


def is_truncated(subject: Subject, rule: str, path: str) -> Iterator[Outcome]:
    """An accuracy log is no larger than a submission may hold."""
    if subject.tree.is_file(path):
        size, most = subject.tree.size(path), subject.round.accuracy_log_max_bytes
        yield judged(size <= most, rule, path, found=size, expected=most)


def judged_key(
    holds: bool, rule: str, log: DetailLog, key: str, expected: object, **facts: object
) -> Outcome:
    """Rule ``rule`` judged by the value of ``key``, at its line."""
    value = log.value(key)
    return judged(
        holds,
        rule,
        log.where,
        line=line_in(log, log.place(key)),
        found="nothing" if value is None else value,
        expected=expected,
        key=key,
        **facts,
    )


def answers_are_cut(subject: Subject, cut: str, filled: str, path: str) -> Iterator[Outcome]:
    """An accuracy log is cut (rule ``cut``) and still holds answers (rule ``filled``)."""
    yield from is_truncated(subject, cut, path)
    raw = subject.raw(path) if subject.tree.size(path) <= _MOST_READ else None
    if raw is not None:
        holds = _ANSWER in raw
        yield judged(holds, filled, path, found="some" if holds else "none", expected="answers")


def hash_is_given(subject: Subject, rule: str, path: str) -> Iterator[Outcome]:
    """The file at ``path`` gives the SHA-256 of the whole accuracy log, once."""
    text = subject.text(path)
    if text is None:
        return
    lines = hash_lines(text)
    good = len(lines) == 1 and is_sha256(lines[0].text)
    yield judged(
        good,
        rule,
        path,
        line=lines[-1].number if lines else None,
        found=" and ".join(repr(line.text[:80]) for line in lines) or "no such line",
        expected="one line hash=, with 64 hexadecimal digits",
    )
