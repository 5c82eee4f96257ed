"""Telling files that can be read from everything else that has a name.

Opening a named pipe waits without end for somebody to write, and a device may never stop giving.
"""

from __future__ import annotations

import errno
import io
import os
import stat
from pathlib import Path

_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def irregular(path: str | Path) -> str | None:
    """What lies at ``path`` where it is neither a file nor a folder: ``a named pipe``, ``a socket``
    or ``a device``. OSError where there is nothing."""
    return _kind(_status(path))


def refuse_irregular(path: str | Path) -> os.stat_result:
    """What is known of ``path``; OSError, as for a file that can't be read, where it is neither
    file nor folder."""
    status = _status(path)
    kind = _kind(status)
    if kind is not None:
        raise OSError(errno.EINVAL, f"it is {kind}, not a file", str(path))
    return status


def _status(path: str | Path) -> os.stat_result:
    return os.stat(path)  # noqa: PTH116 - as quick as a read


def _kind(status: os.stat_result) -> str | None:
    return _KINDS.get(stat.S_IFMT(status.st_mode))


def read_regular(path: str | Path) -> bytes:
    """The bytes of the file ``path``; OSError where it is none."""
    size = refuse_irregular(path).st_size
    with io.FileIO(path) as file:
        content = file.read(size + 1)
        return content if len(content) == size else content + file.readall()
