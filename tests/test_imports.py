"""Imports point down: nothing imports what lies above it, and no modules import in a circle.

Every import counts, also those in functions and those for the type checker alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BELOW: dict[str, set[str]] = {
    "harness": {"sut", "datasets", "audit"},
    "audit": {"datasets"},
    "sut": {"datasets"},
    "datasets": set(),
}
"""What each package may import of ours beside itself."""
LAYERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "harness": (
        ("__main__",),
        ("entry",),
        ("cli", "output"),
        ("commands",),
        ("report",),
        ("rerun",),
        ("qualify", "searching", "sweeping", "preparing", "compared", "logs_audit", "check_files"),
        ("execution", "submission_check", "sweep", "variants"),
        ("planning",),
        ("tuning", "begin"),
        ("job", "sources"),
        ("running",),
        ("host", "suites", "benchmarks", "request", "system_errors", "exits"),
        ("spec", "stop"),
    ),
    "datasets": (
        ("calibration", "subset"),
        ("images", "questions"),
        ("fetching", "samples", "embedded"),
        ("disk",),
        ("errors", "listing", "cores"),
        ("sysfs",),
    ),
    "audit": (
        ("compliance",),
        ("consistency",),
        ("evidence",),
        ("runs",),
        ("planned",),
        ("accuracy",),
        ("logs",),
        ("findings", "rules", "schema", "compliance_tests"),
    ),
}
"""Rooms and modules of a package, from what is nearest the command down; those of one line know
nothing of each other. Of audit only what verdicts are made from."""
WHOLE = ("harness", "datasets")
"""Packages of which every room has its layer."""
HEIGHTS = {
    f"{package}.{room}": -depth
    for package, layers in LAYERS.items()
    for depth, layer in enumerate(layers)
    for room in layer
}


def _modules() -> dict[str, Path]:
    """Name → file of every module of ours; a package goes by its own name."""
    files = (path for package in BELOW for path in (ROOT / package).rglob("*.py"))
    return {_name(path): path for path in files}


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = _modules()


def _imported(module: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            wholes = [f"{node.module}.{name.name}" for name in node.names]
            yield from (whole if whole in MODULES else node.module for whole in wholes)


IMPORTS = {module: set(_imported(module)) - {module} for module in MODULES}


def test_no_package_imports_one_above_it() -> None:
    assert not [
        f"{module} imports {imported}"
        for module, below in IMPORTS.items()
        for imported in below
        if not _is_allowed(_package(module), _package(imported))
    ]


def _is_allowed(package: str, imported: str) -> bool:
    return imported == package or imported in BELOW[package]


def _package(module: str) -> str:
    return module.split(".")[0]


def test_no_modules_import_each_other_in_a_circle() -> None:
    tuple(TopologicalSorter(IMPORTS).static_order())


@pytest.mark.parametrize("package", WHOLE)
def test_every_room_has_one_layer(package: str) -> None:
    rooms = {_room(module) for module in MODULES if module.startswith(f"{package}.")}
    layered = [f"{package}.{room}" for layer in LAYERS[package] for room in layer]
    assert sorted(rooms) == sorted(layered)


@pytest.mark.parametrize("package", LAYERS)
def test_no_room_imports_one_above_it_or_beside_it(package: str) -> None:
    between = list(_between_rooms(package))
    assert between
    assert not [
        f"{module} imports {imported}"
        for module, imported in between
        if HEIGHTS[_room(imported)] >= HEIGHTS[_room(module)]
    ]


def _between_rooms(package: str) -> Iterator[tuple[str, str]]:
    layered = {name for name in MODULES if _package(name) == package and _room(name) in HEIGHTS}
    for module in layered:
        inside = IMPORTS[module] & layered
        yield from ((module, name) for name in inside if _room(name) != _room(module))


def _room(module: str) -> str:
    return ".".join(module.split(".")[:2])
