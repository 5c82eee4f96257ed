"""Opening sessions on simulated devices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from numpy.typing import NDArray

from datasets.errors import BackendError
from sut.backend import Arrays, Availability, OpenRequest, Tensor
from sut.backends.choices import check_request
from sut.backends.simulated.device import Law, shared_device
from sut.backends.simulated.faults import Faults, with_errors
from sut.backends.simulated.options import DESCRIPTIONS, SimulatedOptions, read_options

ANSWER = "answer"
_TENSOR = Tensor(ANSWER, "float32", (None,))


class SimulatedBackend:
    """One session: one tensor ``answer`` float32 [B, …] in, the same out, after the law's time."""

    inputs: Sequence[Tensor] = (_TENSOR,)
    outputs: Sequence[Tensor] = (_TENSOR,)

    def __init__(self, request: OpenRequest, options: SimulatedOptions) -> None:
        law = Law(
            options.base_ms,
            options.per_sample_ms,
            options.jitter_percent,
            options.drift_percent,
            options.seed,
        )
        self.device = f"simulated {request.device} {request.index}"
        self._served_by = shared_device(request.device, request.index, law)
        self._options = options
        self._faults = Faults(options)

    def predict(self, feeds: Arrays, outputs: Sequence[str]) -> list[NDArray[Any]]:
        """The answers fed in, with the errors asked for; empty ones are [B, 0].

        BackendError at the call that ``raise_at`` names.
        """
        if list(outputs) != [ANSWER]:
            raise BackendError(
                f"The simulated model has the one output {ANSWER}; asked for: {', '.join(outputs)}."
            )
        self._faults.strike()
        answers = feeds[ANSWER]
        self._served_by.serve(len(answers))
        if self._options.empty:
            return [answers.reshape(len(answers), -1)[:, :0]]
        return [with_errors(answers, self._options.error_rate, self._options.seed)]

    def close(self) -> None:
        """Nothing is held."""


class SimulatedProvider:
    """Any number of devices, which work in parallel."""

    name = "simulated"
    devices: tuple[str, ...] = ("cpu", "gpu")
    precisions: tuple[str, ...] = ("fp32",)
    options: Mapping[str, str] = DESCRIPTIONS
    model_suffixes: tuple[str, ...] = ()

    def availability(self) -> Availability:
        """Always: it comes with loadproof and has its version."""
        return Availability(version("loadproof"))

    def open(self, request: OpenRequest) -> SimulatedBackend:
        """A session; UsageError for what the request asks and simulated devices have not."""
        check_request(self, request)
        return SimulatedBackend(request, read_options(request.options))


PROVIDER = SimulatedProvider()
