"""The JSON forms of what was packed and what was migrated, schemas ``package`` and ``migration``.

Names of files may hold bytes that are no text; they are told as findings tell them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from audit.submission.findings import shown
from audit.submission.packaging.choosing import LeftOut
from audit.submission.packaging.migration import Migrated, Move, unplaced_tree
from audit.submission.packaging.packing import Packed


def packed_document(packed: Packed) -> dict[str, Any]:
    """Every entry that was written, and everything that was left out or is left to be filled in."""
    return {
        "schema": "loadproof/package",
        "version": 1,
        "tree": shown(str(packed.tree)),
        "round": packed.round or None,
        "entries": list(map(shown, packed.entries)),
        "left_out": list(map(_left_out, packed.left_out)),
        "unknown": [
            {"file": shown(one.file), "field": one.field, "hint": one.hint}
            for one in packed.unknown
        ],
        "notes": list(packed.notes),
    }


def _left_out(one: LeftOut) -> dict[str, Any]:
    return {"what": shown(one.what), "reasons": list(one.reasons), "fault": one.fault}


def migrated_document(migrated: Migrated, tree: Path) -> dict[str, Any]:
    """Every file of ``tree`` with its new place, or why it has none."""
    return {
        "schema": "loadproof/migration",
        "version": 1,
        "source": shown(str(tree)),
        "tree": shown(str(migrated.tree)),
        "files": [_moved(move) for move in migrated.moves if not move.why_unplaced],
        "unplaced_tree": shown(str(unplaced_tree(migrated.tree))) if migrated.unplaced else None,
        "unplaced": [
            {"source": shown(move.source), "why": shown(move.why_unplaced)}
            for move in migrated.unplaced
        ],
        "notes": list(migrated.notes),
    }


def _moved(move: Move) -> dict[str, str]:
    return {"source": shown(move.source), "target": shown(move.target)}
