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
    return _KINDS.get(stat.S_IFMT(os.stat(path).st_mode))  # noqa: PTH116 - as quick as a read


def refuse_irregular(path: str | Path) -> None:
    """OSError, as for a file that can't be read, where ``path`` is neither file nor folder."""
    kind = irregular(path)
    if kind is not None:
        raise OSError(errno.EINVAL, f"it is {kind}, not a file", str(path))


def read_regular(path: str | Path) -> bytes:
    """The bytes of the file ``path``; OSError where it is none."""
    refuse_irregular(path)
    with io.FileIO(path) as file:
        size = os.fstat(file.fileno()).st_size
        content = file.read(size + 1)
        return content if len(content) == size else content + file.readall()
