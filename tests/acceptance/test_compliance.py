"""Compliance tests through the command line, on the simulated device."""

from __future__ import annotations

from pathlib import Path

from audit import schema
from harness import exits
from tests.acceptance.command import ID, SMOKE, loadproof


def test_a_short_qualification_runs_the_tests_and_gives_them_no_verdict(tmp_path: Path) -> None:
    device = ("-o", "base_ms=1", "-o", "per_sample_ms=0.1", "--output", tmp_path)
    done = loadproof(*SMOKE, "--compliance", *device, "--scenarios", "SingleStream,Server")
    assert done.returncode == exits.FINE, done.stdout + done.stderr
    assert "SingleStream TEST01: NOT JUDGED (score " in done.stdout
    assert "TEST04 is not judged: the minimum duration is 500 ms, v6.1 demands 600 s" in done.stdout
    root = tmp_path / ID
    result = schema.read(root / "result.json", "result")
    assert [(one["scenario"], one["test"], one["outcome"]) for one in result["compliance"]] == [
        ("SingleStream", "TEST01", "NOT JUDGED"),
        ("SingleStream", "TEST04", "NOT JUDGED"),
    ]
    answers = result["compliance"][0]["answers"]
    assert answers["sampled"] > 0
    assert answers["differing"] == answers["missing"] == 0
    (row,) = [one for one in result["scenarios"] if one["scenario"] == "SingleStream"]
    assert row["performance"]["planned"] == len(row["performance"]["values"])
    assert result["comparable"] is False
    assert not list(root.rglob("verify_*.txt"))
    configs = sorted(path.parent.parent.parent.name for path in root.rglob("audit.config"))
    assert configs == ["TEST01", "TEST04"]
