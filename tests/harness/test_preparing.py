"""What is prepared where there is nothing to prepare it for."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import exits, preparing
from harness.cli.app import app, guarded
from sut.backend import Availability


def test_without_a_runtime_no_embedded_model_is_called_ready(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparing, "availability_of", lambda _: Availability(None, "not here"))
    asked = ["prepare", "embedded", "--cache", str(tmp_path)]
    assert guarded(lambda: app(asked)) == exits.USAGE
    assert "No runtime is installed that reads the embedded models" in capsys.readouterr().err
