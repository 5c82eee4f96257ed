"""Logs of another harness, without plan or record: what is judged, and what is refused."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from audit import schema
from harness import exits
from harness.cli.app import app, guarded
from tests.audit.written_logs import accuracy, line, performance, write_accuracy, write_detail

LABELS = (3, 999, 0, 17)


class Logs:
    """Logs of a good Offline run and its accuracy run over four labels; a test spoils one thing."""

    def __init__(self, root: Path, scenario: str = "Offline") -> None:
        self.root = root
        self.labels = root / "labels.txt"
        self.labels.write_text("".join(f"{n}.JPEG {label}\n" for n, label in enumerate(LABELS)))
        self.accuracy = root / "accuracy"
        write_detail(self.accuracy / "mlperf_log_detail.txt", accuracy(scenario))
        self.answer((index, struct.pack("<f", label)) for index, label in enumerate(LABELS))
        self.performance(1, performance(scenario))

    def run(self, number: int = 1) -> Path:
        return self.root / "performance" / f"run_{number}"

    def performance(self, number: int, entries: dict[str, Any], more: str = "") -> None:
        write_detail(self.run(number) / "mlperf_log_detail.txt", entries, more)

    def answer(self, answers: Iterable[tuple[int, bytes]]) -> None:
        write_accuracy(self.accuracy / "mlperf_log_accuracy.json", answers)

    def audit(self, *more: str | Path) -> Result:
        folders = (self.accuracy, self.root / "performance")
        known = ("--benchmark", "resnet50", "--labels", self.labels)
        words = map(str, ("audit", "--logs", *folders, *known, *more))
        return CliRunner().invoke(app, list(words))

    def verdict(self, *more: str | Path) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.audit("--json", *more).stdout)
        schema.require(document, "logs", "the output")
        return document

    def errors(self, *more: str | Path) -> list[str]:
        found = self.verdict(*more)["findings"]
        return [one["rule"] for one in found if one["severity"] == "error"]


@pytest.fixture
def logs(tmp_path: Path) -> Logs:
    return Logs(tmp_path)


def test_good_logs_are_scored_measured_and_compared_with_the_round(logs: Logs) -> None:
    verdict = logs.verdict()
    assert verdict["passed"]
    assert verdict["scenario"] == "Offline"
    scored, measured = verdict["runs"]
    assert scored["mode"] == "accuracy"
    assert (scored["accuracy"]["value"], scored["accuracy"]["total"]) == (100.0, 4)
    assert scored["accuracy"]["target_source"] == "closed division of v6.1"
    assert scored["accuracy"]["dtype"] == "float32"
    assert measured["loadgen"] == "VALID"
    assert measured["metric"]["value"] == 109.5
    assert measured["metric"]["file"].endswith("performance/run_1/mlperf_log_detail.txt")
    assert verdict["comparable"], verdict["why_not_comparable"]
    assert verdict["consistency"] is None


def test_nothing_is_written_but_the_output_asked_for(logs: Logs, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    done = logs.audit()
    assert done.exit_code == exits.FINE
    assert "Nothing speaks against these numbers." in done.stdout
    assert sorted(tmp_path.rglob("*")) == before
    output = tmp_path / "verdict.json"
    assert logs.audit("--output", output).exit_code == exits.FINE
    assert schema.read(output, "logs")["passed"] is True


def test_another_round_is_judged_by_its_own_seeds(logs: Logs) -> None:
    verdict = logs.verdict("--round", "v5.0")
    assert verdict["passed"]
    assert not verdict["comparable"]
    assert any("qsl_rng_seed" in reason for reason in verdict["why_not_comparable"])


def test_an_invalid_run_is_explained_and_its_number_is_not_shown(logs: Logs) -> None:
    changes = {"result_validity": "INVALID", "result_min_duration_met": False}
    logs.performance(1, performance("Offline", **changes, result_max_latency_ns=5e9))
    done = logs.audit()
    assert done.exit_code == exits.FINDINGS
    assert "the run lasted 5 s instead of at least 600 s" in done.stdout
    assert "109.5" not in done.stdout


def test_a_valid_run_with_an_error_line_does_not_pass(logs: Logs) -> None:
    logs.performance(1, performance("Offline"), line("trouble", "it broke", is_error=True))
    assert "run.valid_with_errors" in logs.errors()


def test_a_score_below_the_round_s_target_does_not_pass(logs: Logs) -> None:
    logs.answer((index, struct.pack("<f", 0)) for index in range(4))
    assert logs.errors() == ["accuracy.below_target"]


def test_a_log_that_does_not_answer_everything_is_not_scored(logs: Logs) -> None:
    logs.answer([(0, struct.pack("<f", 3))])
    assert logs.errors() == ["accuracy.not_scoreable"]


@pytest.mark.parametrize(("dtype", "form"), [("int32", "<i"), ("int64", "<q"), ("float32", "<f")])
def test_the_type_of_the_answers_is_found_or_stated(logs: Logs, dtype: str, form: str) -> None:
    logs.answer((index, struct.pack(form, label)) for index, label in enumerate(LABELS))
    for more in ((), ("--dtype", dtype)):
        assert logs.verdict(*more)["runs"][0]["accuracy"]["dtype"] == dtype


def test_a_stated_type_that_is_wrong_scores_nothing(logs: Logs) -> None:
    assert logs.errors("--dtype", "int32") == ["accuracy.not_scoreable"]


def test_labels_that_are_none_leave_the_rest_judged(logs: Logs) -> None:
    logs.labels.write_text("name label\n")
    verdict = logs.verdict()
    assert not verdict["passed"]
    assert "line 1" in verdict["findings"][0]["sentence"]
    assert verdict["runs"][1]["metric"]["value"] == 109.5


def test_repeats_are_judged_where_a_policy_is_named(logs: Logs) -> None:
    for number in range(2, 6):
        logs.performance(number, performance("Offline"))
    verdict = logs.verdict("--policy", "qualification")
    assert verdict["passed"]
    assert verdict["consistency"]["verdict"] == "stable"
    assert [run["folder"][-1] for run in verdict["runs"][1:]] == list("12345")


def test_runs_of_another_scenario_are_named(logs: Logs) -> None:
    write_detail(logs.accuracy / "mlperf_log_detail.txt", accuracy("Server"))
    assert logs.errors() == ["logs.other_scenario"]
    assert "logs.other_scenario" in logs.errors("--scenario", "singlestream")


def test_without_one_of_the_modes_it_does_not_pass(logs: Logs) -> None:
    write_detail(logs.accuracy / "mlperf_log_detail.txt", performance("Offline"))
    assert "accuracy.absent" in logs.errors()
    logs.performance(1, accuracy("Offline"))
    write_detail(logs.accuracy / "mlperf_log_detail.txt", accuracy("Offline"))
    assert "logs.no_performance" in logs.errors()


@pytest.mark.parametrize("benchmark", ["resnet50", "bert"])
def test_nobody_is_asked_for_what_is_right_where_nothing_is_scored(
    logs: Logs, benchmark: str
) -> None:
    path = logs.root / "node.json"
    demanded = {benchmark: {"scenarios": {"Offline": {"min_samples_per_s": 100}}}}
    head = {"schema": "loadproof/requirements", "version": 1, "name": "node"}
    path.write_text(json.dumps({**head, "benchmarks": demanded}), "utf-8")
    words = ["audit", "--logs", logs.run(), "-b", benchmark, "--require", path, "--json"]
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == exits.FINDINGS
    verdict = json.loads(done.stdout)
    assert verdict["requirements"]["passed"]
    assert "accuracy.absent" in [one["rule"] for one in verdict["findings"]]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["audit", "--logs", "{0}/accuracy"], "name it with --benchmark"),
        (["audit", "--logs", "{0}/accuracy", "-b", "resnet"], "has no benchmark 'resnet'"),
        (["audit", "--logs", "{0}/accuracy", "-b", "resnet50"], "name the label map with --labels"),
        (["audit", "--logs", "{0}/accuracy", "-b", "bert"], "BERT's vocabulary with --vocab"),
        (["audit", "--logs", "{0}", "-b", "resnet50", "--labels", "x"], "holds no mlperf_log"),
        (
            ["audit", "--logs", "{0}/accuracy", "-b", "resnet50", "--labels", "nope"],
            "There is nothing at nope; check the path after --labels.",
        ),
        (
            ["audit", "--logs", "{0}/accuracy", "{0}/accuracy", "-b", "resnet50"],
            "is named twice",
        ),
        (["audit", "{0}", "--labels", "x"], "--labels belongs to --logs"),
        (["audit", "{0}", "{0}"], "of one evidence folder, not of 2"),
        (
            ["audit", "--logs", "{0}/accuracy", "-b", "bert", "--dtype", "int8"],
            "logs answers as float32, float16, not as 'int8'",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(
    logs: Logs, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    words = [word.format(logs.root) for word in arguments]
    assert guarded(lambda: app(words, standalone_mode=False)) == exits.USAGE
    assert said in capsys.readouterr().err


def test_a_published_submission_is_judged_from_its_logs(shared: Path, tmp_path: Path) -> None:
    import tarfile

    with tarfile.open(shared / "cases/submissions/R.tar.gz") as tree:
        tree.extractall(tmp_path, filter="data")
    (base,) = tmp_path.glob("closed/*/results/*/resnet50/multistream")
    labels = tmp_path / "labels.txt"
    labels.write_text("0.JPEG 0\n")
    words = ["audit", "--logs", base / "accuracy", base / "performance", "-b", "resnet50"]
    words += ["--labels", labels, "--round", "v5.1", "--json"]
    verdict = json.loads(CliRunner().invoke(app, [str(word) for word in words]).stdout)
    assert verdict["scenario"] == "MultiStream"
    assert verdict["runs"][1]["loadgen"] == "VALID"
    assert verdict["runs"][1]["metric"]["value"] == 503471
    assert verdict["why_not_comparable"] == []
    errors = [one["rule"] for one in verdict["findings"] if one["severity"] == "error"]
    assert errors == ["accuracy.not_scoreable"]


@pytest.mark.parametrize(("rate", "code", "word"), [(100, 0, "met"), (200, 1, "NOT MET, 1 of 2")])
def test_a_profile_is_laid_on_the_scenario_that_the_logs_are_of(
    logs: Logs, rate: float, code: int, word: str
) -> None:
    path = logs.root / "node.json"
    limits = {"Offline": {"min_samples_per_s": rate}, "Server": {"min_runs": 5}}
    demanded = {"resnet50": {"min_accuracy": 99, "scenarios": limits}}
    head = {"schema": "loadproof/requirements", "version": 1, "name": "node"}
    path.write_text(json.dumps({**head, "benchmarks": demanded}), "utf-8")
    done = logs.audit("--require", path)
    assert done.exit_code == code
    assert f"Requirements of node: {word}" in done.stdout
    verdict = logs.verdict("--require", path)
    assert verdict["passed"]
    accuracy_line, rate_line = verdict["requirements"]["lines"]
    assert (accuracy_line["measured"], rate_line["measured"]) == (100.0, 109.5)
    assert verdict["requirements"]["not_judged"] == ["Server"]


def test_a_latency_limit_is_laid_on_the_tail_of_a_server_log(tmp_path: Path) -> None:
    logs = Logs(tmp_path, "Server")
    path = tmp_path / "node.json"
    limits = {"Server": {"max_latency_ms": 15}}
    head = {"schema": "loadproof/requirements", "version": 1, "name": "node"}
    path.write_text(json.dumps({**head, "benchmarks": {"resnet50": {"scenarios": limits}}}))
    (line_,) = logs.verdict("--require", path)["requirements"]["lines"]
    assert (line_["measured"], line_["passed"]) == (12.0, True)
