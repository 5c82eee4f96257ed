"""What the commands do, once the command line has been read. Each returns an exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, astuple, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from audit import schema
from datasets.cache import default_cache
from harness import exits
from harness.commands.evidence import Judging, Rules, show_audit, show_comparison
from harness.report.live import RunWatcher, display_for
from harness.report.width import fitted
from harness.request import Request
from harness.running import userconf
from harness.spec import RunSpec, spec_from
from harness.stop import StopRequests

if TYPE_CHECKING:
    from harness.preparing import Preparation, Ready
    from harness.rerun import Place


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


def _say_json(document: Any) -> None:
    _say(json.dumps(document, indent=2, ensure_ascii=False))


def qualify_command(request: Request, judging: Judging, as_json: bool) -> int:
    """Qualify; the table, or audit.json, on standard output.

    A policy or profile that there is not is refused before anything is measured.
    """
    from harness.qualify import qualify

    ruled = judging.read()
    display = display_for(Console(stderr=True))
    try:
        with StopRequests() as stop:
            audit = qualify(request, display, stop, ruled.judge)
    finally:
        display.close()
    return show_audit(audit, as_json)


def rerun_command(path: Path, place: Place, as_json: bool) -> int:
    """Run a result's plan again: what has changed first, then how the new result compares.

    It is judged by the policy and the acceptance profile that the result was judged by.
    """
    from audit.consistency.policy import policy_from
    from audit.requirements import profile_of
    from audit.result import read_result
    from harness.report.comparison import changes_lines
    from harness.report.requirements import requirement_lines
    from harness.rerun import changes_since, rerun

    result = read_result(path)
    profile = profile_of(result.document["requirements"])
    ruled = Rules(policy_from(result.document["policy"]), profile)
    display = display_for(Console(stderr=True))
    try:
        with StopRequests() as stop:
            for line in changes_lines(changes_since(result)):
                display.note(line)
            audit = rerun(result, place, display, stop, ruled.judge)
    finally:
        display.close()
    if not audit.passed:
        return show_audit(audit, as_json)
    code = show_comparison([result, read_result(audit.evidence.folder)], as_json)
    if not as_json:
        for line in requirement_lines(audit.acceptance):
            _say(line)
    return code if audit.accepted else exits.FINDINGS


def run_command(
    spec_file: Path, folder: Path, user_conf: Path | None, stall_s: float | None
) -> int:
    """One run; what became of it on standard output."""
    from harness.running.supervisor import Patience, supervise

    spec = spec_from(schema.read(spec_file, "spec"))
    if user_conf:
        spec = with_user_conf(spec, user_conf)
    patience = Patience.of(stall_s, Patience.stall_s)
    display = display_for(Console(stderr=True))
    watch = RunWatcher(display)
    watch.begin(f"{spec.scenario} {spec.mode}")
    try:
        with StopRequests() as stop:
            result = supervise(spec, folder, stop, patience, watch)
    finally:
        display.close()
    cause = f": {result.record['cause']}" if result.record["cause"] else ""
    _say(f"{result.record['outcome']}{cause} ({folder})")
    return exits.FINE if result.finished else exits.FINDINGS


def with_user_conf(spec: RunSpec, path: Path) -> RunSpec:
    """``spec`` with what a user.conf decides for its benchmark and scenario."""
    entries = userconf.read(path)
    return spec.at(**userconf.settings_for(entries, spec.benchmark, spec.scenario))


def doctor_command(as_json: bool) -> int:
    """All checks; exit 1 if one of them is a problem."""
    from harness.host.doctor import Check, examine

    checks = examine()
    if as_json:
        _say_json([asdict(check) for check in checks])
    else:
        headings = [field.name for field in fields(Check)]
        _say(fitted([astuple(check) for check in checks], headings, (2, 3)))
    problems = any(check.status == "problem" for check in checks)
    return exits.FINDINGS if problems else exits.FINE


def list_command(as_json: bool) -> int:
    """What can be asked for by name."""
    from harness.report.known import known, render

    document = known()
    if as_json:
        _say_json(document)
    else:
        _say(render(document))
    return exits.FINE


def inspect_command(model: Path, opening: bool, as_json: bool) -> int:
    """What a model is and how it would be driven; runtimes may crash, so a child looks."""
    from harness.report.inspection import render
    from harness.running import child

    wanted = {"model": str(model), "opening": opening}
    log = default_cache() / "inspect.log"
    with StopRequests() as stop:
        doing = f"inspecting {model}"
        document = child.call(
            "harness.running.chores:inspect", wanted, doing=doing, log=log, stop=stop
        )
    schema.require(document, "inspection", str(model))
    if as_json:
        _say_json(document)
    else:
        _say(render(document))
    return exits.FINE


def prepare_command(
    request: Request, prepare: Callable[[Preparation], list[Ready]], as_json: bool
) -> int:
    """Prepare what ``prepare`` asks for; what is ready, and where, on standard output."""
    from harness.preparing import Preparation
    from harness.running.errands import Errands

    display = display_for(Console(stderr=True))
    try:
        with StopRequests() as stop:
            errands = Errands(request, request.cache / "prepare.log", stop, display)
            ready = prepare(Preparation(errands))
    finally:
        display.close()
    if as_json:
        _say_json([asdict(thing) for thing in ready])
    else:
        rows = [
            (
                thing.what,
                "" if thing.samples is None else thing.samples,
                f"{thing.size_bytes / 1e6:,.1f} MB",
                thing.path,
            )
            for thing in ready
        ]
        _say(fitted(rows, ("ready", "samples", "size", "where")))
    return exits.FINE
