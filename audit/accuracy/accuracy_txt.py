"""``accuracy.txt`` as a submission wants it: the score, a blank line, the hash of the full log."""

from __future__ import annotations

import json
from pathlib import Path

from audit.accuracy.squad import SquadScore
from audit.accuracy.top1 import Top1
from datasets.disk.files import atomic_write


def accuracy_text(score: Top1 | SquadScore, log_sha256: str) -> str:
    """The file's text: ``accuracy=76.078%, good=38039, total=50000``, or EM and F1 as JSON."""
    return score_line(score) + "\n" + hash_text(log_sha256)


def hash_text(log_sha256: str) -> str:
    """What stands behind the score, and alone for a test's log: a blank line and the hash."""
    return f"\nhash={log_sha256}\n"


def score_line(score: Top1 | SquadScore) -> str:
    """The line that names the score alone."""
    if isinstance(score, Top1):
        return f"accuracy={score.percent:.3f}%, good={score.correct}, total={score.total}"
    return json.dumps({"exact_match": score.exact_match, "f1": score.f1})


def write_accuracy_text(path: Path, score: Top1 | SquadScore, log_sha256: str) -> None:
    """Write it atomically."""
    with atomic_write(path) as file:
        file.write(accuracy_text(score, log_sha256).encode())
