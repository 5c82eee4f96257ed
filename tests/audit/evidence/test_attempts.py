"""Earlier attempts at a run: a failed or a too short one is told, a chosen one is refused."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit.findings import Finding
from audit.judge import judge
from audit.logs.loadgen_log import parse_detail, read_detail
from audit.runs.too_short import only_too_short
from tests.audit.written_evidence import DETAIL, Evidence
from tests.audit.written_logs import line, performance, write_detail

SHORT = {"result_validity": "INVALID", "result_min_duration_met": False}


@pytest.mark.parametrize("scenario", ["Offline", "SingleStream", "MultiStream"])
def test_a_run_may_be_made_again_where_its_duration_alone_was_not_met(
    tmp_path: Path, scenario: str
) -> None:
    write_detail(tmp_path / DETAIL, performance(scenario, **SHORT))
    assert only_too_short(read_detail(tmp_path / DETAIL))


@pytest.mark.parametrize(
    ("scenario", "changes"),
    [
        ("Offline", {}),
        ("Offline", {**SHORT, "result_validity": "VALID"}),
        ("Offline", {"result_validity": "INVALID"}),
        ("SingleStream", {**SHORT, "early_stopping_met": False}),
        ("MultiStream", {**SHORT, "result_min_queries_met": False}),
        ("Server", SHORT),
        ("Server", {**SHORT, "result_perf_constraints_met": False}),
    ],
)
def test_no_other_run_may(tmp_path: Path, scenario: str, changes: dict[str, Any]) -> None:
    write_detail(tmp_path / DETAIL, performance(scenario, **changes))
    assert not only_too_short(read_detail(tmp_path / DETAIL))


RAN_OUT = (
    "Ending early: Ran out of generated queries to issue before the minimum query count and test "
    "duration were reached."
)


@pytest.mark.parametrize(
    ("key", "text", "allowed"),
    [
        ("error_runtime", RAN_OUT, True),
        ("error_runtime", "A sample was completed twice.", False),
        ("error_invalid_config", RAN_OUT, False),
    ],
)
def test_of_error_lines_it_may_have_the_one_that_says_so(
    tmp_path: Path, key: str, text: str, *, allowed: bool
) -> None:
    entries = performance("SingleStream", **SHORT, num_errors=1)
    write_detail(tmp_path / DETAIL, entries, line(key, text, is_error=True))
    assert only_too_short(read_detail(tmp_path / DETAIL)) is allowed


def test_a_log_that_says_nothing_allows_nothing() -> None:
    assert not only_too_short(parse_detail(b"", "empty"))


def _again(evidence: Evidence, **first: Any) -> list[Finding]:
    """Findings where run_2 is a second attempt, whose ``first`` had these entries in its log."""
    run = evidence.run(repeat=2)
    kept = evidence.folder / "attempts" / run.relative_to(evidence.folder) / "attempt_1"
    evidence.change_record(run, lambda record: record.update(attempt=2))
    shutil.copytree(run, kept)
    write_detail(kept / DETAIL, performance("Offline", **first))
    audit = judge(evidence.root)
    return [one for one in audit.findings if one.rule.startswith("run.")]


def test_a_run_that_was_too_short_at_first_holds_and_says_so(tmp_path: Path) -> None:
    (found,) = _again(Evidence(tmp_path), **SHORT)
    assert (found.rule, found.severity) == ("run.lengthened", "warning")
    assert "run_2/attempt_1 was too short and nothing else: 603 s of at least" in found.sentence
    assert (tmp_path / "result.json").exists()


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"result_samples_per_second": 1.0},
        {"result_validity": "INVALID", "early_stopping_met": False},
    ],
    ids=["valid", "slower", "invalid for its result"],
)
def test_a_run_that_was_made_again_for_its_result_is_refused(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    (found,) = _again(Evidence(tmp_path), **changes)
    assert (found.rule, found.severity) == ("run.chosen", "error")
    assert "run_2/attempt_1 had finished" in found.sentence
    assert not (tmp_path / "result.json").exists()


def _valid_before(log: Path) -> None:
    """Another log that would allow a repetition, if the run had left it."""
    write_detail(log, performance("Offline", **SHORT, result_samples_per_second=1.0))


@pytest.mark.parametrize("spoil", [Path.unlink, lambda log: log.write_text("{}"), _valid_before])
def test_an_attempt_that_is_not_as_it_was_left_counts_as_chosen(
    tmp_path: Path, spoil: Callable[[Path], object]
) -> None:
    evidence = Evidence(tmp_path)
    _again(evidence, **SHORT)
    (log,) = tmp_path.glob(f"attempts/**/{DETAIL}")
    spoil(log)
    (found,) = [one for one in judge(evidence.folder).findings if one.rule.startswith("run.")]
    assert found.rule == "run.chosen"


@pytest.mark.parametrize("spoil", ["edited", "cut", "removed"])
def test_an_attempt_that_is_lost_or_changed_into_a_failed_one_is_an_error(
    tmp_path: Path, spoil: str
) -> None:
    evidence = Evidence(tmp_path)
    _again(evidence, **SHORT)
    (record,) = tmp_path.glob("attempts/**/run.json")
    if spoil == "edited":
        text = record.read_text()
        record.write_text(text.replace('"outcome": "finished"', '"outcome": "failed"'))
        assert record.read_text() != text
    elif spoil == "cut":
        record.write_text("{")
    else:
        shutil.rmtree(tmp_path / "attempts")
    (found,) = [one for one in judge(evidence.folder).findings if one.rule.startswith("run.")]
    assert (found.rule, found.severity) == ("run.attempts_lost", "error")
    assert "is attempt 2, but of those before it 1 are missing" in found.sentence


def test_repeats_may_differ_in_what_only_decides_their_length(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path)
    evidence.specs[2]["loadgen"]["target_qps"] = 55.0
    evidence.respec()
    assert "consistency.unlike" not in {one.rule for one in judge(evidence.root).findings}
    evidence.specs[2]["batching"] = {**evidence.specs[2]["batching"], "max_batch": 4}
    evidence.respec()
    assert "consistency.unlike" in {one.rule for one in judge(evidence.root).findings}
