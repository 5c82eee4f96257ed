"""A run's process makes its pauses short."""

from __future__ import annotations

import gc
import sys

import pytest

from harness.running.pauses import SWITCH_S, shorten_pauses


def test_what_exists_is_no_longer_searched_for_garbage_and_threads_switch_quickly() -> None:
    before_s = sys.getswitchinterval()
    try:
        shorten_pauses()
        assert gc.get_freeze_count() > 0
        assert sys.getswitchinterval() == pytest.approx(SWITCH_S)
    finally:
        gc.unfreeze()
        sys.setswitchinterval(before_s)
