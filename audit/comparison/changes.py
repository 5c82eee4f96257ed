"""What differs between two machines and the software on them, one fact at a time.

Works on descriptions of schema ``system``, also those of other versions of loadproof: a fact that
only one of them has is a difference like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

NONE = "none"
_NO_FACT = frozenset({"hostname"})
"""The name of a machine decides nothing."""


@dataclass(frozen=True)
class Changed:
    """One fact, before and after."""

    what: str
    before: str
    after: str

    def document(self) -> dict[str, str]:
        """The JSON form."""
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.what}: {self.before} → {self.after}"


def system_changes(before: object, after: object) -> tuple[Changed, ...]:
    """Every fact about the host, every package and every version that is not the same."""
    return (
        *differences("host", _part(before, "host"), _part(after, "host")),
        *differences("package", _packages(before), _packages(after)),
    )


def differences(
    name: str, before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[Changed]:
    """Members that differ, by key."""
    for key in sorted({**before, **after}):
        one, other = _text(before.get(key)), _text(after.get(key))
        if one != other and key not in _NO_FACT:
            yield Changed(f"{name} {key}", one, other)


def _packages(system: object) -> Mapping[str, Any]:
    """All that was installed; where that was not kept, what decides a run."""
    return _part(system, "packages") or _part(system, "software")


def _part(system: object, key: str) -> Mapping[str, Any]:
    part = system.get(key) if isinstance(system, Mapping) else None
    return part if isinstance(part, Mapping) else {}


def _text(value: object) -> str:
    return NONE if value in (None, "", [], ()) else str(value)
