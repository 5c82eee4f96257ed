"""The commands that look for a machine's best settings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from datasets.cache import default_cache
from harness.cli_options import (
    AllowSubset,
    AsJson,
    BackendName,
    Benchmark,
    Cache,
    Data,
    Device,
    Devices,
    Fresh,
    Labels,
    MaxBatch,
    Mirror,
    ModelChoice,
    ModelDir,
    Offline,
    Options,
    Output,
    Precision,
    RoundName,
    Stall,
    Streams,
    SuiteName,
    Threads,
    UserConf,
    Vocab,
)
from harness.cli_parsing import device_from, devices_from, model_from, options_from

app = typer.Typer()

MostRuns = Annotated[
    int,
    typer.Option("--runs", min=4, max=100, help="Most runs before the last confirming one."),
]


@app.command()
def search(
    benchmark: Benchmark,
    backend: BackendName = "onnxruntime",
    device: Device = "cpu",
    devices: Devices = "0",
    precision: Precision = "fp32",
    backend_option: Options = None,
    suite: SuiteName = None,
    round_name: RoundName = "v6.1",
    model: ModelChoice = None,
    data: Data = None,
    model_dir: ModelDir = None,
    labels: Labels = None,
    allow_subset: AllowSubset = False,
    vocab: Vocab = None,
    output: Output = Path("output"),
    cache: Cache = None,
    streams: Streams = None,
    threads: Threads = None,
    max_batch: MaxBatch = None,
    mirror: Mirror = None,
    offline: Offline = False,
    fresh: Fresh = False,
    user_conf: UserConf = None,
    stall_timeout: Stall = None,
    runs: MostRuns = 12,
    as_json: AsJson = False,
) -> None:
    """Find the highest Server rate that is VALID, and confirm it by a run of full length."""
    from harness.commands_tuning import search_command
    from harness.request import Request

    model_file, model_name = model_from(model)
    request = Request(
        benchmark=benchmark,
        backend=backend,
        device=device_from(device),
        devices=devices_from(devices),
        precision=precision,
        options=options_from(backend_option),
        suite=suite,
        round=round_name,
        scenarios=("Server",),
        model=model_file,
        model_name=model_name,
        data=data,
        labels=labels,
        allow_subset=allow_subset,
        vocab=vocab,
        model_dir=model_dir,
        output=output.absolute(),
        cache=(cache or default_cache()).absolute(),
        streams=streams,
        threads=threads,
        max_batch=max_batch,
        mirror=mirror,
        offline=offline,
        fresh=fresh,
        stall_s=stall_timeout,
        user_conf=user_conf,
    )
    raise typer.Exit(search_command(request, runs, as_json))
