"""Whether LoadGen did ordinary work: modes that repeat one sample, or end a run early, are none."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from audit import quantities
from audit.compliance_tests import compliance_test
from audit.findings import Finding, finding
from audit.logs.loadgen_log import DetailLog


def departures(log: DetailLog, *, test: str | None = None, ours: bool = False) -> Iterator[Finding]:
    """An error for each mode that is not LoadGen's default. What the compliance ``test`` sets is
    judged by that. What was asked of other harnesses is not known: they may set a longest time, or
    issue every sample equally often; ``ours`` never does.

    A key that an older LoadGen doesn't log is not missed.
    """
    expected = _expected(str(log.value("effective_scenario")), test, ours)
    for key, usual in expected.items():
        found = log.value(f"effective_{key}")
        if found is not None and found != usual:
            yield finding(
                "settings.mode",
                log.place(f"effective_{key}"),
                found=quantities.logged(found),
                expected=quantities.logged(usual),
                key=f"effective_{key}",
            )


def _expected(scenario: str, test: str | None, ours: bool) -> Mapping[str, Any]:
    table = _table()
    usual = {**table["all"], **table.get(scenario, {}), **(table["ours"] if ours else {})}
    tested = compliance_test(test).effective if test else {}
    return {key: value for key, value in usual.items() if key not in tested}


@cache
def _table() -> Mapping[str, Mapping[str, Any]]:
    table: Mapping[str, Any] = json.loads(
        Path(__file__).with_name("loadgen_modes.json").read_text("utf-8")
    )
    return table
