"""Room on the disk, asked for before something large is written."""

from __future__ import annotations

import shutil
from pathlib import Path


def lack_of_space(folder: Path, needed_bytes: int) -> str:
    """Empty where ``folder``, which must exist, has room; else what lacks and what to do, as the
    rest of a sentence that begins with who needs it."""
    free_bytes = shutil.disk_usage(folder).free
    if needed_bytes <= free_bytes:
        return ""
    return (
        f"needs {needed_bytes / 1e9:.1f} GB under {folder}, which has {free_bytes / 1e9:.1f} GB "
        "free: make room, or choose another cache folder with LOADPROOF_CACHE"
    )
