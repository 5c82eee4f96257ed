"""Asking for a package as most tests do, and reading what came of it."""

from __future__ import annotations

from pathlib import Path

from audit.submission.packaging.own_fields import OwnFields
from audit.submission.packaging.packing import Packed
from audit.submission.packaging.request import Request
from tests.audit.submission.evidence import OWN


def request(*evidence: Path, tree: Path, division: str = "open") -> Request:
    return Request(evidence, tree, division, "Example", system="Box 1", own=OwnFields(OWN))


def read(path: Path) -> str:
    return path.read_text("utf-8")


def why(packed: Packed) -> str:
    return "; ".join(f"{one.what}: {reason}" for one in packed.left_out for reason in one.reasons)
