"""The text files that a submission holds for each compliance test.

Counts and scores stand in them as other checkers read them. They are there only for a test that
was judged: those of an earlier judgement go first.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from audit.accuracy.accuracy_txt import score_line
from audit.compliance.answers import AnswerComparison
from audit.compliance.speed import SpeedComparison
from audit.compliance.verified import BASELINE, COMPLIANCE, VERIFY_ACCURACY, VERIFY_PERFORMANCE
from audit.verdicts import ComplianceVerdict
from datasets.disk.files import atomic_write

ALL = (VERIFY_ACCURACY, VERIFY_PERFORMANCE, BASELINE, COMPLIANCE)


def write_texts(root: Path, verdict: ComplianceVerdict) -> None:
    """Write the files of ``verdict`` into its test's folder in the evidence at ``root``."""
    folder = root / verdict.benchmark / verdict.scenario / verdict.test
    texts = compliance_texts(verdict)
    for name in ALL:
        (folder / name).unlink(missing_ok=True)
    for name, text in texts.items():
        with atomic_write(folder / name) as file:
            file.write(text.encode())


def compliance_texts(verdict: ComplianceVerdict) -> Mapping[str, str]:
    """Every file's text by its name; none of a test that was not judged."""
    if verdict.outcome == "NOT JUDGED":
        return {}
    texts = {}
    if verdict.answers:
        texts[VERIFY_ACCURACY] = verify_accuracy_text(verdict.answers)
    if verdict.speed:
        texts[VERIFY_PERFORMANCE] = verify_performance_text(verdict.speed)
    if verdict.scores:
        texts[BASELINE] = score_line(verdict.scores.accuracy) + "\n"
        texts[COMPLIANCE] = score_line(verdict.scores.test) + "\n"
    return texts


def verify_accuracy_text(answers: AnswerComparison) -> str:
    """PASS only where all bytes agree; scores that agree all the same have files of their own."""
    return (
        "Verifying accuracy. This might take a while...\n"
        "Reading accuracy mode results...\n"
        "Reading performance mode results...\n"
        f"num_acc_log_entries = {answers.accuracy_answers}\n"
        f"num_acc_log_duplicate_keys = {answers.accuracy_repeats}\n"
        f"num_acc_log_data_mismatch = {answers.accuracy_conflicts}\n"
        f"num_perf_log_entries = {answers.sampled}\n"
        f"num_perf_log_qsl_idx_match = {answers.sampled - answers.missing}\n"
        f"num_perf_log_data_mismatch = {answers.differing}\n"
        f"num_missing_qsl_idxs = {answers.missing}\n"
        f"TEST {'PASS' if answers.same else 'FAIL'}\n\n"
    )


def verify_performance_text(speed: SpeedComparison) -> str:
    """Both scores and the verdict on them."""
    difference = f"{speed.difference_percent:+.2f} %, limit {speed.limit_percent:g} %"
    return (
        "Verifying performance.\n"
        f"reference score = {speed.reference}\n"
        f"test score = {speed.test}\n"
        f"TEST {'PASS' if speed.passed else f'FAIL: {difference}'}\n"
    )
