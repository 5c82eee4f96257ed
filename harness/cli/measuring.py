"""The commands that measure: a whole qualification, or one run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli import panels
from harness.cli.grouped import grouped
from harness.cli.groups import Evidence, Fetching, Inputs, Serving, Subject
from harness.cli.options import (
    AsJson,
    Compliance,
    PolicyName,
    Repeat,
    Require,
    Scenarios,
    Soak,
    Stall,
    SystemType,
    UserConf,
)
from harness.cli.parsing import refuse_senseless, scenarios_from, system_type_from
from harness.cli.types import PATH, path

app = typer.Typer()


@app.command(rich_help_panel=panels.MEASURE)
@grouped
def qualify(
    subject: Subject,
    inputs: Inputs,
    serving: Serving,
    fetching: Fetching,
    evidence: Evidence,
    system_type: SystemType = "edge",
    scenarios: Scenarios = None,
    repeat: Repeat = None,
    soak: Soak = None,
    policy: PolicyName = None,
    require: Require = None,
    compliance: Compliance = False,
    as_json: AsJson = False,
) -> None:
    """Measure one benchmark in all scenarios, audit it, and emit a result if the audit passes."""
    from harness.commands.evidence import Judging
    from harness.commands.measuring import qualify_command
    from harness.planning.soak import soak_from
    from harness.request import Request

    request = Request(
        **subject.members(),
        **inputs.members(),
        **serving.members(),
        **fetching.members(),
        **evidence.members(),
        system_type=system_type_from(system_type),
        scenarios=scenarios_from(scenarios),
        repeat=repeat,
        soak_s=soak_from(soak),
        compliance=compliance,
    )
    refuse_senseless(request)
    raise typer.Exit(qualify_command(request, Judging(policy, require), as_json))


@app.command(rich_help_panel=panels.MEASURE)
def run(
    spec: Annotated[
        Path,
        typer.Argument(
            help="A spec.json, as every run folder holds one.", metavar="SPEC", parser=path
        ),
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
