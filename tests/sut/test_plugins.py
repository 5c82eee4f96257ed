"""Backends of other packages: found by name, named where broken, never in place of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasets.errors import BackendError
from sut.backend import availability_of, provider, provider_names, providers
from sut.plugins import plugins
from tests.sut.plugged import VENDOR, install


def _installed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, package: str, name: str, module: str
) -> None:
    monkeypatch.syspath_prepend(str(install(folder, package, {name: "PROVIDER"}, module)))


def test_a_backend_of_another_package_is_found_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _installed(tmp_path, monkeypatch, "good_vendor", "vendor", VENDOR)
    assert "vendor" in provider_names()
    assert provider("vendor").model_suffixes == (".engine",)
    assert availability_of("vendor").version == "7.0"
    assert providers()["vendor"].name == "vendor"


@pytest.mark.parametrize(
    ("package", "module", "found"),
    [
        ("raising", "raise RuntimeError('boom')", "RuntimeError: boom"),
        ("leaving", "import sys; sys.exit(0)", "SystemExit: 0"),
        ("importing", "import no_such_runtime", "No module named 'no_such_runtime'"),
        ("lacking", "", "has no attribute 'PROVIDER'"),
        ("mistaken", "PROVIDER = 42", "an object of type int without name, devices"),
        ("unwritten", "PROVIDER = ", "SyntaxError"),
    ],
)
def test_a_broken_package_is_named_with_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, module: str, found: str
) -> None:
    _installed(tmp_path, monkeypatch, package, "vendor", module)
    with pytest.raises(BackendError) as caught:
        provider("vendor")
    said = str(caught.value)
    assert found in said
    assert f"of the package {package} 1.0 can't be used" in said
    assert said.endswith("mend or uninstall that package.")
    assert availability_of("vendor").reason == said
    assert "vendor" not in providers()
    assert {"onnxruntime", "simulated", "tensorflow"} <= set(providers())


@pytest.mark.parametrize(
    ("package", "answer", "found"),
    [
        ("unsure", "raise OSError('no driver')", "OSError: no driver"),
        ("quitting", "raise SystemExit", "SystemExit"),
        ("wordless", "return None", "availability"),
    ],
)
def test_a_backend_that_can_not_say_whether_it_is_available_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, answer: str, found: str
) -> None:
    module = VENDOR.replace('return Availability("7.0")', answer)
    _installed(tmp_path, monkeypatch, package, "vendor", module)
    seen = availability_of("vendor")
    assert seen.version is None
    assert found in seen.reason
    assert f"{package} 1.0" in seen.reason


def test_our_own_backends_can_not_be_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = provider("simulated")
    _installed(tmp_path, monkeypatch, "shadow", "simulated", VENDOR)
    assert provider("simulated") is own
    assert [point.value for point in plugins()["simulated"].hidden] == ["shadow:PROVIDER"]


def test_two_packages_with_one_name_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("first_vendor", "second_vendor"):
        _installed(tmp_path / package, monkeypatch, package, "vendor", VENDOR)
    with pytest.raises(BackendError, match=r"first_vendor 1\.0 and second_vendor 1\.0 both offer"):
        provider("vendor")
    assert "vendor" not in providers()
