"""The table of results as people know it from MLCommons' own checker, with the verdicts.

A row for each entry, and one more for the power that it drew. The columns are data
(``csv_columns.json``): first those of the official summary, in its order, then ours.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from audit.submission.check import Checked
from audit.submission.files import Tree, join
from audit.submission.findings import shown
from audit.submission.tree import System
from audit.submission.verdict import EntryVerdict
from datasets.errors import EvidenceError

Fields = Mapping[str, Any]
"""The members of a JSON object of a submission; none where it can't be read."""


@dataclass(frozen=True)
class _Columns:
    """The names of the columns, in order."""

    all: tuple[str, ...]
    described: tuple[str, ...]
    """Those that repeat a field of the system's description."""


def csv_table(checked: Checked) -> str:
    """The whole table, with one line of headings. Cells that a spreadsheet would take for a formula
    are written as text."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _columns().all, lineterminator="\n")
    writer.writeheader()
    for row in _rows(checked):
        writer.writerow({name: _cell(value) for name, value in row.items()})
    return text.getvalue()


def _rows(checked: Checked) -> Iterator[dict[str, Any]]:
    verdicts = iter(checked.verdicts)
    for system in checked.submission.systems():
        described = _fields(checked.submission.tree, system.description_file)
        for _ in system.entries:
            yield from _entry_rows(checked, next(verdicts), system, described)


def _entry_rows(
    checked: Checked, verdict: EntryVerdict, system: System, described: Fields
) -> Iterator[dict[str, Any]]:
    row = _named(checked, verdict) | _described(system, described) | _measured(verdict)
    row["weight_data_types"] = _weights(checked, verdict)
    yield row
    if verdict.measured and verdict.measured.power:
        power = verdict.measured.power
        yield row | {"Result": power.value, "Units": power.unit}


def _named(checked: Checked, verdict: EntryVerdict) -> dict[str, Any]:
    entry = verdict.entry
    return {
        "Organization": entry.submitter,
        "Division": entry.division,
        "Category": entry.system_type,
        "Platform": entry.system,
        "Model": entry.benchmark_folder,
        "MlperfModel": entry.benchmark.name if entry.benchmark else "",
        "Scenario": entry.scenario or entry.scenario_folder,
        "Location": entry.results,
        "compliance": entry.division,
        "version": checked.submission.round.name,
        "errors": verdict.errors,
        "verdict": verdict.status,
        "rules": " ".join(dict.fromkeys(one.rule for one in verdict.findings)),
    }


def _described(system: System, fields: Fields) -> dict[str, Any]:
    notes = [str(fields[name]) for name in ("hw_notes", "sw_notes") if fields.get(name)]
    return {
        "Availability": fields.get("status", ""),
        "SystemType": fields.get("system_type", ""),
        "SystemName": fields.get("system_name", system.name),
        "notes": ". ".join(notes),
        **{name: fields.get(name, "") for name in _columns().described},
    }


def _measured(verdict: EntryVerdict) -> dict[str, Any]:
    told = verdict.measured
    if told is None:
        return {}
    accuracy = "" if told.accuracy is None else f"{told.accuracy_metric}: {told.accuracy}"
    return {
        "Result": "" if told.value is None else told.value,
        "Units": told.unit,
        "Accuracy": accuracy,
        "inferred": int(told.inferred_from is not None),
        "has_power": told.power is not None,
    }


def _weights(checked: Checked, verdict: EntryVerdict) -> Any:
    """What the entry's file of fields says of its weights, wherever that file is."""
    folder, tree = verdict.entry.measurements, checked.submission.tree
    for name in tree.listed(folder):
        if name.endswith(".json"):
            stated = _fields(tree, join(folder, name)).get("weight_data_types")
            if stated is not None:
                return stated
    return ""


def _fields(tree: Tree, path: str) -> Fields:
    try:
        document = json.loads(tree.read(path).decode("utf-8-sig", errors="replace"))
    except (EvidenceError, ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value if isinstance(value, int | float) else shown(str(value))
    text = shown(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


@cache
def _columns() -> _Columns:
    table = json.loads(Path(__file__).with_name("csv_columns.json").read_text("utf-8"))
    return _Columns((*table["official"], *table["ours"]), tuple(table["described"]))
