"""What the commands that make submissions do. Each returns an exit code."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasets.disk.named_file import write_named_json
from datasets.errors import UsageError
from harness import exits
from harness.commands.terminal import say, say_json

if TYPE_CHECKING:
    from audit.submission.packaging.request import Request


def package_command(request: Request, template: Path | None, as_json: bool) -> int:
    """Pack, or write the questions that packing would leave open; exit 1 if nothing was packed."""
    from audit.submission.packaging.document import packed_document
    from audit.submission.packaging.packing import pack
    from harness.report.packaging import render_packed

    request = _of_evidence(request)
    if template is not None:
        return _write_template(request, template, as_json)
    packed = pack(request)
    if as_json:
        _say_document(packed_document(packed), "package")
    else:
        say(render_packed(packed))
    return exits.FINE if packed.written else exits.FINDINGS


def _of_evidence(request: Request) -> Request:
    """``request`` without what else a shell's ``output/*`` names, such as the folder of a sweep;
    that is said. Where nothing is evidence, packing says so."""
    from audit.planned.plan import PLAN

    others = [one for one in request.evidence if one.exists() and not (one / PLAN).exists()]
    if len(others) == len(request.evidence):
        return request
    for other in others:
        sys.stderr.write(f"{other} holds no evidence of a qualification: it is left out.\n")
    return replace(request, evidence=tuple(one for one in request.evidence if one not in others))


def _write_template(request: Request, template: Path, as_json: bool) -> int:
    """One that is there already is never written over: it may have been filled in."""
    from audit.submission.packaging.packing import questions

    if template.exists():
        raise UsageError(f"{template} is there already; name a new file with --template.")
    open_ones = questions(request)
    write_named_json(template, open_ones)
    if as_json:
        say_json(open_ones)
    else:
        say(f"Fill in {template} and name it with --system-file; nothing was packed.")
    return exits.FINE


def migrate_command(tree: Path, source: str, target: str, out: Path, as_json: bool) -> int:
    """Write a tree in another layout; exit 1 where a file has no place in it."""
    from audit.submission.packaging.document import migrated_document
    from audit.submission.packaging.migration import migrate
    from harness.report.packaging import render_migrated

    migrated = migrate(tree, source, target, out)
    if as_json:
        _say_document(migrated_document(migrated, tree), "migration")
    else:
        say(render_migrated(migrated, tree))
    return exits.FINDINGS if migrated.unplaced else exits.FINE


def _say_document(document: dict[str, Any], name: str) -> None:
    """Print a document, which is of the schema ``name``."""
    from audit import schema

    schema.require(document, name, f"the {name}")
    say_json(document)
