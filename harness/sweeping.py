"""A sweep from request to recommendation: lay out, say the plan, measure, compare, confirm.

Each configuration is measured in a child process of its own, and the record is written after each;
one that fails is a row with its cause. Started again, only what has no measurement is measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from datasets.disk.lock import hold
from harness.begin import waiting
from harness.running.display import Display
from harness.stop import StopRequests
from harness.sweep.confirmation import Confirmation, asked_of, decided, next_to_run
from harness.sweep.grid import Configuration, Grid
from harness.sweep.opened import Opened, opened
from harness.sweep.recommend import Recommendation, candidates
from harness.sweep.record import SweepRecord, read_record, write_record
from harness.sweep.request import SweepRequest
from harness.sweep.rows import Accuracy, Row


def sweep(wanted: SweepRequest, grid: Grid, display: Display, stop: StopRequests) -> SweepRecord:
    """Measure ``grid``; sweep.json says what came of it. StoppedError after a signal."""
    with hold(wanted.lock, waiting(display, stop, wanted.folder)):
        empty = SweepRecord(wanted.request.benchmark, wanted.seconds)
        earlier = None if wanted.request.fresh else read_record(wanted.record)
        kept = earlier if earlier and earlier.seconds == wanted.seconds else empty
        under_way = _Sweep(wanted, grid, kept, display, stop)
        record = replace(empty, skipped=grid.skipped)
        for step in under_way.measured():
            record = record.with_step(step)
            write_record(record.with_rest_of(kept, grid.configurations), wanted.record)
        record = replace(record, goal=wanted.goal)
        ranked = candidates(record.rows, wanted.goal, record.accuracies)
        for confirmation in under_way.confirmed(ranked):
            record = record.with_step(confirmation)
            write_record(record.with_rest_of(kept, grid.configurations), wanted.record)
        advice = tuple(decided(one, record.confirmations_of(one[0].scenario)) for one in ranked)
        record = replace(record, recommendations=advice)
        write_record(record, wanted.record)
    return record


class _Sweep:
    """A sweep under way; what is opened once serves all that is measured with it."""

    def __init__(
        self,
        wanted: SweepRequest,
        grid: Grid,
        kept: SweepRecord,
        display: Display,
        stop: StopRequests,
    ) -> None:
        self._wanted, self._grid, self._kept = wanted, grid, kept
        self._display, self._stop = display, stop
        self._opened: dict[str, Opened | str] = {}

    def measured(self) -> Iterator[Row | Accuracy]:
        """Every score and every row, kept or made."""
        number = 0
        for session, group in groupby(self._grid.configurations, key=lambda one: one.session):
            same = list(group)
            at_hand = self._open(same[0])
            if self._wanted.accuracy and not isinstance(at_hand, str):
                yield self._accuracy(at_hand, session)
            for one in same:
                number += 1
                self._display.step(f"[{number}/{len(self._grid.configurations)}] {one}")
                yield self._row(at_hand, one)

    def confirmed(self, ranked: Sequence[Sequence[Recommendation]]) -> Iterator[Confirmation]:
        """Every run that a recommendation is put to, kept or made."""
        for one in ranked:
            seen: list[Confirmation] = []
            while candidate := next_to_run(one, seen):
                found = self._confirmation(candidate, len(seen) + 1)
                if found is None:
                    break
                seen.append(found)
                yield found

    def _open(self, one: Configuration) -> Opened | str:
        if one.session not in self._opened:
            asked = self._wanted.request_for(one)
            self._opened[one.session] = opened(asked, self._display, self._stop)
        return self._opened[one.session]

    def _accuracy(self, at_hand: Opened, session: str) -> Accuracy:
        self._display.step(f"Scoring {session}")
        known = [one for one in self._kept.accuracies if at_hand.is_current_score(one, session)]
        return known[0] if known else at_hand.accuracy(session)

    def _row(self, at_hand: Opened | str, one: Configuration) -> Row:
        if isinstance(at_hand, str):
            return Row(one, "", None, at_hand)
        rows = [row for row in self._kept.rows if at_hand.is_current_row(row, one)]
        return rows[0] if rows else at_hand.row(one, self._wanted.seconds)

    def _confirmation(self, candidate: Recommendation, number: int) -> Confirmation | None:
        """What the run of ``candidate`` showed; None where none is to be made."""
        one, predicted = candidate.configuration, candidate.samples_per_s
        if one is None or predicted is None:
            return None
        at_hand = self._open(one)
        if isinstance(at_hand, str):
            return None
        limit_ms = self._wanted.goal.latency_limit_ms if candidate.scenario == "Server" else None
        asked = asked_of(candidate.scenario, one, at_hand.begun.key, limit_ms, predicted)
        known = [found for found in self._kept.confirmations if found.is_about(asked)]
        if known or not self._wanted.confirm:
            return known[0] if known else None
        folder = self._wanted.folder / "confirming" / f"{candidate.scenario}_{number}"
        return at_hand.confirmation(asked, self._wanted.seconds, folder)
