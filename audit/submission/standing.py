"""Findings of the audit of a log, told as breaches of the submission's rules that stand for them.

A rule of the catalogue lists the rules of the audit that it stands for; sentences and formulas stay
where they are. A rule that was looked at and not broken is told as kept, with the log's values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from audit import findings as audited
from audit.brevity import shortened
from audit.logs.loadgen_log import DetailLog
from audit.submission.files import join
from audit.submission.findings import Finding, Kept, Outcome, Rule, finding, rules


def told(group: str, log: DetailLog, found: Iterable[audited.Finding]) -> Iterator[Outcome]:
    """The findings of ``log`` under the rules of ``group`` (``PERF``), then the rules kept: none
    of them where the log is empty.

    KeyError for a finding that no rule of the group stands for.
    """
    standing, broken = _standing(group), set()
    for one in found:
        rule = rules()[standing[one.rule]]
        broken.add(rule.id)
        yield _breach(rule, log, one)
    for id_ in dict.fromkeys(standing.values()):
        if id_ not in broken and log.entries:
            yield _kept(rules()[id_], log)


def line_in(log: DetailLog, place: str) -> int | None:
    """The line of a ``file:line`` in ``log``; None where it names no line."""
    line = place.removeprefix(f"{log.where}:")
    return int(line) if line.isascii() and line.isdecimal() else None


def _breach(rule: Rule, log: DetailLog, one: audited.Finding) -> Finding:
    return finding(
        rule.id,
        _file(rule, log),
        line=None if rule.file else line_in(log, one.where),
        found=one.found,
        expected=one.expected,
        sentence=one.sentence,
        remedy=one.fix,
    )


def _kept(rule: Rule, log: DetailLog) -> Kept:
    shown = [f"{key} = {shortened(log.value(key))}" for key in rule.shows if key in log.entries]
    found = ", ".join(shown) or f"{len(log.entries)} keys"
    return Kept(rule.id, _file(rule, log), None, found, "")


def _file(rule: Rule, log: DetailLog) -> str:
    folder = log.where.rpartition("/")[0]
    return join(folder, rule.file) if rule.file else log.where


@cache
def _standing(group: str) -> Mapping[str, str]:
    """The rule of ``group`` that stands for each rule of the audit."""
    return {
        theirs: rule.id
        for rule in rules().values()
        if rule.id.startswith(f"{group}-")
        for theirs in rule.stands_for
    }
