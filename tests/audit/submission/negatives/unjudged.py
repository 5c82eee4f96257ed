"""Trees that this checker can't judge, or fails to."""

from __future__ import annotations

from collections.abc import Iterator

from audit.submission.findings import Finding
from audit.submission.subject import Subject
from tests.audit.submission.negatives import breaks
from tests.audit.submission.trees import SampleTree, write


def _broken(subject: Subject) -> Iterator[Finding]:
    """A check with a defect."""
    raise ZeroDivisionError(subject.entry.name)
    yield


@breaks("INT-001", checks=(_broken,))
def good_tree_and_a_broken_check(tree: SampleTree) -> None:
    pass


@breaks("ENT-001")
def benchmark_that_is_not_scored(tree: SampleTree) -> None:
    bert = tree.of("bert-99").results().parent
    bert.rename(bert.with_name("3d-unet-99"))


@breaks("ENT-001")
def measured_by_the_endpoints_harness(tree: SampleTree) -> None:
    results = tree.results()
    for kept in ("performance", "accuracy"):
        (results / kept).rename(tree.code / f"{kept}-of-loadgen")
    write(results / "config.yaml", "name: x\n")
    write(results / "performance" / "result_summary.json", "{}")
    write(results / "accuracy" / "accuracy_results.json", "{}")
