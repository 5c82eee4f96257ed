"""Runs that are offered more than once: one run is the evidence for one entry.

A log may be copied only within one system, between entries that are scored alike, and only as the
same kind of run. Whether a scenario may stand for another there is judged entry by entry, and where
it may, the log is the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from audit.submission.findings import Finding, finding
from audit.submission.subject import LogFile
from audit.submission.tree import Entry
from audit.submission.verdict import Examined

OFFERED_TWICE = "STR-050"
"""The rule that a copy breaks; no check of a single entry can find one."""


class _Offer(NamedTuple):
    entry: Entry
    log: LogFile


def with_copies(entries: Iterable[Entry], examined: Sequence[Examined]) -> list[Examined]:
    """What was found in each of ``entries``, and behind it the logs that others offer as well."""
    offers = [
        _Offer(entry, log) for entry, one in zip(entries, examined, strict=True) for log in one.logs
    ]
    found = defaultdict(list)
    for one in _copies(offers):
        found[one.entry].append(one)
    return [
        replace(one, findings=(*one.findings, *found[entry.name])) if entry.name in found else one
        for entry, one in zip(entries, examined, strict=True)
    ]


def _copies(offers: Iterable[_Offer]) -> Iterator[Finding]:
    """For each log, the first other entry that can't have it too."""
    same: dict[tuple[int, bytes], list[_Offer]] = defaultdict(list)
    for offer in offers:
        same[offer.log.fingerprint].append(offer)
    for group in same.values():
        for one in group:
            other = next((two for two in group if not _may_share(one, two)), None)
            if other is not None:
                breach = finding(OFFERED_TWICE, one.log.where, found=other.log.where)
                yield replace(breach, entry=one.entry.name)


def _may_share(one: _Offer, other: _Offer) -> bool:
    return one.entry is other.entry or _place(one) == _place(other)


def _place(offer: _Offer) -> tuple[str, str, str, str]:
    """What offers of one run have in common; a system may be entered in several divisions."""
    entry, target = offer.entry, None
    if entry.benchmark is not None:
        target = entry.benchmark.accuracy_target
    scored = target.metric if target else entry.benchmark_folder
    return entry.submitter, entry.system, scored, offer.log.run
