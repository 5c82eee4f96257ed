"""How far accuracy runs agree, as a matrix of counts and a line for each pair that differs."""

from __future__ import annotations

from collections.abc import Sequence

from audit.consistency.agreement import Pair
from harness.report.width import fitted


def render(pairs: Sequence[Pair]) -> str:
    """Differing of compared samples for every pair of runs, then what is behind the counts."""
    names = list(dict.fromkeys(name for pair in pairs for name in (pair.first, pair.second)))
    if not names:
        return "There is only one accuracy run, so there is nothing to compare."
    counts = {
        frozenset((pair.first, pair.second)): f"{pair.differing} of {pair.compared}"
        for pair in pairs
    }
    numbers = range(1, len(names) + 1)
    rows = [
        [f"{number} {name}", *(counts.get(frozenset((name, other)), "·") for other in names)]
        for number, name in zip(numbers, names, strict=True)
    ]
    headings = ["samples that differ", *(str(number) for number in numbers)]
    table = fitted(rows, headings)
    lines = [line for pair in pairs if (line := _line(pair))]
    return "\n".join([table, *([""] if lines else []), *lines])


def _line(pair: Pair) -> str:
    """What there is to say of a pair beyond its counts; empty where there is nothing."""
    facts = []
    if pair.samples:
        more = " …" if pair.differing > len(pair.samples) else ""
        facts.append(f"samples {', '.join(map(str, pair.samples))}{more}")
    if pair.only_in_one:
        facts.append(f"{pair.only_in_one} samples in one only")
    if pair.logits and pair.logits.value:
        facts.append(
            f"largest logit difference {pair.logits.value:.3g} (sample {pair.logits.sample})"
        )
    return f"{pair.first} / {pair.second}: {'; '.join(facts)}" if facts else ""
