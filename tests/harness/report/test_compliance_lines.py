"""What is said of compliance tests below the table."""

from __future__ import annotations

from pathlib import Path

from audit.judge import judge
from harness.report.table import render
from tests.audit.compliance.records import floats
from tests.audit.compliance.tested import WithTests
from tests.audit.written_evidence import COUNT, Evidence, right_answers


def lines(evidence: Evidence) -> list[str]:
    return render(judge(evidence.root)).splitlines()


def test_each_test_has_a_line_with_its_verdict_and_numbers(tmp_path: Path) -> None:
    said = lines(WithTests(tmp_path / "evidence"))
    place = said.index("Compliance tests:")
    assert said[place + 1 : place + 3] == [
        "  - Offline TEST01: PASS (score +0.0 %, limit ±10 %, 0 of 50 sampled answers differ)",
        "  - Offline TEST04: PASS (score +0.0 %, limit +10 %)",
    ]
    assert any(line.startswith("Result: ") for line in said)


def test_a_failure_is_an_error_with_its_numbers_and_closes_the_gate(tmp_path: Path) -> None:
    evidence = WithTests(tmp_path / "evidence")
    evidence.sample([(0, floats(-1)), *right_answers()[1:], (COUNT, floats(1))])
    evidence.change_test("TEST04", result_samples_per_second=202.0)
    said = lines(evidence)
    assert (
        "  - Offline TEST01: FAIL (score +0.0 %, limit ±10 %, 1 of 51 sampled answers differ, "
        "1 are missing)"
    ) in said
    assert "  - Offline TEST04: FAIL (score +100.0 %, limit +10 %)" in said
    assert "  - every compliance test that can be judged passes" in said
    errors = [line for line in said if line.startswith("error: resnet50/Offline/TEST0")]
    assert len(errors) == 3
    assert not any(line.startswith("Result: ") for line in said)


def test_a_test_is_no_repeat_of_its_scenario(tmp_path: Path) -> None:
    (row,) = [line for line in lines(WithTests(tmp_path / "e")) if line.startswith("Offline ")]
    assert " 1 run " in row
    assert " VALID " in row


def test_without_tests_nothing_is_said_of_them(tmp_path: Path) -> None:
    assert "Compliance tests:" not in lines(Evidence(tmp_path / "evidence"))
