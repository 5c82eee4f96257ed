"""The simulated device: its law, its errors and its faults."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.errors import BackendError, ModelError, UsageError
from sut.adapters.simulated import SimulatedAdapter
from sut.backend import OpenRequest, provider
from sut.backends.simulated.device import Device, Law, shared_device
from sut.backends.simulated.faults import with_errors
from sut.backends.simulated.provider import SimulatedBackend

QUICK = {"base_ms": "0", "per_sample_ms": "0"}


def opened(index: int = 0, **options: str) -> SimulatedBackend:
    request = OpenRequest(model=None, index=index, options={**QUICK, **options})
    backend = provider("simulated").open(request)
    assert isinstance(backend, SimulatedBackend)
    return backend


LABELS = np.arange(1000, dtype=np.float32)


def test_it_is_found_by_name_and_always_available() -> None:
    found = provider("simulated")
    assert found.availability().version
    assert set(found.options) >= {"base_ms", "per_sample_ms", "raise_at"}


def test_what_goes_in_comes_out() -> None:
    backend = opened(index=3)
    assert backend.device == "simulated cpu 3"
    (out,) = backend.predict({"answer": LABELS}, ["answer"])
    assert np.array_equal(out, LABELS)


@given(size=st.integers(1, 1000), base=st.floats(0, 100), each=st.floats(0, 10))
def test_without_jitter_a_batch_takes_what_the_law_says(
    size: int, base: float, each: float
) -> None:
    device = Device(Law(base, each), 0)
    assert device.reserve(size, 5_000) == 5_000 + round((base + size * each) * 1e6)


def test_a_device_serves_one_batch_after_the_other() -> None:
    device = Device(Law(base_ms=1, per_sample_ms=0.5), 0)
    assert device.reserve(2, 0) == 2_000_000
    assert device.reserve(4, 500_000) == 5_000_000
    assert device.reserve(2, 9_000_000) == 11_000_000


@given(jitter=st.floats(0, 100), seed=st.integers(0, 99))
def test_jitter_stays_within_its_limits_and_repeats(jitter: float, seed: int) -> None:
    law = Law(base_ms=1, per_sample_ms=0, jitter_percent=jitter, seed=seed)
    ready = [Device(law, 0).reserve(1, 0) for _ in range(2)]
    assert ready[0] == ready[1]
    assert abs(ready[0] - 1_000_000) <= 10_000 * jitter + 1


def test_jitter_differs_between_devices() -> None:
    law = Law(base_ms=1, per_sample_ms=0, jitter_percent=10)
    assert Device(law, 0).reserve(1, 0) != Device(law, 1).reserve(1, 0)


def test_drift_is_per_minute_of_work() -> None:
    law = Law(base_ms=60_000, per_sample_ms=0, drift_percent=10)
    device = Device(law, 0)
    first = device.reserve(1, 0)
    idle_until = first + 3_600_000_000_000
    assert first == 60_000_000_000
    assert device.reserve(1, idle_until) - idle_until == 66_000_000_000


class LateClock:
    """A clock that only sleeping moves, always somewhat too far."""

    def __init__(self) -> None:
        self.now_ns = 1_000
        self.sleeps = 0

    def perf_counter_ns(self) -> int:
        return self.now_ns

    def sleep(self, duration_s: float) -> None:
        self.sleeps += 1
        self.now_ns += round(duration_s * 1e9) + 20_000


def test_a_served_batch_takes_its_time_although_the_system_wakes_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = LateClock()
    monkeypatch.setattr("sut.backends.simulated.device.time", clock)
    Device(Law(base_ms=3, per_sample_ms=1), 0).serve(2)
    assert 5_001_000 <= clock.now_ns < 5_001_000 + 20_000
    assert clock.sleeps > 1


def test_sessions_of_one_device_share_it() -> None:
    law = Law(1, 0)
    device = shared_device("cpu", 0, law)
    assert shared_device("cpu", 0, law) is device
    assert shared_device("cpu", 1, law) is not device
    assert shared_device("gpu", 0, law) is not device


@pytest.mark.parametrize("shape", [(4000,), (4000, 3, 2)])
def test_errors_come_at_their_rate_and_never_look_right(shape: tuple[int, ...]) -> None:
    answers = np.random.default_rng(1).uniform(1, 999, shape).astype(np.float32)
    wrong = (with_errors(answers, 0.25, seed=4) != answers).reshape(4000, -1)
    assert np.array_equal(wrong.any(axis=1), wrong.all(axis=1))
    assert 0.22 < wrong.any(axis=1).mean() < 0.28


def test_a_sample_is_answered_alike_in_every_batch() -> None:
    together = with_errors(LABELS, 0.3, seed=1)
    alone = [with_errors(LABELS[i : i + 1], 0.3, seed=1)[0] for i in range(1000)]
    assert together.tolist() == alone
    assert not np.array_equal(together, with_errors(LABELS, 0.3, seed=2))


def test_a_wrong_label_is_another_class() -> None:
    spoiled = with_errors(LABELS, 1, seed=0)
    assert np.array_equal(np.sort(spoiled), LABELS)
    assert not np.any(spoiled == LABELS)


def test_the_backend_makes_the_errors_asked_for() -> None:
    (out,) = opened(error_rate="1").predict({"answer": LABELS}, ["answer"])
    assert not np.any(out == LABELS)


def test_it_raises_at_the_call_asked_for_and_only_there() -> None:
    backend = opened(raise_at="2")
    feeds = {"answer": LABELS[:1]}
    backend.predict(feeds, ["answer"])
    with pytest.raises(BackendError, match="raise_at"):
        backend.predict(feeds, ["answer"])
    backend.predict(feeds, ["answer"])


def test_it_hangs_at_the_call_asked_for() -> None:
    backend = opened(hang_at="1")
    call = threading.Thread(
        target=backend.predict, args=({"answer": LABELS}, ["answer"]), daemon=True
    )
    call.start()
    call.join(0.2)
    assert call.is_alive()


@pytest.mark.parametrize(("fault", "status"), [("exit_at", 1), ("segfault_at", -signal.SIGSEGV)])
def test_it_ends_the_process_as_asked(fault: str, status: int) -> None:
    script = (
        "import numpy as np\n"
        "from sut.backend import OpenRequest, provider\n"
        f"request = OpenRequest(model=None, options={{'{fault}': '2'}})\n"
        "backend = provider('simulated').open(request)\n"
        "for call in range(3):\n"
        "    backend.predict({'answer': np.zeros(1, np.float32)}, ['answer'])\n"
        "    assert call == 0\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert ended.returncode == status
    assert not ended.stderr


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("base_ms", "-1"),
        ("base_ms", "nan"),
        ("base_ms", "inf"),
        ("base_ms", "1,5"),
        ("base_ms", "1e9"),
        ("per_sample_ms", "1001"),
        ("drift_percent", "1e300"),
        ("seed", "4294967296"),
        ("raise_at", "9" * 400),
        ("error_rate", "1.5"),
        ("raise_at", "1.5"),
        ("empty", "yes"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused(name: str, text: str) -> None:
    with pytest.raises(UsageError, match=f"{name}={text}"):
        provider("simulated").open(OpenRequest(model=None, options={name: text}))


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"'base'.*base_ms"):
        opened(base="1")


def test_another_output_is_refused() -> None:
    with pytest.raises(BackendError, match="logits"):
        opened().predict({"answer": LABELS}, ["logits"])


def test_labels_are_logged_as_one_float_each() -> None:
    adapter = SimulatedAdapter("resnet50")
    samples = {"answer": np.array([3, 999, 0], dtype=np.float32)}
    outputs = opened().predict(adapter.feeds(samples), adapter.outputs)
    answers = adapter.answers(outputs, samples)
    assert answers.data.tobytes().hex().upper() == "0000404000C0794400000000"
    assert [len(text) for text in answers.texts()] == [4, 4, 4]


def test_logits_are_cut_to_the_length_of_their_sample() -> None:
    adapter = SimulatedAdapter("bert")
    samples = {
        "answer": np.arange(16, dtype=np.float32).reshape(2, 4, 2),
        "length": np.array([3, 4]),
    }
    answers = adapter.answers([samples["answer"]], samples)
    first, second = answers.texts()
    assert np.frombuffer(first, np.float32).reshape(-1, 2).tolist() == [[0, 1], [2, 3], [4, 5]]
    assert second == samples["answer"][1].tobytes()


@pytest.mark.parametrize(
    ("benchmark", "samples"),
    [
        ("resnet50", {"answer": LABELS}),
        ("bert", {"answer": np.ones((2, 4, 2), np.float32), "length": np.array([3, 4])}),
    ],
)
def test_empty_answers_have_no_bytes(benchmark: str, samples: dict[str, np.ndarray]) -> None:
    adapter = SimulatedAdapter(benchmark)
    outputs = opened(empty="true").predict(adapter.feeds(samples), adapter.outputs)
    answers = adapter.answers(outputs, samples)
    assert len(answers) == len(samples["answer"])
    assert not any(answers.texts())


def test_answers_that_lost_a_sample_are_refused() -> None:
    adapter = SimulatedAdapter("resnet50")
    with pytest.raises(ModelError, match="2 answers for 3 samples"):
        adapter.answers([LABELS[:2]], {"answer": LABELS[:3]})
