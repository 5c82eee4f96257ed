"""Telling loadproof's package ``datasets`` from the other library of that name."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from harness import exits
from harness.host import shadow
from harness.host.shadow import foreign_datasets
from tests.harness.command import run


def _found_at(folder: Path, own: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    package = SimpleNamespace(__path__=[str(folder)])
    if own:
        package.IS_LOADPROOF = True
    monkeypatch.setattr(shadow, "datasets", package)


def test_here_it_is_our_own() -> None:
    assert foreign_datasets() == ""


def test_another_library_that_comes_first_is_named_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _found_at(tmp_path, False, monkeypatch)
    assert foreign_datasets() == (
        f"another library called datasets at {tmp_path} hides loadproof's own"
    )


def test_two_libraries_in_one_folder_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _found_at(tmp_path, True, monkeypatch)
    assert foreign_datasets() == ""
    (tmp_path / "arrow_dataset.py").touch()
    assert "(of an unknown version) was installed into the same folder" in foreign_datasets()
    metadata = SimpleNamespace(version=lambda _: "3.1.0")
    monkeypatch.setattr(shadow, "metadata", metadata)
    assert f"datasets 3.1.0 was installed into the same folder {tmp_path}" in foreign_datasets()


@pytest.mark.parametrize(
    "asked",
    [
        ["qualify", "-b", "resnet50"],
        ["run", "spec.json"],
        ["audit", "evidence"],
        ["show", "evidence"],
        ["list"],
        ["prepare", "embedded"],
    ],
)
def test_nothing_but_the_doctor_works_with_a_foreign_datasets(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    asked: list[str],
) -> None:
    _found_at(tmp_path, False, monkeypatch)
    assert run(*asked) == exits.USAGE
    assert "install loadproof into an environment of its own" in capsys.readouterr().err


def test_the_doctor_names_the_foreign_datasets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _found_at(tmp_path, False, monkeypatch)
    assert run("doctor") == exits.FINDINGS
    assert "another library called datasets" in capsys.readouterr().out
