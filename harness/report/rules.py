"""What ``loadproof rules`` prints: the catalogue of a submission's rules."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from tabulate import tabulate

from audit import findings as audited
from audit.submission import findings
from audit.submission.findings import Rule, rules
from harness.report.width import fitted

FORMATS = ("plain", "github", "json")
_HEADINGS = ("rule", "breach", "what holds", "source")

PAGE = Path(findings.__file__).with_name("RULES.md")
"""Where the catalogue stands as a page; :func:`page` is what it says."""


def render(wanted: Sequence[Rule], form: str) -> str:
    """The rules in one of :data:`FORMATS`, without a trailing newline."""
    if form == "json":
        return json.dumps([_document(one) for one in wanted], indent=2, ensure_ascii=False)
    rows = [(one.id, one.severity, _escaped(one.title), _escaped(one.section)) for one in wanted]
    if form == "plain":
        return fitted(rows, _HEADINGS, (2, 3))
    return tabulate(rows, _HEADINGS, tablefmt=form, disable_numparse=True)


def _document(one: Rule) -> dict[str, object]:
    """The JSON form, with every wording that a breach may have."""
    says = [{"sentence": sentence, "fix": fix} for sentence, fix in _wordings(one)]
    kept = asdict(one)
    return {key: kept[key] for key in ("id", "severity", "title", "section")} | {"says": says}


def one_rule(rule: Rule) -> str:
    """Everything about one rule, for people."""
    lines = [
        f"{rule.id} ({rule.severity}): {rule.title}",
        f"source: {rule.section}",
    ]
    for sentence, fix in _wordings(rule):
        lines += [f"says: {sentence}", f"fix: {fix}"]
    return "\n".join(lines)


def _wordings(rule: Rule) -> Iterator[tuple[str, str]]:
    """What breaches say and advise: in the audit's words where its findings are told."""
    if not rule.stands_for:
        yield rule.sentence, rule.fix
    for name in rule.stands_for:
        told = audited.rules()[name]
        yield (
            rule.sentence.replace("{sentence}", told.sentence),
            rule.fix.replace("{remedy}", told.fix),
        )


def page() -> str:
    """The catalogue as a page of Markdown."""
    return (
        "# The rules of a submission\n\n"
        "What `loadproof check` asks of a tree; `loadproof rules ID` tells more about one rule.\n"
        "An error keeps a submission out, and so does an entry that is not judged (ENT-001).\n"
        "This page is made from `rules/` by `python -m tests.write_rules`.\n\n"
        f"{render(tuple(rules().values()), 'github')}\n"
    )


def _escaped(text: str) -> str:
    """``text`` for a cell of a table of Markdown; other tables show it alike."""
    return text.replace("|", "/")
