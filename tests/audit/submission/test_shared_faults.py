"""Real submissions, and the same with one fault each: judged as the rules say.

Each fault's tree is made of hard links to the files of its base: what was changed is what has
another inode, and a finding must name one of those files or folders.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import tarfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import ModuleType

import pytest

from audit.submission.findings import Finding
from tests.audit.submission.trees import findings

Nodes = Mapping[str, int]
"""The inode at each path of a tree."""


@dataclass(frozen=True)
class Fault:
    """One changed tree."""

    name: str
    base: str
    accepted: bool
    clear: bool
    """Whether the rules can be read in one way only."""
    change: Callable[[Path], object]


@dataclass(frozen=True)
class Judged:
    """What was found in a faulty tree."""

    fault: Fault
    errors: tuple[Finding, ...]
    changed: frozenset[str]
    crashed: bool

    @property
    def right(self) -> bool:
        """Whether it is judged as it should be, and a rejection names what was changed."""
        named = any(one.where in self.changed for one in self.errors)
        return not self.errors if self.fault.accepted else named


@pytest.fixture(scope="module")
def faults_module(shared: Path) -> ModuleType:
    """The list of faults, with the functions that make them."""
    spec = importlib.util.spec_from_file_location(
        "faults", shared / "cases" / "submissions" / "faults.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def judged(
    faults_module: ModuleType, shared: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Judged, ...]:
    """Every fault's tree, checked."""
    folder = tmp_path_factory.mktemp("faults")
    for base in faults_module.BASES:
        with tarfile.open(shared / "cases" / "submissions" / f"{base}.tar.gz") as archive:
            archive.extractall(folder / base, filter="data")
    return tuple(_judge(fault, faults_module, folder) for fault in _faults(faults_module))


def _faults(module: ModuleType) -> Iterator[Fault]:
    for name, base, _, expected, change in module.M:
        yield Fault(
            name=name,
            base=base,
            accepted=expected.startswith("accept"),
            clear=name.split("-")[1] not in module.DEBATABLE,
            change=partial(_apply, module, base, change),
        )


def _apply(module: ModuleType, base: str, change: Callable[[object], object], root: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # the list leaves its files open
        change(module.T(base, str(root)))


def _judge(fault: Fault, module: ModuleType, folder: Path) -> Judged:
    root, base = folder / fault.name, folder / fault.base
    shutil.copytree(base, root, copy_function=os.link, symlinks=True)
    fault.change(root)
    found = tuple(findings(root, module.BASES[fault.base][4]))
    return Judged(
        fault=fault,
        errors=tuple(one for one in found if one.severity == "error"),
        changed=frozenset(_changed(_nodes(base), _nodes(root))),
        crashed=any(one.rule.startswith("INT-") for one in found),
    )


@cache
def _nodes(root: Path) -> Nodes:
    """Folders have none of their own: they are the same wherever they stand."""
    paths = (
        Path(folder) / name for folder, *kinds in os.walk(root) for some in kinds for name in some
    )
    return {
        path.relative_to(root).as_posix(): 0
        if path.is_dir() and not path.is_symlink()
        else path.lstat().st_ino
        for path in paths
    }


def _changed(before: Nodes, after: Nodes) -> Iterator[str]:
    return (path for path in {*before, *after} if before.get(path) != after.get(path))


def test_every_clear_fault_is_judged_right_and_named(judged: tuple[Judged, ...]) -> None:
    wrong = {one.fault.name: one.errors for one in judged if one.fault.clear and not one.right}
    assert sum(one.fault.clear for one in judged) == 123
    assert not wrong, _told(wrong)


def test_a_check_of_any_fault_ends(judged: tuple[Judged, ...]) -> None:
    assert len(judged) == 144
    assert not [one.fault.name for one in judged if one.crashed]


def test_nothing_speaks_against_the_unchanged_trees(judged: tuple[Judged, ...]) -> None:
    valid = [one for one in judged if one.fault.name.endswith("000-valid")]
    assert {one.fault.base for one in valid} == {"R", "B", "O", "N1"}
    assert not {one.fault.base: one.errors for one in valid if one.errors}


def _told(wrong: Mapping[str, tuple[Finding, ...]]) -> str:
    return "\n".join(
        f"{name}: {[(one.rule, one.where) for one in errors] or 'nothing'}"
        for name, errors in wrong.items()
    )
