"""What a user reads of repeats and answers: the verdict, its interval, and the samples."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.consistency.agreement import LogitDifference, Pair
from audit.consistency.policy import load_policy
from audit.judge import judge
from datasets.errors import UsageError
from harness import exits
from harness.commands.evidence import Judging, agree_command, audit_command
from harness.report.agreement import render as render_agreement
from harness.report.table import render
from tests.audit.written_evidence import Evidence, right_answers
from tests.audit.written_logs import write_accuracy


def _lines(evidence: Evidence, policy: str | None = None) -> list[str]:
    chosen = load_policy(policy) if policy else None
    return render(judge(evidence.root, chosen)).splitlines()


def test_stable_runs_are_shown_with_their_intervals_and_policy(tmp_path: Path) -> None:
    lines = _lines(Evidence(tmp_path / "evidence", ("Offline", "Server"), repeats=5))
    start = lines.index(
        "Repeats, judged by the quick policy (wide: an ordinary busy machine gets its result, "
        "with the spread shown):"
    )
    assert lines[start + 1] == (
        "  - Offline: stable; mean 101 to 105 samples/s, CV 0.9 to 4.4 %, limit 15 %"
    )
    assert lines[start + 2].startswith("  - Server: stable; mean 79.9 to 79.9 queries/s")
    assert lines[start + 3] == "  - answers: 2 accuracy runs agree on every sample"


def test_a_wide_spread_under_the_quick_policy_is_shown_and_no_failure(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence", repeats=5)
    for repeat, rate in enumerate((100.0, 130.0, 80.0, 115.0, 70.0), 1):
        evidence.change_log(evidence.run(repeat=repeat), result_samples_per_second=rate)
    lines = _lines(evidence)
    assert any(", unstable" in line for line in lines if line.startswith("Offline"))
    assert any(line.startswith("warning: resnet50/Offline is ") for line in lines)
    assert any("runs to be sure" in line for line in lines)
    assert any(line.startswith("Result: ") for line in lines)
    strict = _lines(evidence, "qualification")
    assert any(line.startswith("error: resnet50/Offline is ") for line in strict)
    assert "  - repeats agree as far as the policy demands" in strict


def test_too_few_runs_say_how_many_are_needed(tmp_path: Path) -> None:
    three = _lines(Evidence(tmp_path / "three", repeats=3))
    assert any("Offline: not enough runs (3 of 5); mean " in line for line in three)
    one = _lines(Evidence(tmp_path / "one", repeats=1))
    assert "  - Offline: not enough runs, 5 needed" in one


def test_an_answer_that_differs_is_named_below_the_table(tmp_path: Path) -> None:
    evidence = _one_flipped(tmp_path / "evidence")
    assert (
        "  - answers: 1 of 50 samples differ between resnet50/Offline/accuracy and "
        "resnet50/Server/accuracy, first sample 7"
    ) in _lines(evidence)


def test_a_matrix_of_two_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _one_flipped(tmp_path / "a")
    Evidence(tmp_path / "b", ("Offline", "Server"), repeats=1)
    assert agree_command([tmp_path / "a", tmp_path / "b"], None, False) == exits.FINE
    said = capsys.readouterr().out.splitlines()
    assert said[2].split() == ["1", "a/Offline", "·", "1", "of", "50", *["0", "of", "50"] * 2]
    assert "a/Offline / a/Server: samples 7" in said


def test_more_differing_answers_than_the_policy_allows_are_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evidence = Evidence(tmp_path / "a", ("Offline", "Server"), repeats=1)
    answers = right_answers()
    swapped = [*answers[:3], (3, answers[4][1]), (4, answers[3][1]), *answers[5:]]
    write_accuracy(evidence.run("Server", None) / "mlperf_log_accuracy.json", swapped)
    assert agree_command([tmp_path / "a"], None, True) == exits.FINDINGS
    assert '"differing": 2' in capsys.readouterr().out


def test_one_accuracy_run_has_nothing_to_agree_with() -> None:
    assert "only one accuracy run" in render_agreement([])


def test_logits_and_samples_that_one_lacks_are_told() -> None:
    pair = Pair("a", "b", 10, 2, 0, (), LogitDifference(0.125, 6))
    text = render_agreement([pair])
    assert "a / b: 2 samples in one only; largest logit difference 0.125 (sample 6)" in text


def test_an_unknown_policy_is_refused(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence")
    with pytest.raises(UsageError, match="no policy 'lax'"):
        audit_command([evidence.root], Judging("lax"), False)


def _one_flipped(root: Path) -> Evidence:
    evidence = Evidence(root, ("Offline", "Server"), repeats=1)
    answers = right_answers()
    answers[7] = (7, answers[8][1])
    write_accuracy(evidence.run("Server", None) / "mlperf_log_accuracy.json", answers)
    return evidence
