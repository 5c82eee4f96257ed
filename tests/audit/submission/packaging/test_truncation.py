"""Accuracy logs are cut to their ends, once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.submission.packaging.truncation import ENDS_BYTES, MIDDLE, viewable

MOST = 10240


@given(size=st.integers(0, 3 * MOST))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_ends_stay_and_a_second_cut_changes_nothing(tmp_path: Path, size: int) -> None:
    path = tmp_path / "log.json"
    whole = bytes(index % 251 for index in range(size))
    path.write_bytes(whole)
    cut = viewable(path, MOST)
    assert path.read_bytes() == whole
    assert len(cut) <= MOST
    if size <= MOST:
        assert cut == whole
    else:
        assert cut == whole[:ENDS_BYTES] + MIDDLE + whole[-ENDS_BYTES:]
    path.write_bytes(cut)
    assert viewable(path, MOST) == cut


def test_a_cut_log_has_the_length_of_published_ones(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_bytes(b"x" * 100_000)
    assert len(viewable(path, MOST)) == 8199


def test_only_files_are_read(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="directory"):
        viewable(tmp_path, MOST)
