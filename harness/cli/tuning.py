"""The commands that look for a machine's best settings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli import panels
from harness.cli.grouped import grouped
from harness.cli.groups import Evidence, Fetching, Inputs, Serving, Subject
from harness.cli.options import MOST_SAMPLES, MOST_THREADS, AsJson
from harness.cli.parsing import names_from, numbers_from, pairs_from, refuse_senseless
from harness.cli.types import PLACE, number, whole_number

if TYPE_CHECKING:
    from harness.sweep.grid import Axes

app = typer.Typer()

MostRuns = Annotated[
    int,
    typer.Option(
        "--runs", help="Most runs before the last confirming one.", **whole_number(4, 100)
    ),
]

Several = {"metavar": "A,B,…"}


@app.command(rich_help_panel=panels.TUNE)
@grouped
def search(
    subject: Subject,
    inputs: Inputs,
    serving: Serving,
    fetching: Fetching,
    evidence: Evidence,
    runs: MostRuns = 12,
    as_json: AsJson = False,
) -> None:
    """Find the highest Server rate that is VALID, and confirm it by a run of full length."""
    from harness.commands.tuning import search_command
    from harness.request import Request

    request = Request(
        **subject.members(),
        **inputs.members(),
        **serving.members(),
        **fetching.members(),
        **evidence.members(),
        scenarios=("Server",),
    )
    refuse_senseless(request)
    raise typer.Exit(search_command(request, runs, as_json))


@dataclass(frozen=True)
class Grid:
    """What is combined with what."""

    backends: Annotated[
        str, typer.Option("--backends", "-k", help="See `loadproof list`.", **Several)
    ] = "onnxruntime"
    precisions: Annotated[
        str, typer.Option(help="What the backends offer: fp32, bf16, int8.", **Several)
    ] = "fp32"
    providers: Annotated[
        str | None,
        typer.Option(help="Execution providers of ONNX Runtime: CPU, CUDA, …", **Several),
    ] = None
    streams: Annotated[
        str | None, typer.Option(help="Sessions on each device; 1 and all cores.", **Several)
    ] = None
    threads: Annotated[
        str | None,
        typer.Option(help="Intra-op threads of each; as many as fill the cores.", **Several),
    ] = None
    batches: Annotated[str, typer.Option(help="Batch sizes.", **Several)] = "1,2,4,8,16,32"
    seconds: Annotated[
        float,
        typer.Option(help="For each configuration, at least.", **number(0.1, 3600)),
    ] = 3.0

    def axes(self) -> Axes:
        """The lists, read; UsageError for one that can't be."""
        from datasets.cores import usable_cores
        from harness.sweep.grid import Axes

        streams = self.streams or f"1,{usable_cores()}"
        return Axes(
            backends=names_from(self.backends),
            precisions=names_from(self.precisions),
            providers=names_from(self.providers) if self.providers else (None,),
            streams=numbers_from("--streams", streams, MOST_THREADS),
            threads=(
                numbers_from("--threads", self.threads, MOST_THREADS) if self.threads else (None,)
            ),
            batches=numbers_from("--batches", self.batches, MOST_SAMPLES),
        )


@dataclass(frozen=True)
class Wish:
    """What is best."""

    goal: Annotated[
        str, typer.Option(help="What is best: throughput, latency (a limit) or cost.")
    ] = "throughput"
    latency_limit_ms: Annotated[
        float | None,
        typer.Option(help="Of p99; Server's own if not given.", **number(0.001, 10**9)),
    ] = None
    price_per_hour: Annotated[
        float | None,
        typer.Option(help="Of this machine; for the cost of samples.", **number(0.0001, 10**9)),
    ] = None


@app.command(rich_help_panel=panels.TUNE)
@grouped
def sweep(
    subject: Subject,
    grid: Grid,
    wish: Wish,
    inputs: Inputs,
    fetching: Fetching,
    evidence: Evidence,
    accuracy: Annotated[
        bool, typer.Option("--accuracy", help="Also score each backend, precision and provider.")
    ] = False,
    variant: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FILE", help="The model that has a precision; repeatable."),
    ] = None,
    confirm: Annotated[
        bool,
        typer.Option(
            "--confirm/--no-confirm", help="Put what is recommended to a short LoadGen run."
        ),
    ] = True,
    plan_only: Annotated[
        bool, typer.Option("--plan", help="Say what would be measured, and measure nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure configurations side by side, and say which to use in each scenario."""
    from harness.commands.tuning import sweep_command
    from harness.request import Request
    from harness.sweep.request import SweepRequest, goal_from, variants_from

    axes = grid.axes()
    request = Request(
        **subject.members(),
        **inputs.members(),
        **fetching.members(),
        **evidence.members(),
        backend=axes.backends[0],
    )
    refuse_senseless(request)
    chosen = goal_from(wish.goal, wish.latency_limit_ms, wish.price_per_hour, request)
    variants = variants_from(pairs_from("--variant", variant), axes.precisions)
    limited = wish.latency_limit_ms is not None
    wanted = SweepRequest(request, axes, grid.seconds, chosen, accuracy, confirm, limited, variants)
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
