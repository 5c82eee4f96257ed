"""The commands that judge, show and compare what was measured; only ``rerun`` measures anew."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli_options import AsJson, PolicyName

app = typer.Typer()


@app.command()
def audit(
    evidence: Annotated[Path, typer.Argument(help="An evidence folder, as qualify leaves it.")],
    policy: PolicyName = None,
    as_json: AsJson = False,
) -> None:
    """Judge an evidence folder again, from its files alone."""
    from harness.commands import audit_command

    raise typer.Exit(audit_command(evidence, policy, as_json))


@app.command()
def agree(
    evidence: Annotated[list[Path], typer.Argument(help="Evidence folders of one benchmark.")],
    policy: PolicyName = None,
    as_json: AsJson = False,
) -> None:
    """Compare the answers of accuracy runs, sample by sample, over scenarios and backends."""
    from harness.commands import agree_command

    raise typer.Exit(agree_command(evidence, policy, as_json))


@app.command()
def show(
    result: Annotated[Path, typer.Argument(help="A result.json, or the folder that holds it.")],
    form: Annotated[str, typer.Option("--format", help="plain, github, csv or json.")] = "plain",
) -> None:
    """Show a result as a table, or as CSV or JSON."""
    from harness.commands_evidence import show_command

    raise typer.Exit(show_command(result, form))
