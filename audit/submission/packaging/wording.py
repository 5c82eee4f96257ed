"""The texts of a package, filled in from what was chosen. Every word is data (``texts/``)."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from audit.accuracy.accuracy_txt import score_line
from audit.quantities import duration
from audit.submission.files import join
from audit.submission.packaging.choosing import Chosen
from audit.submission.packaging.making import making_of
from audit.submission.packaging.place import Place
from audit.verdicts import Number

_TEXTS = Path(__file__).parent / "texts"
_UNCALIBRATED = {"fp32", "fp16", "bf16"}
"""Precisions that need no samples to be chosen by."""


def entry_readme(chosen: Chosen, place: Place, division: str, display_name: str) -> str:
    """What was measured, which run was taken, and how to measure it again."""
    return _text("entry.md").format_map(
        {
            "display_name": display_name,
            "system": place.system,
            "benchmark": place.benchmark,
            "scenario": place.scenario,
            "round": chosen.plan.round,
            "division": division,
            "code": join(place.layout.code, place.benchmark, "README.md"),
            "comparable": _comparable(chosen),
            "choice": _choice(chosen),
            "values": "\n".join(_values(chosen)),
            "accuracy": score_line(chosen.accuracy.score.result),
            "command": command(chosen),
            **_made_with(chosen),
        }
    )


def code_readme(chosen: Chosen, benchmark: str) -> str:
    """Which version measured, and how to get it."""
    lines = _listed(f"{name} {version}" for name, version in chosen.record["software"].items())
    facts = {**_made_with(chosen), "benchmark": benchmark, "software_lines": lines}
    return _text("code.md").format_map(facts)


def calibration(chosen: Iterable[Chosen]) -> str:
    """What was calibrated, one line for each benchmark and precision."""
    lines = dict.fromkeys(_calibration(one) for one in chosen)
    return _text("calibration.md").format_map({"lines": "\n".join(lines)})


def calibration_unknown(chosen: Chosen) -> bool:
    """Whether calibration may have decided the weights, and nothing says how."""
    precision = chosen.spec["backend"]["precision"]
    return precision not in _UNCALIBRATED and making_of(chosen) is None


def command(chosen: Chosen) -> str:
    """The command that measured, as a shell takes it."""
    system = chosen.audit.evidence.system
    return shlex.join(system["command"]) if system else _line("command_unknown")


def loadproof_version(chosen: Chosen) -> str:
    """The version that measured, as the submitted run recorded it."""
    return str(chosen.record["software"].get("loadproof", "of an unknown version"))


def software(chosen: Chosen) -> str:
    """What decided the submitted run, with versions."""
    return ", ".join(f"{name} {version}" for name, version in chosen.record["software"].items())


def _made_with(chosen: Chosen) -> Mapping[str, Any]:
    spec = chosen.spec
    model, data, backend = spec["model"], spec["dataset"], spec["backend"]
    options = [f"{name}={value}" for name, value in backend["options"].items()]
    return {
        "version": loadproof_version(chosen),
        "software": software(chosen),
        "model": model["name"],
        "model_sha256": model["sha256"],
        "dataset": data["name"],
        "dataset_sha256": data["sha256"],
        "dataset_count": data["count"],
        "backend": backend["name"],
        "device": chosen.record["device_used"],
        "precision": backend["precision"],
        "options": "".join(f", {one}" for one in options),
        **{key: spec["batching"][key] for key in ("max_batch", "streams", "threads")},
    }


def _comparable(chosen: Chosen) -> str:
    if chosen.verdict.comparable:
        return _line("comparable")
    return _line("not_comparable", reasons=_listed(chosen.verdict.why_not))


def _listed(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _choice(chosen: Chosen) -> str:
    count = len(chosen.repeats)
    if count == 1:
        return _line("only_run")
    return _line("median_run", number=chosen.performance.asked.repeat, count=count)


def _values(chosen: Chosen) -> Iterator[str]:
    for run in chosen.repeats:
        if run.metric is not None:
            mark = _line("submitted") if run is chosen.performance else ""
            value = _quantity(run.metric)
            yield _line("value", number=run.asked.repeat, value=value, mark=mark)


def _quantity(number: Number) -> str:
    if number.unit == "ns":
        return duration(number.value)
    return f"{number.value:.6g} {number.unit}"


def _calibration(chosen: Chosen) -> str:
    making = making_of(chosen)
    facts = {"benchmark": chosen.plan.benchmark, "precision": chosen.spec["backend"]["precision"]}
    if making is not None and making.calibration:
        return _line("calibrated", **facts, **asdict(making))
    return _line("to_be_described" if calibration_unknown(chosen) else "not_calibrated", **facts)


def _line(name: str, **facts: object) -> str:
    return str(_lines()[name]).format_map(facts)


@cache
def _lines() -> Mapping[str, str]:
    lines: Mapping[str, str] = json.loads(_text("lines.json"))
    return lines


@cache
def _text(name: str) -> str:
    return (_TEXTS / name).read_text("utf-8")
