"""Checksums that tie a run's record to what else the run left, to its plan, its machine and itself.

The harness writes them into run.json when a run ends, and the audit makes them again: a file, a
plan or a description of the machine that was changed since is no longer what was measured. They are
no signature: who changes the record too is not found out by them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from audit.regular_file import sha256_or_none

SEALED = (
    "spec.json",
    "user.conf",
    "audit.config",
    "mlperf_log_summary.txt",
    "mlperf_log_detail.txt",
    "mlperf_log_accuracy.json",
)
"""Files of a run whose checksums its record holds, where they are."""

_OWN = "seal"
"""The member of a record that holds the checksum of all its others."""
_RUNS = "runs"
_SET_ASIDE = "set_aside"
_MAY_CHANGE = (_RUNS, "run_s", "user_conf", _SET_ASIDE)
"""What may change in a plan: runs are added to it or planned again, as under another user.conf.
What decides a run stands in its own spec, which the user.conf is held to; ``run_s`` only tells how
long a run takes, and no verdict rests on it; what was set aside is sealed by itself."""


@dataclass(frozen=True)
class PlanSeal:
    """Under which plan, and on which machine, a run was made."""

    sha256: str
    """Of the plan, but for what may change."""
    runs: int
    """How many the plan had. Runs are added to a plan, never taken away."""
    system_sha256: str | None
    """Of system.json; None where there is none."""
    without: Sequence[str] = (_RUNS,)
    """Members of the plan that ``sha256`` leaves out. Early records don't say: they sealed more."""
    set_aside: Sequence[Mapping[str, Any]] = ()
    """What the plan said of runs set aside and made again. It is added to, never taken away."""


def seal_plan(document: Mapping[str, Any], system: Path) -> PlanSeal:
    """The seal of a ``plan`` document and of the description ``system`` of the machine."""
    digest = sha256_without(document, _MAY_CHANGE)
    aside = document.get(_SET_ASIDE, [])
    return PlanSeal(digest, len(document[_RUNS]), sha256_or_none(system), _MAY_CHANGE, aside)


def seal_record(document: Mapping[str, Any]) -> str:
    """The seal of a ``run`` document: SHA-256 of all of it but for the seal itself."""
    return sha256_without(document, (_OWN,))


def sha256_without(document: Mapping[str, Any], left_out: Sequence[str]) -> str:
    """SHA-256 of a document as JSON with sorted keys, without some of its members."""
    lasting = {key: value for key, value in document.items() if key not in left_out}
    text = json.dumps(lasting, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def checksums(folder: Path) -> dict[str, str]:
    """SHA-256 of each sealed file in the folder of a run, by its name."""
    found = {name: sha256_or_none(folder / name) for name in SEALED}
    return {name: digest for name, digest in found.items() if digest}


def is_as_left(folder: Path, record: Mapping[str, Any]) -> bool:
    """Whether a ``run`` document and the files in its ``folder`` are what the run left."""
    return bool(record["seal"] == seal_record(record) and record["files"] == checksums(folder))
