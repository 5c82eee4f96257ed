"""The commands that measure: a whole qualification, or one run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from datasets.cache import default_cache
from harness.cli import panels
from harness.cli.options import (
    AllowSubset,
    AsJson,
    BackendName,
    Benchmark,
    Cache,
    Compliance,
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
    PolicyName,
    Precision,
    Repeat,
    Require,
    RoundName,
    Scenarios,
    Soak,
    Stall,
    Streams,
    SuiteName,
    SystemType,
    Threads,
    UserConf,
    Vocab,
)
from harness.cli.parsing import (
    device_from,
    devices_from,
    model_from,
    options_from,
    refuse_senseless,
    scenarios_from,
    system_type_from,
)
from harness.cli.types import PATH

if TYPE_CHECKING:
    pass

app = typer.Typer()


@app.command(rich_help_panel=panels.MEASURE)
def qualify(
    benchmark: Benchmark,
    backend: BackendName = "onnxruntime",
    device: Device = "cpu",
    devices: Devices = "0",
    precision: Precision = "fp32",
    backend_option: Options = None,
    suite: SuiteName = None,
    round_name: RoundName = "v6.1",
    system_type: SystemType = "edge",
    scenarios: Scenarios = None,
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
    repeat: Repeat = None,
    soak: Soak = None,
    policy: PolicyName = None,
    require: Require = None,
    compliance: Compliance = False,
    user_conf: UserConf = None,
    stall_timeout: Stall = None,
    as_json: AsJson = False,
) -> None:
    """Measure one benchmark in all scenarios, audit it, and emit a result if the audit passes."""
    from harness.commands.evidence import Judging
    from harness.commands.measuring import qualify_command
    from harness.planning.soak import soak_from
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
        system_type=system_type_from(system_type),
        scenarios=scenarios_from(scenarios),
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
        repeat=repeat,
        soak_s=soak_from(soak),
        compliance=compliance,
        stall_s=stall_timeout,
        user_conf=user_conf,
    )
    refuse_senseless(request)
    raise typer.Exit(qualify_command(request, Judging(policy, require), as_json))


@app.command(rich_help_panel=panels.MEASURE)
def run(
    spec: Annotated[
        Path, typer.Argument(help="A spec.json, as every run folder holds one.", **PATH)
    ],
    folder: Annotated[
        Path, typer.Option("--folder", help="Where the run's files go.", **PATH)
    ] = Path("run"),
    user_conf: UserConf = None,
    stall_timeout: Stall = None,
) -> None:
    """Do one LoadGen run that a spec asks for; its outcome is the exit code."""
    from harness.commands.measuring import run_command

    raise typer.Exit(run_command(spec, folder.absolute(), user_conf, stall_timeout))
