"""A JSON object of a submission, read so that all that is wrong with its form is said.

What can be read is kept: one wrong byte or one member that stands twice hides no other complaint.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from audit.regular_file import UnreadableError
from audit.submission.files import Tree
from audit.submission.findings import Finding, finding

UNREADABLE = "STR-018"
"""The rule that a file breaks which can't be read, whatever it is of."""
_COMMA_TOO_MANY = re.compile(r",\s*[}\]]")


@dataclass(frozen=True)
class FormRules:
    """The ids of the rules that the form of one kind of file may break."""

    syntax: str
    encoding: str
    repeated: str


@dataclass(frozen=True)
class JsonObject:
    """One file's object."""

    members: Mapping[str, Any] | None
    """None where the file holds no object that can be read."""
    problems: tuple[Finding, ...]
    source: str = ""
    """The text of the file."""

    def line(self, name: str) -> int | None:
        """Where the last member called ``name`` stands; None where that can't be told."""
        places = [one.start() for one in re.finditer(_member(name), self.source)]
        return self.source.count("\n", 0, places[-1]) + 1 if places else None

    def text(self, name: str) -> str:
        """A member as text, without blanks around it; empty where it is absent or null."""
        value = (self.members or {}).get(name)
        return "" if value is None else str(value).strip()


@dataclass
class _Repeated:
    """The members that stand twice in the objects of one document."""

    names: list[str] = field(default_factory=list)

    def members(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members: dict[str, Any] = {}
        for name, value in pairs:
            if name in members:
                self.names.append(name)
            members[name] = value
        return members


def read_object(tree: Tree, path: str, rules: FormRules) -> JsonObject:
    """The object in the file ``path``, with what is wrong with its form."""
    try:
        content = tree.read(path)
    except UnreadableError as error:
        return JsonObject(None, (finding(UNREADABLE, path, found=error.reason),))
    text, problems = _decoded(content, path, rules)
    repeated = _Repeated()
    try:
        document = json.loads(text, object_pairs_hook=repeated.members)
    except (ValueError, RecursionError) as error:
        return JsonObject(None, (*problems, _no_json(error, path, rules)))
    if not isinstance(document, dict):
        found = f"a {type(document).__name__} at the top"
        return JsonObject(None, (*problems, finding(rules.syntax, path, found=found)))
    read = JsonObject(document, problems, text)
    return replace(read, problems=(*problems, *_twice(read, repeated.names, path, rules)))


def _decoded(content: bytes, path: str, rules: FormRules) -> tuple[str, tuple[Finding, ...]]:
    """The text of a file; of one that is not UTF-8, each byte read as the character it numbers."""
    try:
        return content.decode("utf-8-sig"), ()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{content[error.start]:02x}"
        return content.decode("latin-1"), (finding(rules.encoding, path, line=line, found=found),)


def _no_json(error: Exception, path: str, rules: FormRules) -> Finding:
    if not isinstance(error, json.JSONDecodeError):
        return finding(rules.syntax, path, found=str(error))
    around = _COMMA_TOO_MANY.finditer(error.doc, max(0, error.pos - 200))
    comma = any(one.start() <= error.pos <= one.end() for one in around)
    found = "a comma before a closing bracket" if comma else error.msg.lower()
    return finding(rules.syntax, path, line=error.lineno, found=found)


def _twice(read: JsonObject, names: list[str], path: str, rules: FormRules) -> Iterator[Finding]:
    for name in dict.fromkeys(names):
        yield finding(rules.repeated, path, line=read.line(name), found=name)


def _member(name: str) -> str:
    return re.escape(json.dumps(name, ensure_ascii=False)) + r"\s*:"
