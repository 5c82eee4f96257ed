"""Whether a submission is of another round than the one that it was checked by.

One wrong option makes every run of a good submission break a rule; what the runs and folders say
together tells it in one sentence. It is advice and changes no verdict.
"""

from __future__ import annotations

from dataclasses import asdict

from audit.rules import load_round, round_names
from audit.submission.check import Checked
from audit.submission.files import join
from audit.submission.layout import layout_of, other_folders

SEED_RULES = ("PERF-009", "ACC-006")
"""What every entry breaks whose runs have the seeds of another round."""


def other_round(checked: Checked) -> str | None:
    """The advice, with its reason; None where nothing tells of another round."""
    return _by_seeds(checked) or _by_layout(checked)


def _by_seeds(checked: Checked) -> str | None:
    broken = [one for one in checked.findings if one.rule in SEED_RULES]
    found = {one.found for one in broken}
    entries = {one.entry.name for one in checked.verdicts}
    if not found or {one.entry for one in broken} != entries:
        return None
    for name in round_names():
        if found <= {str(seed) for seed in asdict(load_round(name).seeds).values()}:
            return f"All seeds are {name}'s: check with --round {name}."
    return None


def _by_layout(checked: Checked) -> str | None:
    """By folders that only another layout has, where every submitter has one and lacks ours."""
    submission = checked.submission
    layout, tree = submission.layout, submission.tree
    foreign, folders = other_folders(layout), [one.folder for one in submission.submitters]
    seen = {name for name in foreign if any(tree.is_folder(join(one, name)) for one in folders)}
    told = all(
        any(tree.is_folder(join(one, name)) for name in foreign)
        and not tree.is_folder(join(one, layout.code))
        for one in folders
    )
    others = [name for name in round_names() if layout_of(name).name != layout.name]
    if not seen or not told:
        return None
    return (
        f"The folders {', '.join(sorted(seen))} are those of another round's layout: check with "
        f"--round {' or '.join(others)}."
    )
