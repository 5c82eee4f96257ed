"""A sweep as a picture: throughput against latency, with the Pareto front.

matplotlib is an extra: it is only loaded here.
"""

from __future__ import annotations

from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any

from audit.documents import NOT_MLPERF
from harness.report.sweep import measured_rows, points
from harness.sweep.pareto import front
from harness.sweep.record import SweepRecord
from harness.sweep.rows import Row

FORMATS = ("png", "svg")
SIZE_INCHES = (9.0, 5.5)
DOTS_PER_INCH = 150
HEADROOM = 1.08
TICKS = (1.0, 2.0, 5.0)
COLOURS = [
    "tab:blue",
    "tab:orange",
    "tab:green",
    "tab:red",
    "tab:purple",
    "tab:brown",
    "tab:pink",
    "tab:gray",
    "tab:olive",
    "tab:cyan",
    "navy",
    "darkgreen",
    "maroon",
    "teal",
    "indigo",
]


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def draw(record: SweepRecord, folder: Path) -> list[Path]:
    """Write sweep.png and sweep.svg; their places, none where nothing was measured."""
    if not measured_rows(record):
        return []
    figure = _figure(record)
    files = [folder / f"sweep.{form}" for form in FORMATS]
    for file in files:
        figure.savefig(file, dpi=DOTS_PER_INCH, bbox_inches="tight")
    return files


def _figure(record: SweepRecord) -> Any:
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator

    figure = Figure(figsize=SIZE_INCHES, layout="constrained")
    axes = figure.add_subplot()
    axes.set_prop_cycle("color", COLOURS)
    _series(axes, measured_rows(record))
    _front(axes, measured_rows(record))
    axes.set(
        title=f"{record.benchmark}: throughput against latency, all streams busy ({NOT_MLPERF})",
        xlabel="p90 latency of a batch, ms",
        ylabel="samples/s",
        xscale="log",
    )
    axes.set_ylim(0, HEADROOM * max(point.samples_per_s for point in points(measured_rows(record))))
    axes.xaxis.set_major_locator(LogLocator(subs=TICKS))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("")
    axes.grid(visible=True, which="both", alpha=0.25)
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    return figure


def _series(axes: Any, rows: list[Row]) -> None:
    """A line of batches for each way to open the model."""
    ordered = sorted(rows, key=lambda row: (_series_name(row), row.configuration.batch))
    for name, group in groupby(ordered, key=_series_name):
        same = list(group)
        seen = points(same)
        latencies, rates = [p.latency_ms for p in seen], [p.samples_per_s for p in seen]
        axes.plot(latencies, rates, marker="o", linewidth=1, alpha=0.8, label=name)
        for row, point in zip(same, seen, strict=True):
            axes.annotate(
                str(row.configuration.batch),
                (point.latency_ms, point.samples_per_s),
                textcoords="offset points",
                xytext=(4, -11),
                fontsize=8,
            )


def _series_name(row: Row) -> str:
    one = row.configuration
    return f"{one.session}, {one.streams} × {one.threads} threads"


def _front(axes: Any, rows: list[Row]) -> None:
    seen = points(rows)
    best = [seen[index] for index in front(seen)]
    if best:
        axes.step(
            [point.latency_ms for point in best],
            [point.samples_per_s for point in best],
            where="post",
            color="black",
            linestyle="--",
            linewidth=1,
            label="Pareto front (numbers: batch)",
        )
