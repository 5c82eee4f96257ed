"""Evidence to pack, and how it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.submission.evidence import FullLength, without_questions
from tests.audit.written_evidence import Evidence


@pytest.fixture(autouse=True)
def _scored(monkeypatch: pytest.MonkeyPatch) -> None:
    without_questions(monkeypatch)


@pytest.fixture(scope="package")
def bert(tmp_path_factory: pytest.TempPathFactory) -> FullLength:
    return FullLength(tmp_path_factory.mktemp("bert") / "bert-evidence", "bert")


@pytest.fixture(scope="package")
def small(tmp_path_factory: pytest.TempPathFactory) -> FullLength:
    """What most tests are content with: it takes no time to read."""
    return FullLength(tmp_path_factory.mktemp("small") / "small-evidence", "bert", quick=True)


@pytest.fixture
def quick(tmp_path: Path) -> Evidence:
    return Evidence(tmp_path / "quick-evidence", ("Offline", "Server"))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return tmp_path / "tree"
