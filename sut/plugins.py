"""Finding and loading the objects that installed packages offer as backends.

A package of somebody else's may fail in any way while it is imported; whatever it does, even
ending the process, becomes a BackendError that names the package. loadproof's own backends can't be
replaced: another package's entry of the same name is never loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from datasets.errors import BackendError

ENTRY_POINTS = "loadproof.backends"
OWN = "loadproof"


@dataclass(frozen=True)
class Plugin:
    """Everything that is offered under one name."""

    name: str
    offered: tuple[EntryPoint, ...]
    """The one to use first."""

    @property
    def hidden(self) -> tuple[EntryPoint, ...]:
        """Offers under the name of one of loadproof's own backends, which are not used."""
        return self.offered[1:] if _is_own(self.offered[0]) else ()

    def load(self) -> object:
        """The object that is offered; BackendError where there is none, or more than one."""
        point = self.offered[0]
        if len(self.offered) > 1 and not _is_own(point):
            packages = " and ".join(package_of(one) for one in self.offered)
            raise BackendError(
                f"The packages {packages} both offer a backend {self.name!r}: uninstall one."
            )
        try:
            loaded: object = point.load()
        except (Exception, SystemExit) as error:
            raise broken(self, f"{type(error).__name__}: {error}") from error
        return loaded


def broken(plugin: Plugin, found: str) -> BackendError:
    """The error that names the package behind ``plugin``, and what was found in it."""
    point = plugin.offered[0]
    return BackendError(
        f"The backend {plugin.name!r} of the package {package_of(point)} can't be used "
        f"({point.value}: {found}): mend or uninstall that package."
    )


def plugins() -> dict[str, Plugin]:
    """All that is installed, by name, in the order of the names."""
    points: dict[str, set[EntryPoint]] = {}
    for point in entry_points(group=ENTRY_POINTS):
        points.setdefault(point.name, set()).add(point)
    return {name: Plugin(name, _ranked(tuple(points[name]))) for name in sorted(points)}


def package_of(point: EntryPoint) -> str:
    """Name and version of the package that offers ``point``."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else "of unknown name"


def _ranked(points: Sequence[EntryPoint]) -> tuple[EntryPoint, ...]:
    return tuple(sorted(points, key=lambda point: (not _is_own(point), package_of(point))))


def _is_own(point: EntryPoint) -> bool:
    return point.dist is not None and point.dist.name == OWN
