"""The commands that look for a machine's best settings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from datasets.cache import default_cache
from harness.cli import panels
from harness.cli.options import (
    MOST_SAMPLES,
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
from harness.cli.parsing import (
    device_from,
    devices_from,
    model_from,
    names_from,
    numbers_from,
    options_from,
    pairs_from,
    refuse_senseless,
)
from harness.cli.types import PLACE

app = typer.Typer()

MostRuns = Annotated[
    int,
    typer.Option("--runs", min=4, max=100, help="Most runs before the last confirming one."),
]

Several = {"metavar": "A,B,…"}
MOST_THREADS = 4096


@app.command(rich_help_panel=panels.TUNE)
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
    from harness.commands.tuning import search_command
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
    refuse_senseless(request)
    raise typer.Exit(search_command(request, runs, as_json))


@app.command(rich_help_panel=panels.TUNE)
def sweep(
    benchmark: Benchmark,
    backends: Annotated[
        str, typer.Option("--backends", "-k", help="See `loadproof list`.", **Several)
    ] = "onnxruntime",
    precisions: Annotated[
        str, typer.Option(help="What the backends offer: fp32, bf16, int8.", **Several)
    ] = "fp32",
    providers: Annotated[
        str | None,
        typer.Option(help="Execution providers of ONNX Runtime: CPU, CUDA, …", **Several),
    ] = None,
    streams: Annotated[
        str | None, typer.Option(help="Sessions on each device; 1 and all cores.", **Several)
    ] = None,
    threads: Annotated[
        str | None,
        typer.Option(help="Intra-op threads of each; as many as fill the cores.", **Several),
    ] = None,
    batches: Annotated[str, typer.Option(help="Batch sizes.", **Several)] = "1,2,4,8,16,32",
    seconds: Annotated[
        float, typer.Option(min=0.1, max=3600, help="For each configuration, at least.")
    ] = 3.0,
    goal: Annotated[
        str, typer.Option(help="What is best: throughput, latency (a limit) or cost.")
    ] = "throughput",
    latency_limit_ms: Annotated[
        float | None, typer.Option(min=0.001, max=1e9, help="Of p99; Server's own if not given.")
    ] = None,
    price_per_hour: Annotated[
        float | None,
        typer.Option(min=0.0001, max=1e9, help="Of this machine; for the cost of samples."),
    ] = None,
    accuracy: Annotated[
        bool, typer.Option("--accuracy", help="Also score each backend, precision and provider.")
    ] = False,
    variant: Annotated[
        list[str] | None,
        typer.Option(metavar="PRECISION=FILE", help="The model that has it; repeatable."),
    ] = None,
    plan_only: Annotated[
        bool, typer.Option("--plan", help="Say what would be measured, and measure nothing.")
    ] = False,
    device: Device = "cpu",
    devices: Devices = "0",
    backend_option: Options = None,
    round_name: RoundName = "v6.1",
    model: ModelChoice = None,
    data: Data = None,
    model_dir: ModelDir = None,
    labels: Labels = None,
    allow_subset: AllowSubset = False,
    vocab: Vocab = None,
    output: Output = Path("output"),
    cache: Cache = None,
    mirror: Mirror = None,
    offline: Offline = False,
    fresh: Fresh = False,
    stall_timeout: Stall = None,
    as_json: AsJson = False,
) -> None:
    """Measure configurations side by side, and say which to use in each scenario."""
    from datasets.cores import usable_cores
    from harness.commands.tuning import sweep_command
    from harness.request import Request
    from harness.sweep_request import SweepRequest, goal_from
    from harness.tuning.grid import Axes

    model_file, model_name = model_from(model)
    axes = Axes(
        backends=names_from(backends),
        precisions=names_from(precisions),
        providers=names_from(providers) if providers else (None,),
        streams=numbers_from("--streams", streams or f"1,{usable_cores()}", MOST_THREADS),
        threads=numbers_from("--threads", threads, MOST_THREADS) if threads else (None,),
        batches=numbers_from("--batches", batches, MOST_SAMPLES),
    )
    request = Request(
        benchmark=benchmark,
        backend=axes.backends[0],
        device=device_from(device),
        devices=devices_from(devices),
        options=options_from(backend_option),
        round=round_name,
        model=model_file,
        model_name=model_name,
        data=data,
        labels=labels,
        allow_subset=allow_subset,
        vocab=vocab,
        model_dir=model_dir,
        output=output.absolute(),
        cache=(cache or default_cache()).absolute(),
        mirror=mirror,
        offline=offline,
        fresh=fresh,
        stall_s=stall_timeout,
    )
    refuse_senseless(request)
    chosen = goal_from(goal, latency_limit_ms, price_per_hour, request)
    variants = {name: Path(file) for name, file in pairs_from("--variant", variant).items()}
    wanted = SweepRequest(request, axes, seconds, chosen, accuracy, variants)
    raise typer.Exit(sweep_command(wanted, plan_only, as_json))


@app.command(rich_help_panel=panels.TUNE)
def hint(
    folder: Annotated[
        Path, typer.Argument(help="A run or an evidence folder.", metavar="FOLDER", **PLACE)
    ],
    as_json: AsJson = False,
) -> None:
    """Say what limits the runs in a folder, and the one setting to try next."""
    from harness.commands.tuning import hint_command

    raise typer.Exit(hint_command(folder, as_json))
