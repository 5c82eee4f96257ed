"""``loadproof quantize`` on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from datasets.cache import default_cache
from harness.cli import panels
from harness.cli.options import (
    AllowSubset,
    AsJson,
    BackendName,
    Benchmark,
    Cache,
    Data,
    Device,
    Labels,
    MaxBatch,
    Mirror,
    ModelChoice,
    Offline,
    Options,
    RoundName,
    Threads,
    Vocab,
)
from harness.cli.parsing import device_from, model_from, options_from
from harness.cli.types import PATH, WORD

app = typer.Typer()


@app.command(rich_help_panel=panels.TUNE)
def quantize(
    benchmark: Benchmark,
    precision: Annotated[
        str, typer.Option(help="int8 or fp16 (onnxruntime), bf16 (tensorflow).", **WORD)
    ] = "int8",
    backend: BackendName = "onnxruntime",
    device: Device = "cpu",
    backend_option: Options = None,
    round_name: RoundName = "v6.1",
    model: ModelChoice = None,
    data: Data = None,
    labels: Labels = None,
    allow_subset: AllowSubset = False,
    vocab: Vocab = None,
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
    cache: Cache = None,
    mirror: Mirror = None,
    offline: Offline = False,
    as_json: AsJson = False,
) -> None:
    """Make a model of lower precision and hold it to the accuracy target, beside its source."""
    from harness.commands.quantize import quantize_command
    from harness.request import Request
    from harness.variants.wanted import Wanted

    file, name = model_from(model)
    place = (cache or default_cache()).absolute()
    request = Request(
        benchmark=benchmark,
        backend=backend,
        device=device_from(device),
        output=place,
        cache=place,
        options=options_from(backend_option),
        round=round_name,
        model=file,
        model_name=name,
        data=data,
        labels=labels,
        allow_subset=allow_subset,
        vocab=vocab,
        threads=threads,
        max_batch=max_batch,
        mirror=mirror,
        offline=offline,
    )
    wanted = Wanted(precision, target, calibration, reduce_range, check)
    raise typer.Exit(quantize_command(request, wanted, as_json))
