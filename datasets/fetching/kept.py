"""Files that are kept under a promised checksum.

What lies under such a file's name is right; what turned out wrong is set aside beside it, never
deleted and never used. Callers hold the lock of the file.
"""

from __future__ import annotations

from pathlib import Path

from datasets.fetching.checksum import Checksum


def fault_of(path: Path, checksum: Checksum) -> str:
    """What is wrong with the kept file, as part of a sentence; empty where nothing is.

    A wrong file is set aside.
    """
    if not path.is_file():
        return "is missing"
    wrong = checksum.mismatch(path)
    return f"had {wrong}, was set aside as {_set_aside(path, path).name}" if wrong else ""


def accept(arrived: Path, path: Path, checksum: Checksum) -> str:
    """Keep the file ``arrived`` as ``path`` and return nothing, if it is as promised.

    Else it is set aside, and what is wrong with it returned as part of a sentence.
    """
    wrong = checksum.mismatch(arrived)
    if wrong:
        return f"has {wrong}; it was set aside as {_set_aside(arrived, path)}"
    arrived.replace(path)
    return ""


def _set_aside(wrong: Path, path: Path) -> Path:
    return wrong.replace(path.with_name(f"{path.name}.wrong"))
