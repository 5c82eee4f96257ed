"""The commands that make submissions: from evidence, and from another round's layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from datasets.errors import UsageError
from harness.cli import panels
from harness.cli.grouped import grouped
from harness.cli.options import AsJson
from harness.cli.types import PATH, PLACE, WORD

if TYPE_CHECKING:
    from audit.submission.packaging.request import Request

app = typer.Typer()

Out = Annotated[
    Path, typer.Option("--out", help="The folder to write closed or open into.", **PLACE)
]


DIVISIONS = ("closed", "open")


@dataclass(frozen=True)
class Packing:
    """For whom evidence is packed, as what, and into what."""

    submitter: Annotated[str, typer.Option(help="Who submits.", **WORD)]
    division: Annotated[str, typer.Option(help="closed or open.", **WORD)]
    out: Out
    round_name: Annotated[
        str | None,
        typer.Option("--round", help="Of the tree; the evidence's own if not given.", **WORD),
    ] = None
    system_file: Annotated[
        Path | None,
        typer.Option(help="JSON with what no evidence tells: status, cooling, …", **PATH),
    ] = None
    system_name: Annotated[
        str | None,
        typer.Option(help="The system; its processor and backend if not given.", **WORD),
    ] = None
    display_name: Annotated[
        str | None, typer.Option(help="How the description calls the system.", **WORD)
    ] = None
    benchmark: Annotated[
        str | None,
        typer.Option("--as", help="The round's name, where it has several: bert-99.9.", **WORD),
    ] = None
    only_valid: Annotated[
        bool, typer.Option("--only-valid", help="Leave out what the audit rejects.")
    ] = False
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace entries that are in the tree already.")
    ] = False

    def request(self, evidence: Sequence[Path]) -> Request:
        """With the submitter's own fields. UsageError for what there is not."""
        from audit.submission.packaging.own_fields import OwnFields, read_own_fields
        from audit.submission.packaging.request import Request

        if self.division not in DIVISIONS:
            known = " or ".join(DIVISIONS)
            raise UsageError(f"There is no division {self.division!r}; package for {known}.")
        return Request(
            evidence=tuple(evidence),
            tree=self.out,
            division=self.division,
            submitter=self.submitter,
            round=self.round_name,
            system=self.system_name,
            display_name=self.display_name,
            benchmark=self.benchmark,
            own=read_own_fields(self.system_file) if self.system_file else OwnFields(),
            only_valid=self.only_valid,
            replace=self.replace,
        )


@app.command(rich_help_panel=panels.SUBMIT)
@grouped
def package(
    evidence: Annotated[
        list[Path],
        typer.Argument(
            help="Evidence folders, as qualify leaves them.", metavar="EVIDENCE", **PLACE
        ),
    ],
    packing: Packing,
    template: Annotated[
        Path | None,
        typer.Option(help="Write a --system-file to fill in, and pack nothing.", **PATH),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Pack evidence into a submission tree of its round; what the audit rejects is refused."""
    from harness.commands.packaging import package_command

    raise typer.Exit(package_command(packing.request(evidence), template, as_json))


@app.command(rich_help_panel=panels.SUBMIT)
def migrate(
    tree: Annotated[
        Path, typer.Argument(help="The folder that holds closed or open.", metavar="TREE", **PLACE)
    ],
    source: Annotated[str, typer.Option("--from", help="The round that it was made for.", **WORD)],
    target: Annotated[str, typer.Option("--to", help="The round of the new layout.", **WORD)],
    out: Out,
    as_json: AsJson = False,
) -> None:
    """Write a submission tree again in the layout of another round; the runs stay as they are."""
    from harness.commands.packaging import migrate_command

    raise typer.Exit(migrate_command(tree, source, target, out, as_json))
