"""What the commands that measure do. Each returns an exit code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from audit import schema
from harness import exits
from harness.commands.evidence import Judging, Rules, show_audit, show_comparison
from harness.commands.terminal import attended, say
from harness.request import Request
from harness.running import userconf
from harness.running.display import RunWatcher
from harness.spec import RunSpec, spec_from

if TYPE_CHECKING:
    from harness.rerun import Place


def qualify_command(request: Request, judging: Judging, as_json: bool) -> int:
    """Qualify; the table, or audit.json, on standard output.

    A policy or profile that there is not is refused before anything is measured.
    """
    from harness.qualify import qualify

    ruled = judging.read()
    with attended() as (display, stop):
        audit = qualify(request, display, stop, ruled.judge)
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
    with attended() as (display, stop):
        for line in changes_lines(changes_since(result)):
            display.note(line)
        audit = rerun(result, place, display, stop, ruled.judge)
    if not audit.passed:
        return show_audit(audit, as_json)
    code = show_comparison([result, read_result(audit.evidence.folder)], as_json)
    if not as_json:
        for line in requirement_lines(audit.acceptance):
            say(line)
    return code if audit.accepted else exits.FINDINGS


def run_command(
    spec_file: Path, folder: Path, user_conf: Path | None, stall_s: float | None
) -> int:
    """One run; what became of it, and what the machine did meanwhile, on standard output."""
    from harness.report.sensors import sensor_lines
    from harness.running.patience import Patience
    from harness.running.supervisor import supervise

    spec = spec_from(schema.read(spec_file, "spec"))
    if user_conf:
        spec = with_user_conf(spec, user_conf)
    patience = Patience.of(stall_s, Patience.stall_s)
    with attended() as (display, stop):
        watch = RunWatcher(display)
        watch.begin(f"{spec.scenario} {spec.mode}")
        result = supervise(spec, folder, stop, patience, watch)
    cause = f": {result.record['cause']}" if result.record["cause"] else ""
    say(f"{result.record['outcome']}{cause} ({folder})")
    for name, line in sensor_lines([result.record["sensors"]]):
        say(f"{name}: {line}")
    return exits.FINE if result.finished else exits.FINDINGS


def with_user_conf(spec: RunSpec, path: Path) -> RunSpec:
    """``spec`` with what a user.conf decides for its benchmark and scenario."""
    entries = userconf.read(path)
    return spec.at(**userconf.settings_for(entries, spec.benchmark, spec.scenario))
