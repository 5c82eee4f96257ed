"""A named pipe under the name of a file is told as one; nothing waits for somebody to write."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from datasets.disk.regular import irregular, read_regular
from datasets.errors import DataError
from datasets.images.imagenet import read_imagenet
from datasets.images.label_files import labels_in
from datasets.images.tree import read_tree
from datasets.questions.squad import read_squad
from datasets.questions.wordpiece import Vocabulary


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def test_files_and_folders_are_regular_and_everything_else_is_named(
    tmp_path: Path, pipe: Path
) -> None:
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "link").symlink_to(pipe)
    assert irregular(tmp_path) is None
    assert irregular(tmp_path / "file") is None
    assert read_regular(tmp_path / "file") == b"content"
    assert irregular(pipe) == irregular(tmp_path / "link") == "a named pipe"
    assert irregular(Path("/dev/zero")) == "a device"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        assert irregular(tmp_path / "socket") == "a socket"
    with pytest.raises(FileNotFoundError):
        irregular(tmp_path / "absent")


@pytest.mark.parametrize(
    "read",
    [labels_in, read_squad, Vocabulary, read_tree],
)
def test_a_pipe_in_place_of_a_file_is_refused_as_one(
    pipe: Path, read: Callable[[Path], Any]
) -> None:
    with pytest.raises(DataError, match="is a named pipe"):
        read(pipe)


def test_a_pipe_in_place_of_the_label_map_is_not_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "val_map.txt")
    (tmp_path / "val.txt").write_text("one.png 1\n")
    with pytest.raises(DataError, match=r"val_map\.txt can't be read: it is a named pipe"):
        read_imagenet(tmp_path)
