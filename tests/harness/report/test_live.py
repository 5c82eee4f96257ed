"""What a user sees while something runs, on a terminal and elsewhere."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from harness.report import live
from harness.report.live import LiveDisplay, PlainDisplay, Rate, display_for
from harness.running.display import RunWatcher
from harness.running.progress import Phase, Snapshot

COLOUR = re.compile(r"\x1b\[[0-9;]*[34][0-9]")


def _plain() -> tuple[PlainDisplay, io.StringIO]:
    out = io.StringIO()
    display = display_for(Console(file=out, force_terminal=False, width=40))
    assert isinstance(display, PlainDisplay)
    return display, out


def _live(monkeypatch: pytest.MonkeyPatch) -> tuple[LiveDisplay, io.StringIO]:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    out = io.StringIO()
    display = display_for(Console(file=out, force_terminal=True, width=120))
    assert isinstance(display, LiveDisplay)
    return display, out


def _seen(phase: Phase, completed: int = 0, total: int = 0) -> Snapshot:
    return Snapshot(phase, total, completed, completed, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("done", "total", "now", "least_s", "text"),
    [
        (0, 500, 10.0, 0.0, "0 of 500 samples"),
        (120, 500, 4.0, 0.0, "120 of 500 samples, 30.0/s, 13 s left"),
        (500, 500, 4.0, 0.0, "500 of 500 samples, 125.0/s"),
        (2_000_000, 0, 2.0, 6.0, "2,000,000 samples, 1,000,000.0/s, 4 s left"),
        (10, 0, 8.0, 6.0, "10 samples, 1.2/s"),
        (5, 10, 0.0, 0.0, "5 of 10 samples"),
    ],
)
def test_a_rate_says_how_many_how_fast_and_how_long_still(
    done: int, total: int, now: float, least_s: float, text: str
) -> None:
    assert Rate(0.0).text(done, total, "samples", now, least_s) == text


def test_plain_lines_are_whole_whatever_the_width_and_markup_is_text() -> None:
    display, out = _plain()
    display.step("Opening onnxruntime on cpu [bold] and something longer than forty columns")
    display.note("[1/2] Offline: already finished")
    display.close()
    assert out.getvalue().splitlines() == [
        "Opening onnxruntime on cpu [bold] and something longer than forty columns",
        "[1/2] Offline: already finished",
    ]


def test_plain_counts_are_rare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PLAIN_EVERY_S", 3600.0)
    display, out = _plain()
    display.step("Preparing the samples")
    for done in range(100):
        display.count(done, 100, "samples")
    assert out.getvalue() == "Preparing the samples\n"


def test_plain_counts_name_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PLAIN_EVERY_S", 0.0)
    display, out = _plain()
    display.step("Preparing the samples")
    display.count(5, 10, "samples")
    line = out.getvalue().splitlines()[1]
    assert re.fullmatch(r"Preparing the samples: 5 of 10 samples, [\d,.]+/s(, \d+ s left)?", line)


def test_a_terminal_shows_step_and_count_in_place_and_keeps_notes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    display, out = _live(monkeypatch)
    display.step("Preparing the samples")
    display.count(5, 10, "samples")
    display.note("[1/2] Offline: already finished")
    display.close()
    text = out.getvalue()
    assert "Preparing the samples" in text
    assert "5 of 10 samples" in text
    assert "[1/2] Offline: already finished\n" in text
    assert text.endswith("\x1b[2K"), "the live line is taken away at the end"


def test_no_color_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    display, out = _live(monkeypatch)
    display.step("Preparing the samples")
    display.count(5, 10, "samples")
    display.close()
    assert not COLOUR.search(out.getvalue())


def test_a_new_step_takes_the_place_of_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    display, out = _live(monkeypatch)
    display.count(1, 2, "samples")
    display.step("Finding the model")
    display.step("Probing batch sizes")
    display.close()
    last = out.getvalue().rpartition("Probing batch sizes")[2]
    assert "Finding the model" not in last
    assert "1 of 2" not in out.getvalue()


def test_a_watched_run_is_counted_only_while_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PLAIN_EVERY_S", 0.0)
    display, out = _plain()
    watch = RunWatcher(display)
    watch.begin("[1/2] Offline accuracy")
    for seen in (
        _seen(Phase.OPENING),
        _seen(Phase.WARMING, completed=3),
        _seen(Phase.RUNNING, completed=64, total=128),
        _seen(Phase.FINISHING, completed=128, total=128),
    ):
        watch(seen)
    lines = out.getvalue().splitlines()
    assert lines[0] == "[1/2] Offline accuracy"
    assert len(lines) == 2
    assert lines[1].startswith("[1/2] Offline accuracy: 64 of 128 samples")


def test_a_terminal_names_the_phase_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    display, out = _live(monkeypatch)
    watch = RunWatcher(display)
    watch.begin("Offline accuracy")
    for phase in (Phase.OPENING, Phase.WARMING, Phase.RUNNING, Phase.FINISHING):
        watch(_seen(phase))
        display.note("seen")
    display.close()
    for said in ("opening the model", "warming up", "running", "writing logs"):
        assert f"Offline accuracy: {said}" in out.getvalue()
