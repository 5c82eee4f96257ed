"""The hint: which side waits for the other, and what to try next."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.report.bottleneck import render
from harness.tuning.bottleneck import hint
from harness.tuning.use import Use, use_of

BUSY = Use(
    scenario="Offline",
    device="cpu",
    max_batch=8,
    streams=1,
    threads=2,
    batch=8.0,
    queue=100.0,
    predict=0.97,
    idle=0.01,
    overhead=0.02,
    cpu=0.95,
    wall_s=30.0,
)
SERVER = replace(BUSY, scenario="Server", queue=0.4, batch=1.3)
GPU = replace(BUSY, device="gpu", gpu=0.4)


@pytest.mark.parametrize(
    ("use", "waits", "next_"),
    [
        (BUSY, "data waits for the device", "--precision"),
        (replace(BUSY, overhead=0.3), "the device waits for data", "--max-batch 16"),
        (replace(BUSY, idle=0.2), "the device waits for data", "--max-batch 4"),
        (replace(BUSY, cpu=0.3), "the device waits for cores", "`loadproof doctor`"),
        (replace(BUSY, cpu=0.3, device="gpu"), "data waits for the device", "--precision"),
        (replace(BUSY, cpu=0.3, wall_s=2.0), "data waits for the device", "--precision"),
        (replace(SERVER, idle=0.6), "the device waits for queries", "`loadproof search`"),
        (
            replace(SERVER, queue=20.0, batch=7.9),
            "data waits for the device",
            "--max-batch 16: larger",
        ),
        (replace(SERVER, queue=4.0, batch=3.0), "data waits for the device", "--precision"),
        (SERVER, "data waits for the device", "--precision"),
        (replace(BUSY, cpu=0.3, others=0.09), "the device waits for cores", "`loadproof doctor`"),
        (replace(BUSY, cpu=0.3, others=0.5), "the device waits for cores", "stop what else runs"),
        (replace(BUSY, others=0.5), "data waits for the device", "--precision"),
        (GPU, "the device waits for the host", "--streams 2"),
        (replace(GPU, streams=4), "the device waits for the host", "--max-batch 16: more work"),
        (replace(GPU, gpu=0.9), "data waits for the device", "--precision"),
        (replace(GPU, scenario="SingleStream"), "the device waits for the host", "tensorrt"),
        (replace(GPU, scenario="Server", queue=4.0), "the device waits for the host", "--streams"),
        (replace(GPU, scenario="Server", queue=20.0), "data waits for the device", "--max-batch"),
        (replace(GPU, scenario="SingleStream", predict=0.5), "data waits for the device", "--prec"),
    ],
)
def test_the_side_that_waits_and_one_setting_to_try(use: Use, waits: str, next_: str) -> None:
    found = hint(use)
    assert found.waits == waits
    assert next_ in found.next


def _record(**streams: Any) -> dict[str, Any]:
    counted = {
        "samples": 30,
        "batch_sizes": {"2": 5, "4": 5},
        "queue_length_mean": 3.0,
        "gather_s": 0.5,
        "predict_s": 7.0,
        "complete_s": 0.5,
        "idle_s": 2.0,
    }
    return {
        "streams": counted | streams,
        "resources": {"cpu_seconds": 16.0, "wall_seconds": 10.0},
        "spec": {
            "scenario": "Server",
            "batching": {"max_batch": 8, "streams": 2, "threads": 1},
            "backend": {"device": "cpu", "devices": [0, 1]},
        },
    }


def test_shares_come_from_what_the_run_recorded() -> None:
    use = use_of(_record())
    assert use == Use("Server", "cpu", 8, 2, 4, 3.0, 3.0, 0.7, 0.2, 0.125, 0.4, 10.0)


def test_sensors_add_what_the_gpus_and_other_processes_did() -> None:
    gpus = [
        {"utilisation_percent": {"mean": 30.0}, "memory_used_bytes": {"max": 2e9}},
        {"utilisation_percent": {"mean": 50.0}, "memory_used_bytes": {"max": 3e9}},
        {"power_w": {"mean": 90.0}},
    ]
    sensors = {"cpu": {"others_percent": {"mean": 12.0}}, "gpus": gpus}
    use = use_of(_record() | {"sensors": sensors})
    assert use is not None
    assert (use.others, use.gpu, use.gpu_memory_bytes) == (0.12, 0.4, 3e9)
    said = render([("run_1", use), ("run_2", replace(use, gpu=None, gpu_memory_bytes=None))])
    assert "GPU memory, MB" in said
    assert "3,000" in said
    assert "GPU" not in render([("run_1", BUSY)])


@pytest.mark.parametrize("sensors", [None, {"gpus": []}, {"cpu": {"readings": 1}, "gpus": [{}]}])
def test_without_sensors_the_hint_is_as_it_was(sensors: Any) -> None:
    assert use_of(_record() | {"sensors": sensors}) == use_of(_record())


def test_a_run_without_times_tells_nothing() -> None:
    untimed = _record()
    del untimed["streams"]["idle_s"]
    assert use_of(untimed) is None
    assert use_of({**_record(), "streams": None}) is None
    assert use_of(_record(samples=0)) is None


@given(
    scenario=st.sampled_from(["Offline", "Server", "SingleStream", "MultiStream"]),
    shares=st.tuples(*[st.floats(0, 1)] * 4),
    queue=st.floats(0, 1e6),
    max_batch=st.integers(1, 512),
    told=st.tuples(*[st.none() | st.floats(0, 1)] * 2),
)
def test_every_run_gets_a_whole_sentence(
    scenario: str,
    shares: tuple[float, float, float, float],
    queue: float,
    max_batch: int,
    told: tuple[float | None, float | None],
) -> None:
    predict, idle, overhead, cpu = shares
    others, gpu = told
    use = replace(BUSY, others=others, gpu=gpu)
    use = replace(use, scenario=scenario, queue=queue, max_batch=max_batch, cpu=cpu)
    said = render([("run_1", replace(use, predict=predict, idle=idle, overhead=overhead))])
    last = said.splitlines()[-1]
    assert last.startswith("run_1: ")
    assert last.endswith(".")
    assert "{" not in last
