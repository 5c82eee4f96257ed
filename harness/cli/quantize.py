"""``loadproof quantize`` on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli import panels
from harness.cli.grouped import grouped
from harness.cli.groups import Fetching, Inputs, Subject
from harness.cli.options import AsJson, BackendName, MaxBatch, Threads
from harness.cli.parsing import refuse_senseless
from harness.cli.types import PATH, WORD

app = typer.Typer()


@app.command(rich_help_panel=panels.TUNE)
@grouped
def quantize(
    subject: Subject,
    inputs: Inputs,
    fetching: Fetching,
    backend: BackendName = "onnxruntime",
    precision: Annotated[
        str, typer.Option(help="int8 or fp16 (onnxruntime), bf16 (tensorflow).", **WORD)
    ] = "int8",
    calibration: Annotated[
        str | None,
        typer.Option(help="A calibration list: a published one's name, or a file.", **WORD),
    ] = None,
    reduce_range: Annotated[
        bool,
        typer.Option("--reduce-range", help="Weights of 7 bits, for CPUs without VNNI or AMX."),
    ] = False,
    target: Annotated[
        Path | None, typer.Option("--to", help="The file to make, ending in .onnx.", **PATH)
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check/--no-check", help="Compare accuracy and speed with the source."),
    ] = True,
    threads: Threads = None,
    max_batch: MaxBatch = None,
    as_json: AsJson = False,
) -> None:
    """Make a model of lower precision and hold it to the accuracy target, beside its source."""
    from harness.commands.quantize import quantize_command
    from harness.request import Request
    from harness.variants.wanted import Wanted

    members = fetching.members()
    request = Request(
        **subject.members(),
        **inputs.members(),
        **members,
        output=members["cache"],
        backend=backend,
        threads=threads,
        max_batch=max_batch,
    )
    refuse_senseless(request)
    wanted = Wanted(precision, target, calibration, reduce_range, check)
    raise typer.Exit(quantize_command(request, wanted, as_json))
