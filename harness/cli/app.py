"""The command line. The only place where errors become sentences and exit codes.

Exit codes: 0 fine, 1 findings, 2 usage or internal, 3 device, 130 interrupted. Heavy imports happen
inside the commands, so that ``--help`` answers at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Annotated, Any

import typer

from datasets.errors import LoadproofError
from harness import exits
from harness.cli import (
    evidence,
    known,
    measuring,
    packaging,
    panels,
    prepare,
    quantize,
    submission,
    tuning,
)
from harness.cli.refusal import Told
from harness.host.shadow import refuse_foreign_datasets
from harness.stop import Interrupted
from harness.system_errors import explained

app = typer.Typer(
    name="loadproof",
    cls=Told,
    help="Qualify AI servers: measure with MLCommons LoadGen, audit the evidence, and only then "
    "emit a result.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(measuring.app)
app.add_typer(prepare.app, name="prepare", rich_help_panel=panels.MACHINE)
app.add_typer(evidence.app)
app.add_typer(known.app)
app.add_typer(quantize.app)
app.add_typer(submission.app)
app.add_typer(packaging.app)
app.add_typer(tuning.app)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"loadproof {version('loadproof')}")
        raise typer.Exit


@app.callback()
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand != "doctor":
        refuse_foreign_datasets()


def guarded(command: Callable[[], Any]) -> int:
    """Run ``command``; what it raises becomes one sentence on standard error and a code."""
    try:
        command()
    except SystemExit as ending:
        return _left_with(ending.code)
    except (Exception, KeyboardInterrupt, Interrupted) as error:
        if os.environ.get("LOADPROOF_DEBUG") and not isinstance(error, LoadproofError):
            raise
        typer.echo(f"loadproof: {_sentence(error)}", err=True)
        return exits.code_for(error)
    return exits.FINE


def _left_with(code: str | int | None) -> int:
    """The exit code of a command that left the process by itself; a text is what went wrong."""
    if isinstance(code, str):
        typer.echo(f"loadproof: {code}", err=True)
        return exits.USAGE
    return code or exits.FINE


def _sentence(error: BaseException) -> str:
    found = explained(error) if isinstance(error, OSError) else error
    if isinstance(found, LoadproofError | Interrupted):
        return str(found)
    if isinstance(found, KeyboardInterrupt):
        return "stopped."
    return (
        f"{type(error).__name__}: {error}. This is a defect of loadproof; run again with "
        "LOADPROOF_DEBUG=1 and report the trace."
    )
