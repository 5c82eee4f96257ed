"""The options that several commands share: how they are named, read and explained."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from audit.rules import newest_round, round_names
from harness.cli.types import PATH, WORD, number, path, whole_number, word

MOST_SAMPLES = 65_536
"""In a batch; more than any of the datasets holds."""
MOST_REPEATS = 1000
NEWEST_ROUND = newest_round()
ROUNDS = f"{round_names()[0]} … {NEWEST_ROUND}"
MOST_THREADS = 4096
"""Of a session, and sessions of a device; more than any one machine runs at a time."""
MOST_STALL_S = 7 * 24 * 3600

Benchmark = Annotated[str, typer.Option("--benchmark", "-b", help="resnet50 or bert.")]
BackendName = Annotated[str, typer.Option("--backend", "-k", help="See `loadproof list`.")]
Device = Annotated[str, typer.Option(help="cpu or gpu.")]
Devices = Annotated[str, typer.Option(help="Which devices of that kind: 0, or 0-7, or 0,2.")]
Precision = Annotated[str, typer.Option(help="fp32, fp16, bf16, int8: what the backend offers.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--backend-option", "-o", metavar="KEY=VALUE", help="Repeatable."),
]
SuiteName = Annotated[
    str | None,
    typer.Option("--suite", help="smoke, quick or official; quick for the embedded model.", **WORD),
]
RoundName = Annotated[str, typer.Option("--round", help=f"Seeds and limits: {ROUNDS}.")]
SystemType = Annotated[str, typer.Option(help="edge, datacenter, or datacenter,edge.")]
Scenarios = Annotated[str | None, typer.Option(help="Comma-separated; all four if not given.")]
ModelChoice = Annotated[
    str | None,
    typer.Option(
        "--model", help="A model file of your own, or the name of an official one.", **WORD
    ),
]
Data = Annotated[
    Path | None,
    typer.Option(help="ImageNet folder or SQuAD file; DATA_DIR.", envvar="DATA_DIR", **PATH),
]
ModelDir = Annotated[
    Path | None,
    typer.Option(help="Folder of official models; MODEL_DIR.", envvar="MODEL_DIR", **PATH),
]
Labels = Annotated[Path | None, typer.Option(help="Label map, if not in the data folder.", **PATH)]
AllowSubset = Annotated[
    bool, typer.Option("--allow-subset", help="Use an image folder though images are missing.")
]
Vocab = Annotated[
    Path | None, typer.Option(help="BERT vocabulary, if not beside the data.", **PATH)
]
Output = Annotated[
    Path,
    typer.Option("--output", help="Where evidence goes; OUTPUT_DIR.", envvar="OUTPUT_DIR", **PATH),
]
Cache = Annotated[
    Path | None, typer.Option(help="Models, samples and downloads; LOADPROOF_CACHE.", **PATH)
]
Streams = Annotated[
    int | None, typer.Option(help="Sessions on each device.", **whole_number(1, MOST_THREADS))
]
Threads = Annotated[
    int | None,
    typer.Option(help="Intra-op threads of each session.", **whole_number(1, MOST_THREADS)),
]
MaxBatch = Annotated[
    int | None,
    typer.Option(help="Largest batch; probed if not given.", **whole_number(1, MOST_SAMPLES)),
]
Mirror = Annotated[
    str | None, typer.Option(help="Folder or index URL to fetch from, for closed networks.", **WORD)
]
Offline = Annotated[bool, typer.Option("--offline", help="Fetch nothing.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Set earlier evidence aside and start anew.")]
Repeat = Annotated[
    int | None,
    typer.Option(
        "--repeat",
        help="At least so many performance runs of each scenario.",
        **whole_number(1, MOST_REPEATS),
    ),
]
Soak = Annotated[
    str | None,
    typer.Option(
        "--soak",
        metavar="TIME",
        help="Repeat each scenario for so long (4h, 30m, 90s; the time is for each of them) and "
        "judge whether its rate drifts over that time.",
    ),
]
PolicyName = Annotated[
    str | None,
    typer.Option(
        "--policy",
        parser=word,
        metavar="NAME|FILE",
        help="How far repeats may lie apart: qualification, quick, or a file; the suite's own if "
        "not given.",
    ),
]
Require = Annotated[
    Path | None,
    typer.Option(
        "--require",
        parser=path,
        metavar="FILE",
        help="An acceptance profile: what the system must reach.",
    ),
]
Compliance = Annotated[
    bool,
    typer.Option("--compliance", help="Also run the compliance tests that the round demands."),
]
UserConf = Annotated[
    Path | None,
    typer.Option(help="A user.conf that overrides rates, limits and lengths.", **PATH),
]
Stall = Annotated[
    float | None,
    typer.Option(
        help="Seconds without a completed sample that count as hung.", **number(0.1, MOST_STALL_S)
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
