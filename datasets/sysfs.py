"""Reading the small files in which a Linux system describes itself."""

from __future__ import annotations

from pathlib import Path


def content(path: Path) -> str:
    """The file's text, stripped; empty where the system has no such file or keeps it to itself."""
    try:
        return path.read_text().strip()
    except OSError:
        return ""
