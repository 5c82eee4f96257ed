"""The command line. The only place where errors become sentences and exit codes.

Exit codes: 0 fine, 1 findings, 2 usage or internal, 3 device, 130 interrupted. Heavy imports happen
inside the commands, so that ``--help`` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from datasets.cache import default_cache
from datasets.errors import LoadproofError, UsageError
from harness import cli_prepare, exits

if TYPE_CHECKING:
    from harness.request import Request

app = typer.Typer(
    name="loadproof",
    help="Qualify AI servers: measure with MLCommons LoadGen, audit the evidence, and only then "
    "emit a result.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

SYSTEM_TYPES = ("edge", "datacenter", "datacenter,edge")

app.add_typer(cli_prepare.app, name="prepare")

Benchmark = Annotated[str, typer.Option("--benchmark", "-b", help="resnet50 or bert.")]
BackendName = Annotated[str, typer.Option("--backend", "-k", help="See `loadproof list`.")]
Device = Annotated[str, typer.Option(help="cpu or gpu.")]
Devices = Annotated[str, typer.Option(help="Which devices of that kind: 0, or 0-7, or 0,2.")]
Precision = Annotated[str, typer.Option(help="fp32, bf16, int8: what the backend offers.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--backend-option", "-o", metavar="KEY=VALUE", help="Repeatable."),
]
SuiteName = Annotated[
    str | None,
    typer.Option("--suite", help="smoke, quick or official; quick for the embedded model."),
]
RoundName = Annotated[str, typer.Option("--round", help="Seeds and limits: v5.0 … v6.1.")]
SystemType = Annotated[str, typer.Option(help="edge, datacenter, or datacenter,edge.")]
Scenarios = Annotated[str | None, typer.Option(help="Comma-separated; all four if not given.")]
ModelChoice = Annotated[
    str | None,
    typer.Option("--model", help="A model file of your own, or the name of an official one."),
]
Data = Annotated[
    Path | None, typer.Option(help="ImageNet folder or SQuAD file; DATA_DIR.", envvar="DATA_DIR")
]
ModelDir = Annotated[
    Path | None, typer.Option(help="Folder of official models; MODEL_DIR.", envvar="MODEL_DIR")
]
Labels = Annotated[Path | None, typer.Option(help="Label map, if not in the data folder.")]
AllowSubset = Annotated[
    bool, typer.Option("--allow-subset", help="Use an image folder though images are missing.")
]
Vocab = Annotated[Path | None, typer.Option(help="BERT vocabulary, if not beside the data.")]
Output = Annotated[
    Path, typer.Option("--output", help="Where evidence goes; OUTPUT_DIR.", envvar="OUTPUT_DIR")
]
Cache = Annotated[Path | None, typer.Option(help="Models, samples and downloads; LOADPROOF_CACHE.")]
Streams = Annotated[int | None, typer.Option(min=1, help="Sessions on each device.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Intra-op threads of each session.")]
MaxBatch = Annotated[int | None, typer.Option(min=1, help="Largest batch; probed if not given.")]
Mirror = Annotated[
    str | None, typer.Option(help="Folder or index URL to fetch from, for closed networks.")
]
Offline = Annotated[bool, typer.Option("--offline", help="Fetch nothing.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Set earlier evidence aside and start anew.")]
Repeat = Annotated[
    int | None,
    typer.Option("--repeat", min=1, help="At least so many performance runs of each scenario."),
]
PolicyName = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="NAME|FILE",
        help="How far repeats may lie apart: qualification, quick, or a file; the suite's own if "
        "not given.",
    ),
]
Compliance = Annotated[
    bool,
    typer.Option("--compliance", help="Also run the compliance tests that the round demands."),
]
Stall = Annotated[
    float | None,
    typer.Option(min=0.1, help="Seconds without a completed sample that count as hung."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


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
    policy: PolicyName = None,
    compliance: Compliance = False,
    stall_timeout: Stall = None,
    as_json: AsJson = False,
) -> None:
    """Measure one benchmark in all scenarios, audit it, and emit a result if the audit passes."""
    from harness.commands import qualify_command
    from harness.request import Request

    model_file, model_name = _model(model)
    request = Request(
        benchmark=benchmark,
        backend=backend,
        device=_device(device),
        devices=_devices(devices),
        precision=precision,
        options=_options(backend_option),
        suite=suite,
        round=round_name,
        system_type=_system_type(system_type),
        scenarios=_scenarios(scenarios),
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
        compliance=compliance,
        stall_s=stall_timeout,
    )
    _check(request)
    raise typer.Exit(qualify_command(request, policy, as_json))


def _model(text: str | None) -> tuple[Path | None, str | None]:
    """(file, name): a file where there is one, else the name of an official model."""
    if text is None:
        return None, None
    if Path(text).exists():
        return Path(text), None
    from sut import zoo

    official = [entry.name for entry in zoo.models() if entry.origin == "official"]
    if text not in official:
        raise UsageError(
            f"There is no model at {text}, and no official model of that name; those are: "
            f"{', '.join(official)}."
        )
    return None, text


def _device(device: str) -> str:
    if device not in {"cpu", "gpu"}:
        raise UsageError(f"There is no kind of device {device!r}; ask for cpu or gpu.")
    return device


def _devices(text: str) -> tuple[int, ...]:
    from sut.devices import parse_devices

    return parse_devices(text)


def _options(pairs: Sequence[str] | None) -> dict[str, str]:
    found = {}
    for pair in pairs or ():
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise UsageError(f"--backend-option takes KEY=VALUE, not {pair!r}.")
        found[key] = value
    return found


def _system_type(text: str) -> str:
    from audit.rules import normal_system_type

    wanted = normal_system_type(text)
    if wanted not in SYSTEM_TYPES:
        known = " or ".join(SYSTEM_TYPES)
        raise UsageError(f"There is no system type {text!r}; ask for {known}.")
    return wanted


def _scenarios(text: str | None) -> Any:
    from harness.spec import SCENARIOS, scenario_named

    if text is None:
        return SCENARIOS
    chosen = []
    for name in text.split(","):
        scenario = scenario_named(name.strip())
        if scenario is None:
            known = ", ".join(SCENARIOS)
            raise UsageError(f"There is no scenario {name.strip()!r}; the scenarios are {known}.")
        chosen.append(scenario)
    return tuple(dict.fromkeys(chosen))


def _check(request: Request) -> None:
    """Refuse what makes no sense before anything is looked up."""
    if not (request.model or request.model_name) and (request.model_dir is None) != (
        request.data is None
    ):
        given, missing = (
            ("MODEL_DIR", "DATA_DIR") if request.model_dir else ("DATA_DIR", "MODEL_DIR")
        )
        raise UsageError(
            f"{given} is set but {missing} is not: set both for the official model and data, or "
            "neither for the embedded ones."
        )


@app.command()
def run(
    spec: Annotated[Path, typer.Argument(help="A spec.json, as every run folder holds one.")],
    folder: Annotated[Path, typer.Option("--folder", help="Where the run's files go.")] = Path(
        "run"
    ),
    user_conf: Annotated[
        Path | None, typer.Option(help="A user.conf that overrides rates, limits and lengths.")
    ] = None,
    stall_timeout: Stall = None,
) -> None:
    """Do one LoadGen run that a spec asks for; its outcome is the exit code."""
    from harness.commands import run_command

    raise typer.Exit(run_command(spec, folder.absolute(), user_conf, stall_timeout))


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
def doctor(as_json: AsJson = False) -> None:
    """Say what this machine has, what is wrong with it, and what to do."""
    from harness.commands import doctor_command

    raise typer.Exit(doctor_command(as_json))


@app.command(name="list")
def list_known(as_json: AsJson = False) -> None:
    """List benchmarks, backends with their availability, models, suites and rounds."""
    from harness.commands import list_command

    raise typer.Exit(list_command(as_json))


@app.command()
def inspect(
    model: Annotated[Path, typer.Argument(help="An .onnx or .pb file, or a SavedModel folder.")],
    opening: Annotated[
        bool, typer.Option("--open/--no-open", help="Let its runtime open it, as a run does.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Say what a model is, which runtime reads it, and how each benchmark would drive it."""
    from harness.commands import inspect_command

    raise typer.Exit(inspect_command(model, opening, as_json))


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"loadproof {version('loadproof')}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None: ...


def guarded(command: Callable[[], Any]) -> int:
    """Run ``command``; what it raises becomes one sentence on standard error and a code."""
    try:
        command()
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else exits.FINE
    except LoadproofError as error:
        typer.echo(f"loadproof: {error}", err=True)
        return exits.code_for(error)
    except KeyboardInterrupt:
        typer.echo("loadproof: stopped.", err=True)
        return exits.INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.FINE
    except Exception as error:
        if os.environ.get("LOADPROOF_DEBUG"):
            raise
        typer.echo(
            f"loadproof: {type(error).__name__}: {error}. This is a defect of loadproof; run again "
            "with LOADPROOF_DEBUG=1 and report the trace.",
            err=True,
        )
        return exits.USAGE
    return exits.FINE


def main() -> None:
    """The console command."""
    sys.exit(guarded(app))


if __name__ == "__main__":
    main()
