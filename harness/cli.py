"""The command line. The only place where errors become sentences and exit codes.

Exit codes: 0 fine, 1 findings, 2 usage or internal, 3 device, 130 interrupted. Heavy imports happen
inside the commands, so that ``--help`` answers at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from datasets.cache import default_cache
from datasets.errors import LoadproofError
from harness import (
    cli_evidence,
    cli_known,
    cli_packaging,
    cli_prepare,
    cli_quantize,
    cli_submission,
    cli_tuning,
    exits,
)
from harness.cli_options import (
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
from harness.cli_parsing import (
    device_from,
    devices_from,
    model_from,
    options_from,
    refuse_senseless,
    scenarios_from,
    system_type_from,
)
from harness.cli_types import PATH
from harness.host.shadow import refuse_foreign_datasets
from harness.stop import Interrupted
from harness.system_errors import explained

if TYPE_CHECKING:
    pass

app = typer.Typer(
    name="loadproof",
    help="Qualify AI servers: measure with MLCommons LoadGen, audit the evidence, and only then "
    "emit a result.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(cli_prepare.app, name="prepare")
app.add_typer(cli_evidence.app)
app.add_typer(cli_known.app)
app.add_typer(cli_quantize.app)
app.add_typer(cli_submission.app)
app.add_typer(cli_packaging.app)
app.add_typer(cli_tuning.app)


@app.command()
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
    from harness.commands import qualify_command
    from harness.commands_evidence import Judging
    from harness.request import Request
    from harness.soak import soak_from

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


@app.command()
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
    from harness.commands import run_command

    raise typer.Exit(run_command(spec, folder.absolute(), user_conf, stall_timeout))


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
