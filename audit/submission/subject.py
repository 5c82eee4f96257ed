"""One entry with what its checks read. Each file is read once, however many checks want it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from audit.loadgen_log import DetailLog, parse_detail
from audit.rules import Round
from audit.submission.files import Tree, join
from audit.submission.layout import Layout
from audit.submission.tree import Entry

DETAIL = "mlperf_log_detail.txt"
SUMMARY = "mlperf_log_summary.txt"
ACCURACY_LOG = "mlperf_log_accuracy.json"
ACCURACY_TEXT = "accuracy.txt"


@dataclass(frozen=True)
class Subject:
    """An entry, the tree it lies in, and the rules that it is checked by."""

    entry: Entry
    tree: Tree
    round: Round
    layout: Layout

    @cached_property
    def performance_log(self) -> DetailLog | None:
        """The detail log of the performance run; None where none can be read."""
        return self.log(self.entry.performance)

    @cached_property
    def accuracy_log(self) -> DetailLog | None:
        """The detail log of the accuracy run; None where none can be read."""
        return self.log(self.entry.accuracy)

    def log(self, folder: str) -> DetailLog | None:
        """The detail log in ``folder``; None where there is none that can be read."""
        path = join(folder, DETAIL)
        return parse_detail(self.tree.read(path), path) if self.tree.is_file(path) else None
