"""What the command line says to requests that make no sense, and how fast it says it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from harness import exits
from tests.acceptance.command import CHOOSING
from tests.harness.command import run
from tests.sut.plugged import install

SIMULATED = ("qualify", "-b", "resnet50", "-k", "simulated")
REAL = ("qualify", "-b", "resnet50", "-k", "onnxruntime")


@pytest.fixture(autouse=True)
def _nothing_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in CHOOSING:
        monkeypatch.delenv(variable, raising=False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("qualify", "-b", "resnet"), "the benchmarks are resnet50, bert"),
        (("qualify", "-b", "resnet50", "-k", "onnx"), "the installed ones are: onnxruntime"),
        ((*SIMULATED, "--suite", "fast"), "the suites are official, quick, smoke"),
        ((*SIMULATED, "--round", "v9"), "known rounds are v5.0, v5.1, v6.0, v6.1"),
        ((*SIMULATED, "--device", "tpu"), "ask for cpu or gpu"),
        ((*SIMULATED, "--devices", "3-1"), "3-1"),
        ((*SIMULATED, "--devices", "0-9999"), "10000 devices were asked for; at most 256 can be"),
        ((*SIMULATED, "--scenarios", "Offline,Burst"), "There is no scenario 'Burst'"),
        ((*SIMULATED, "-o", "base_ms"), "KEY=VALUE"),
        ((*SIMULATED, "-o", "speed=9"), "speed"),
        ((*SIMULATED, "-o", "base_ms=1", "-o", "base_ms=2"), "base_ms is given twice"),
        ((*SIMULATED, "-o", "base_ms=1e9"), "must be a number from 0 to 10000"),
        ((*SIMULATED, "--threads", "99"), "more than 16 threads on each of"),
        ((*SIMULATED, "--model", "/dev/null"), "--model would change nothing"),
        (("qualify", "-b", "bert", "-k", "simulated"), "ask for resnet50"),
        ((*REAL, "--precision", "fp8"), "fp8"),
        ((*REAL, "--model", "absent.onnx"), "There is no model at absent.onnx"),
        (("run", "absent.json"), "absent.json can't be read"),
        (("audit", "absent"), "no evidence folder"),
    ],
)
def test_a_wrong_request_gets_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    chosen = ("--output", tmp_path) if arguments[0] == "qualify" else ()
    assert run(*arguments, *chosen) == exits.USAGE
    told = capsys.readouterr().err
    (sentence,) = [line for line in told.splitlines() if line.startswith("loadproof: ")]
    assert said in sentence
    assert "Traceback" not in told


@pytest.mark.parametrize(
    ("given", "missing"), [("DATA_DIR", "MODEL_DIR"), ("MODEL_DIR", "DATA_DIR")]
)
def test_one_of_model_dir_and_data_dir_alone_is_refused(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    given: str,
    missing: str,
) -> None:
    monkeypatch.setenv(given, str(tmp_path))
    monkeypatch.setenv("OUTPUT_DIR", str(tmp_path / "out"))
    assert run(*REAL) == exits.USAGE
    assert f"{given} is set but {missing} is not" in capsys.readouterr().err


def test_a_gpu_that_the_runtime_can_not_use_is_refused_before_anything_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        pytest.skip("this ONNX Runtime has CUDA")
    assert run(*REAL, "--device", "gpu", "--output", tmp_path) == exits.DEVICE
    assert "Asked for CUDA, the session would use CPU" in capsys.readouterr().err
    assert not list(tmp_path.rglob("run.json"))


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys, contextlib, io\n"
        "from harness.cli.app import app\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    app(['qualify', '--help'])\n"
        "heavy = {'numpy', 'onnxruntime', 'tensorflow', 'cv2', 'scipy', 'mlperf_loadgen'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "[]", done.stderr


def test_list_names_what_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list", "--json") == exits.FINE
    listed = json.loads(capsys.readouterr().out)
    assert {"onnxruntime", "tensorflow", "simulated"} <= {row["name"] for row in listed["backends"]}
    assert {row["name"] for row in listed["suites"]} == {"smoke", "quick", "official"}
    assert "v6.1" in {row["name"] for row in listed["rounds"]}


def test_doctor_looks_at_everything_that_a_run_needs(capsys: pytest.CaptureFixture[str]) -> None:
    run("doctor", "--json")
    checks = json.loads(capsys.readouterr().out)
    names = {check["name"] for check in checks}
    assert {"mlcommons-loadgen", "usable cores", "memory", "GPU", "package datasets"} <= names
    assert all(check["advice"] for check in checks if check["status"] != "ok")


@pytest.mark.parametrize("module", ["1 / 0", "raise SystemExit(0)", "PROVIDER = 42"])
def test_a_broken_backend_is_refused_in_a_sentence_and_listed_as_broken(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    module: str,
) -> None:
    installed = install(tmp_path, "broken_vendor", {"vendor": "PROVIDER"}, module)
    monkeypatch.syspath_prepend(str(installed))
    monkeypatch.delitem(sys.modules, "broken_vendor", raising=False)
    asked = ("qualify", "-b", "resnet50", "-k", "vendor", "--output", tmp_path / "output")
    assert run(*asked) == exits.USAGE
    told = capsys.readouterr().err
    assert "the package broken_vendor 1.0 can't be used" in told
    assert "defect of loadproof" not in told
    assert run("list", "--json") == exits.FINE
    listed = json.loads(capsys.readouterr().out)["backends"]
    (row,) = [row for row in listed if row["name"] == "vendor"]
    assert row["available"].startswith("no: The backend 'vendor' of the package broken_vendor 1.0")
