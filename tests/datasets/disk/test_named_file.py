"""A place that a user named keeps its kind: links lead on, pipes and devices are written into."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import pytest

from datasets.disk.named_file import named_write, write_named_json


def write(path: Path, content: bytes = b"new") -> None:
    with named_write(path) as file:
        file.write(content)


def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to("target")
    (tmp_path / "chain").symlink_to("link")
    write(tmp_path / "chain")
    assert (tmp_path / "chain").is_symlink()
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


def test_a_link_to_nothing_yet_makes_its_target(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("later")
    write(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "later").read_bytes() == b"new"


def test_a_pipe_that_is_read_is_written_and_stays(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    held = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_named_json(pipe, {"much": "x" * 200_000})
    reader.join(60)
    os.close(held)
    assert len(read[0]) > 200_000
    assert pipe.is_fifo()


def test_a_pipe_that_nobody_reads_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="pipe") as caught:
        write(tmp_path / "pipe")
    assert caught.value.errno == errno.ENXIO


def test_the_file_behind_standard_output_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "out"
    kept = os.dup(1)
    with path.open("wb") as file:
        os.dup2(file.fileno(), 1)
    try:
        os.write(1, b"before ")
        write(path)
        os.write(1, b" after")
    finally:
        os.dup2(kept, 1)
        os.close(kept)
    assert path.read_bytes() == b"before new after"


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(ValueError, match="Out of range"):
        write_named_json(tmp_path / "file", float("inf"))
    assert (tmp_path / "file").read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
