"""Checking a submission from the command line's side: what a check leaves behind."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from datasets.errors import UsageError
from harness.submission_check import CheckRequest, run_check
from tests.audit.submission.trees import build


def uncounted(done: int, total: int) -> None:
    """Tell nobody."""


@pytest.fixture
def no_search() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_a_check_leaves_nothing_that_only_a_search_would_free(
    tmp_path: Path, no_search: None
) -> None:
    request = CheckRequest(build(tmp_path / "tree", "v5.1").root, "v5.1")
    run_check(request, uncounted)
    gc.collect()
    assert run_check(request, uncounted).verdicts
    assert gc.collect() == 0


@pytest.mark.parametrize("round_name", ["v5.1", None])
def test_garbage_is_searched_for_again_however_a_check_ends(
    tmp_path: Path, round_name: str | None
) -> None:
    (tmp_path / "closed").mkdir()
    request = CheckRequest(tmp_path, round_name)
    if round_name is None:
        with pytest.raises(UsageError):
            run_check(request, uncounted)
    else:
        assert not run_check(request, uncounted).verdicts
    assert gc.isenabled()
