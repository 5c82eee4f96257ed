"""Power as it is published: mean watts, or the energy of one query."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.submission.measured import measured
from audit.submission.power import Power, inside, read_samples, window_of
from audit.submission.reading import read_submission
from audit.submission.subject import Subject
from tests.audit.submission.negatives.performance import copied
from tests.audit.submission.negatives.power import SAMPLE, measures_power
from tests.audit.submission.trees import SampleTree, build, change_log, remove, write


def _power(tree: SampleTree, scenario: str = "Offline") -> Power | None:
    submission = read_submission(tree.root, tree.round.name)
    (entry,) = (
        one
        for one in submission.entries()
        if (one.benchmark_folder, one.scenario) == (tree.benchmark, scenario)
    )
    subject = Subject(entry, submission.tree, submission.round, submission.layout)
    return measured(subject).power


def test_a_good_measurement_of_power_has_no_finding(tmp_path: Path) -> None:
    tree = build(tmp_path)
    measures_power(tree)
    assert not tree.check()
    assert _power(tree) == Power(200.0, "Watts")


def test_without_the_power_folder_it_is_an_ordinary_result(tmp_path: Path) -> None:
    tree = build(tmp_path)
    remove(measures_power(tree))
    assert _power(tree) is None
    assert not {one.rule for one in tree.check()} & {"PWR-001", "PWR-005"}


@pytest.mark.parametrize("scenario", ["SingleStream", "MultiStream"])
def test_of_a_latency_the_energy_of_one_query_is_published(tmp_path: Path, scenario: str) -> None:
    tree = build(tmp_path, division="open")
    if scenario == "MultiStream":
        copied(tree, "SingleStream", scenario)
    write(tree.results(scenario) / "performance" / "power" / "server.json", "{}")
    lines = "".join(SAMPLE.format(minute=minute, watts=200) for minute in range(1, 4))
    write(tree.performance(scenario) / "spl.txt", lines)
    energy_mj = 200.0 * 603 * 1000 / 60000 * (8 if scenario == "MultiStream" else 1)
    power = _power(tree, scenario)
    assert power is not None
    assert power.value == pytest.approx(energy_mj)
    assert power.unit == "millijoules"


def test_a_run_without_queries_has_no_energy(tmp_path: Path) -> None:
    tree = build(tmp_path, division="open")
    write(tree.results("SingleStream") / "performance" / "power" / "server.json", "{}")
    write(tree.performance("SingleStream") / "spl.txt", SAMPLE.format(minute=1, watts=200))
    change_log(tree.performance("SingleStream"), {"result_query_count": 0})
    assert _power(tree, "SingleStream") is None


def test_only_samples_above_zero_inside_the_window_count(tmp_path: Path) -> None:
    tree = build(tmp_path)
    submission = read_submission(tree.root, tree.round.name)
    entry = next(one for one in submission.entries() if one.scenario == "Offline")
    subject = Subject(entry, submission.tree, submission.round, submission.layout)
    assert subject.performance_log is not None
    window = window_of(subject.performance_log)
    assert window is not None
    assert window.seconds == 603
    text = "\n".join(
        f"Time,11-30-2026 {time},Watts,{watts}"
        for time, watts in (
            ("09:00:00.000", 100),
            ("09:00:01.000", 0),
            ("09:00:02.000", 150),
            ("09:00:03.000", 0.5),
            ("09:10:03.000", 100),
        )
    )
    samples = [one for _, _, one in read_samples(text) if one is not None]
    assert [one.watts for one in inside(samples, window)] == [150, 0.5]


@given(st.text())
def test_any_text_is_read_line_by_line(text: str) -> None:
    for number, line, _ in read_samples(text):
        assert line.strip()
        assert number >= 1
