"""An entry with power: the meter's files are complete and untouched, and its samples can be used.

An entry is one with power where it has the folder ``performance/power``; without it nothing of the
meter is looked at, and the entry is an ordinary one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from fnmatch import fnmatch

from audit.rules import common_rules
from audit.submission.checks.logs import files_are_readable, judged_key
from audit.submission.files import join
from audit.submission.findings import Outcome, finding, judged
from audit.submission.json_object import FormRules, read_object
from audit.submission.power import SAMPLES, inside, measures_power, read_samples, window_of
from audit.submission.subject import Subject

_RECORDS = ("client.json", "server.json")
_FORM = FormRules(syntax="PWR-003", encoding="PWR-003", repeated="PWR-003")
_SHA1_DIGITS = 40


def check_power(subject: Subject) -> Iterator[Outcome]:
    """Everything about the power of an entry that measured it."""
    if not measures_power(subject):
        return
    yield from _complete(subject)
    for name in _RECORDS:
        yield from _record(subject, join(_folder(subject, "power"), name))
    yield from _samples(subject)


def _folder(subject: Subject, name: str) -> str:
    return join(subject.entry.results, "performance", name)


def _complete(subject: Subject) -> Iterator[Outcome]:
    """Every file that belongs to a measurement of power, in its four folders."""
    files, power = common_rules()["required_files"], _folder(subject, "power")
    wanted = {
        power: files["power"],
        _folder(subject, "ranging"): (*files["performance"], *files["performance_power"]),
        subject.entry.performance: files["performance_power"],
        subject.entry.measurements: files["measurements_power"],
    }
    for folder, names in wanted.items():
        if not subject.tree.is_folder(folder):
            expected = " and ".join(names)
            yield finding("PWR-001", folder, expected=expected, power=power)
            continue
        listed = subject.tree.listed(folder)
        for name in names:
            there = any(fnmatch(one, name) for one in listed)
            yield judged(there, "PWR-001", join(folder, name), expected=name, power=power)


def _record(subject: Subject, path: str) -> Iterator[Outcome]:
    """A record of the session is a JSON object, and its checksums are those of the files."""
    if not subject.tree.is_file(path):
        return
    record = read_object(subject.tree, path, _FORM)
    yield from record.problems
    results = (record.members or {}).get("results")
    for name, checksum in results.items() if isinstance(results, dict) else ():
        yield from _untouched(subject, path, str(name), str(checksum))


def _untouched(subject: Subject, record: str, name: str, checksum: str) -> Iterator[Outcome]:
    """The file that the record calls ``name`` is the one whose SHA-1 it noted."""
    places = (join(_folder(subject, folder), name) for folder in ("", "power"))
    path = next((one for one in places if subject.tree.is_file(one)), None)
    raw = subject.raw(path) if path else None
    if path is None or raw is None or len(checksum) != _SHA1_DIGITS:
        return
    found = hashlib.sha1(raw, usedforsecurity=False).hexdigest()
    same = found == checksum.lower()
    yield judged(same, "PWR-004", path, found=found, expected=checksum, record=record)


def _samples(subject: Subject) -> Iterator[Outcome]:
    """Each line of the meter is a sample, and some lie in the time of the run."""
    path, log = join(subject.entry.performance, SAMPLES), subject.performance_log
    yield from files_are_readable(subject, "PWR-002", path)
    text = subject.text(path)
    if text is None or log is None:
        return
    lines = list(read_samples(text))
    bad = next(((number, line) for number, line, sample in lines if sample is None), None)
    yield judged(
        bad is None,
        "PWR-005",
        path,
        line=bad[0] if bad else None,
        found=bad[1][:80] if bad else f"{len(lines)} samples",
        expected="Time,MM-DD-YYYY HH:MM:SS.mmm,Watts,W,…",
    )
    window = window_of(log)
    yield judged_key(window is not None, "PWR-006", log, "power_begin", "a time before power_end")
    if window is not None:
        samples = [sample for _, _, sample in lines if sample is not None]
        used = len(list(inside(samples, window)))
        yield judged(used > 0, "PWR-007", path, found=used, expected=len(samples))
