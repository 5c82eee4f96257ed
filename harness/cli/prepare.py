"""``loadproof prepare …`` on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from datasets.disk.cache import default_cache
from datasets.errors import UsageError
from harness.cli.grouped import grouped
from harness.cli.groups import Fetching
from harness.cli.options import AsJson, Cache
from harness.cli.types import PATH

app = typer.Typer(
    help="Bring models and data to this machine once, prove that they are right, keep them ready.",
    no_args_is_help=True,
)

Layout = Annotated[str, typer.Option(help="NCHW (ONNX models) or NHWC (TensorFlow's).")]
TokenType = Annotated[str, typer.Option(help="int64 (ONNX models) or int32 (TensorFlow's).")]


@app.command()
@grouped
def embedded(fetching: Fetching, as_json: AsJson = False) -> None:
    """The embedded models and their data, for every runtime that is installed."""
    from harness.commands.prepare import prepare_command
    from harness.preparing import request_for

    request = request_for("resnet50", **fetching.members())
    raise typer.Exit(prepare_command(request, lambda asked: asked.embedded(), as_json))


@app.command()
@grouped
def models(
    names: Annotated[
        list[str], typer.Argument(help="Names of official models: loadproof list.", metavar="NAME")
    ],
    fetching: Fetching,
    as_json: AsJson = False,
) -> None:
    """Official models, fetched once and checked."""
    from harness.commands.prepare import prepare_command
    from harness.preparing import request_for

    request = request_for("resnet50", **fetching.members())
    raise typer.Exit(prepare_command(request, lambda asked: asked.models(names), as_json))


@app.command()
def imagenet(
    data: Annotated[Path, typer.Option(help="Folder or tar archive of validation images.", **PATH)],
    labels: Annotated[
        Path | None, typer.Option(help="Label map, if not beside them.", **PATH)
    ] = None,
    allow_subset: Annotated[
        bool, typer.Option("--allow-subset", help="Use what is there, though images are missing.")
    ] = False,
    layout: Layout = "NCHW",
    cache: Cache = None,
    as_json: AsJson = False,
) -> None:
    """ImageNet's validation images: labels checked, every image decoded once."""
    from harness.commands.prepare import prepare_command
    from harness.preparing import LAYOUTS, request_for

    _require("layout", layout, LAYOUTS.values())
    choices: dict[str, Any] = {"data": data, "labels": labels, "allow_subset": allow_subset}
    request = request_for("resnet50", (cache or default_cache()).absolute(), **choices)
    raise typer.Exit(
        prepare_command(request, lambda asked: [asked.samples("resnet50", layout, "")], as_json)
    )


@app.command()
@grouped
def squad(
    fetching: Fetching,
    data: Annotated[
        Path | None,
        typer.Option(help="A SQuAD v1.1 file of your own; fetched if not given.", **PATH),
    ] = None,
    vocab: Annotated[
        Path | None, typer.Option(help="BERT vocabulary, if not beside the data.", **PATH)
    ] = None,
    token_type: TokenType = "int64",
    as_json: AsJson = False,
) -> None:
    """SQuAD v1.1's questions as BERT features."""
    from harness.commands.prepare import prepare_command
    from harness.preparing import TOKEN_TYPES, request_for

    _require("token type", token_type, TOKEN_TYPES.values())
    choices: dict[str, Any] = {**fetching.members(), "data": data, "vocab": vocab}
    request = request_for("bert", model_name="bert-onnx", **choices)
    raise typer.Exit(
        prepare_command(request, lambda asked: [asked.samples("bert", "", token_type)], as_json)
    )


@app.command()
@grouped
def calibration(
    benchmark: Annotated[str, typer.Argument(help="resnet50 or bert.", metavar="BENCHMARK")],
    fetching: Fetching,
    as_json: AsJson = False,
) -> None:
    """MLCommons' calibration lists of a benchmark: which samples may decide a variant's ranges."""
    from harness.benchmarks import benchmark_named
    from harness.commands.prepare import prepare_command
    from harness.preparing import request_for

    name = benchmark_named(benchmark).name
    request = request_for(name, **fetching.members())
    raise typer.Exit(prepare_command(request, lambda asked: asked.calibration(), as_json))


def _require(kind: str, given: str, known: Iterable[str]) -> None:
    if given not in known:
        raise UsageError(f"There is no {kind} {given!r}; use {' or '.join(known)}.")
