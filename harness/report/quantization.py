"""What ``loadproof quantize`` shows: one document of schema ``quantization``, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tabulate import tabulate

from harness.benchmarks import benchmark_named
from harness.report.width import fitted
from harness.variants.wanted import SOURCE_PRECISION

Document = Mapping[str, Any]


def render(document: Document) -> str:
    """Both sides in a table where they were compared, then the facts; no trailing newline."""
    facts = tabulate([*_facts(document)], tablefmt="plain", disable_numparse=True)
    check = document["check"]
    if check is None:
        return f"{facts}\n\nNot checked. It is no candidate before this has passed:\n  " + str(
            document["qualify"]
        )
    return "\n\n".join([_table(document, check), facts, _verdict(document, check)])


def _table(document: Document, check: Document) -> str:
    score = benchmark_named(document["benchmark"]).metric_title
    low, middle, high = (check["ratio"][key] for key in ("low", "median", "high"))
    speeds = ("1 ×", f"{middle:.2f} × ({low:.2f} to {high:.2f})")
    target = check["target"]["value"]
    named = zip((SOURCE_PRECISION, document["precision"]), check["sides"], speeds, strict=True)
    rows = [_row(precision, side, target, speed) for precision, side, speed in named]
    headings = ("precision", score, "gate", "margin", "samples/s", "speed (quartiles)")
    return fitted(rows, headings)


def _row(precision: str, side: Document, target: float, speed: str) -> tuple[str, ...]:
    sign, word = ("≥", "passed") if side["passed"] else ("<", "MISSED")
    score = f"{side['accuracy']:.3f} {sign} {target:.3f}"
    return precision, score, word, side["margin"], f"{side['samples_per_s']:.4g}", speed


def _facts(document: Document) -> Iterator[tuple[str, str]]:
    yield "model", document["model"]
    yield "made from", document["source"]["name"]
    yield "method", document["method"]
    calibration = document["calibration"]
    if calibration is not None:
        yield "calibration", "{name}: {samples} {about}".format(**calibration)
    if document["check"] is not None:
        check = document["check"]
        yield (
            "compared on",
            f"{document['dataset']}, {check['samples']} samples, batch {check['batch']}",
        )
    yield "target", document["check"]["target"]["source"] if document["check"] else "not checked"
    yield "expected", document["expected"]
    yield "division", document["division"]


def _verdict(document: Document, check: Document) -> str:
    if check["sides"][1]["passed"]:
        return f"Qualify it in all scenarios:\n  {document['qualify']}"
    return (
        f"The {document['precision']} variant misses the accuracy target: it is no candidate for "
        "any division, and `loadproof qualify` will give it no result."
    )
