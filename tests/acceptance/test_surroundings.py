"""What a command makes of the terminal, the signals and the packages around it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from datasets import errors
from harness import exits
from tests.acceptance.command import SMOKE, clean_environment, command, started
from tests.audit.written_evidence import Evidence

LIMIT_S = 120


def _shell(line: str, *arguments: str | Path, **environment: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a shell's ``line``; loadproof's command is ``"$@"``."""
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line, "bash", *command(*arguments)],
        capture_output=True,
        timeout=LIMIT_S,
        check=False,
        env=clean_environment() | environment,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def unsound(tmp_path: Path) -> Path:
    """Evidence with findings."""
    evidence = Evidence(tmp_path / "evidence")
    (evidence.run() / "run.json").unlink()
    return evidence.root


@pytest.mark.parametrize("line", ['"$@" >&-', '"$@" >/dev/full', '"$@" 2>&-', '"$@" 2>/dev/full'])
def test_findings_are_findings_whoever_listens(unsound: Path, line: str) -> None:
    assert _shell(line, "audit", unsound)[0] == exits.FINDINGS


@pytest.mark.parametrize("line", ['"$@" 2>&-', '"$@" 2>/dev/full'])
def test_a_usage_error_is_one_though_nobody_hears_of_it(line: str) -> None:
    assert _shell(line, "audit", "absent")[0] == exits.USAGE


def test_output_that_was_lost_is_no_success() -> None:
    for asked in (["list"], ["list", "--help"], ["--version"]):
        code, _, said = _shell('"$@" >/dev/full', *asked)
        assert code == exits.USAGE
        assert said == "loadproof: Standard output can't be written: No space left on device.\n"


def test_a_reader_that_has_had_enough_is_no_failure() -> None:
    code, output, said = _shell('"$@" | head -n 1', "list")
    assert (code, output, said) == (exits.FINE, "benchmarks\n", "")


@pytest.mark.parametrize(
    "variables",
    [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}],
)
def test_a_table_can_be_told_in_ascii(tmp_path: Path, variables: dict[str, str]) -> None:
    evidence = Evidence(tmp_path / "evidence")
    plain = _shell('"$@"', "audit", evidence.root)
    code, output, said = _shell('"$@"', "audit", evidence.root, **variables)
    assert (code, said) == (plain[0], "")
    assert output.isascii()
    assert not plain[1].isascii()
    assert len(output.splitlines()) == len(plain[1].splitlines())


def _wait_until_heeded(process: subprocess.Popen[str], number: signal.Signals) -> None:
    """Until the process has a handler of its own for a signal that Python leaves alone."""
    status = Path(f"/proc/{process.pid}/status")
    deadline = time.monotonic() + LIMIT_S
    while time.monotonic() < deadline:
        caught = re.search(r"^SigCgt:\s*([0-9a-f]+)$", status.read_text("utf-8"), re.MULTILINE)
        if caught and int(caught[1], 16) >> (number - 1) & 1:
            return
    pytest.fail(f"{number.name} was never heeded")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("after_s", [0, 0.05, 0.2, 0.8])
def test_a_signal_right_after_the_start_is_answered_in_a_sentence(
    tmp_path: Path, number: signal.Signals, after_s: float
) -> None:
    process = started("qualify", "-b", "resnet50", "-k", "simulated", "--output", tmp_path)
    _wait_until_heeded(process, signal.SIGHUP)
    time.sleep(after_s)
    process.send_signal(number)
    _, said = process.communicate(timeout=LIMIT_S)
    assert process.returncode == exits.INTERRUPTED
    assert f"loadproof: Stopped by {number.name}" in said
    assert "Traceback" not in said


def test_a_command_that_outlives_its_terminal_goes_on(tmp_path: Path) -> None:
    line = '(trap "" HUP; exec "$@") & sleep 1; kill -HUP $!; wait $!'
    code, output, said = _shell(line, *SMOKE, "--scenarios", "Offline", "--output", tmp_path)
    assert code == exits.FINE, said
    assert "VALID" in output


def test_a_package_that_hides_our_datasets_is_named(tmp_path: Path) -> None:
    (tmp_path / "datasets").mkdir()
    (tmp_path / "datasets/__init__.py").touch()
    root = Path(errors.__file__).parent.parent
    code, _, said = _shell('"$@"', "list", PYTHONPATH=f"{tmp_path}:{root}", PYTHONSAFEPATH="1")
    if sys.version_info < (3, 11) and code == exits.FINE:
        pytest.skip("this Python always looks into the current folder first")
    assert code == exits.USAGE
    assert said == (
        f"loadproof: another library called datasets at {tmp_path}/datasets hides loadproof's "
        "own: install loadproof into an environment of its own.\n"
    )
