"""Fixtures that every room shares."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """Reference material that may lie beside the checkout; tests that need it skip without it."""
    folder = ROOT / "../shared"
    if not folder.is_dir():
        pytest.skip("the reference material beside the checkout is absent")
    return folder.resolve()


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing a test does may touch the user's cache; one cache serves the whole session."""
    monkeypatch.setenv("LOADPROOF_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
