"""Files are written whole, say where they could not be, and keep names of any bytes."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from datasets.disk.files import atomic_write, naming, read_json_or_none, write_json


def test_a_failure_without_a_place_is_given_one() -> None:
    with pytest.raises(OSError, match=r"'/full/disk'"), naming(Path("/full/disk")):
        raise OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(OSError, match=r"'/other'"), naming(Path("/full/disk")):
        raise OSError(errno.ENOSPC, "No space left on device", "/other")


def test_a_file_in_the_way_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    with pytest.raises(FileExistsError) as caught, atomic_write(tmp_path / "taken/run.json"):
        pass
    assert caught.value.filename == str(tmp_path / "taken")


def test_a_place_where_nothing_can_be_made_is_named_as_it_was_asked_for() -> None:
    with pytest.raises(OSError) as caught, atomic_write(Path("/proc/run.json")):
        pass
    assert caught.value.filename == "/proc/run.json"


def test_what_was_there_stays_where_writing_fails(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    write_json(path, {"outcome": "finished"})
    with pytest.raises(ValueError, match="Out of range"):
        write_json(path, {"outcome": float("nan")})
    assert read_json_or_none(path) == {"outcome": "finished"}
    assert [file.name for file in tmp_path.iterdir()] == ["run.json"]


def test_a_name_that_is_not_utf_8_is_read_back_as_it_was(tmp_path: Path) -> None:
    name = os.fsdecode(b"model-\xff.onnx")
    write_json(tmp_path / "spec.json", {"model": name, "title": "Größe"})
    assert read_json_or_none(tmp_path / "spec.json") == {"model": name, "title": "Größe"}
