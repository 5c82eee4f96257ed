"""Scoring one session on its whole dataset, in a child process and without LoadGen.

It tells whether a precision or provider is a candidate at all; a qualification scores what LoadGen
logged.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.accuracy.target import Target
from audit.accuracy.truth import truth_of
from audit.logs.accuracy_log import AccuracyRecord
from audit.planned.plan import dataset_from
from datasets.samples.library import SampleLibrary
from datasets.samples.prepared import Progress
from datasets.samples.store import open_prepared
from harness.running.system import sessions_asked_for
from harness.spec import Batching
from sut.adapter import Answers

BATCH = 8


def score(wanted: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """{benchmark, backend, model, dataset, threads, target} → {percent, passed}."""
    library = SampleLibrary(open_prepared(Path(wanted["dataset"]["store"])))
    one_device = {**wanted["backend"], "devices": wanted["backend"]["devices"][:1]}
    records: list[AccuracyRecord] = []
    with ExitStack() as stack:
        batching = Batching(max_batch=BATCH, streams=1, threads=wanted["threads"])
        (session,) = sessions_asked_for({**wanted, "backend": one_device}, batching, stack)
        predict = session.predictor(library)
        for rows in batches_of(library, BATCH):
            library.load(rows.tolist())
            records += records_of(predict(rows), rows, len(records))
            library.unload(rows.tolist())
            progress(len(records), library.count)
    found = truth_of(dataset_from(wanted["dataset"])).score(records)
    return {"percent": found.value, "passed": found.judge(Target(**wanted["target"])).passed}


def batches_of(library: SampleLibrary, batch: int) -> Sequence[NDArray[np.int64]]:
    """All samples, longest first where they have lengths, as Offline takes them."""
    rows = np.arange(library.count, dtype=np.int64)
    lengths = library.lengths(rows)
    if lengths is not None:
        rows = np.argsort(-lengths, kind="stable")
    return [rows[start : start + batch] for start in range(0, len(rows), batch)]


def records_of(answers: Answers, rows: NDArray[np.int64], before: int) -> list[AccuracyRecord]:
    """What LoadGen would have logged of ``answers``."""
    answered = zip(rows.tolist(), answers.texts(), strict=True)
    return [
        AccuracyRecord(before + number, row, text, before + number + 1)
        for number, (row, text) in enumerate(answered)
    ]
