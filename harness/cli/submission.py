"""The commands about submissions of MLPerf Inference."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli import panels
from harness.cli.options import ROUNDS
from harness.cli.types import PATH, PLACE, WORD

app = typer.Typer()

Tree = Annotated[
    Path, typer.Argument(help="The folder that holds closed or open.", metavar="TREE", **PLACE)
]
Round = Annotated[
    str | None, typer.Option("--round", help=f"The round to check by: {ROUNDS}.", **WORD)
]


@app.command(rich_help_panel=panels.SUBMIT)
def check(
    tree: Tree,
    round_name: Round = None,
    submitter: Annotated[
        str | None, typer.Option(help="Check this submitter alone.", **WORD)
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", help="Ask this rule alone; repeatable.", **WORD)
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", help="Leave a rule out; repeatable.", **WORD)
    ] = None,
    explain: Annotated[
        str | None,
        typer.Option(help="Show every check of the entry at this place, with its numbers.", **WORD),
    ] = None,
    json_file: Annotated[
        Path | None,
        typer.Option(
            "--json", help="Write findings and results as JSON; - is standard output.", **PATH
        ),
    ] = None,
    csv_file: Annotated[
        Path | None,
        typer.Option("--csv", help="Write results with the official summary's columns.", **PATH),
    ] = None,
    sarif_file: Annotated[
        Path | None,
        typer.Option("--sarif", help="Write findings as SARIF, for code review tools.", **PATH),
    ] = None,
) -> None:
    """Check a submission by the rules of its round: every file, every number, every entry."""
    from harness.check_files import Reports
    from harness.commands.submission import check_command
    from harness.submission_check import CheckRequest

    request = CheckRequest(tree, round_name, submitter, only or (), ignore or ())
    raise typer.Exit(check_command(request, Reports(json_file, csv_file, sarif_file), explain))


@app.command(rich_help_panel=panels.SUBMIT)
def rules(
    name: Annotated[str | None, typer.Argument(help="A rule's id.", metavar="[ID]")] = None,
    form: Annotated[str, typer.Option("--format", help="plain, github or json.")] = "plain",
) -> None:
    """List the rules that a submission is checked by, or tell all about one."""
    from harness.commands.submission import rules_command

    raise typer.Exit(rules_command(name, form))
