"""Checking what a backend is asked for, and reading its own options, which arrive as text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from datasets.errors import UsageError
from sut.backend import OpenRequest, Provider


def check_request(provider: Provider, request: OpenRequest) -> None:
    """UsageError where the request names an option, precision or kind of device that the
    provider has not; the sentence says what it has."""
    _refuse(provider.name, "precision", [request.precision], provider.precisions)
    _refuse(provider.name, "kind of device", [request.device], provider.devices)
    _refuse(provider.name, "option", request.options, provider.options)


def _refuse(backend: str, what: str, asked: Iterable[str], known: Collection[str]) -> None:
    for name in asked:
        if name not in known:
            raise UsageError(
                f"The backend {backend} has no {what} {name!r}; it has: {', '.join(known)}."
            )


def choice(options: Mapping[str, str], name: str, choices: Sequence[str]) -> str:
    """The value of option ``name``; the first of ``choices`` where it is not given."""
    value = options.get(name, choices[0]).lower()
    if value not in choices:
        raise UsageError(f"Option {name}={value} is not one of {', '.join(choices)}.")
    return value


def pairs(options: Mapping[str, str], name: str) -> dict[str, str]:
    """The value of option ``name`` (``KEY:VALUE,KEY:VALUE``) as a mapping; empty if not given."""
    found = {}
    for part in filter(None, options.get(name, "").split(",")):
        key, colon, value = part.partition(":")
        if not (colon and key and value):
            raise UsageError(f"Option {name} has the part {part!r}; write it as KEY:VALUE.")
        found[key.strip()] = value.strip()
    return found
