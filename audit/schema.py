"""The schemas of every file that loadproof writes or reads, and checking a document against one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from audit import strict_json
from audit.regular_file import read_regular
from datasets.errors import EvidenceError

_FOLDER = Path(__file__).parent / "schemas"


@cache
def _validator(name: str) -> Any:
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    schemas = {file.name: json.loads(file.read_text("utf-8")) for file in _FOLDER.glob("*.json")}
    registry: Registry[Any] = Registry().with_resources(
        [(key, Resource.from_contents(schema)) for key, schema in schemas.items()]
    )
    return Draft202012Validator(schemas[f"{name}.json"], registry=registry)


def problems(document: Any, name: str) -> list[str]:
    """What is wrong with ``document`` by schema ``name``, each with its place; empty if nothing."""
    errors = sorted(_validator(name).iter_errors(document), key=lambda error: error.json_path)
    return [f"{_place(error)}: {_unknown(error) or error.message}" for error in errors]


def _place(error: Any) -> str:
    place: str = error.json_path.removeprefix("$").removeprefix(".")
    return place or "top"


def _unknown(error: Any) -> str:
    """What is said of keys that a schema doesn't have; empty for any other error."""
    if error.validator != "additionalProperties" or error.validator_value is not False:
        return ""
    known = error.schema.get("properties", {})
    return "; ".join(_nearest(key, known) for key in sorted(set(error.instance) - set(known)))


def _nearest(key: str, known: Iterable[str]) -> str:
    lowered = {name.lower(): name for name in known}
    near = get_close_matches(key.lower(), lowered, n=1)
    if near:
        return f"there is no {key!r}, the nearest name is {lowered[near[0]]!r}"
    return f"there is no {key!r}, the names are {', '.join(sorted(known))}"


def require(document: Any, name: str, where: str) -> None:
    """Raise EvidenceError naming ``where`` and the first problem, if there is one.

    A document of a newer version is called that: nothing else about it can be judged.
    """
    _refuse_newer(document, name, where)
    found = problems(document, name)
    if found:
        more = f" ({len(found) - 1} more)" if len(found) > 1 else ""
        raise EvidenceError(f"{where} is not a valid {name} document: {found[0]}{more}.")


def _refuse_newer(document: Any, name: str, where: str) -> None:
    known = _validator(name).schema.get("properties", {}).get("version", {}).get("const")
    found = document.get("version") if isinstance(document, dict) else None
    if isinstance(known, int) and isinstance(found, int) and found > known:
        raise EvidenceError(
            f"{where} is a {name} document of version {found}, but this loadproof reads version "
            f"{known}; use the loadproof that wrote it, or a newer one."
        )


def load(path: Path) -> Any:
    """The JSON document at ``path``, whatever it holds. EvidenceError where there is none that has
    one meaning; see :mod:`audit.strict_json`."""
    raw = read_regular(path)
    try:
        return strict_json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise EvidenceError(f"{path} is not JSON: {error}.") from error


def read(path: Path, name: str) -> Any:
    """The JSON document at ``path``, checked by schema ``name``. EvidenceError otherwise."""
    document = load(path)
    require(document, name, str(path))
    return document
