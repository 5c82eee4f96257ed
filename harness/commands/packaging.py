"""What the commands that make submissions do. Each returns an exit code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from datasets.errors import UsageError
from datasets.named_file import write_named_json
from harness import exits
from harness.commands.terminal import say

if TYPE_CHECKING:
    from audit.submission.packaging.request import Request

DIVISIONS = ("closed", "open")


@dataclass(frozen=True)
class PackageRequest:
    """A package as it was asked for on the command line."""

    evidence: Sequence[Path]
    tree: Path
    division: str
    submitter: str
    round: str | None
    system: str | None
    display_name: str | None
    system_file: Path | None
    benchmark: str | None
    only_valid: bool
    replace: bool

    def read(self) -> Request:
        """The request with the submitter's own fields. UsageError for what there is not."""
        from audit.submission.packaging.own_fields import OwnFields, read_own_fields
        from audit.submission.packaging.request import Request

        if self.division not in DIVISIONS:
            raise UsageError(
                f"There is no division {self.division!r}; package for {' or '.join(DIVISIONS)}."
            )
        return Request(
            evidence=tuple(self.evidence),
            tree=self.tree,
            division=self.division,
            submitter=self.submitter,
            round=self.round,
            system=self.system,
            display_name=self.display_name,
            benchmark=self.benchmark,
            own=read_own_fields(self.system_file) if self.system_file else OwnFields(),
            only_valid=self.only_valid,
            replace=self.replace,
        )


def package_command(asked: PackageRequest, template: Path | None) -> int:
    """Pack, or write the questions that packing would leave open; exit 1 where nothing was packed.

    A template that is there already is never written over: it may have been filled in.
    """
    from audit.submission.packaging.packing import pack, questions
    from harness.report.packaging import render_packed

    request = asked.read()
    if template is not None:
        if template.exists():
            raise UsageError(f"{template} is there already; name a new file with --template.")
        write_named_json(template, questions(request))
        say(f"Fill in {template} and name it with --system-file; nothing was packed.")
        return exits.FINE
    packed = pack(request)
    say(render_packed(packed))
    return exits.FINE if packed.written else exits.FINDINGS


def migrate_command(tree: Path, source: str, target: str, out: Path) -> int:
    """Write a tree in another layout; exit 1 where a file has no place in it."""
    from audit.submission.packaging.migration import migrate
    from harness.report.packaging import render_migrated

    migrated = migrate(tree, source, target, out)
    say(render_migrated(migrated, tree))
    return exits.FINDINGS if migrated.unplaced else exits.FINE
