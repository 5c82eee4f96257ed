"""Where the time of runs went, as a table, and what each of them could try next."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from harness.report.sentences import sentences
from harness.report.width import fitted
from harness.tuning.bottleneck import Hint, hint
from harness.tuning.use import Use

HEADINGS = (
    "run",
    "scenario",
    "predict %",
    "overhead %",
    "idle %",
    "CPU %",
    "queue",
    "mean batch",
)
GPU_HEADINGS = ("GPU %", "GPU memory, MB")
"""Where a sensor told of one in any of the runs."""


def document(uses: Sequence[tuple[str, Use]]) -> list[dict[str, Any]]:
    """The same as JSON."""
    return [{"run": name, **vars(use), "hint": vars(hint(use))} for name, use in uses]


def render(uses: Sequence[tuple[str, Use]]) -> str:
    """The table, then what each run could try, without a trailing newline. The folder that all of
    several runs lie in is named once."""
    shared = PurePath(os.path.commonpath([name for name, _ in uses]) if len(uses) > 1 else "")
    below = [(str(PurePath(name).relative_to(shared)), use) for name, use in uses]
    has_gpu = any(use.gpu is not None or use.gpu_memory_bytes is not None for _, use in uses)
    rows = [(*_row(name, use), *(_gpu_cells(use) if has_gpu else ())) for name, use in below]
    table = fitted(rows, HEADINGS + GPU_HEADINGS if has_gpu else HEADINGS)
    hints = sentences(f"{name}: {sentence(hint(use))}" for name, use in below)
    title = [f"Runs in {shared}:"] if shared.parts else []
    return "\n\n".join([*title, table, hints])


def sentence(one: Hint) -> str:
    """A hint in one line."""
    return f"{one.waits}: {one.found}. Try {one.next}."


def _row(name: str, use: Use) -> tuple[str, ...]:
    shares = (use.predict, use.overhead, use.idle, use.cpu)
    return (
        name,
        use.scenario,
        *(f"{100 * share:.0f}" for share in shares),
        f"{use.queue:.3g}",
        f"{use.batch:.3g}",
    )


def _gpu_cells(use: Use) -> tuple[str, ...]:
    return (
        "" if use.gpu is None else f"{100 * use.gpu:.0f}",
        "" if use.gpu_memory_bytes is None else f"{use.gpu_memory_bytes / 1e6:,.0f}",
    )
