"""Whatever a called function does to its process, the caller gets a result or a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psutil
import pytest

from datasets.errors import LoadproofError, ModelError
from harness.exits import StoppedError
from harness.running import child
from harness.stop import StopRequests
from tests.conftest import ROOT


@pytest.fixture(autouse=True)
def _tests_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "output/loadproof.log"


def _call(name: str, argument: Any, log: Path, **more: Any) -> Any:
    asked = {"stop": StopRequests(), "doing": "trying", **more}
    return child.call(f"tests.harness.called:{name}", argument, log=log, **asked)


def _children() -> list[psutil.Process]:
    """Children of this process that were called; others may have been left by other tests."""
    found = psutil.Process().children()
    return [process for process in found if "harness.running.child" in process.cmdline()]


def test_the_result_comes_back_with_progress_and_chatter_goes_to_the_log(log: Path) -> None:
    seen: list[tuple[int, int]] = []
    result = _call("double", {"value": 21}, log, progress=lambda *counts: seen.append(counts))
    assert result == {"doubled": 42}
    assert seen == [(1, 2), (2, 2)]
    assert "a runtime talks to the terminal" in log.read_text()


def test_a_large_argument_and_a_large_result_pass(log: Path) -> None:
    assert _call("double", {"value": "x" * 200_000}, log) == {"doubled": "x" * 400_000}


def test_a_refusal_keeps_its_class_and_its_sentence(log: Path) -> None:
    with pytest.raises(ModelError, match=r"^model\.onnx is no model\.$"):
        _call("refuse", "model.onnx", log)


def test_a_defect_is_called_one_and_its_trace_is_in_the_log(log: Path) -> None:
    with pytest.raises(
        LoadproofError, match=r"ZeroDivisionError: a defect \(a defect of"
    ) as caught:
        _call("break_down", None, log)
    assert str(log) in str(caught.value)
    assert "Traceback" in log.read_text()


def test_a_function_that_is_not_there_is_a_defect_too(log: Path) -> None:
    with pytest.raises(LoadproofError, match="AttributeError"):
        _call("absent", None, log)


def test_a_killed_child_is_named_with_its_signal_and_its_last_words(log: Path) -> None:
    with pytest.raises(LoadproofError, match=r"ended with signal SIGKILL while trying.*last words"):
        _call("kill_itself", None, log)


def test_a_child_that_leaves_is_named_with_its_exit_status(log: Path) -> None:
    with pytest.raises(LoadproofError, match="ended with exit status 7 while trying"):
        _call("leave", None, log)


def test_a_child_that_never_reads_its_argument_is_a_sentence(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(LoadproofError, match="ended with exit status 1"):
        _call("double", {"value": "x" * 1_000_000}, log)


def test_a_silent_child_is_ended(log: Path) -> None:
    with pytest.raises(LoadproofError, match=r"Nothing happened for 1\.5 s while trying"):
        _call("hang", None, log, silence_s=1.5)
    assert _children() == []


def test_a_request_to_stop_ends_the_child(log: Path) -> None:
    stop = StopRequests()
    with pytest.raises(StoppedError, match="Stopped by SIGTERM while trying"):
        _call("hang", None, log, stop=stop, progress=lambda *_: stop.request("SIGTERM"))
    assert _children() == []


def test_a_child_that_has_answered_but_does_not_end_is_ended(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "LAST_WORD_S", 0.2)
    assert _call("never_end", 5, log) == 5
    assert _children() == []
