"""Putting a folder in the place of another so that nobody ever sees neither of them.

Linux exchanges two names in one step (renameat2). Where a file system can't, the old folder is
moved aside first and put back if the new one can't follow.
"""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
"""Both of <linux/fcntl.h> and <linux/fs.h>."""
_LACKING = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP}


def put(new: Path, place: Path, aside: Path) -> None:
    """Let the folder ``new`` be called ``place``; what was there is then called ``new`` or
    ``aside``. All three lie on one file system. OSError where it can't be done, and nothing is."""
    if not place.exists():
        new.rename(place)
    elif not _exchanged(new, place):
        _in_two_steps(new, place, aside)


def _exchanged(new: Path, place: Path) -> bool:
    """Whether both names were exchanged; False where that is not to be had here."""
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is None:
        return False
    names = (os.fsencode(new), os.fsencode(place))
    if call(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _LACKING:
        return False
    raise OSError(code, os.strerror(code), str(place))


def _in_two_steps(new: Path, place: Path, aside: Path) -> None:
    place.rename(aside)
    try:
        new.rename(place)
    except BaseException:
        aside.rename(place)
        raise
