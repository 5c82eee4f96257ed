"""Evidence near the folder that was named: users name the one above it, which holds several."""

from __future__ import annotations

from pathlib import Path

from audit.planned.plan import PLAN


def such_as(folder: Path) -> str:
    """``, such as FOLDER/ID`` where evidence lies right below ``folder``; else nothing."""
    try:
        found = sorted(path.parent for path in folder.glob(f"*/{PLAN}"))
    except OSError:
        return ""
    return f", such as {found[0]}" if found else ""
