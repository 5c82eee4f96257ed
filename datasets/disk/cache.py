"""Where prepared data, fetched files and generated models are kept between runs."""

from __future__ import annotations

import os
from pathlib import Path

from datasets.errors import UsageError


def default_cache() -> Path:
    """The cache folder: LOADPROOF_CACHE, else loadproof under XDG_CACHE_HOME, else ~/.cache.

    As its specification demands, XDG_CACHE_HOME counts only where it is an absolute path
    (https://specifications.freedesktop.org/basedir-spec/latest/). UsageError where a home folder
    is needed and there is none.
    """
    own = os.environ.get("LOADPROOF_CACHE")
    xdg = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        if own:
            return Path(own).expanduser()
        return (xdg if xdg.is_absolute() else Path.home() / ".cache") / "loadproof"
    except RuntimeError as error:
        raise UsageError(
            f"There is no home folder to keep files in ({error}); set LOADPROOF_CACHE to a folder."
        ) from error
