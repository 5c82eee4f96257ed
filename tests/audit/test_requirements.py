"""Acceptance profiles: every line passes or fails with its margin, and no profile is misread."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit import schema
from audit.judge import judge
from audit.requirements import Acceptance, Line, read_profile
from datasets.disk.files import sha256_of, write_json
from datasets.errors import EvidenceError
from harness import exits
from harness.cli.app import app, guarded
from harness.report.requirements import requirement_lines
from tests.audit.written_evidence import Evidence

SCENARIOS = ("Offline", "Server", "SingleStream", "MultiStream")
MET: dict[str, Any] = {
    "resnet50": {
        "min_accuracy": 100,
        "scenarios": {
            "Offline": {"min_samples_per_s": 102, "max_cv_percent": 1, "min_runs": 3},
            "Server": {"min_queries_per_s": 50, "max_latency_ms": 15},
            "SingleStream": {"max_latency_ms": 10.5},
            "MultiStream": {"max_latency_ms": 100},
        },
    },
}


@pytest.fixture
def evidence(tmp_path: Path) -> Evidence:
    return Evidence(tmp_path / "evidence", SCENARIOS)


def profile(folder: Path, benchmarks: Any, **more: Any) -> Path:
    path = folder / "requirements.json"
    head = {"schema": "loadproof/requirements", "version": 1, "name": "node-a"}
    write_json(path, {**head, "benchmarks": benchmarks, **more})
    return path


def accepted(evidence: Evidence, benchmarks: Any) -> Acceptance:
    """The acceptance by a profile; it also stands in both files."""
    asked = read_profile(profile(evidence.root.parent, benchmarks))
    acceptance = judge(evidence.root, None, asked).acceptance
    assert acceptance is not None
    for name in ("audit", "result"):
        document = schema.read(evidence.root / f"{name}.json", name)
        assert document["requirements"] == acceptance.document()
    return acceptance


def scenarios(**limits: Any) -> dict[str, Any]:
    return {"resnet50": {"scenarios": limits}}


def test_a_system_that_reaches_everything_is_accepted(evidence: Evidence) -> None:
    acceptance = accepted(evidence, MET)
    assert acceptance.passed
    assert [line.passed for line in acceptance.lines] == [True] * 8
    measured = {(line.scenario, line.quantity): line.measured for line in acceptance.lines}
    assert measured == {
        (None, "min_accuracy"): 100.0,
        ("Offline", "min_samples_per_s"): 102.0,
        ("Offline", "max_cv_percent"): pytest.approx(100 / 102),
        ("Offline", "min_runs"): 3,
        ("Server", "min_queries_per_s"): 79.9,
        ("Server", "max_latency_ms"): 12.0,
        ("SingleStream", "max_latency_ms"): 10.5,
        ("MultiStream", "max_latency_ms"): 81.0,
    }


@pytest.mark.parametrize(
    ("scenario", "limits", "measured", "margin_percent"),
    [
        ("Offline", {"min_samples_per_s": 204}, 102.0, -50.0),
        ("Offline", {"max_cv_percent": 0.5}, 100 / 102, -100 * (200 / 102 - 1)),
        ("Offline", {"min_runs": 5}, 3, -40.0),
        ("Server", {"min_queries_per_s": 79.91}, 79.9, 100 * (79.9 / 79.91 - 1)),
        ("Server", {"max_latency_ms": 10}, 12.0, -20.0),
        ("SingleStream", {"max_latency_ms": 10}, 10.5, -5.0),
        ("MultiStream", {"max_latency_ms": 54}, 81.0, -50.0),
    ],
)
def test_a_line_that_is_missed_fails_by_its_margin_and_the_result_stays(
    evidence: Evidence,
    scenario: str,
    limits: dict[str, float],
    measured: float,
    margin_percent: float,
) -> None:
    acceptance = accepted(evidence, scenarios(**{scenario: limits}))
    (line,) = acceptance.lines
    assert not line.passed
    assert not acceptance.passed
    assert line.measured == pytest.approx(measured)
    assert line.margin_percent == pytest.approx(margin_percent)


def test_accuracy_is_that_of_the_worst_scenario(evidence: Evidence) -> None:
    (line,) = accepted(evidence, {"resnet50": {"min_accuracy": 90}}).lines
    assert line.measured == 100.0
    assert line.margin_percent == pytest.approx(100 / 9)


def test_what_was_not_measured_is_not_met(tmp_path: Path) -> None:
    only = Evidence(tmp_path / "evidence", ("Offline",), repeats=1)
    acceptance = accepted(only, scenarios(Server={"min_runs": 1}, Offline={"max_cv_percent": 50}))
    assert [line.measured for line in acceptance.lines] == [None, None]
    assert not acceptance.passed
    assert [line.margin_percent for line in acceptance.lines] == [None, None]


def test_a_profile_without_a_line_about_the_benchmark_accepts_nothing(evidence: Evidence) -> None:
    acceptance = accepted(evidence, {"bert": {"min_accuracy": 90}})
    assert not acceptance.passed
    assert acceptance.not_judged == ("bert",)
    (said,) = requirement_lines(acceptance)
    assert said.endswith("NOT MET, no line is about what was measured, only bert")


def test_a_profile_is_known_by_its_content(evidence: Evidence) -> None:
    acceptance = accepted(evidence, MET)
    assert acceptance.profile.sha256 == sha256_of(evidence.root.parent / "requirements.json")


def test_without_a_profile_nothing_is_said_of_requirements(evidence: Evidence) -> None:
    audit = judge(evidence.root)
    assert audit.acceptance is None
    assert audit.accepted
    assert schema.read(evidence.root / "audit.json", "audit")["requirements"] is None
    assert list(requirement_lines(None)) == []


def test_nothing_is_accepted_where_the_evidence_does_not_hold(evidence: Evidence) -> None:
    evidence.change_log(evidence.run(repeat=2), result_validity="INVALID")
    asked = read_profile(profile(evidence.root.parent, scenarios(Offline={"min_samples_per_s": 1})))
    audit = judge(evidence.root, None, asked)
    assert audit.acceptance is not None
    assert audit.acceptance.passed
    assert not audit.accepted


@pytest.mark.parametrize(
    ("benchmarks", "said"),
    [
        ({"resnet": {"min_accuracy": 1}}, "no 'resnet', the nearest name is 'resnet50'"),
        ({"gpt": {}}, "no 'gpt', the names are bert, resnet50"),
        (scenarios(offline={"min_runs": 1}), "no 'offline', the nearest name is 'Offline'"),
        (
            scenarios(Offline={"min_sample_per_s": 1}),
            "no 'min_sample_per_s', the nearest name is 'min_samples_per_s'",
        ),
        (scenarios(Offline={"max_latency_ms": 1}), "no 'max_latency_ms'"),
        (scenarios(SingleStream={"min_samples_per_s": 1}), "no 'min_samples_per_s'"),
        (scenarios(Offline={"min_samples_per_s": "fast"}), "'fast' is not of type 'number'"),
        (scenarios(Offline={"min_samples_per_s": 0}), "minimum of 0"),
        (scenarios(Offline={}), "should be non-empty"),
        ({"resnet50": {"min_accuracy": 101}}, "maximum of 100"),
        ({}, "should be non-empty"),
    ],
)
def test_a_profile_that_makes_no_sense_is_refused_with_the_place(
    tmp_path: Path, benchmarks: Any, said: str
) -> None:
    with pytest.raises(EvidenceError, match="requirements") as refused:
        read_profile(profile(tmp_path, benchmarks))
    assert said in str(refused.value)


def test_the_command_says_which_line_fails_and_ends_with_1(
    evidence: Evidence, capsys: pytest.CaptureFixture[str]
) -> None:
    missed = profile(evidence.root.parent, scenarios(Offline={"min_samples_per_s": 204}))
    words = ["audit", str(evidence.root), "--require", str(missed)]
    assert guarded(lambda: app(words)) == exits.FINDINGS
    said = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "Requirements of node-a: NOT MET, 1 of 1 fail" in said
    assert "Offline min_samples_per_s ≥ 204 102 -50.0 % FAIL" in said
    assert any(line.startswith("Result: ") for line in said)
    met = profile(evidence.root.parent, MET)
    assert guarded(lambda: app([*words[:3], str(met)])) == exits.FINE
    assert "Requirements of node-a: met" in capsys.readouterr().out
    assert guarded(lambda: app([*words, "--json"])) == exits.FINE
    assert json.loads(capsys.readouterr().out)["requirements"]["passed"] is True


def test_a_limit_that_is_just_reached_is_met() -> None:
    assert Line("Offline", "min_samples_per_s", 100.0, 100.0).passed
    assert Line("SingleStream", "max_latency_ms", 2.0, 2.0).passed
    assert Line("SingleStream", "max_latency_ms", 2.0, 2.0).margin_percent == 0
