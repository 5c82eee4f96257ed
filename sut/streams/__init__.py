"""When samples are answered: inline, in slices of one large query, or batched as they arrive.

A stream is given functions and knows neither LoadGen nor a runtime. What always holds: every
sample issued before ``close`` is completed exactly once with its own answer, or ``fail`` has been
called exactly once and nothing is completed any more by the thread that failed.
"""

from sut.streams.batching import Batching
from sut.streams.contract import Complete, Fail, Lengths, Predict, Stream
from sut.streams.inline import Inline
from sut.streams.slices import Slices
from sut.streams.statistics import StreamStatistics

__all__ = [
    "Batching",
    "Complete",
    "Fail",
    "Inline",
    "Lengths",
    "Predict",
    "Slices",
    "Stream",
    "StreamStatistics",
]
