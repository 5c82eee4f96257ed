"""What the commands do that say what there is. Each returns an exit code."""

from __future__ import annotations

from dataclasses import asdict, astuple, fields
from pathlib import Path

from audit import schema
from harness import exits
from harness.commands.terminal import say, say_json
from harness.report.width import fitted
from harness.stop import StopRequests


def doctor_command(as_json: bool) -> int:
    """All checks; exit 1 if one of them is a problem."""
    from harness.host.doctor import Check, examine

    checks = examine()
    if as_json:
        say_json([asdict(check) for check in checks])
    else:
        headings = [field.name for field in fields(Check)]
        say(fitted([astuple(check) for check in checks], headings, (2, 3)))
    problems = any(check.status == "problem" for check in checks)
    return exits.FINDINGS if problems else exits.FINE


def list_command(as_json: bool) -> int:
    """What can be asked for by name."""
    from harness.report.known import known, render

    document = known()
    if as_json:
        say_json(document)
    else:
        say(render(document))
    return exits.FINE


def inspect_command(wanted: Path, opening: bool, cache: Path, as_json: bool) -> int:
    """What a model is and how it would be driven; runtimes may crash, so a child looks.

    ``wanted`` is its place, or its name: then it must have been brought into ``cache`` before.
    """
    from harness.report.inspection import render
    from harness.running import child
    from harness.sources.kept import model_at

    model = model_at(wanted, cache)
    asked = {"model": str(model), "opening": opening}
    log = cache / "inspect.log"
    with StopRequests() as stop:
        doing = f"inspecting {model}"
        document = child.call(
            "harness.running.chores:inspect", asked, doing=doing, log=log, stop=stop
        )
    schema.require(document, "inspection", str(model))
    if as_json:
        say_json(document)
    else:
        say(render(document))
    return exits.FINE
