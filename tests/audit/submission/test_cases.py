"""Faults that broke such tools elsewhere: one finding each, and none where nothing is wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from audit.rules import round_names
from audit.submission.subject import DETAIL
from tests.audit.submission.trees import (
    SampleTree,
    build,
    change_json,
    change_text,
    remove,
    write,
)


def description(change: Callable[[Path], object]) -> Callable[[SampleTree], object]:
    return lambda tree: change(tree.description)


def rename_system(tree: SampleTree) -> None:
    for part in ("results", "measurements", "compliance"):
        (tree.folder / part / tree.system).rename(tree.folder / part / "my system")
    tree.description.rename(tree.description.with_name("my system.json"))
    for file in tree.folder.rglob(f"{tree.system}.json"):
        file.rename(file.with_name("my system.json"))


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("SYS-004", description(lambda path: change_json(path, status=None))),
        ("SYS-012", description(lambda path: change_json(path, is_network=True))),
        ("SYS-012", description(lambda path: change_json(path, is_network="true"))),
        ("SYS-003", description(lambda path: change_text(path, "{", '{"cooling": "none",'))),
        ("SYS-001", description(lambda path: change_text(path, "\n}", ",\n}"))),
        (
            "SYS-002",
            description(lambda path: write(path, path.read_bytes().replace(b"Sample", b"S\xe9"))),
        ),
        ("SYS-001", description(lambda path: write(path, b"[" + path.read_bytes() + b"]"))),
        (
            "SYS-005",
            description(lambda path: change_text(path, "processor_model", "procesor_model")),
        ),
        ("STR-001", lambda tree: remove(tree.root / "closed")),
        ("STR-010", rename_system),
        (
            "STR-016",
            lambda tree: write(tree.code / ("n" * (204 - len("closed/Example/code"))), "x"),
        ),
        (
            "STR-024",
            lambda tree: shutil.copytree(tree.test("TEST01"), tree.test("TEST01", "Server")),
        ),
        ("STR-025", lambda tree: shutil.copytree(tree.results(), tree.results("offline"))),
    ],
)
def test_one_fault_is_one_finding(
    tmp_path: Path, rule: str, change: Callable[[SampleTree], object]
) -> None:
    tree = build(tmp_path, "v5.1")
    change(tree)
    assert [one.rule for one in tree.check()] == [rule]


@pytest.mark.parametrize(
    "members",
    [
        {"is_network": "false"},
        {"is_network": False},
        {"accelerators_per_node": 0},
        {"accelerators_per_node": "0"},
        {"status": "RDI"},
        {"division": "Closed"},
        {"number_of_nodes": 2},
    ],
)
def test_what_is_right_is_not_complained_of(tmp_path: Path, members: dict[str, object]) -> None:
    tree = build(tmp_path, "v5.1")
    change_json(tree.description, **members)
    assert not tree.check()


@pytest.mark.parametrize("system_type", ["datacenter, edge", "edge,datacenter", "datacenter"])
def test_the_type_of_a_system_decides_its_scenarios(tmp_path: Path, system_type: str) -> None:
    tree = build(tmp_path, "v5.0")
    change_json(tree.description, system_type=system_type)
    found = {(one.rule, one.where.rpartition("/")[2]) for one in tree.check()}
    assert ("STR-033", "Server") in found
    assert not any(rule.startswith("SYS") for rule, _ in found)


@pytest.mark.parametrize("round_name", round_names())
def test_every_benchmark_of_a_round_is_checked_and_only_ours_are_judged(
    tmp_path: Path, round_name: str
) -> None:
    tree = build(tmp_path, round_name, "open")
    for name in {*tree.round.benchmarks} - {"resnet", "bert-99", "bert-99.9"}:
        for part in {tree.results(), tree.measurements()}:
            copied = shutil.copytree(part, part.parent.with_name(name) / part.name)
            for log in copied.rglob(DETAIL):
                write(log, f"{name}\n{log.read_text('utf-8')}")
    found = tree.check()
    left_open = {one.where.split("/")[-2] for one in found if one.rule == "ENT-001"}
    assert not [one for one in found if one.rule.startswith(("INT", "STR", "MEAS", "SYS"))]
    assert "PERF-010" in {one.rule for one in found}, "their limits are not resnet's"
    assert left_open == {*tree.round.benchmarks} - {"resnet", "bert-99", "bert-99.9"}


def test_a_misspelt_field_is_told_with_the_right_name(tmp_path: Path) -> None:
    tree = build(tmp_path)
    change_text(tree.description, "host_processor_model_name", "host_procesor_model_name")
    (found,) = tree.check()
    assert (found.found, found.expected) == (
        "host_procesor_model_name",
        "host_processor_model_name",
    )
    assert "host_processor_model_name" in found.sentence
    assert "host_procesor" in tree.description.read_text().splitlines()[(found.line or 0) - 1]


def test_every_complaint_about_one_description_is_made(tmp_path: Path) -> None:
    tree = build(tmp_path)
    change_json(tree.description, status="soon", number_of_nodes="two", framework="", cooling=None)
    change_text(tree.description, '"hw_notes": ""', '"hw_notes": "", "hw_notes": "x"')
    write(
        tree.description, tree.description.read_text().replace("Linux", "Lünux").encode("latin-1")
    )
    rules = [one.rule for one in tree.check()]
    assert rules == ["SYS-002", "SYS-003", "SYS-006", "SYS-004", "SYS-007", "SYS-011"]


def test_the_line_of_what_stands_twice_is_told(tmp_path: Path) -> None:
    tree = build(tmp_path)
    text = tree.description.read_text().replace('"cooling": "air"', '"cooling": 1,\n"cooling": 2')
    write(tree.description, text)
    (found,) = tree.check()
    assert text.splitlines()[(found.line or 0) - 1] == '"cooling": 2,'


def test_a_mistyped_submitter_is_told_the_nearest_one(tmp_path: Path) -> None:
    (found,) = build(tmp_path).check("Exmaple")
    assert (found.rule, "Example" in found.sentence) == ("STR-002", True)


def test_an_other_submitter_is_not_looked_at(tmp_path: Path) -> None:
    tree = build(tmp_path)
    write(tree.folder.parent / "Other" / "a b.txt", "x")
    assert not tree.check("Example")
    assert {one.rule for one in tree.check()} == {
        "STR-004",
        "STR-005",
        "STR-006",
        "STR-007",
        "STR-010",
    }
