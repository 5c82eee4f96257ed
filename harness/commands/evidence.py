"""What the commands about finished measurements do. Each returns an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from datasets.disk.named_file import write_named_json
from datasets.errors import UsageError
from harness import exits
from harness.commands.terminal import say, say_json

if TYPE_CHECKING:
    from audit.consistency.policy import Policy
    from audit.requirements import Profile
    from audit.result import Result
    from audit.verdicts import Audit
    from harness.logs_audit import LogsRequest


@dataclass(frozen=True)
class Judging:
    """What evidence is to be judged by, as the user named it; None leaves it to the audit."""

    policy: str | None = None
    require: Path | None = None

    def read(self) -> Rules:
        """The policy and the profile themselves. UsageError or EvidenceError where one is none."""
        from audit.consistency.policy import load_policy
        from audit.requirements import read_profile

        return Rules(
            load_policy(self.policy) if self.policy else None,
            read_profile(self.require) if self.require else None,
        )


@dataclass(frozen=True)
class Rules:
    """What evidence is judged by."""

    policy: Policy | None
    profile: Profile | None

    def judge(self, folder: Path) -> Audit:
        """The audit of ``folder``, which is left in it."""
        from audit.judge import judge

        return judge(folder, self.policy, self.profile)


def show_audit(audit: Audit, as_json: bool) -> int:
    """The table, or audit.json, on standard output; exit 1 where a gate or a requirement fails.

    What could not be written beside the evidence is said on standard error.
    """
    from audit.judge import document
    from harness.report.table import render

    if as_json:
        say_json(document(audit))
    else:
        say(render(audit))
    for sentence in audit.unwritten:
        sys.stderr.write(f"{sentence}\n")
    return exits.FINE if audit.accepted else exits.FINDINGS


def audit_command(folders: Sequence[Path], judging: Judging, as_json: bool) -> int:
    """Judge one evidence folder again."""
    if len(folders) != 1:
        raise UsageError(
            f"An audit is of one evidence folder, not of {len(folders)}; name one, or run folders "
            "with --logs."
        )
    return show_audit(judging.read().judge(folders[0]), as_json)


def audit_logs_command(request: LogsRequest, output: Path | None, as_json: bool) -> int:
    """Judge another harness's logs; nothing is written but ``output``."""
    from harness.logs_audit import audit_logs, document
    from harness.report.logs import render

    audit = audit_logs(request)
    made = document(audit)
    if output is not None:
        write_named_json(output, made)
    if as_json:
        say_json(made)
    else:
        say(render(audit))
    return exits.FINE if audit.accepted else exits.FINDINGS


def agree_command(folders: Sequence[Path], policy: str | None, as_json: bool) -> int:
    """Every pair of accuracy runs; exit 1 if one differs more than the policy allows."""
    from audit.consistency.accuracy_runs import read_folders
    from audit.consistency.agreement import compare_all, disagreements
    from audit.consistency.document import agreement_document
    from audit.consistency.policy import STRICTEST, load_policy
    from audit.findings import errors
    from harness.report.agreement import render

    chosen = load_policy(policy or STRICTEST)
    pairs = compare_all(read_folders(folders))
    if as_json:
        say_json(agreement_document(pairs))
    else:
        say(render(pairs))
    return exits.FINDINGS if errors(disagreements(pairs, chosen)) else exits.FINE


def show_command(path: Path, form: str) -> int:
    """A result in one of several forms, on standard output."""
    from audit.result import read_result
    from harness.report.result import FORMATS, render

    if form not in FORMATS:
        raise UsageError(f"There is no format {form!r}; the formats are {', '.join(FORMATS)}.")
    say(render(read_result(path), form))
    return exits.FINE


def compare_command(paths: Sequence[Path], as_json: bool) -> int:
    """The first result against each of the others; what holds no result is left out and named.

    Exit 1 also where evidence that was named gave no result.
    """
    from harness.compared import compared

    chosen = compared(paths)
    for sentence in chosen.left_out:
        sys.stderr.write(f"Left out: {sentence}\n")
    code = show_comparison(chosen.results, as_json)
    return exits.FINDINGS if chosen.lacking else code


def show_comparison(results: Sequence[Result], as_json: bool) -> int:
    """The comparison on standard output; exit 1 where a scenario can't be compared."""
    from audit import schema
    from audit.comparison.comparing import compare_all
    from audit.comparison.document import comparison_document
    from harness.report.comparison import render

    comparisons = compare_all(results)
    if as_json:
        made = comparison_document(comparisons)
        schema.require(made, "comparison", "the comparison")
        say_json(made)
    else:
        say(render(comparisons))
    refused = any(scenario.why_not for one in comparisons for scenario in one.scenarios)
    return exits.FINDINGS if refused else exits.FINE
