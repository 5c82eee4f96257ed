"""The seam between loadproof and a model runtime: arrays in, arrays out, the device really used.

A vendor adds a runtime by exposing an object that fulfils :class:`Provider` under the entry point
group ``loadproof.backends``; nothing in this repository needs to change.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from numpy.typing import NDArray

from datasets.errors import BackendError, UsageError
from sut.plugins import broken, plugins

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Tensor:
    """One input or output of a model. ``None`` in ``shape`` is a free dimension."""

    name: str
    dtype: str
    """NumPy's name of the element type: float32, int64, …"""
    shape: tuple[int | None, ...]


@dataclass(frozen=True)
class OpenRequest:
    """What a session is opened with."""

    model: Path | None
    """The model file (a folder for SavedModel); None where the backend needs none."""
    device: str = "cpu"
    """``cpu`` or ``gpu``: the kind that was asked for."""
    index: int = 0
    """Which device of that kind."""
    threads: int = 1
    """Intra-op threads this session may use."""
    precision: str = "fp32"
    options: Mapping[str, str] = field(default_factory=dict)
    """Options of the backend's own, as given by ``--backend-option KEY=VALUE``."""


@dataclass(frozen=True)
class Availability:
    """Whether a backend can be used here: its version, or else the reason and the remedy."""

    version: str | None
    reason: str = ""


class Backend(Protocol):
    """One open session on one device."""

    @property
    def device(self) -> str:
        """The device really used, in the runtime's own words (``CPUExecutionProvider``)."""

    @property
    def inputs(self) -> Sequence[Tensor]: ...

    @property
    def outputs(self) -> Sequence[Tensor]: ...

    def predict(self, feeds: Arrays, outputs: Sequence[str]) -> list[NDArray[Any]]:
        """Run a whole batch: the first axis of every array is the sample. Raises on failure."""

    def close(self) -> None: ...


class Provider(Protocol):
    """A runtime that can open sessions."""

    name: str
    devices: tuple[str, ...]
    """Kinds of device it may drive: ``cpu``, ``gpu``."""
    precisions: tuple[str, ...]
    options: Mapping[str, str]
    """Option name → what it does, for ``loadproof list`` and for refusing unknown ones."""
    model_suffixes: tuple[str, ...]
    """Endings of the model files it reads (``.onnx``); empty where it needs no file."""

    def availability(self) -> Availability:
        """Look without opening anything heavy: never raises."""

    def open(self, request: OpenRequest) -> Backend:
        """Open a session. Raises ModelError, BackendError, or DeviceError where the device asked
        for is not the one that would be used."""


_PARTS = ("name", "devices", "precisions", "options", "model_suffixes", "availability", "open")


def provider_names() -> tuple[str, ...]:
    """Names of all installed backends, usable or not, sorted."""
    return tuple(plugins())


def provider(name: str) -> Provider:
    """The backend called ``name``; UsageError lists the known ones, BackendError says what is
    wrong with the package that offers it."""
    installed = plugins()
    if name not in installed:
        known = ", ".join(installed) or "none; is loadproof installed in this environment?"
        raise UsageError(f"There is no backend called {name!r}; the installed ones are: {known}.")
    loaded: Any = installed[name].load()
    lacking = [part for part in _PARTS if not hasattr(loaded, part)]
    if lacking:
        found = f"an object of type {type(loaded).__name__} without {', '.join(lacking)}"
        raise broken(installed[name], found)
    found_provider: Provider = loaded
    return found_provider


def usable_provider(name: str) -> Provider:
    """The provider called ``name``; BackendError also where it can't be used here."""
    found, seen = provider(name), availability_of(name)
    if seen.version is None:
        raise BackendError(f"The backend {name} can't be used here: {seen.reason}")
    return found


def providers() -> dict[str, Provider]:
    """Every backend that can be loaded, by name; broken ones are left out."""
    found = {}
    for name in provider_names():
        with contextlib.suppress(BackendError):
            found[name] = provider(name)
    return found


def availability_of(name: str) -> Availability:
    """Whether the installed backend ``name`` can be used; a broken one says why it can't."""
    try:
        seen: object = provider(name).availability()
    except BackendError as error:
        return Availability(None, str(error))
    except (Exception, SystemExit) as error:  # noqa: BLE001 — foreign code: an edge
        return Availability(None, str(broken(plugins()[name], f"{type(error).__name__}: {error}")))
    if isinstance(seen, Availability):
        return seen
    return Availability(None, str(broken(plugins()[name], "its availability is none")))
