"""The commands that judge, show and compare what was measured; only ``rerun`` measures anew."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from datasets.errors import UsageError
from harness.cli import panels
from harness.cli.grouped import grouped
from harness.cli.groups import Fetching
from harness.cli.options import NEWEST_ROUND, ROUNDS, AsJson, PolicyName, Require
from harness.cli.parsing import scenario_from, system_type_from
from harness.cli.types import PATH, PLACE

app = typer.Typer()


@dataclass(frozen=True)
class Logged:
    """The logs of another harness: what was run, the truth about it, and by what it is judged."""

    logs: Annotated[
        bool,
        typer.Option("--logs", help="Judge folders of LoadGen's logs, accuracy and performance."),
    ] = False
    benchmark: Annotated[
        str | None, typer.Option("--benchmark", "-b", help="With --logs: resnet50 or bert.")
    ] = None
    scenario: Annotated[
        str | None, typer.Option(help="With --logs; what the log says if not given.")
    ] = None
    labels: Annotated[
        Path | None,
        typer.Option(help="With --logs: the label map, in the order of the samples.", **PATH),
    ] = None
    data: Annotated[
        Path | None, typer.Option(help="With --logs: ImageNet folder or SQuAD file.", **PATH)
    ] = None
    vocab: Annotated[Path | None, typer.Option(help="With --logs: BERT's vocabulary.", **PATH)] = (
        None
    )
    dtype: Annotated[
        str | None, typer.Option(help="With --logs: type of the logged answers; found if not given")
    ] = None
    round_name: Annotated[
        str | None, typer.Option("--round", help=f"With --logs: {ROUNDS}, the newest by default.")
    ] = None
    system_type: Annotated[
        str | None, typer.Option(help="With --logs: edge, datacenter, or datacenter,edge.")
    ] = None
    output: Annotated[
        Path | None, typer.Option(help="With --logs: a JSON file for the verdict.", **PATH)
    ] = None

    def refuse(self) -> None:
        """UsageError for the first option that was given and means nothing without ``--logs``."""
        for name, value in vars(self).items():
            if name != "logs" and value is not None:
                option = name.removesuffix("_name").replace("_", "-")
                raise UsageError(
                    f"--{option} belongs to --logs; evidence folders say for themselves."
                )


@app.command(rich_help_panel=panels.MEASURE)
@grouped
def audit(
    evidence: Annotated[
        list[Path],
        typer.Argument(
            help="An evidence folder, as qualify leaves it; with --logs, run folders.",
            metavar="EVIDENCE",
            **PLACE,
        ),
    ],
    logged: Logged,
    policy: PolicyName = None,
    require: Require = None,
    as_json: AsJson = False,
) -> None:
    """Judge an evidence folder again, or with --logs what another harness left."""
    from audit.logs_only.truth import TruthFiles
    from harness.commands.evidence import Judging, audit_command, audit_logs_command
    from harness.logs_audit import LogsRequest

    if not logged.logs:
        logged.refuse()
        raise typer.Exit(audit_command(evidence, Judging(policy, require), as_json))
    request = LogsRequest(
        benchmark=logged.benchmark,
        folders=tuple(evidence),
        round=logged.round_name or NEWEST_ROUND,
        system_type=system_type_from(logged.system_type or "edge"),
        scenario=scenario_from(logged.scenario) if logged.scenario else None,
        policy=policy,
        require=require,
        truth=TruthFiles(logged.labels, logged.data, logged.vocab, logged.dtype),
    )
    raise typer.Exit(audit_logs_command(request, logged.output, as_json))


@app.command(rich_help_panel=panels.MEASURE)
def agree(
    evidence: Annotated[
        list[Path],
        typer.Argument(help="Evidence folders of one benchmark.", metavar="EVIDENCE", **PLACE),
    ],
    policy: PolicyName = None,
    as_json: AsJson = False,
) -> None:
    """Compare the answers of accuracy runs, sample by sample, over scenarios and backends."""
    from harness.commands.evidence import agree_command

    raise typer.Exit(agree_command(evidence, policy, as_json))


@app.command(rich_help_panel=panels.MEASURE)
def show(
    result: Annotated[
        Path,
        typer.Argument(
            help="A result.json, or the folder that holds it.", metavar="RESULT", **PLACE
        ),
    ],
    form: Annotated[str, typer.Option("--format", help="plain, github, csv or json.")] = "plain",
) -> None:
    """Show a result as a table, or as CSV or JSON."""
    from harness.commands.evidence import show_command

    raise typer.Exit(show_command(result, form))


@app.command(rich_help_panel=panels.MEASURE)
def compare(
    results: Annotated[
        list[Path],
        typer.Argument(
            help="Results, or the folders that hold them: first the old.",
            metavar="RESULT",
            **PLACE,
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Compare results with the first of them, and say whether a difference means anything."""
    from harness.commands.evidence import compare_command

    raise typer.Exit(compare_command(results, as_json))


@app.command(rich_help_panel=panels.MEASURE)
@grouped
def rerun(
    result: Annotated[
        Path,
        typer.Argument(
            help="A result.json, or the folder that holds it.", metavar="RESULT", **PLACE
        ),
    ],
    fetching: Fetching,
    output: Annotated[
        Path, typer.Option("--output", help="Where the new evidence goes.", **PATH)
    ] = Path("rerun"),
    as_json: AsJson = False,
) -> None:
    """Measure a result again: say what has changed since, run the same plan, and compare."""
    from harness.commands.measuring import rerun_command
    from harness.rerun import Place

    place = Place(output.absolute(), **fetching.members())
    raise typer.Exit(rerun_command(result, place, as_json))
