"""From a source to a right file in the cache."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from datasets.disk.files import sha256_of
from datasets.disk.lock import hold
from datasets.errors import FetchError
from datasets.fetching.failures import PlaceError
from datasets.fetching.kept import accept, fault_of
from datasets.fetching.part import Part
from datasets.fetching.patience import PATIENCE, Patience
from datasets.fetching.sources import Source
from datasets.fetching.transfer import ByteProgress, Transfer

_FOLDER = "fetched"
_LOG = logging.getLogger("loadproof")


def fetch(
    source: Source,
    cache: Path,
    *,
    mirror: str | None = None,
    offline: bool = False,
    progress: ByteProgress | None = None,
    note: Callable[[str], None] = _LOG.warning,
    patience: Patience = PATIENCE,
) -> Path:
    """The file of ``source`` below ``cache``: kept from an earlier time, or fetched now.

    ``mirror`` is a folder, or the URL of one, that holds FILE or NAME/FILE (a ``fetched`` folder of
    another cache does); it stands in for the published addresses. ``offline`` fetches nothing.
    ``note`` is told where a file could not be checked because no checksum is known. Processes that
    ask at the same time fetch once, and one that is killed has left what the next goes on from.
    Raises FetchError where the file can't be had, or is not the one that was promised.
    """
    path = place_of(source, cache)
    transfer = Transfer(source, Part(path), patience, progress or _unseen)
    try:
        with hold(path.with_name(f".{path.name}.lock")):
            _ensure(transfer, path, mirror, offline)
    except OSError as error:
        raise FetchError(
            f"{path} can't be kept ({error.strerror or error}): make room, or choose another "
            "cache folder with LOADPROOF_CACHE."
        ) from error
    if source.checksum is None:
        note(
            f"{path} was not checked, because no checksum is known for it; "
            f"its SHA-256 is {sha256_of(path)}."
        )
    return path


def place_of(source: Source, cache: Path) -> Path:
    """Where the file of ``source`` is kept below ``cache``, whether it is there or not."""
    return cache / _FOLDER / source.name / source.file


def _ensure(transfer: Transfer, path: Path, mirror: str | None, offline: bool) -> None:
    """Leave the right file at ``path``, fetched if it is not there yet."""
    source = transfer.source
    fault = _fault(source, path)
    if not fault:
        return
    if offline:
        raise FetchError(f"{path} {fault} and fetching is switched off: {_advice(source)}.")
    _bring(transfer, path, _places(source, mirror))


def _unseen(_arrived: int, _total: int) -> None:
    """Progress that nobody watches."""


def _fault(source: Source, path: Path) -> str:
    """What is wrong with the kept file, as part of a sentence; empty where nothing is."""
    if source.checksum is not None:
        return fault_of(path, source.checksum)
    if not path.is_file():
        return "is missing"
    found, promised = path.stat().st_size, source.size_bytes
    return "" if promised in (None, found) else f"has {found:,} bytes in place of {promised:,}"


def _places(source: Source, mirror: str | None) -> tuple[str, ...]:
    """Addresses in the order to try."""
    if mirror is None:
        return source.urls
    return tuple(
        f"{_base(mirror)}/{rest}" for rest in (f"{source.name}/{source.file}", source.file)
    )


def _base(mirror: str) -> str:
    if "://" in mirror:
        return mirror.rstrip("/")
    folder = Path(mirror).expanduser().resolve()
    if not folder.is_dir():
        raise FetchError(f"The mirror {mirror} is neither a folder nor a URL; name one that is.")
    return folder.as_uri()


def _bring(transfer: Transfer, path: Path, places: tuple[str, ...]) -> None:
    """Fetch the file from the first place that has the right one."""
    refusals = []
    for url in places:
        try:
            return _bring_from(url, transfer, path)
        except PlaceError as error:
            refusals.append(f"{url} {error}")
    source = transfer.source
    causes = "; ".join(refusals) or "it has no public address"
    raise FetchError(f"{source.file} could not be fetched ({causes}): {_advice(source)}.")


def _bring_from(url: str, transfer: Transfer, path: Path) -> None:
    """Fetch from one place; bytes of several answers that don't fit together are fetched anew."""
    in_one_answer = transfer.complete(url)
    wrong = _kept(transfer, path)
    if wrong and not in_one_answer:
        transfer.complete(url)
        wrong = _kept(transfer, path)
    if wrong:
        raise PlaceError(f"sent a file that {wrong}")


def _kept(transfer: Transfer, path: Path) -> str:
    """Move what has arrived to its name, or aside; what is wrong with it."""
    checksum = transfer.source.checksum
    if checksum is None:
        transfer.part.path.replace(path)
        wrong = ""
    else:
        wrong = accept(transfer.part.path, path, checksum)
    transfer.part.clear()
    return wrong


def _advice(source: Source) -> str:
    which = f" with the {source.checksum}" if source.checksum else ""
    terms = f" ({source.licence})" if source.licence and not source.urls else ""
    return f"put the file{which}{terms} into a folder and give that folder with --mirror"
