"""Builds a good submission of one edge system, and lets a test change one file of it.

It holds resnet50 (SingleStream, MultiStream, Offline) and bert-99 (SingleStream, Offline) in the
layout of any round. :func:`build` writes it; the methods of :class:`SampleTree` find and change its
files. Each file is written anew, so a change in one tree is none in another.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from audit.rules import Round, load_round
from audit.submission.check import check
from audit.submission.files import scan
from audit.submission.findings import Finding, shown
from audit.submission.layout import Layout, layout_of
from audit.submission.reading import read_submission
from audit.submission.subject import ACCURACY_LOG, ACCURACY_TEXT, DETAIL, SUMMARY
from tests.audit import written_logs
from tests.audit.submission import samples

SUBMITTER, SYSTEM = "Example", "sample-cpu"
ENTRIES: Mapping[str, tuple[str, ...]] = {
    "resnet50": ("SingleStream", "MultiStream", "Offline"),
    "bert-99": ("SingleStream", "Offline"),
}


@dataclass(frozen=True)
class SampleTree:
    """A tree on disk. Paths of an entry are of ``benchmark``, whose folder ``of`` chooses."""

    root: Path
    round: Round
    layout: Layout
    division: str = "closed"
    submitter: str = SUBMITTER
    system: str = SYSTEM
    benchmark: str = "resnet50"

    def of(self, benchmark: str) -> SampleTree:
        """The same tree, seen from another benchmark."""
        return replace(self, benchmark=benchmark)

    @property
    def folder(self) -> Path:
        """The submitter's folder."""
        return self.root / self.division / self.submitter

    @property
    def code(self) -> Path:
        return self.folder / self.layout.code

    @property
    def description(self) -> Path:
        """The description of the system."""
        return self.folder / "systems" / f"{self.system}.json"

    def results(self, scenario: str = "Offline") -> Path:
        return self._placed(self.layout.results, scenario)

    def performance(self, scenario: str = "Offline") -> Path:
        """The folder of the performance run."""
        return self.results(scenario) / "performance" / "run_1"

    def accuracy(self, scenario: str = "Offline") -> Path:
        """The folder of the accuracy run."""
        return self.results(scenario) / "accuracy"

    def measurements(self, scenario: str = "Offline") -> Path:
        return self._placed(self.layout.measurements, scenario)

    def measurements_file(self, scenario: str = "Offline") -> Path:
        name = self.layout.measurements_files[0].format(system=self.system, scenario=scenario)
        return self.measurements(scenario) / name

    def test(self, name: str, scenario: str = "Offline") -> Path:
        """The folder of a compliance test."""
        return self._placed(self.layout.compliance, scenario) / name

    def test_run(self, name: str, scenario: str = "Offline") -> Path:
        """The folder of the run of a compliance test."""
        return self.test(name, scenario) / "performance" / "run_1"

    def check(self, submitter: str | None = None) -> tuple[Finding, ...]:
        """Everything that is found in the tree."""
        return tuple(findings(self.root, self.round.name, submitter))

    def changed(self) -> set[str]:
        """The files and folders that are other than in a good tree, as findings name them."""
        good = {path.as_posix(): text for path, text in _good_files(self.round.name, self.division)}
        folders = {parent.as_posix() for path in good for parent in Path(path).parents}
        other = {path for path, text in good.items() if self._differs(path, text)}
        there = set(scan(self.root).nodes)
        return {shown(path) for path in (there ^ {*good, *folders} | other) - {"."}}

    def _differs(self, path: str, text: str) -> bool:
        whole = self.root / path
        return whole.is_symlink() or not whole.is_file() or whole.read_bytes() != text.encode()

    def _placed(self, pattern: str, scenario: str) -> Path:
        places = {"system": self.system, "benchmark": self.benchmark, "scenario": scenario}
        return self.folder / pattern.format_map(places)


Change = Callable[[SampleTree], object]


def build(root: Path, round_name: str = "v6.1", division: str = "closed") -> SampleTree:
    """Write a good tree of a round at ``root``."""
    tree = SampleTree(root, load_round(round_name), layout_of(round_name), division)
    for path, text in _good_files(round_name, division):
        write(root / path, text)
    return tree


def write(path: Path, text: str | bytes) -> None:
    """Write one file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def change_text(path: Path, old: str, new: str) -> None:
    """Replace text that stands in a file."""
    text = path.read_text("utf-8")
    assert old in text, f"{old!r} does not stand in {path}"
    write(path, text.replace(old, new))


def change_json(path: Path, **changes: Any) -> None:
    """Set members of a JSON object; None takes one out."""
    document = {**json.loads(path.read_text("utf-8")), **changes}
    kept = {key: value for key, value in document.items() if value is not None}
    write(path, json.dumps(kept, indent=1))


def change_log(folder: Path, changes: Mapping[str, Any], more: str = "") -> None:
    """Set values of a detail log; None takes a line out, ``more`` stands behind the last."""
    path, left = folder / DETAIL, dict(changes)
    lines = []
    for line in path.read_text("utf-8").splitlines(keepends=True):
        key = json.loads(line.partition(" ")[2])["key"]
        if key not in left:
            lines.append(line)
        elif (value := left.pop(key)) is not None:
            lines.append(written_logs.line(key, value))
    assert not left, f"{', '.join(left)} not in {path}"
    write(path, "".join(lines) + more)


def remove(path: Path) -> None:
    """Take out a file or a whole folder."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def findings(root: Path, round_name: str, submitter: str | None = None) -> Iterator[Finding]:
    """Everything that is found in the tree at ``root``."""
    yield from check(read_submission(root, round_name, submitter)).findings


@cache
def _good_files(round_name: str, division: str) -> tuple[tuple[Path, str], ...]:
    """(path in the tree, text) of every file."""
    tree = SampleTree(Path(), load_round(round_name), layout_of(round_name), division)
    description = samples.system(division, tree.submitter)
    files = [
        (tree.description, json.dumps(description, indent=1)),
        (tree.folder / "calibration.md", "# Calibration\n\nNothing is quantised.\n"),
    ]
    for benchmark, scenarios in ENTRIES.items():
        one = tree.of(benchmark)
        files.append((one.code / benchmark / "README.md", "# How to run it\n"))
        for scenario in scenarios:
            files += _entry_files(one, scenario)
    return tuple(files)


def _entry_files(tree: SampleTree, scenario: str) -> Iterator[tuple[Path, str]]:
    rules = tree.round.listed(tree.benchmark)
    assert rules is not None
    detail = samples.performance(tree.round, rules, scenario)
    measured = json.dumps(samples.measurements(), indent=1)
    yield tree.performance(scenario) / DETAIL, detail
    yield tree.performance(scenario) / SUMMARY, samples.summary(detail)
    yield tree.performance(scenario) / ACCURACY_LOG, "[\n]\n"
    yield tree.accuracy(scenario) / DETAIL, samples.accuracy(tree.round, rules, scenario)
    yield tree.accuracy(scenario) / SUMMARY, samples.NO_COMPLAINTS
    yield tree.accuracy(scenario) / ACCURACY_LOG, samples.answers(rules)
    yield tree.accuracy(scenario) / ACCURACY_TEXT, samples.score(rules)
    yield tree.measurements_file(scenario), measured
    yield tree.measurements(scenario) / "user.conf", f"*.{scenario}.target_qps = 100\n"
    yield tree.measurements(scenario) / "README.md", "# How it was measured\n"
    for test in rules.compliance_tests:
        yield from _test_files(tree, scenario, test)


def _test_files(tree: SampleTree, scenario: str, test: str) -> Iterator[tuple[Path, str]]:
    rules = tree.round.listed(tree.benchmark)
    assert rules is not None
    folder, run = tree.test(test, scenario), tree.test_run(test, scenario)
    detail = samples.tested(tree.round, rules, scenario, test)
    yield run / DETAIL, detail
    yield run / SUMMARY, samples.summary(detail)
    yield folder / "verify_performance.txt", samples.verify_performance(rules, scenario, test)
    if test == "TEST01":
        yield folder / "verify_accuracy.txt", samples.verify_accuracy(rules, scenario)
        yield folder / "accuracy" / ACCURACY_LOG, samples.sampled_answers(rules)
        yield folder / "accuracy" / ACCURACY_TEXT, f"\nhash={samples.HASH}\n"
