"""Changing a folder in one step: a copy is changed beside it, and then takes its place.

Whatever goes wrong before that step, a full disk or a kill, leaves the folder as it was. Its files
are linked into the copy, not copied, so :func:`write` never writes into one that is there.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from audit.submission.packaging.exchange import put
from datasets.disk.files import naming
from datasets.errors import StorageError

_ASIDE = "old"


@contextlib.contextmanager
def staged(tree: Path, inner: str) -> Iterator[Path]:
    """A copy of the folder ``inner`` of ``tree`` to work in, empty where there is none yet.

    When the block ends well, it takes that folder's place, and the tree is made where it is
    missing. Meanwhile nobody else is let do the same.
    """
    beside = _beside(tree.absolute())
    name = tree.absolute().name
    with _alone(beside) as locked, _workplace(beside, name) as work:
        if locked:
            _clear(beside, name, work)
        copy = work / "new"
        if (tree / inner).exists():
            _copied(tree / inner, copy)
        else:
            copy.mkdir()
        yield copy
        os.sync()
        (tree / inner).parent.mkdir(parents=True, exist_ok=True)
        put(copy, tree / inner, aside=work / _ASIDE)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Wait for the lock of ``folder`` itself, which leaves no file behind; False where the file
    system has no such locks."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield _locked(handle)
    finally:
        os.close(handle)


def _locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
    except OSError:
        return False
    return True


def _clear(beside: Path, name: str, own: Path) -> None:
    """Take away what killed processes left for the same tree. A folder that one of them had moved
    aside, and not put back, stays: it may be all there is."""
    for left in beside.iterdir():
        if left.name.startswith(_prefix(name)) and left != own and not (left / _ASIDE).exists():
            shutil.rmtree(left, ignore_errors=True)


def _prefix(name: str) -> str:
    return f".{name}.packing-"


@contextlib.contextmanager
def _workplace(beside: Path, name: str) -> Iterator[Path]:
    try:
        work = Path(tempfile.mkdtemp(prefix=_prefix(name), dir=beside))
    except OSError as error:
        error.filename = str(beside / name)
        raise
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _beside(tree: Path) -> Path:
    """Where a copy can lie and be renamed: beside the tree, so that the tree never holds half of
    anything; in it where it is a file system of its own, or nothing may be written beside it."""
    above = _nearest(tree.parent)
    if not tree.is_dir():
        return above
    own = tree.stat().st_dev != above.stat().st_dev
    return tree if own or not os.access(above, os.W_OK) else above


def write(root: Path, path: str, content: bytes | Path) -> None:
    """Put bytes, or the bytes of a file, at ``path`` in ``root``, in the place of what is there."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    with naming(target):
        if isinstance(content, bytes):
            target.write_bytes(content)
        else:
            shutil.copyfile(content, target)


def remove(root: Path, folder: str) -> None:
    """Take ``folder`` out of ``root``, where there is one."""
    if (root / folder).is_dir():
        shutil.rmtree(root / folder)


def _nearest(folder: Path) -> Path:
    """The first folder that exists, ``folder`` or one above it."""
    return folder if folder.is_dir() else _nearest(folder.parent)


def _copied(folder: Path, copy: Path) -> None:
    """Link all files of ``folder`` into ``copy``. StorageError names one that can't be read."""
    try:
        shutil.copytree(folder, copy, symlinks=True, copy_function=_link)
    except shutil.Error as error:
        source, _, reason = error.args[0][0]
        raise StorageError(
            f"{Path(source).absolute()} can't be copied ({reason}): ask for the right to read it, "
            "or name another place with --out."
        ) from error


def _link(source: str, target: str) -> None:
    """A second name for a file; a copy where the file system has no such thing."""
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)
