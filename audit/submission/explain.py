"""Every check of one entry with its numbers: what was found and demanded, also where it holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches

from audit.rules import Round
from audit.submission.check import Checked
from audit.submission.checking import explain_entry
from audit.submission.copies import OFFERED_TWICE
from audit.submission.files import join
from audit.submission.findings import Finding, Outcome, rules, shown
from audit.submission.subject import Subject
from audit.submission.tree import Entry, Submission
from audit.submission.verdict import EntryVerdict
from datasets.errors import UsageError

MOST_NAMED = 8
"""Entries that a sentence names."""


@dataclass(frozen=True)
class Explained:
    """The verdict on an entry, and every rule that was asked of it, in the order of the checks."""

    verdict: EntryVerdict
    outcomes: tuple[Outcome, ...]


def explain(checked: Checked, entry: Entry) -> Explained:
    """Ask every check of ``entry`` again, for what holds as well; behind it stands
    what was found about the whole, or beside other entries, that concerns it."""
    submission = checked.submission
    subject = Subject(entry, submission.tree, submission.round, submission.layout)
    numbers = _numbers(entry, submission.round)
    outcomes = (_demanding(one, numbers) for one in explain_entry(subject))
    asked = [one for one in outcomes if checked.choice.asks(one.rule)]
    beside = [one for one in checked.about_whole if _concerns(submission, entry, one.where)]
    verdict = next(one for one in checked.verdicts if one.entry is entry)
    beside += [one for one in verdict.findings if one.rule == OFFERED_TWICE]
    return Explained(verdict, (*asked, *beside))


def entry_at(submission: Submission, path: str) -> Entry:
    """The one entry that ``path`` names: by its own name, or by a folder or file of it, relative to
    the tree. UsageError where it names none, or several."""
    wanted = path.strip("/")
    entries = tuple(submission.entries())
    found = [one for one in entries if wanted == one.name or _holds(one, wanted)]
    found = found or [one for one in entries if _meant(one, wanted.casefold())]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{path!r} holds {len(found)} entries; name one: {_listed(found)}.")
    near = get_close_matches(wanted, [one.results for one in entries], n=1, cutoff=0.0)
    hint = f"; the nearest entry is {near[0]}" if near else ""
    raise UsageError(f"There is no entry at {path!r} in {submission.tree.root}{hint}.")


def _demanding(one: Outcome, numbers: Mapping[str, object]) -> Outcome:
    """``one`` with what its rule demands, where the check that looked didn't say."""
    demands = rules()[one.rule].demands
    if one.expected or not demands:
        return one
    expected = demands.format_map(numbers)
    if isinstance(one, Finding):
        return replace(one, expected=expected)
    return one._replace(expected=expected)


def _numbers(entry: Entry, round_: Round) -> Mapping[str, object]:
    """What the round demands of the entry, by the names that the rules have for it."""
    numbers: dict[str, object] = {
        **asdict(round_.seeds),
        "min_duration_ms": round_.min_duration_ms,
        "samples_per_query": round_.multistream_samples_per_query,
    }
    names = ("performance_sample_count", "offline_min_samples", "dataset_size")
    numbers |= {name: getattr(entry.benchmark, name, None) for name in names}
    if entry.benchmark and entry.scenario:
        numbers["latency_limit_ns"] = entry.benchmark.latency_limit_ns(entry.scenario)
        numbers["percentile"] = entry.benchmark.percentile(entry.scenario)
    return defaultdict(lambda: "none", {name: value for name, value in numbers.items() if value})


def _concerns(submission: Submission, entry: Entry, where: str) -> bool:
    described = join(entry.division, entry.submitter, "systems", f"{entry.system}.json")
    return where == shown(described) or (where != "" and _holds(entry, where))


def _holds(entry: Entry, path: str) -> bool:
    """Whether ``path`` lies in a folder of the entry, or holds its results."""
    folders = (entry.results, entry.measurements, entry.compliance)
    inside = any(f"{path}/".startswith(f"{one}/") for one in folders)
    return inside or f"{entry.results}/".startswith(f"{path}/")


def _meant(entry: Entry, wanted: str) -> bool:
    """Whether a path in any case names the entry."""
    names = (entry.name, entry.results, entry.measurements, entry.compliance)
    return any(f"{wanted}/".startswith(f"{name.casefold()}/") for name in names)


def _listed(entries: list[Entry]) -> str:
    more = f" and {len(entries) - MOST_NAMED} more" if len(entries) > MOST_NAMED else ""
    return ", ".join(one.results for one in entries[:MOST_NAMED]) + more
