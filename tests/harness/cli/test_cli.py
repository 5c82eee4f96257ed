"""What the command line makes of what happens: one sentence and an exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from audit.judge import judge
from datasets.disk.cache import default_cache
from datasets.errors import DataError, DeviceError, ModelError, UsageError
from harness import exits
from harness.cli.app import guarded
from harness.commands.measuring import with_user_conf
from harness.exits import StoppedError
from harness.running import rundir
from tests.audit.written_evidence import Evidence
from tests.harness.command import run
from tests.harness.specs import simulated_spec


def _raising(error: BaseException) -> Callable[[], None]:
    def command() -> None:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UsageError("Asked for too much."), 2, "loadproof: Asked for too much.\n"),
        (DataError("An image is gone."), 2, "loadproof: An image is gone.\n"),
        (ModelError("It is no model."), 2, "loadproof: It is no model.\n"),
        (DeviceError("Asked for CUDA."), 3, "loadproof: Asked for CUDA.\n"),
        (StoppedError("Stopped by SIGTERM."), 130, "loadproof: Stopped by SIGTERM.\n"),
        (KeyboardInterrupt(), 130, "loadproof: stopped.\n"),
        (SystemExit(3), 3, ""),
        (SystemExit(None), 0, ""),
    ],
)
def test_each_end_has_its_exit_code_and_at_most_one_sentence(
    capsys: pytest.CaptureFixture[str], error: BaseException, code: int, said: str
) -> None:
    assert guarded(_raising(error)) == code
    assert capsys.readouterr() == ("", said)


def test_a_command_that_returns_is_fine() -> None:
    assert guarded(lambda: None) == exits.FINE


def test_a_defect_is_called_one_and_shows_no_trace(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LOADPROOF_DEBUG", raising=False)
    assert guarded(_raising(ZeroDivisionError("by nought"))) == exits.USAGE
    said = capsys.readouterr().err
    assert said.startswith("loadproof: ZeroDivisionError: by nought. This is a defect of loadproof")
    assert "Traceback" not in said


def test_a_defect_is_raised_where_its_trace_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOADPROOF_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        guarded(_raising(ZeroDivisionError("by nought")))


@pytest.mark.parametrize("wanted", ["cloud", "edge,cloud", ""])
def test_an_unknown_type_of_system_is_refused_before_anything_is_looked_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wanted: str
) -> None:
    output = tmp_path / "output"
    asked = ["qualify", "-b", "resnet50", "-k", "simulated", "--output", str(output)]
    assert run(*asked, "--system-type", wanted) == exits.USAGE
    said = capsys.readouterr().err
    assert f"There is no system type {wanted!r}; ask for edge or datacenter" in said
    assert not output.exists()


@pytest.mark.parametrize(
    "option",
    [
        "--model",
        "--data",
        "--model-dir",
        "--labels",
        "--vocab",
        "--output",
        "--cache",
        "--suite",
        "--mirror",
        "--policy",
        "--require",
    ],
)
def test_an_empty_value_is_refused_with_its_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = ["qualify", "-b", "resnet50", "-k", "simulated", option, ""]
    assert run(*asked) == exits.USAGE
    said = " ".join(capsys.readouterr().err.split())
    assert f"Invalid value for '{option}'" in said
    assert "it is empty" in said
    assert not list(tmp_path.iterdir())


def test_the_version_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version") == exits.FINE
    assert capsys.readouterr().out.startswith("loadproof 0.")


def test_list_shows_every_backend_option_and_why_a_backend_can_not_be_used(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("list") == exits.FINE
    text = capsys.readouterr().out
    assert run("list", "--json") == exits.FINE
    document = json.loads(capsys.readouterr().out)
    for title in ("benchmarks", "backends", "models", "suites", "rounds", "backend options"):
        assert title in text.splitlines()
    for backend in document["backends"]:
        assert backend["available"]
        assert all(option in text for option in backend["options"])


def test_doctor_ends_with_findings_only_where_there_is_a_problem(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run("doctor")
    assert "onnxruntime packages" in capsys.readouterr().out
    monkeypatch.setattr("harness.host.doctor.foreign_datasets", lambda: "another library")
    assert run("doctor", "--json") == exits.FINDINGS
    checks = json.loads(capsys.readouterr().out)
    assert "problem" in {check["status"] for check in checks}


def test_an_audit_ends_with_findings_where_the_evidence_does_not_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evidence = Evidence(tmp_path / "evidence")
    assert run("audit", str(evidence.root)) == exits.FINE
    assert "Result: " in capsys.readouterr().out
    (evidence.run() / "run.json").unlink()
    assert run("audit", str(evidence.root), "--json") == exits.FINDINGS
    assert json.loads(capsys.readouterr().out)["passed"] is False
    assert not judge(evidence.root).passed


def test_the_current_folder_has_a_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence = Evidence(tmp_path / "evidence")
    monkeypatch.chdir(evidence.root)
    assert run("audit", ".") == exits.FINE
    assert f"Evidence: {evidence.root}\n" in capsys.readouterr().out
    monkeypatch.chdir(evidence.run())
    run("audit", ".")
    assert str(evidence.run()) in capsys.readouterr().err


def test_a_single_run_leaves_its_record_and_says_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rundir.start_run_folder(tmp_path / "asked", simulated_spec(default_cache(), "Server"))
    conf = tmp_path / "user.conf"
    conf.write_text("*.Server.target_qps = 321\n")
    folder = tmp_path / "run"
    asked = ["run", str(tmp_path / "asked/spec.json"), "--folder", str(folder)]
    assert run(*asked, "--user-conf", str(conf)) == exits.FINE
    outcome, *machine = capsys.readouterr().out.splitlines()
    assert outcome == f"finished ({folder})"
    assert all(line.startswith("CPU: ") for line in machine)
    record = rundir.read_record(folder)
    assert record is not None
    assert record["spec"]["loadgen"]["target_qps"] == 321


def test_a_user_conf_changes_only_what_it_names(tmp_path: Path) -> None:
    spec = simulated_spec(default_cache(), "Server")
    conf = tmp_path / "user.conf"
    conf.write_text("*.Server.min_duration = 1000\nbert.Server.target_qps = 5\n")
    assert with_user_conf(spec, conf) == spec.at(min_duration_ms=1000)
