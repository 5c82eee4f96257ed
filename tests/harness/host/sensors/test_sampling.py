"""Sampling: what is kept of the readings, and sensors that raise, hang or come too late."""

from __future__ import annotations

import threading

from hypothesis import given
from hypothesis import strategies as st

from harness.host.sensors.reading import Reading, Sensor, Source
from harness.host.sensors.sampling import Sampling
from harness.host.sensors.series import Series

NEVER = threading.Event()


class Steady:
    """A sensor that counts its readings and says when there were some."""

    def __init__(self, enough: int = 3) -> None:
        self.number, self.enough, self.read_enough = 0, enough, threading.Event()

    def read(self) -> Reading:
        self.number += 1
        if self.number >= self.enough:
            self.read_enough.set()
        return Reading({"power_w": float(self.number)})


class Hanging:
    """A sensor that answers twice and never again."""

    def __init__(self) -> None:
        self.hangs, self._answers = threading.Event(), iter([Reading({"power_w": 5.0})] * 2)

    def read(self) -> Reading:
        for reading in self._answers:
            return reading
        self.hangs.set()
        NEVER.wait()
        raise AssertionError


class Raising:
    """A sensor that answers twice and then raises."""

    def __init__(self) -> None:
        self.raised, self._answers = threading.Event(), iter([Reading({"power_w": 6.0})] * 2)

    def read(self) -> Reading:
        for reading in self._answers:
            return reading
        self.raised.set()
        raise OSError("the bus is gone")


def _source(sensor: Sensor, kind: str = "cpu", device: int | None = None) -> Source:
    return Source(kind, device, lambda: sensor)


def test_nothing_is_read_before_the_run_is_measured_nor_after() -> None:
    sensor = Steady()
    sampling = Sampling([_source(sensor)], interval_s=0.001)
    sampling.follow(False)
    assert sensor.number == 0
    sampling.follow(True)
    assert sensor.read_enough.wait(10)
    sampling.follow(False)
    document = sampling.document()
    assert document["cpu"]["readings"] == sensor.number - 1
    assert document["cpu"]["power_w"]["min"] == 2
    assert document["cpu"]["power_w"]["max"] == sensor.number
    assert (document["gpus"], document["failed"]) == ([], [])


def test_a_run_that_never_was_measured_has_no_readings() -> None:
    sensor = Steady()
    document = Sampling([_source(sensor)]).document()
    assert document == {"interval_s": 1.0, "gpus": [], "failed": []}
    assert sensor.number == 0


def test_one_sensor_that_hangs_and_one_that_raises_leave_the_third_alone() -> None:
    hanging, raising, steady = Hanging(), Raising(), Steady(5)
    sources = [_source(hanging, "gpu", 0), _source(raising, "gpu", 3), _source(steady)]
    sampling = Sampling(sources, interval_s=0.001)
    sampling.follow(True)
    for event in (hanging.hangs, raising.raised, steady.read_enough):
        assert event.wait(10)
    document = sampling.document(wait_s=0.05)
    assert document["failed"] == [
        {"sensor": "gpu 0", "cause": "it gave no answer for 0.05 s"},
        {"sensor": "gpu 3", "cause": "the bus is gone"},
    ]
    assert [(one["device"], one["readings"]) for one in document["gpus"]] == [(0, 1), (3, 1)]
    assert document["cpu"]["readings"] >= 4


def test_a_sensor_that_can_not_be_opened_says_why() -> None:
    def broken() -> Sensor:
        raise LookupError

    document = Sampling([Source("gpu", 1, broken)]).document()
    assert document["failed"] == [{"sensor": "gpu 1", "cause": "LookupError"}]


def test_a_sensor_that_hangs_while_it_is_opened_keeps_nobody_waiting() -> None:
    def slow() -> Sensor:
        NEVER.wait()
        raise AssertionError

    sampling = Sampling([Source("gpu", 0, slow)])
    sampling.follow(True)
    (failed,) = sampling.document(wait_s=0.05)["failed"]
    assert failed["sensor"] == "gpu 0"


READINGS = st.builds(
    Reading,
    st.dictionaries(st.sampled_from(["power_w", "temperature_c"]), st.floats(0, 1e4)),
    st.dictionaries(st.just("thermal_throttles"), st.integers(0, 100)),
)


@given(st.lists(READINGS, min_size=1))
def test_a_series_is_the_summary_of_all_its_readings(readings: list[Reading]) -> None:
    series = Series()
    for reading in readings:
        series.add(reading)
    document = series.document()
    assert document["readings"] == len(readings)
    for name in ("power_w", "temperature_c"):
        values = [reading.levels[name] for reading in readings if name in reading.levels]
        assert (name in document) == bool(values)
        if values:
            told = document[name]
            assert (told["min"], told["max"]) == (round(min(values), 3), round(max(values), 3))
            assert abs(told["mean"] - sum(values) / len(values)) < 0.001
            assert told["min"] <= told["mean"] <= told["max"]
    counts = [reading.counts["thermal_throttles"] for reading in readings if reading.counts]
    assert document.get("thermal_throttles") == (sum(counts) if counts else None)
