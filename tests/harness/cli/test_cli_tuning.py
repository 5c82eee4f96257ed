"""The commands that look for good settings, on the simulated device."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit import schema
from harness import exits
from harness.host.sensors.reading import Reading, Source
from harness.report.search import UNSCORED
from tests.harness.command import run

FAST = ("-b", "resnet50", "-k", "simulated", "-o", "base_ms=2", "-o", "per_sample_ms=0.1")


def test_a_search_ends_with_a_confirmed_rate_and_is_done_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    conf = tmp_path / "user.conf"
    conf.write_text("*.Server.min_duration = 400\n*.Server.target_latency = 200\n")
    asked = ["search", *FAST, "--suite", "smoke", "--max-batch", "8", "--runs", "4"]
    asked += ["--user-conf", str(conf), "--output", str(tmp_path / "out")]
    assert run(*asked) == exits.FINE
    said = capsys.readouterr().out
    assert "Highest rate confirmed VALID: " in said
    assert "90 % within 200 ms, by a run of 0.4 s" in said
    assert "At that rate" in said
    (path,) = (tmp_path / "out/search").rglob("search.json")
    record = schema.read(path, "search")
    last = record["tells"][-1]
    assert (last["kind"], last["valid"]) == ("confirm", True)
    assert record["answer"]["rate_qps"] == last["asked_qps"]
    assert run(*asked, "--json") == exits.FINE
    again = capsys.readouterr()
    assert json.loads(again.out) == record
    assert f"{len(record['tells'])} runs of this search are done already." in again.err
    assert run("hint", str(path.parent)) == exits.FINE
    told = capsys.readouterr().out
    assert f"probe_{len(record['tells'])}: " in told
    assert " Try " in told
    assert run("hint", str(path.parent / "probe_1"), "--json") == exits.FINE
    (one,) = json.loads(capsys.readouterr().out)
    assert (one["run"], one["scenario"]) == (".", "Server")
    assert 0 < one["predict"] <= 1


def test_a_hint_needs_runs_to_look_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("hint", str(tmp_path)) == exits.USAGE
    assert f"There is no run.json in {tmp_path}" in capsys.readouterr().err
    for absent in (tmp_path / "nope", tmp_path / ("long" * 200)):
        assert run("hint", str(absent)) == exits.USAGE
        assert "There is no folder" in capsys.readouterr().err


def test_a_search_that_finds_no_rate_ends_with_findings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Probing makes at most 26 batches of 20 ms in its half second, a run 64 and those to warm up.
    speed = ("-o", "base_ms=20", "-o", "per_sample_ms=0.1", "-o", "raise_at=40")
    asked = ["search", *FAST[:4], *speed, "--suite", "smoke", "--max-batch", "1"]
    assert run(*asked, "--output", str(tmp_path)) == exits.FINDINGS
    said = capsys.readouterr().out
    assert "No rate was found: 2 runs in a row failed: " in said
    assert "as option raise_at asks" in said
    assert "At that rate" not in said
    assert UNSCORED in said


def test_a_device_that_dies_while_it_is_probed_is_named_with_what_was_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["search", *FAST, "-o", "exit_at=1", "--suite", "smoke", "--output", str(tmp_path)]
    assert run(*asked) == exits.USAGE
    said = " ".join(capsys.readouterr().err.split())
    assert "ended with exit status 1 while probing batch sizes on simulated/cpu" in said


SWEEP = ("sweep", "-b", "resnet50", "-k", "simulated", "--streams", "1", "--seconds", "0.1")


def test_a_sweep_says_its_plan_measures_it_once_and_keeps_failures_as_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.sweep.confirmation.TOLERANCE", 0.99)  # any machine will do
    asked = [*SWEEP, "--batches", "1,4", "--accuracy", "--output", str(tmp_path)]
    assert run(*asked, "--plan") == exits.FINE
    planned = capsys.readouterr().err
    assert "Planned 2 configurations, about 12.2 s:" in planned
    assert "a run of LoadGen for each scenario's recommendation, at least 16.4 s in all" in planned
    assert not (tmp_path / "sweep").exists()
    assert run(*asked) == exits.FINE
    said = capsys.readouterr().out
    assert "  - Offline: simulated fp32 1 × " in said
    assert said.count("    predicted ") >= 3
    path = tmp_path / "sweep/resnet50/sweep.json"
    before = schema.read(path, "sweep")
    assert [row["configuration"]["batch"] for row in before["rows"]] == [1, 4]
    assert [one["scenario"] for one in before["recommendations"]][-1] == "Server"
    runs = {one["scenario"]: one for one in before["confirmations"]}
    assert {"Offline", "SingleStream", "MultiStream"} <= runs.keys()
    assert (runs["Offline"]["verdict"], runs["SingleStream"]["percentile"]) == ("VALID", 0.9)
    assert (path.parent / "confirming/Offline_1/run.json").is_file()
    (score,) = before["accuracies"]
    assert (score["session"], score["percent"], score["passed"]) == ("simulated fp32", 100, True)
    for drawn in ("sweep.png", "sweep.svg"):
        assert path.with_name(drawn).is_file()
    assert run(*asked, "--json") == exits.FINE
    again = capsys.readouterr()
    assert json.loads(again.out) == before
    assert "Confirming" not in again.err
    more = ["--json", "--batches", "1,4,8", "--no-confirm"]
    assert run(*asked, *more) == exits.FINE
    after = json.loads(capsys.readouterr().out)
    assert after["rows"][:2] == before["rows"]
    assert after["accuracies"] == before["accuracies"]
    assert len(after["rows"]) == 3


class _Gpu:
    """A GPU of which always the same is told."""

    def read(self) -> Reading:
        return Reading({"utilisation_percent": 40.0, "memory_used_bytes": 3e9, "power_w": 90.0})


def test_a_sweep_tells_how_busy_the_gpu_was_meanwhile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    gpu = Source("gpu", 0, _Gpu)
    monkeypatch.setattr("harness.sweep.opened.gpu_sources", lambda *_: [gpu])
    asked = [*SWEEP, "--seconds", "1.2", "--batches", "4", "--no-confirm"]
    assert run(*asked, "--output", tmp_path, "--json") == exits.FINE
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    measured = row["measured"]
    assert (measured["gpu_percent"], measured["gpu_memory_bytes"]) == (40.0, 3e9)


def test_a_sweep_of_which_nothing_can_be_measured_ends_with_findings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [*SWEEP, "--batches", "1,2", "-o", "raise_at=1", "--output", str(tmp_path)]
    assert run(*asked) == exits.FINDINGS
    assert "batch 1 and 1 more: The simulated device failed" in capsys.readouterr().out


def test_empty_answers_are_no_speed_and_nothing_is_recommended_for_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [*SWEEP, "--batches", "4", "-o", "empty=true", "--output", str(tmp_path), "--json"]
    assert run(*asked) == exits.FINDINGS
    found = json.loads(capsys.readouterr().out)
    (row,) = found["rows"]
    assert row["measured"] is None
    empty, _, answered = row["cause"].removesuffix(" answers were empty").partition(" of ")
    assert int(empty) == int(answered) >= 12
    assert all(one["configuration"] is None for one in found["recommendations"])


def test_a_limit_of_the_users_own_that_nothing_keeps_is_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [*SWEEP, "--batches", "1", "--latency-limit-ms", "0.001", "--output", str(tmp_path)]
    asked.append("--no-confirm")
    assert run(*asked) == exits.FINDINGS
    said = capsys.readouterr().out
    assert "  - Server: none; no configuration keeps within 0.001 ms" in said
    assert "  - Offline: simulated fp32" in said
    assert run(*asked, "--goal", "latency") == exits.FINDINGS
    assert "  - Offline: none; no configuration keeps within 0.001 ms" in capsys.readouterr().out


def test_a_plan_of_nothing_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [*SWEEP, "--precisions", "fp7", "--output", str(tmp_path), "--plan"]
    assert run(*asked) == exits.FINDINGS
    assert "Planned 0 configurations" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--batches", "1,x"), "--batches takes whole numbers from 1 to 65536, not 'x'."),
        (("--batches", "0"), "--batches takes whole numbers from 1 to 65536, not '0'."),
        (("--precisions", "fp32,,int8"), "The list 'fp32,,int8' has an empty place"),
        (("--variant", "int8"), "--variant takes KEY=VALUE, not 'int8'."),
        (("--variant", "int8=model.onnx"), "--variant names int8, which is not swept"),
        (("--variant", "fp32=/nope"), "There is no model at /nope, the variant for fp32."),
        (("--data", "images"), "DATA_DIR is set but MODEL_DIR is not"),
        (("--goal", "fame"), "There is no goal 'fame'; the goals are throughput, latency, cost."),
        (("--goal", "latency"), "The goal latency needs a limit"),
        (("--goal", "cost"), "The goal cost needs a price"),
        (("-b", "resnet"), "There is no benchmark 'resnet'"),
        (("-k", "onnxruntimes"), "There is no backend called 'onnxruntimes'"),
    ],
)
def test_a_sweep_that_makes_no_sense_is_refused_before_anything_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], said: str
) -> None:
    asked = [*SWEEP, "--output", str(tmp_path), *more]
    assert run(*asked) == exits.USAGE
    assert said in capsys.readouterr().err
    assert not (tmp_path / "sweep").exists()
