"""Calling a function of a benchmark in a process of its own: LoadGen runs once in a process."""

from __future__ import annotations

from typing import Any

from harness.running import child
from harness.stop import StopRequests
from tests.benchmarks.benchmark import Place


def call(function: str, argument: Any, place: Place) -> Any:
    """The JSON result of ``module:function`` for one JSON argument."""
    with StopRequests() as stop:
        return child.call(function, argument, doing="measuring", log=place.log, stop=stop)
