"""The commands about submissions of MLPerf Inference."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli_types import PLACE, WORD

app = typer.Typer()

Tree = Annotated[
    Path, typer.Argument(help="The folder that holds closed or open.", metavar="TREE", **PLACE)
]
Round = Annotated[
    str | None, typer.Option("--round", help="The round to check by: v5.0 … v6.1.", **WORD)
]


@app.command()
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
) -> None:
    """Check a submission by the rules of its round: every file, every number, every entry."""
    from harness.commands_submission import CheckRequest, check_command

    request = CheckRequest(tree, round_name, submitter, only or (), ignore or ())
    raise typer.Exit(check_command(request))
