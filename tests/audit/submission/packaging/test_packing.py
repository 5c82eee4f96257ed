"""From evidence to a tree: what goes in, and what the checker says of it."""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path

import pytest

from audit.submission.packaging import wording
from audit.submission.packaging.packing import pack
from tests.audit.submission.evidence import FullLength
from tests.audit.submission.packaging.asking import read, request
from tests.audit.submission.trees import findings


@pytest.mark.parametrize("round_name", ["v5.0", "v5.1", "v6.0", "v6.1"])
@pytest.mark.parametrize("benchmark", ["resnet50", "bert"])
def test_full_evidence_becomes_a_submission_without_any_finding(
    tmp_path: Path, tree: Path, benchmark: str, round_name: str
) -> None:
    made = FullLength(tmp_path / "evidence", benchmark, round_name)
    packed = pack(request(made.folder, tree=tree, division="closed"))
    assert not packed.left_out + packed.unknown + packed.notes
    assert packed.round == round_name
    scenarios = made.benchmark.required_scenarios("edge")
    assert len(packed.entries) == len(scenarios)
    assert list(findings(tree, round_name)) == []


def test_every_file_of_an_entry_where_its_round_has_it(bert: FullLength, tree: Path) -> None:
    pack(request(bert.folder, tree=tree, division="closed"))
    folder = tree / "closed/Example"
    entry = folder / "results/Box-1/bert-99/SingleStream"
    assert sorted(str(path.relative_to(entry)) for path in entry.rglob("*") if path.is_file()) == [
        "README.md",
        "TEST01/accuracy/accuracy.txt",
        "TEST01/accuracy/mlperf_log_accuracy.json",
        "TEST01/performance/run_1/mlperf_log_detail.txt",
        "TEST01/performance/run_1/mlperf_log_summary.txt",
        "TEST01/verify_accuracy.txt",
        "TEST01/verify_performance.txt",
        "accuracy/accuracy.txt",
        "accuracy/mlperf_log_accuracy.json",
        "accuracy/mlperf_log_detail.txt",
        "accuracy/mlperf_log_summary.txt",
        "measurements.json",
        "performance/run_1/mlperf_log_detail.txt",
        "performance/run_1/mlperf_log_summary.txt",
        "user.conf",
    ]
    assert read(folder / "src/bert-99/README.md").startswith("# The code behind bert-99")
    assert "nothing was calibrated" in read(folder / "calibration.md")
    own = {
        "division": "closed",
        "submitter": "Example",
        "system_name": "Box 1",
        "status": "available",
    }
    assert own.items() <= json.loads(read(folder / "systems/Box-1.json")).items()


def test_logs_are_cut_and_the_hash_is_of_the_whole(bert: FullLength, tree: Path) -> None:
    pack(request(bert.folder, tree=tree, division="closed"))
    entry = tree / "closed/Example/results/Box-1/bert-99/Offline"
    for packed, log in (
        (entry / "accuracy", bert.folder / "bert/Offline/accuracy"),
        (entry / "TEST01/accuracy", bert.folder / "bert/Offline/TEST01/performance/run_1"),
    ):
        whole = (log / "mlperf_log_accuracy.json").read_bytes()
        cut = (packed / "mlperf_log_accuracy.json").read_bytes()
        assert len(cut) < 10240 < len(whole)
        assert read(packed / "accuracy.txt").endswith(
            f"\nhash={hashlib.sha256(whole).hexdigest()}\n"
        )


def test_the_median_run_is_submitted_and_the_readme_says_so(tree: Path, tmp_path: Path) -> None:
    made = FullLength(tmp_path / "evidence", "bert", scenarios=["Offline"])
    pack(request(made.folder, tree=tree))
    entry = tree / "open/Example/results/Box-1/bert-99/Offline"
    packed = (entry / "performance/run_1/mlperf_log_detail.txt").read_bytes()
    taken = made.folder / "bert/Offline/performance/run_2/mlperf_log_detail.txt"
    assert packed == taken.read_bytes()
    text = read(entry / "README.md")
    assert "run 2 of 3" in text
    assert "run 2: 102 samples/s (submitted)" in text
    assert "loadproof qualify" in text


def test_a_command_may_name_a_folder_whose_name_is_no_text(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = FullLength(tmp_path / os.fsdecode(b"caf\xe9"), "bert", scenarios=["Offline"])
    monkeypatch.setattr(wording, "command", lambda _: f"loadproof audit {made.folder}")
    assert pack(request(made.folder, tree=tree)).entries
    text = read(tree / "open/Example/results/Box-1/bert-99/Offline/README.md")
    assert "caf\\udce9" in text


def test_the_open_division_holds_no_tests(bert: FullLength, tree: Path) -> None:
    packed = pack(request(bert.folder, tree=tree))
    assert packed.entries
    assert not list(tree.rglob("TEST01"))
    assert not list(tree.rglob("calibration.md"))


def test_a_quick_run_lacks_what_it_lacks_and_nothing_else(tmp_path: Path, tree: Path) -> None:
    made = FullLength(tmp_path / "quick-evidence", quick=True)
    packed = pack(request(made.folder, tree=tree))
    assert not packed.left_out + packed.unknown
    found = {(one.rule, one.found) for one in findings(tree, "v6.1") if one.severity == "error"}
    assert found == {
        ("PERF-010", "50"),
        ("PERF-014", "4 s"),
        ("ACC-007", "50"),
        ("ACC-018", "50 of 50"),
    }
    readme = read(tree / "open/Example/results/Box-1/resnet50/Offline/README.md")
    assert "not an MLPerf result" in readme


def test_scores_that_agree_where_answers_differ_have_their_files(
    tmp_path: Path, tree: Path
) -> None:
    made = FullLength(tmp_path / "evidence", scenarios=["Offline"])
    log = made.folder / "resnet50/Offline/TEST01/performance/run_1/mlperf_log_accuracy.json"
    answer = re.compile(r'(?<="data" : ")[0-9A-F]{8}')
    log.write_text(answer.sub("0000803F", read(log), count=1), "utf-8")
    made.seal()
    pack(request(made.folder, tree=tree, division="closed"))
    folder = tree / "closed/Example/results/Box-1/resnet50/Offline/TEST01"
    assert "TEST FAIL" in read(folder / "verify_accuracy.txt")
    assert "good=4099, total=4100" in read(folder / "accuracy/compliance_accuracy.txt")
    assert "good=4100, total=4100" in read(folder / "accuracy/baseline_accuracy.txt")
    assert not [one for one in findings(tree, "v6.1") if one.rule.startswith("TEST")]
