"""Where the windows over a long paragraph lie, and which of them knows a token best.

As in the reference (language/bert/create_squad_data.py, ``convert_examples_to_features`` and
``_check_is_max_context``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DOC_STRIDE = 128


@dataclass(frozen=True)
class Window:
    """Tokens [start, start + length) of a paragraph."""

    start: int
    length: int

    @property
    def end(self) -> int:
        return self.start + self.length


def windows(tokens: int, room: int) -> list[Window]:
    """The windows over a paragraph of ``tokens`` tokens, each of at most ``room``, 128 apart.

    The last reaches the end. A paragraph without tokens has none.
    """
    found: list[Window] = []
    start = 0
    while start < tokens:
        window = Window(start, min(room, tokens - start))
        found.append(window)
        if window.end == tokens:
            break
        start += min(window.length, DOC_STRIDE)
    return found


def best_window(spans: Sequence[Window]) -> NDArray[np.int64]:
    """For each token of the paragraph, the window in which its context is largest.

    The context is the smaller of what stands left and right, plus a hundredth of the window's
    length; the first window wins a tie.
    """
    tokens = spans[-1].end
    scores = np.full((len(spans), tokens), -np.inf)
    for row, span in zip(scores, spans, strict=True):
        left = np.arange(span.length)
        row[span.start : span.end] = np.minimum(left, left[::-1]) + 0.01 * span.length
    best: NDArray[np.int64] = scores.argmax(axis=0)
    return best
