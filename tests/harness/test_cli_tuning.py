"""The commands that look for good settings, on the simulated device."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit import schema
from harness import exits
from harness.cli import app, guarded

FAST = ("-b", "resnet50", "-k", "simulated", "-o", "base_ms=2", "-o", "per_sample_ms=0.1")


def test_a_search_ends_with_a_confirmed_rate_and_is_done_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    conf = tmp_path / "user.conf"
    conf.write_text("*.Server.min_duration = 400\n*.Server.target_latency = 200\n")
    asked = ["search", *FAST, "--suite", "smoke", "--max-batch", "8", "--runs", "4"]
    asked += ["--user-conf", str(conf), "--output", str(tmp_path / "out")]
    assert guarded(lambda: app(asked)) == exits.FINE
    said = capsys.readouterr().out
    assert "Highest rate confirmed VALID: " in said
    assert "90 % within 200 ms, by a run of 0.4 s" in said
    (path,) = (tmp_path / "out/search").rglob("search.json")
    record = schema.read(path, "search")
    last = record["tells"][-1]
    assert (last["kind"], last["valid"]) == ("confirm", True)
    assert record["answer"]["rate_qps"] == last["asked_qps"]
    assert guarded(lambda: app([*asked, "--json"])) == exits.FINE
    again = capsys.readouterr()
    assert json.loads(again.out) == record
    assert f"{len(record['tells'])} runs of this search are done already." in again.err


def test_a_search_that_finds_no_rate_ends_with_findings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["search", *FAST, "-o", "raise_at=60", "--suite", "smoke", "--max-batch", "1"]
    assert guarded(lambda: app([*asked, "--output", str(tmp_path)])) == exits.FINDINGS
    said = capsys.readouterr().out
    assert "No rate was found: 2 runs in a row failed: " in said
    assert "as option raise_at asks" in said
