"""From what was typed to values: UsageError says what may be asked for instead."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from datasets.errors import UsageError

if TYPE_CHECKING:
    from harness.request import Request
    from harness.spec import Scenario

SYSTEM_TYPES = ("edge", "datacenter", "datacenter,edge")
MOST_DEVICES = 256
"""More than any one machine holds."""


def model_from(text: str | None) -> tuple[Path | None, str | None]:
    """(file, name): a file where there is one, else the name of an official model."""
    if text is None:
        return None, None
    if Path(text).exists():
        return Path(text), None
    from sut import zoo

    official = [entry.name for entry in zoo.models() if entry.origin == "official"]
    if text in {entry.name for entry in zoo.models()} - set(official):
        raise UsageError(f"{text} is embedded: it is used where --model is left out.")
    if text not in official:
        raise UsageError(
            f"There is no model at {text}, and no official model of that name; those are: "
            f"{', '.join(official)}."
        )
    return None, text


def device_from(device: str) -> str:
    if device not in {"cpu", "gpu"}:
        raise UsageError(f"There is no kind of device {device!r}; ask for cpu or gpu.")
    return device


def devices_from(text: str) -> tuple[int, ...]:
    from sut.devices import parse_devices

    devices = parse_devices(text)
    if len(devices) > MOST_DEVICES:
        raise UsageError(f"{len(devices)} devices were asked for; at most {MOST_DEVICES} can be.")
    return devices


def options_from(pairs: Sequence[str] | None) -> dict[str, str]:
    return pairs_from("--backend-option", pairs)


def pairs_from(option: str, pairs: Sequence[str] | None) -> dict[str, str]:
    """What was given as KEY=VALUE, each key once."""
    found: dict[str, str] = {}
    for pair in pairs or ():
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise UsageError(f"{option} takes KEY=VALUE, not {pair!r}.")
        if key in found:
            raise UsageError(f"{option} {key} is given twice; give it once.")
        found[key] = value
    return found


def system_type_from(text: str) -> str:
    from audit.rules import normal_system_type

    wanted = normal_system_type(text)
    if wanted not in SYSTEM_TYPES:
        known = " or ".join(SYSTEM_TYPES)
        raise UsageError(f"There is no system type {text!r}; ask for {known}.")
    return wanted


def scenarios_from(text: str | None) -> tuple[Scenario, ...]:
    """Those in a list with commas; all where none is given."""
    from harness.spec import SCENARIOS

    if text is None:
        return SCENARIOS
    return tuple(dict.fromkeys(scenario_from(name) for name in text.split(",")))


def scenario_from(text: str) -> Scenario:
    """The scenario called ``text`` in any case."""
    from harness.spec import SCENARIOS, scenario_named

    scenario = scenario_named(text.strip())
    if scenario is None:
        known = ", ".join(SCENARIOS)
        raise UsageError(f"There is no scenario {text.strip()!r}; the scenarios are {known}.")
    return scenario


def names_from(text: str) -> tuple[str, ...]:
    """Those in a list with commas, each once."""
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    if not all(names):
        raise UsageError(f"The list {text!r} has an empty place; write it as A,B,C.")
    return names


def numbers_from(option: str, text: str, most: int) -> tuple[int, ...]:
    """Whole numbers from 1 to ``most`` in a list with commas, each once."""
    names = names_from(text)
    wrong = [name for name in names if not _is_number_to(most, name)]
    if wrong:
        raise UsageError(f"{option} takes whole numbers from 1 to {most}, not {wrong[0]!r}.")
    return tuple(dict.fromkeys(map(int, names)))


def _is_number_to(most: int, text: str) -> bool:
    plain = text.isascii() and text.isdecimal() and len(text) <= len(str(most))
    return plain and 1 <= int(text) <= most


def refuse_senseless(request: Request) -> None:
    """Refuse what makes no sense before anything is looked up."""
    from datasets.cores import usable_cores
    from sut.threads import budget

    budget(request.streams, request.threads, max(1, usable_cores() // len(request.devices)))
    if not (request.model or request.model_name) and (request.model_dir is None) != (
        request.data is None
    ):
        given, missing = (
            ("MODEL_DIR", "DATA_DIR") if request.model_dir else ("DATA_DIR", "MODEL_DIR")
        )
        raise UsageError(
            f"{given} is set but {missing} is not: set both for the official model and data, or "
            "neither for the embedded ones."
        )
