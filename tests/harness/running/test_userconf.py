"""The user.conf reader understands a line or refuses it with its number."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from audit.rules import load_round
from datasets.errors import UsageError
from harness.running import userconf
from harness.spec import LoadGenSettings


def _read(tmp_path: Path, text: str) -> tuple[userconf.Entry, ...]:
    path = tmp_path / "user.conf"
    path.write_bytes(text.encode())
    return userconf.read(path)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("*.Server.target_qps=123.5", "spaces included"),
        ("*.Server.traget_qps = 1", "the nearest is 'target_qps'"),
        ("*.server.target_qps = 1", "the nearest is 'Server'"),
        ("resnet.Server.target_qps = 1", "the nearest is 'resnet50'"),
        ("*.Server.target_qps = 1,000", "'1,000' is not a finite number"),
        ("*.Server.target_qps = nan", "not a finite number"),
        ("*.Server.target_qps = -5", "must be above 0"),
        ("*.Server.target_qps = 0", "must be above 0"),
        ("\ufeff*.Server.target_qps = 1", "byte-order mark"),
        ("*.Server.target_qps = 1_000", "in the digits 0 to 9"),
        ("*.Server.target_qps = 1\u0663", "in the digits 0 to 9"),
        ("*.Server.target_qps = 1e300", "must lie from 0.001 to 10000000, not 1e300"),
        ("*.Server.target_qps = 1e-300", "must lie from 0.001 to"),
        ("*.Server.target_latency = 1e-9", "must lie from 1e-06 to 86400000"),
        ("*.Server.target_latency = 1e18", "must lie from 1e-06 to 86400000"),
        ("*.Server.target_latency_percentile = 99.99999999999", "must lie from 0.001 to 99.9999"),
        ("*.*.min_duration = 99999999999999999999", "must lie from 0 to 2592000000"),
        ("*.*.min_query_count = 9999999999999", "must lie from 1 to 1000000000"),
        ("*.*.min_query_count = " + 400 * "9", "not a finite number"),
        ("*.*.performance_sample_count_override = 1e12", "must lie from 1 to 10000000"),
        ("*.*.qsl_rng_seed = 7", "seeds are the round's"),
        ("*.Offline.target_latency = 10", "means nothing in Offline"),
        ("*.Server.target_latency_percentile = 100", "must be below 100"),
        ("*.*.min_query_count = 10.5", "whole number"),
        ("Server.target_qps = 1", "not of the form model.scenario.key"),
    ],
)
def test_a_wrong_line_is_named_with_the_right_key(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        _read(tmp_path, f"# first\n{line}\n")
    assert "line 2" in str(caught.value)
    assert said in str(caught.value)


def test_every_wrong_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"line 1: .*; line 3: "):
        _read(tmp_path, "nonsense\n*.Server.target_qps = 5\n*.Server.x = 1\n")


def test_a_note_behind_a_value_is_accepted(tmp_path: Path) -> None:
    (entry,) = _read(tmp_path, "*.Server.target_qps = 5 # note\r\n\r\n")
    assert (entry.line, entry.scenario, entry.key, entry.value) == (1, "Server", "target_qps", 5)


def test_a_latency_keeps_its_fraction(tmp_path: Path) -> None:
    entries = _read(tmp_path, "*.Server.target_latency = 12.5\n")
    found = userconf.settings_for(entries, "resnet50", "Server")
    assert found == {"target_latency_ns": 12_500_000}


def test_a_named_scenario_outranks_a_named_model_and_the_last_of_equals_wins(
    tmp_path: Path,
) -> None:
    entries = _read(
        tmp_path,
        "*.Server.target_qps = 1\n"
        "resnet50.*.target_qps = 2\n"
        "*.Server.target_qps = 3\n"
        "bert.Server.target_qps = 4\n",
    )
    assert userconf.settings_for(entries, "resnet50", "Server") == {"target_qps": 3.0}
    assert userconf.settings_for(entries, "resnet50", "Offline") == {"target_qps": 2.0}


def test_a_line_about_all_scenarios_means_nothing_where_there_is_no_such_setting(
    tmp_path: Path,
) -> None:
    entries = _read(tmp_path, "*.*.target_qps = 5\n*.*.target_latency = 9\n")
    assert userconf.settings_for(entries, "bert", "SingleStream") == {
        "expected_latency_ns": 9_000_000
    }
    assert userconf.settings_for(entries, "bert", "Offline") == {"target_qps": 5.0}
    assert [entry.text for entry in entries] == ["*.*.target_qps = 5", "*.*.target_latency = 9"]


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    settings = LoadGenSettings(
        scenario="Server",
        mode="performance",
        seeds=load_round("v6.1").seeds,
        min_duration_ms=6000,
        min_query_count=64,
        performance_sample_count=1024,
        target_qps=123.4,
        target_latency_ns=12_500_000,
        percentile=0.9,
    )
    entries = _read(tmp_path, userconf.render(settings))
    found = userconf.settings_for(entries, "resnet50", "Server")
    assert found == {
        "target_qps": 123.4,
        "target_latency_ns": 12_500_000,
        "min_duration_ms": 6000,
        "min_query_count": 64,
    }


def test_a_pipe_in_place_of_a_file_is_refused_as_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "user.conf")
    with pytest.raises(UsageError, match="is a named pipe"):
        userconf.read(tmp_path / "user.conf")


def test_what_is_no_file_is_refused_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"# caf\xe9\n")
    for name, said in (
        ("absent", f"There is no user.conf at {tmp_path / 'absent'}; check the path."),
        ("", f"{tmp_path} is a folder, not a user.conf; name the file itself."),
        ("latin", f"{tmp_path / 'latin'} can't be read as a user.conf: it is no UTF-8 text"),
    ):
        with pytest.raises(UsageError) as caught:
            userconf.read(tmp_path / name)
        assert str(caught.value).startswith(said)
        assert "rrno" not in str(caught.value)


def test_entries_are_read_again_from_their_own_text_and_from_nothing_else(tmp_path: Path) -> None:
    entries = _read(tmp_path, "*.Server.target_qps = 12.5\nbert.*.min_duration = 300\n")
    assert userconf.entries_of(entry.text for entry in entries) == entries
    assert userconf.entries_of([]) == ()
    with pytest.raises(UsageError, match=r"in the plan can't be read: .*; measure with --fresh"):
        userconf.entries_of(["*.Server.target_qps = 1", "*.Server.target_qps=1"])
