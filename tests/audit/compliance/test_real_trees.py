"""Real submissions, whose tests were verified by other tools: the same numbers and verdicts."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.compliance import complaints
from audit.compliance.answers import compare_answers
from audit.compliance.speed import compare_speed
from audit.compliance.texts import verify_performance_text
from audit.compliance_tests import compliance_test
from audit.logs.loadgen_log import DetailLog, read_detail
from audit.rules import load_round
from tests.audit.logs.cut_logs import visible

_SCORE = re.compile(r"(?i)(?:reference|test) score = ([\d.]+)")
BENCHMARKS = {"resnet50": "resnet50", "bert-99": "bert"}


@pytest.fixture(scope="module", params=["R", "B", "N1"])
def tree(
    request: pytest.FixtureRequest, shared: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    root: Path = tmp_path_factory.mktemp(request.param)
    with tarfile.open(shared / f"cases/submissions/{request.param}.tar.gz") as archive:
        archive.extractall(root, filter="data")
    return root


def detail(folder: Path) -> DetailLog:
    return read_detail(folder / "performance/run_1/mlperf_log_detail.txt")


def compliance_runs(tree: Path) -> Iterator[tuple[Path, Path]]:
    """Each test's folder, and that of the result it belongs to."""
    for folder in sorted(tree.rglob("TEST0?")):
        parts = ["results" if part == "compliance" else part for part in folder.parent.parts]
        yield folder, Path(*parts)


def test_scores_and_verdicts_are_those_of_the_submission(tree: Path) -> None:
    seen = 0
    for folder, result in compliance_runs(tree):
        log, reference = detail(folder), detail(result)
        rules = load_round("v5.1").benchmark(BENCHMARKS[folder.parent.parent.name])
        metric = rules.metric(str(log.value("effective_scenario")))
        scores = [one.number(metric.key) or 0.0 for one in (reference, log)]
        rule = compliance_test(folder.name).speed
        speed = compare_speed(rule, str(log.value("effective_scenario")), metric, *scores)
        text = (folder / "verify_performance.txt").read_text("utf-8")
        assert speed.passed == ("TEST PASS" in text)
        ours = verify_performance_text(speed)
        assert [float(one) for one in _SCORE.findall(ours)] == pytest.approx(
            [float(one) for one in _SCORE.findall(text)], rel=1e-12
        )
        seen += 1
    assert seen in {2, 6}


def test_a_test_is_known_by_its_log_and_an_ordinary_run_is_none(tree: Path) -> None:
    for folder, result in compliance_runs(tree):
        test = compliance_test(folder.name)
        assert list(complaints.of_settings(test, detail(folder))) == []
        assert list(complaints.of_settings(test, detail(result)))


def test_visible_answers_of_both_logs_agree_as_the_submission_says(tree: Path) -> None:
    compared = 0
    for folder, result in compliance_runs(tree):
        if folder.name != "TEST01":
            continue
        accuracy = visible(result / "accuracy/mlperf_log_accuracy.json")
        known = {record.qsl_idx for record in accuracy}
        sampled = [
            one
            for one in visible(folder / "accuracy/mlperf_log_accuracy.json")
            if one.qsl_idx in known
        ]
        if "mismatch = 0\nnum_missing" in (folder / "verify_accuracy.txt").read_text("utf-8"):
            assert compare_answers(sampled, accuracy).same
            compared += len(sampled)
    assert compared or "bert-99" in {path.name for path in tree.rglob("bert-99")}
