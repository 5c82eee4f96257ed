"""What a worker does around LoadGen, without LoadGen."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.disk.cache import default_cache
from datasets.errors import DataError, UsageError
from datasets.samples.library import SampleLibrary
from datasets.samples.simulated import labels, prepare_labels
from harness.running.system import describe, make_stream, open_sessions
from harness.running.warming import warm_up
from harness.running.worker import expected_samples
from harness.spec import BackendSpec, Batching, Mode, Scenario
from sut.adapter import Answers
from sut.predictor import Predictor
from tests.harness.specs import SAMPLES, simulated_spec

ONE = Batching(max_batch=4, streams=1, threads=1)


@pytest.fixture
def library() -> SampleLibrary:
    return SampleLibrary(prepare_labels(SAMPLES, default_cache()))


@pytest.mark.parametrize(
    ("scenario", "mode", "expected"),
    [
        ("Offline", "accuracy", 64),
        ("Server", "accuracy", 64),
        ("Offline", "performance", 6600),
        ("SingleStream", "performance", 0),
        ("Server", "performance", 0),
    ],
)
def test_the_samples_of_a_run_are_known_beforehand_where_time_does_not_decide(
    scenario: Scenario, mode: Mode, expected: int
) -> None:
    spec = simulated_spec(default_cache(), scenario, mode)
    assert expected_samples(spec, SAMPLES) == expected


def test_a_short_offline_run_sends_its_fewest_samples() -> None:
    spec = simulated_spec(default_cache(), "Offline", min_duration_ms=1)
    assert expected_samples(spec, SAMPLES) == 64


def test_every_stream_warms_every_size_and_no_sample_stays_loaded(library: SampleLibrary) -> None:
    calls: list[tuple[int, int]] = []

    def predictor(number: int) -> Predictor:
        def predict(indices: NDArray[np.int64]) -> None:
            assert library.gather(indices)["answer"].shape == (len(indices),)
            calls.append((number, len(indices)))

        return cast("Predictor", predict)

    warm_up([predictor(0), predictor(1)], library, (1, 100))
    assert sorted(set(calls)) == [(0, 1), (0, 100), (1, 1), (1, 100)]
    assert len(calls) == 8
    with pytest.raises(DataError, match="isn't loaded"):
        library.gather(np.zeros(1, np.int64))


def test_each_device_gets_its_own_sessions() -> None:
    with ExitStack() as stack:
        wanted = BackendSpec("simulated", "cpu", (0, 3))
        batching = Batching(max_batch=4, streams=2, threads=1)
        sessions = open_sessions("resnet50", wanted, None, batching, stack)
        used = [session.backend.device for session in sessions]
    assert used == ["simulated cpu 0"] * 2 + ["simulated cpu 3"] * 2
    assert describe(sessions).device_used == "simulated cpu 0, simulated cpu 3"


@pytest.mark.parametrize("scenario", ["Offline", "Server", "SingleStream", "MultiStream"])
def test_every_scenario_has_a_stream_that_answers_each_sample_once(
    library: SampleLibrary, scenario: Scenario
) -> None:
    answered: dict[int, float] = {}

    def complete(ids: Sequence[int], answers: Answers) -> None:
        values = answers.data.view("<f4").ravel().tolist()
        answered.update(zip(ids, values, strict=True))

    indices = list(range(10))
    library.load(indices)
    with ExitStack() as stack:
        (session,) = open_sessions("resnet50", BackendSpec("simulated", "cpu"), None, ONE, stack)
        predict = session.predictor(library)

        def fail(error: BaseException) -> None:
            raise error

        stream = make_stream(scenario, [predict], [session.cores], ONE, library, complete, fail)
        stream.issue([100 + index for index in indices], indices)
        stream.flush()
        stream.close()
    truth = labels(SAMPLES)
    assert answered == {100 + index: float(truth[index]) for index in indices}


def test_an_unknown_option_is_refused_when_a_session_is_opened() -> None:
    wanted = BackendSpec("simulated", "cpu", options={"speed": "9"})
    with ExitStack() as stack, pytest.raises(UsageError, match="speed"):
        open_sessions("resnet50", wanted, None, ONE, stack)
