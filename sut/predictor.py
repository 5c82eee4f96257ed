"""A session, an adapter and a way to samples, bound into what a stream calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter_ns

import numpy as np
from numpy.typing import NDArray

from sut.adapter import Adapter, Answers
from sut.backend import Arrays, Backend

Gather = Callable[[NDArray[np.int64]], Arrays]
"""Sample indices [B] → the samples' arrays, first axis B. They need last only until its next call,
and so do the answers that come of them."""


@dataclass
class Spent:
    """Time of a predictor's calls outside the backend, in ns."""

    gather_ns: int = 0
    """From sample indices to the model's inputs."""
    answers_ns: int = 0
    """From the model's outputs to the logged answers."""


class Predictor:
    """Sample indices → answers, in the same order; a :data:`sut.streams.Predict`.

    A batch beyond the adapter's ``max_batch`` is cut. Where the model's shape demands exactly that
    many, a smaller one is filled with its last sample, whose extra answers are dropped.
    """

    def __init__(self, backend: Backend, adapter: Adapter, gather: Gather) -> None:
        self.spent = Spent()
        self._backend = backend
        self._adapter = adapter
        self._gather = gather
        self._max_batch = adapter.max_batch
        self._exact = any(tensor.shape[:1] == (adapter.max_batch,) for tensor in backend.inputs)

    def __call__(self, indices: NDArray[np.int64]) -> Answers:
        """Answers for samples ``indices`` int64 [B], which last until the next call; raises what
        backend and adapter raise."""
        size = self._max_batch
        if size is None or len(indices) == size:
            return self._run(indices)
        if len(indices) < size:
            return self._batch(indices)
        cuts = range(0, len(indices), size)
        return _joined(self._batch(indices[start : start + size]) for start in cuts)

    def _batch(self, indices: NDArray[np.int64]) -> Answers:
        missing = self._max_batch - len(indices) if self._exact and self._max_batch else 0
        if missing:
            answers, size = self._run(np.pad(indices, (0, missing), mode="edge")), len(indices)
            return Answers(answers.data[:size], answers.sizes and answers.sizes[:size])
        return self._run(indices)

    def _run(self, indices: NDArray[np.int64]) -> Answers:
        start_ns = perf_counter_ns()
        samples = self._gather(indices)
        feeds = self._adapter.feeds(samples)
        gathered_ns = perf_counter_ns()
        outputs = self._backend.predict(feeds, self._adapter.outputs)
        predicted_ns = perf_counter_ns()
        answers = self._adapter.answers(outputs, samples)
        self.spent.gather_ns += gathered_ns - start_ns
        self.spent.answers_ns += perf_counter_ns() - predicted_ns
        return answers


def _joined(parts: Iterable[Answers]) -> Answers:
    """The answers of several batches as those of one; each part need last only until the next."""
    texts = [text for part in parts for text in part.texts()]
    sizes = [len(text) for text in texts]
    widest = max(sizes)
    rows = b"".join(text.ljust(widest, b"\0") for text in texts)
    return Answers(np.frombuffer(rows, np.uint8).reshape(len(texts), widest), sizes)
