"""What is written where an encoding lacks a character, or where nobody can take it."""

from __future__ import annotations

import codecs
import errno
import io
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import exits
from harness.output import Channel, Channels, plainer

codecs.register_error("tests.plainer", plainer)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("2 × 1 threads · ≥ 99 …", b"2 x 1 threads - >= 99 ..."),
        ("café", b"caf\\u00e9"),
        ("\U0001f680", b"\\ud83d\\ude80"),
        ("name\udcff", b"name\\udcff"),
    ],
)
def test_what_ascii_lacks_is_written_plainly(text: str, plain: bytes) -> None:
    assert text.encode("ascii", "tests.plainer") == plain


@given(st.text(st.characters(min_codepoint=0x4E00), min_size=1))
def test_json_written_in_ascii_reads_as_it_was(text: str) -> None:
    written = json.dumps({"name": text}, ensure_ascii=False).encode("ascii", "tests.plainer")
    assert json.loads(written) == {"name": text}


def test_a_channel_takes_everything_and_keeps_the_first_failure() -> None:
    descriptor = os.open("/dev/full", os.O_WRONLY)
    channel = Channel(descriptor, "w")
    writer = io.BufferedWriter(channel)
    for _ in range(3):
        writer.write(bytes(100_000))
    writer.close()
    assert channel.trouble is not None
    assert channel.trouble.errno == errno.ENOSPC


def test_a_channel_writes_what_it_is_given(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with io.BufferedWriter(Channel(str(path), "w")) as writer:
        writer.write(b"a table\n")
    assert path.read_bytes() == b"a table\n"


@pytest.mark.parametrize(
    ("number", "meant", "ended"),
    [
        (None, exits.FINE, exits.FINE),
        (None, exits.FINDINGS, exits.FINDINGS),
        (errno.ENOSPC, exits.FINE, exits.USAGE),
        (errno.ENOSPC, exits.FINDINGS, exits.FINDINGS),
        (errno.EPIPE, exits.FINE, exits.FINE),
        (errno.EPIPE, exits.FINDINGS, exits.FINDINGS),
    ],
)
def test_lost_output_is_no_success_and_never_hides_findings(
    capsys: pytest.CaptureFixture[str], number: int | None, meant: int, ended: int
) -> None:
    channel = Channel(os.devnull, "w")
    channel.trouble = OSError(number, os.strerror(number)) if number else None
    assert Channels(channel).settle(meant) == ended
    channel.close()
    said = capsys.readouterr().err
    assert ("Standard output can't be written" in said) == (number == errno.ENOSPC)
