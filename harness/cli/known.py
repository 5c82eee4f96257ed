"""The commands that say what there is: on this machine, by name, in a model file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from datasets.disk.cache import default_cache
from harness.cli import panels
from harness.cli.options import AsJson, Cache
from harness.cli.types import path

app = typer.Typer()


@app.command(rich_help_panel=panels.MACHINE)
def doctor(as_json: AsJson = False) -> None:
    """Say what this machine has, what is wrong with it, and what to do."""
    from harness.commands.known import doctor_command

    raise typer.Exit(doctor_command(as_json))


@app.command(name="list", rich_help_panel=panels.MACHINE)
def list_known(as_json: AsJson = False) -> None:
    """List benchmarks, backends with their availability, models, suites and rounds."""
    from harness.commands.known import list_command

    raise typer.Exit(list_command(as_json))


@app.command(rich_help_panel=panels.MACHINE)
def inspect(
    model: Annotated[
        Path,
        typer.Argument(
            help="An .onnx or .pb file, a SavedModel folder, or a name of `loadproof list`.",
            metavar="MODEL",
            parser=path,
        ),
    ],
    opening: Annotated[
        bool, typer.Option("--open/--no-open", help="Let its runtime open it, as a run does.")
    ] = True,
    cache: Cache = None,
    as_json: AsJson = False,
) -> None:
    """Say what a model is, which runtime reads it, and how each benchmark would drive it."""
    from harness.commands.known import inspect_command

    raise typer.Exit(inspect_command(model, opening, cache or default_cache(), as_json))
