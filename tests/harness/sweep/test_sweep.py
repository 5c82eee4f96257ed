"""A sweep: what is laid out, what is on the front, what is recommended, and how it is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import schema
from harness.report.plot import draw
from harness.report.sweep import plan_lines, render
from harness.sweep.estimate import Estimate
from harness.sweep.grid import Axes, Configuration, Grid, Offer, Skipped, lay_out
from harness.sweep.pareto import Point, front
from harness.sweep.recommend import Goal, recommend
from harness.sweep.record import SweepRecord, read_record, write_record
from harness.sweep.rows import Accuracy, Measured, Row

OFFERS = {
    "onnxruntime": Offer(("fp32", "int8"), ("provider",)),
    "tensorflow": Offer(("fp32", "bf16"), ()),
    "absent": Offer((), (), "absent can't be used here: it is not installed"),
}
AXES = Axes(("onnxruntime",), ("fp32",), (None,), (1, 2), (None,), (1, 4))


def _configuration(streams: int = 1, batch: int = 1, precision: str = "fp32") -> Configuration:
    return Configuration("onnxruntime", precision, None, streams, 2 // streams, batch)


def _row(one: Configuration, samples_per_s: float) -> Row:
    """A device that takes the same time for every batch, with tails of 1.1 and 1.2 times it."""
    batch_ms = 1000 * one.batch * one.streams / samples_per_s
    seen = Measured(samples_per_s, batch_ms, batch_ms * 1.1, batch_ms * 1.2, 40, 10**9, 95.0)
    return Row(one, "key", seen)


ROWS = (
    _row(_configuration(1, 1), 100.0),
    _row(_configuration(1, 8), 400.0),
    _row(_configuration(2, 1), 150.0),
    _row(_configuration(2, 8), 500.0),
)
THROUGHPUT = Goal("throughput", 100.0, None)


def test_open_threads_fill_the_cores_and_nothing_is_measured_twice() -> None:
    grid = lay_out(replace(AXES, threads=(None, 2)), OFFERS, cores=2)
    assert [str(one) for one in grid.configurations] == [
        "onnxruntime fp32 1 × 2 threads, batch 1",
        "onnxruntime fp32 1 × 2 threads, batch 4",
        "onnxruntime fp32 2 × 1 threads, batch 1",
        "onnxruntime fp32 2 × 1 threads, batch 4",
    ]
    assert {one.reason for one in grid.skipped} == {
        "2 × 2 threads are more than the 2 usable cores"
    }


@pytest.mark.parametrize(
    ("axes", "reason"),
    [
        (replace(AXES, precisions=("bf16",)), "onnxruntime has no precision bf16; it has fp32,"),
        (replace(AXES, backends=("absent",)), "absent can't be used here: it is not installed"),
        (
            replace(AXES, backends=("tensorflow",), providers=("CUDA",)),
            "tensorflow has no execution providers to choose from",
        ),
        (replace(AXES, streams=(1,), threads=(200,)), "more than 16 threads on each of 2"),
    ],
)
def test_what_makes_no_sense_is_left_out_with_the_reason(axes: Axes, reason: str) -> None:
    grid = lay_out(axes, OFFERS, cores=2)
    assert grid.configurations == ()
    assert grid.skipped
    assert all(reason in one.reason for one in grid.skipped)


@given(
    st.lists(
        st.builds(Point, st.floats(1, 1000).map(round), st.floats(1, 100).map(round)), max_size=20
    )
)
def test_the_front_is_what_no_other_point_beats(points: list[Point]) -> None:
    def beats(one: Point, other: Point) -> bool:
        better = one.samples_per_s >= other.samples_per_s and one.latency_ms <= other.latency_ms
        return better and one != other

    kept = {points[index] for index in front(points)}
    assert kept == {one for one in points if not any(beats(other, one) for other in points)}


def test_each_scenario_gets_the_best_configuration_that_it_can_use() -> None:
    found = {one.scenario: one for one in recommend(ROWS, THROUGHPUT)}
    assert found["Offline"].configuration == _configuration(2, 8)
    assert found["SingleStream"].configuration == _configuration(1, 1)
    assert found["MultiStream"].configuration == _configuration(1, 8)
    assert found["MultiStream"].latency_ms == pytest.approx(1.2 * 1000 * 8 / 400)
    server = found["Server"]
    assert server.configuration is not None
    assert 150 < (server.samples_per_s or 0) < 500
    assert "simulated queue sustains within 100 ms" in server.why


def test_a_latency_goal_leaves_out_what_is_slower_than_the_limit() -> None:
    goal = Goal("latency", 20.0, None)
    found = {one.scenario: one for one in recommend(ROWS, goal)}
    assert found["Offline"].configuration == _configuration(2, 1)
    assert found["MultiStream"].configuration is None
    assert found["MultiStream"].why == "no configuration keeps within 20 ms"


def test_the_cost_of_a_million_samples_follows_from_the_price_of_an_hour() -> None:
    (offline, *_) = recommend(ROWS, Goal("cost", None, 1.8))
    assert offline.cost_per_million == pytest.approx(1.0)
    assert offline.why == "lowest cost"


@pytest.mark.parametrize(
    ("rows", "reasons"),
    [
        (
            (),
            {
                "Offline": "no configuration was measured",
                "SingleStream": "no configuration was measured",
                "MultiStream": "no configuration was measured",
                "Server": "no configuration was measured",
            },
        ),
        (
            (_row(_configuration(2, 16), 500.0),),
            {
                "SingleStream": "no configuration with one stream and batch 1 was measured",
                "MultiStream": "none with one stream and a batch of at most 8 was measured",
                "Server": "the round has no limit for it: name one with --latency-limit-ms",
            },
        ),
        (ROWS, {"Server": "the round has no limit for it: name one with --latency-limit-ms"}),
    ],
)
def test_where_nothing_can_be_recommended_the_reason_is_said(
    rows: tuple[Row, ...], reasons: dict[str, str]
) -> None:
    found = recommend(rows, Goal("throughput", None, None))
    assert {one.scenario: one.why for one in found if one.configuration is None} == reasons


def _record() -> SweepRecord:
    failed = Row(_configuration(1, 16), "key", None, "the device is out of memory")
    also = Row(_configuration(1, 32), "key", None, "the device is out of memory")
    skipped = Skipped(_configuration(1, 1, "bf16"), "onnxruntime has no precision bf16")
    return SweepRecord(
        benchmark="resnet50",
        seconds=2.0,
        rows=(*ROWS, failed, also),
        accuracies=(Accuracy("onnxruntime fp32", "key", 94.2, 93.258, True),),
        skipped=(skipped,),
        goal=THROUGHPUT,
        recommendations=recommend(ROWS, THROUGHPUT),
    )


def test_what_was_measured_is_read_back_as_it_was(tmp_path: Path) -> None:
    path, record = tmp_path / "sweep.json", _record()
    assert ROWS[0].measured is not None
    on_gpu = replace(ROWS[0].measured, gpu_percent=37.5, gpu_memory_bytes=5.5e9)
    record = record.with_step(Row(_configuration(1, 64), "key", on_gpu))
    assert read_record(path) is None
    write_record(record, path)
    assert schema.read(path, "sweep")["goal"]["kind"] == "throughput"
    kept = read_record(path)
    assert kept is not None
    assert (kept.rows, kept.accuracies) == (record.rows, record.accuracies)


def test_the_table_marks_the_front_and_says_each_cause_once() -> None:
    slower = _row(_configuration(1, 4), 90.0)
    record = replace(_record(), rows=(slower, *_record().rows))
    said = render(record, [Path("sweep.json")])
    lines = said.splitlines()
    assert [line.split()[3:7] for line in lines if line.startswith("*  ")] == [
        ["1", "×", "2", "1"],
        ["1", "×", "2", "8"],
        ["2", "×", "1", "1"],
        ["2", "×", "1", "8"],
    ]
    assert (
        "FAILED: onnxruntime fp32 1 × 2 threads, batch 16 and 1 more: the device is out of memory"
        in lines
    )
    assert any(line.startswith("  - Offline: onnxruntime fp32 2 × 1") for line in lines)
    assert lines[-1] == "Written: sweep.json"


def test_on_a_gpu_its_use_has_a_column_and_its_memory_stands_for_the_process() -> None:
    seen = ROWS[0].measured
    assert seen is not None
    on_gpu = replace(ROWS[0], measured=replace(seen, gpu_percent=37.4, gpu_memory_bytes=5.5e9))
    heading, _, row, *_ = render(replace(_record(), rows=(on_gpu,)), []).splitlines()
    assert heading.endswith("GPU %")
    assert "  5,500 " in row
    assert row.endswith("  37")
    heading, _, row, *_ = render(replace(_record(), rows=ROWS[:1]), []).splitlines()
    assert heading.endswith("accuracy %")
    assert "  1,000 " in row


def test_the_plan_says_what_will_be_measured_how_long_and_what_not() -> None:
    grid = Grid(tuple(row.configuration for row in ROWS), _record().skipped)
    assert list(plan_lines(grid, Estimate(24.0, 30.0, 16.0))) == [
        "Planned 4 configurations, about 54 s:",
        "  onnxruntime fp32: threads 1 × 2, 2 × 1; batches 1, 8",
        "  30 s of that to score the answers of each of these once",
        "  skipped 1: onnxruntime has no precision bf16",
        "  then a run of LoadGen for each scenario's recommendation, at least 16 s in all; "
        "--no-confirm leaves them out",
    ]
    plain = " ".join(plan_lines(grid, Estimate(24.0, 0.0, 0.0)))
    assert "LoadGen" not in plain
    assert "score" not in plain


def test_the_plot_is_drawn_as_png_and_svg(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is an extra")
    png, svg = draw(_record(), tmp_path)
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "<svg" in svg.read_text("utf-8")
    assert draw(replace(_record(), rows=()), tmp_path) == []


def test_what_misses_its_accuracy_is_shown_but_not_recommended() -> None:
    int8 = replace(ROWS[0], configuration=_configuration(1, 1, "int8"))
    missed = Accuracy("onnxruntime int8", "key", 90.0, 93.258, False)
    unscored = Accuracy("onnxruntime bf16", "key", None, 93.258, False, "it broke")
    record = _record().with_step(int8).with_step(missed).with_step(unscored)
    advice = recommend((*ROWS[1:], int8), THROUGHPUT, record.accuracies)
    chosen = {one.scenario: one for one in advice}
    assert chosen["Offline"].configuration == _configuration(2, 8)
    assert chosen["SingleStream"].configuration is None
    assert chosen["SingleStream"].why == "onnxruntime int8 scored 90.00, below 93.26"
    said = render(record, [])
    assert "94.20 ≥ 93.26" in said
    assert "90.00 BELOW 93.26" in said
    assert "NOT SCORED: onnxruntime bf16: it broke" in said


@pytest.mark.parametrize(
    ("percent", "why"),
    [(90.0, "onnxruntime fp32 scored 90.00, below 93.26"), (None, "onnxruntime fp32 could not")],
)
def test_where_no_accuracy_will_do_that_is_the_reason(percent: float | None, why: str) -> None:
    short = Accuracy("onnxruntime fp32", "key", percent, 93.258, False, "" if percent else "broke")
    for one in recommend(ROWS, THROUGHPUT, (short,)):
        assert one.configuration is None
        assert one.why.startswith(why)


def test_what_an_earlier_sweep_measured_is_kept_until_this_one_comes_to_it() -> None:
    earlier = _record()
    begun = SweepRecord("resnet50", 2.0).with_step(ROWS[1])
    wanted = [row.configuration for row in ROWS[:3]]
    kept = begun.with_rest_of(earlier, wanted)
    assert kept.rows == (ROWS[1], ROWS[0], ROWS[2])
    assert kept.accuracies == earlier.accuracies
    assert kept.with_rest_of(earlier, wanted) == kept
