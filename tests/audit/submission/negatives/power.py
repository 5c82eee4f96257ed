"""Trees whose power measurement is incomplete, edited or of another time."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from audit.rules import common_rules
from audit.submission.power import SAMPLES
from audit.submission.subject import DETAIL
from tests.audit.submission.negatives import breaks
from tests.audit.submission.negatives.performance import too_large
from tests.audit.submission.trees import (
    SampleTree,
    change_json,
    change_log,
    change_text,
    remove,
    write,
)

SAMPLE = "Time,11-30-2026 09:0{minute}:00.000,Watts,{watts},Volts,230.1,Amps,0.9,PF,0.97,Mark,run\n"


def measures_power(tree: SampleTree) -> Path:
    """Let Offline have a good measurement of power: 200 W in the mean; its power folder."""
    performance, files = tree.results() / "performance", common_rules()["required_files"]
    meter = "".join(SAMPLE.format(minute=minute, watts=198 + minute) for minute in range(1, 4))
    for name in (*files["performance"], *files["performance_power"]):
        write(performance / "ranging" / name, "ranging\n")
    for name in ("analyzer_table.md", "power_settings.md"):
        write(tree.measurements() / name, "# The meter\n")
    for name in files["power"]:
        write(performance / "power" / name, "{}" if name.endswith(".json") else "session\n")
    write(tree.performance() / SAMPLES, meter)
    noted = {f"run_1/{name}": _sha1(tree.performance() / name) for name in (SAMPLES, DETAIL)}
    write(performance / "power" / "client.json", json.dumps({"results": noted}))
    change_json(tree.description, **dict.fromkeys(common_rules()["system_fields_power"], "x"))
    return performance / "power"


def _sha1(path: Path) -> str:
    return hashlib.sha1(path.read_bytes(), usedforsecurity=False).hexdigest()


@breaks("PWR-001")
def no_ranging(tree: SampleTree) -> None:
    measures_power(tree)
    remove(tree.results() / "performance" / "ranging")


@breaks("PWR-001")
def no_samples(tree: SampleTree) -> None:
    measures_power(tree)
    remove(tree.performance() / SAMPLES)


@breaks("PWR-001", round_name="v5.1")
def no_analyzer_table(tree: SampleTree) -> None:
    measures_power(tree)
    remove(tree.measurements() / "analyzer_table.md")


@breaks("PWR-002", also=("STR-015",))
def samples_too_large_to_be_read(tree: SampleTree) -> None:
    measures_power(tree)
    too_large(tree.performance() / SAMPLES)


@breaks("PWR-003")
def record_cut(tree: SampleTree) -> None:
    write(measures_power(tree) / "server.json", '{"results": {')


@breaks("PWR-003")
def record_that_is_a_list(tree: SampleTree) -> None:
    write(measures_power(tree) / "server.json", "[]")


@breaks("PWR-004")
def one_sample_edited(tree: SampleTree) -> None:
    measures_power(tree)
    change_text(tree.performance() / SAMPLES, "Watts,200", "Watts,100")


@breaks("PWR-005", also=("PWR-004",))
def line_that_is_no_sample(tree: SampleTree) -> None:
    measures_power(tree)
    path = tree.performance() / SAMPLES
    write(path, "Time,garbage\n" + path.read_text("utf-8"))


@breaks("PWR-006", also=("PWR-004", "PERF-033"))
def nothing_says_when_the_run_began(tree: SampleTree) -> None:
    measures_power(tree)
    change_log(tree.performance(), {"power_begin": None})


@breaks("PWR-007", also=("PWR-004",))
def samples_of_another_hour(tree: SampleTree) -> None:
    measures_power(tree)
    change_text(tree.performance() / SAMPLES, " 09:", " 10:")
