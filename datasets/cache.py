"""Where prepared data, fetched files and generated models are kept between runs."""

from __future__ import annotations

import os
from pathlib import Path


def default_cache() -> Path:
    """The cache folder: LOADPROOF_CACHE, else loadproof under XDG_CACHE_HOME, else ~/.cache."""
    own = os.environ.get("LOADPROOF_CACHE")
    if own:
        return Path(own).expanduser()
    xdg = os.environ.get("XDG_CACHE_HOME")
    return (Path(xdg).expanduser() if xdg else Path.home() / ".cache") / "loadproof"
