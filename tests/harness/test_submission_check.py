"""Checking a submission from the command line's side: what a check leaves behind."""

from __future__ import annotations

import gc
import subprocess
import sys
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


def test_a_check_loads_no_library_of_numbers(tmp_path: Path) -> None:
    script = (
        "import sys, contextlib, io\n"
        "from harness.cli.app import app\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    app(['check', sys.argv[1], '--round', 'v5.1'])\n"
        "print(sorted({'numpy', 'scipy', 'jsonschema'} & set(sys.modules)))\n"
    )
    tree = build(tmp_path / "tree", "v5.1").root
    done = subprocess.run(
        [sys.executable, "-c", script, tree], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "[]", done.stderr
