"""Under which of a round's names a benchmark is submitted: BERT has two, by its accuracy."""

from __future__ import annotations

from audit.rules import BenchmarkRules, Round, common_rules, load_round
from audit.submission.packaging.choosing import Chosen
from audit.submission.packaging.request import Request
from datasets.errors import UsageError


def benchmark_folder(chosen: Chosen, request: Request) -> str:
    """The name that was asked for where the benchmark has it; else our name where the round knows
    it too (``resnet50``), else the round's own (``bert-99``).

    UsageError where the closed division demands a higher score of the name that was asked for.
    """
    rules, ours, asked = load_round(chosen.plan.round), chosen.plan.benchmark, request.benchmark
    named = _named(rules, ours, asked)
    if named is not None and asked is not None:
        if request.division == "closed":
            _require_score(chosen, named, asked)
        return asked
    return ours if rules.listed(ours) else rules.benchmark(ours).name


def require_name(asked: str, rules: Round, benchmarks: set[str]) -> None:
    """UsageError where none of ``benchmarks`` may be submitted as ``asked``."""
    if not any(_named(rules, ours, asked) for ours in benchmarks):
        names = {name for ours in benchmarks for name in _names(rules, ours)}
        raise UsageError(
            f"None of the evidence can be submitted as {asked!r} in {rules.name}; it can as "
            f"{', '.join(sorted(names))}."
        )


def _named(rules: Round, ours: str, asked: str | None) -> BenchmarkRules | None:
    return rules.listed(asked) if asked is not None and asked in _names(rules, ours) else None


def _names(rules: Round, ours: str) -> list[str]:
    """The names that are scored in the same way: they differ in their target alone."""
    metric = rules.benchmark(ours).accuracy_target.metric
    found = []
    for name in common_rules()["scored"]:
        listed = rules.listed(name)
        if listed and listed.accuracy_target and listed.accuracy_target.metric == metric:
            found.append(name)
    return found


def _require_score(chosen: Chosen, named: BenchmarkRules, asked: str) -> None:
    score, target = chosen.accuracy.score.value, named.accuracy_target
    if target is not None and score < target.value:
        raise UsageError(
            f"{chosen.folder.name} scores {score:.3f} in {chosen.verdict.scenario}, and {asked} "
            f"demands {target.value:.3f}; submit it under another name."
        )
