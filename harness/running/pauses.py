"""The interpreter's own pauses, kept out of what is measured."""

from __future__ import annotations

import gc
import sys

SWITCH_S = 1e-4
"""After so long a thread that computes lets another one run. Python's 5 ms would hold up LoadGen's
issuing thread behind a large batch for a tenth of a usual Server limit."""


def shorten_pauses() -> None:
    """For the rest of this process: what exists now is never searched for garbage again (a runtime
    leaves hundreds of thousands of objects, and looking through them takes tens of milliseconds),
    and threads take turns quickly."""
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(SWITCH_S)
