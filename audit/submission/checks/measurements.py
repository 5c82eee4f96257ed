"""What an entry tells of its measurement: the files, and the fields about the model."""

from __future__ import annotations

from collections.abc import Iterator

from audit.rules import common_rules
from audit.submission.files import join
from audit.submission.findings import Outcome, finding, judged
from audit.submission.json_object import FormRules, JsonObject, read_object
from audit.submission.subject import Subject

_FORM = FormRules(syntax="MEAS-003", encoding="MEAS-004", repeated="MEAS-005")
_RETRAINED = ("yes", "true")


def check_measurements(subject: Subject) -> Iterator[Outcome]:
    """The folder, its files, and what the file of fields says."""
    folder = subject.entry.measurements
    if not subject.tree.is_folder(folder):
        yield finding("MEAS-001", folder)
        return
    for name in common_rules()["required_files"]["measurements"]:
        yield from _file(subject, join(folder, name))
    files = tuple(_fields_files(subject))
    if not files:
        yield finding("MEAS-002", join(folder, _named(subject)[0]))
    for path in files:
        yield from _fields(subject, path)


def _file(subject: Subject, path: str) -> Iterator[Outcome]:
    if subject.tree.kind(path) in (None, "folder"):
        yield finding("MEAS-002", path)
        return
    text = subject.text(path)
    if text is not None:
        found = f"{subject.tree.size(path)} bytes"
        yield judged(_says_something(text), "MEAS-006", path, found=found, expected="text")


def _says_something(text: str) -> bool:
    """Whether anything but blanks and bytes that can't be printed stands in ``text``."""
    return any(one.isprintable() and not one.isspace() for one in text)


def _named(subject: Subject) -> tuple[str, ...]:
    """What the file of fields may be called."""
    entry = subject.entry
    places = {"system": entry.system, "scenario": entry.scenario_folder}
    return tuple(name.format_map(places) for name in subject.layout.measurements_files)


def _fields_files(subject: Subject) -> Iterator[str]:
    """Every file of fields; where its name begins with the system's, it may go on in any way."""
    entry, named = subject.entry, _named(subject)
    loose = any("{system}" in name for name in subject.layout.measurements_files)
    for name in subject.tree.listed(entry.measurements):
        path = join(entry.measurements, name)
        own = loose and name.startswith(entry.system) and name.endswith(".json")
        if subject.tree.is_file(path) and (own or name in named):
            yield path


def _fields(subject: Subject, path: str) -> Iterator[Outcome]:
    told = read_object(subject.tree, path, _FORM)
    yield from told.problems
    if told.members is None:
        return
    for name in common_rules()["measurement_fields"]:
        if name not in told.members:
            yield finding("MEAS-007", path, expected=name)
        else:
            yield _field(told, path, "MEAS-008", name, holds=_answers(told, name))
    if subject.entry.division == "closed":
        again = told.text("retraining").lower().startswith(_RETRAINED)
        yield _field(told, path, "MEAS-009", "retraining", holds=not again)


def _answers(told: JsonObject, name: str) -> bool:
    """Whether a field is more than blanks, and no number: none of them asks for one."""
    value = (told.members or {}).get(name)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return bool(told.text(name)) and not number


def _field(told: JsonObject, path: str, rule: str, name: str, *, holds: bool) -> Outcome:
    found = f"{name}: {told.text(name) or 'nothing'}"
    return judged(holds, rule, path, line=told.line(name), found=found)
