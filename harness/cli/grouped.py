"""Options in groups: a parameter of a command that is a frozen dataclass stands for its fields.

So a set of options that several commands take is written once, and arrives as one value.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, get_type_hints

Command = Callable[..., None]


def grouped(command: Command) -> Command:
    """``command`` with each of its groups spread out into options, as typer reads a signature."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}

    @functools.wraps(command)
    def called(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{one.name: given.pop(one.name) for one in fields(group)})
        command(**given)

    parameters = list(_spread(inspect.signature(command), hints))
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in parameters}
    return called


def _spread(signature: inspect.Signature, hints: dict[str, Any]) -> Iterator[inspect.Parameter]:
    for name, parameter in signature.parameters.items():
        if is_dataclass(hints[name]):
            yield from _options(hints[name])
        else:
            yield _option(name, hints[name], parameter.default)


def _options(group: Any) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for one in fields(group):
        default = inspect.Parameter.empty if one.default is MISSING else one.default
        yield _option(one.name, hints[one.name], default)


def _option(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )
