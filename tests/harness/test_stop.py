"""Signals: raised or remembered, and left alone where they were ignored before."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from harness.stop import Interrupted, StopRequests, heed_signals, ignore_signals

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    """Every signal at its default, whatever this process was started with; restored afterwards."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_heeded_signal_is_raised_with_its_name(number: signal.Signals) -> None:
    heed_signals()
    with pytest.raises(Interrupted, match=f"Stopped by {number.name}"):
        signal.raise_signal(number)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_is_remembered_inside_and_raised_again_outside(number: signal.Signals) -> None:
    heed_signals()
    with StopRequests() as stop:
        signal.raise_signal(number)
        signal.raise_signal(signal.SIGTERM)
    assert stop.name == number.name
    with pytest.raises(Interrupted):
        signal.raise_signal(number)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_that_was_ignored_stays_ignored(number: signal.Signals) -> None:
    signal.signal(number, signal.SIG_IGN)
    heed_signals()
    with StopRequests() as stop:
        signal.raise_signal(number)
    assert not stop.requested
    signal.raise_signal(number)
    assert signal.getsignal(number) is signal.SIG_IGN


def test_at_the_end_no_signal_changes_anything() -> None:
    heed_signals()
    ignore_signals()
    for number in SIGNALS:
        signal.raise_signal(number)
        assert signal.getsignal(number) is signal.SIG_IGN
