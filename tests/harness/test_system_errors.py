"""What the operating system refuses is told with its place and what to do, and is no defect."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from datasets.disk import files
from datasets.errors import StorageError
from harness import exits
from harness.cli.app import guarded
from harness.running import child
from harness.stop import StopRequests
from harness.system_errors import explained


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "make room there, or name another place with --output or --cache"),
        (errno.EROFS, "name a place that can be written"),
        (errno.EACCES, "ask for the right to use it"),
        (errno.ENOTDIR, "a file is where a folder is needed"),
        (errno.EEXIST, "a file is where a folder is needed"),
        (errno.EISDIR, "a folder is where a file is needed"),
        (errno.ENOENT, "check the path"),
    ],
)
def test_a_refusal_is_one_sentence_with_the_path_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], number: int, advice: str
) -> None:
    def command() -> None:
        raise OSError(number, os.strerror(number), "/evidence/run.json")

    assert guarded(command) == exits.USAGE
    said = capsys.readouterr().err
    assert said.startswith(f"loadproof: {os.strerror(number)} at /evidence/run.json: {advice}")
    assert said.count("\n") == 1


def test_the_target_of_a_failed_rename_is_what_counts() -> None:
    error = OSError(errno.EISDIR, "Is a directory", "/x/.result.json.k3", None, "/x/result.json")
    assert str(explained(error)).startswith("Is a directory at /x/result.json: ")


def test_what_has_no_place_is_told_without_one() -> None:
    found = explained(OSError(errno.EMFILE, "Too many open files"))
    assert str(found) == "Too many open files: raise the limit on open files (ulimit -n)."


def test_what_nobody_can_mend_stays_what_it_is() -> None:
    error = OSError("no number")
    assert explained(error) is error


def test_a_full_disk_names_the_file_that_was_to_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"run\.json") as caught:
        files.write_json(tmp_path / "run.json", {})
    assert caught.value.filename == str(tmp_path / "run.json")
    assert not list(tmp_path.iterdir())


def test_a_refusal_in_a_child_process_is_told_alike(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="No space left on device at /full: make room there"):
        child.call(
            "tests.harness.called:fill_the_disk",
            {},
            doing="filling",
            log=tmp_path / "log",
            stop=StopRequests(),
        )
