"""From evidence to a tree: what goes in, what is refused, and what the checker says of it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from audit.submission.layout import layout_of
from audit.submission.packaging.own_fields import OwnFields
from audit.submission.packaging.packing import Packed, pack, questions
from audit.submission.packaging.request import Request
from datasets.errors import EvidenceError, UsageError
from tests.audit.evidence import Evidence
from tests.audit.submission.evidence import OWN, FullLength, without_questions
from tests.audit.submission.trees import findings

SYSTEM = "Sample-processor-simulated-cpu"


@pytest.fixture(autouse=True)
def _scored(monkeypatch: pytest.MonkeyPatch) -> None:
    without_questions(monkeypatch)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> FullLength:
    return FullLength(tmp_path_factory.mktemp("bert") / "bert-evidence", "bert")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> FullLength:
    """What most tests are content with: it takes no time to read."""
    return FullLength(tmp_path_factory.mktemp("small") / "small-evidence", "bert", quick=True)


@pytest.fixture
def quick(tmp_path: Path) -> Evidence:
    return Evidence(tmp_path / "quick-evidence", ("Offline", "Server"))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return tmp_path / "tree"


def request(*evidence: Path, tree: Path, division: str = "open") -> Request:
    return Request(evidence, tree, division, "Example", system="Box 1", own=OwnFields(OWN))


def read(path: Path) -> str:
    return path.read_text("utf-8")


def why(packed: Packed) -> str:
    return "; ".join(f"{one.what}: {reason}" for one in packed.left_out for reason in one.reasons)


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


def test_scenarios_that_the_round_does_not_have_are_left_out(quick: Evidence, tree: Path) -> None:
    packed = pack(request(quick.root, tree=tree))
    assert packed.entries == ("open/Example/Box-1/resnet50/Offline",)
    assert why(packed) == ("quick-evidence resnet50/Server: v6.1 does not have it for edge systems")


def test_in_the_closed_division_tests_that_were_not_run_are_told(
    quick: Evidence, tree: Path
) -> None:
    packed = pack(request(quick.root, tree=tree, division="closed"))
    assert packed.written
    assert "resnet50/Offline TEST01: the closed division demands it" in why(packed)
    assert why(packed).count("qualify again with --compliance") == 2


def test_evidence_that_its_audit_rejects_is_refused(quick: Evidence, tree: Path) -> None:
    quick.change_log(quick.run(), result_validity="INVALID")
    refused = pack(request(quick.root, tree=tree))
    assert not refused.written
    assert "INVALID" in why(refused)
    assert not tree.exists()


def test_only_what_is_valid_is_packed_where_that_is_asked_for(tmp_path: Path, tree: Path) -> None:
    mixed = Evidence(tmp_path / "mixed", ("Offline", "SingleStream"))
    mixed.change_log(mixed.run("SingleStream"), result_validity="INVALID")
    packed = pack(replace(request(mixed.root, tree=tree), only_valid=True))
    assert packed.entries == ("open/Example/Box-1/resnet50/Offline",)
    assert "mixed resnet50/SingleStream: resnet50/SingleStream/performance/run_1" in why(packed)


def test_evidence_that_was_edited_has_no_valid_part(quick: Evidence, tree: Path) -> None:
    plan = json.loads(read(quick.folder / "plan.json"))
    (quick.folder / "plan.json").write_text(json.dumps({**plan, "stall_s": 61.0}), "utf-8")
    refused = pack(replace(request(quick.folder, tree=tree), only_valid=True))
    assert not refused.written
    assert "is not the plan under which" in why(refused)


def test_another_rounds_seeds_are_refused(small: FullLength, tree: Path) -> None:
    refused = pack(replace(request(small.folder, tree=tree), round="v6.0"))
    assert not refused.written
    assert "made under v6.1 with other seeds than those of v6.0" in why(refused)
    assert not tree.exists()


def test_seeds_decide_and_not_what_the_plan_calls_its_round(quick: Evidence, tree: Path) -> None:
    quick.respec(round="v5.1")
    refused = pack(request(quick.root, tree=tree))
    assert "with other seeds than those of v5.1" in why(refused)


def test_what_is_no_evidence_is_named(tmp_path: Path, tree: Path) -> None:
    with pytest.raises(EvidenceError, match="holds no plan"):
        pack(request(tmp_path, tree=tree))


def test_two_benchmarks_of_one_machine_are_one_system(
    small: FullLength, quick: Evidence, tree: Path
) -> None:
    with pytest.raises(UsageError, match="measured on different machines"):
        pack(request(small.folder, quick.root, tree=tree))
    (quick.folder / "system.json").write_bytes((small.folder / "system.json").read_bytes())
    quick.seal()
    packed = pack(request(small.folder, quick.folder, tree=tree))
    assert len(packed.entries) == 3
    assert [path.name for path in (tree / "open/Example/systems").iterdir()] == ["Box-1.json"]


def test_one_entry_from_two_folders_is_refused(small: FullLength, tree: Path) -> None:
    with pytest.raises(UsageError, match="both have bert-99 Offline of the system Box-1"):
        pack(request(small.folder, small.folder, tree=tree))


def test_a_system_is_named_after_its_machine_where_nobody_names_it(
    small: FullLength, quick: Evidence, tree: Path
) -> None:
    packed = pack(replace(request(small.folder, tree=tree), system=None))
    assert packed.entries[0].split("/")[2] == SYSTEM
    document = json.loads(read(tree / f"open/Example/systems/{SYSTEM}.json"))
    assert document["system_name"] == "Sample processor simulated cpu"
    (quick.folder / "system.json").unlink()
    with pytest.raises(UsageError, match="--system-name"):
        pack(replace(request(quick.root, tree=tree), system=None))


def test_names_are_slugs_and_display_names_stay(small: FullLength, tree: Path) -> None:
    asked = replace(request(small.folder, tree=tree), submitter="Föo & Co", display_name="Böx №1")
    packed = pack(asked)
    assert packed.entries[0].startswith("open/Foo-Co/Box-1/")
    assert "Foo-Co" in packed.notes[0]
    document = json.loads(read(tree / "open/Foo-Co/systems/Box-1.json"))
    assert (document["submitter"], document["system_name"]) == ("Foo-Co", "Böx №1")


def contents(root: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(root.rglob("*")):
        if path.is_file():
            yield str(path.relative_to(root)), path.read_bytes()


def test_nothing_is_written_over_unless_it_is_to_be_replaced(small: FullLength, tree: Path) -> None:
    pack(request(small.folder, tree=tree))
    entry = tree / "open/Example/results/Box-1/bert-99/Offline"
    (entry / "user.conf").write_text("# mine\n", "utf-8")
    code = tree / "open/Example/src/bert-99/README.md"
    code.write_text("# mine\n", "utf-8")
    before = dict(contents(tree))
    with pytest.raises(UsageError, match="already; replace it with --replace"):
        pack(request(small.folder, tree=tree))
    assert dict(contents(tree)) == before
    (entry / "stray.txt").touch()
    pack(replace(request(small.folder, tree=tree), replace=True))
    assert read(entry / "user.conf").startswith("*.Offline")
    assert not (entry / "stray.txt").exists()
    assert read(code) == "# mine\n"


def test_packing_again_gives_the_same_tree(bert: FullLength, tree: Path) -> None:
    asked = request(bert.folder, tree=tree, division="closed")
    pack(asked)
    before = dict(contents(tree))
    pack(replace(asked, replace=True))
    assert dict(contents(tree)) == before


def test_others_in_the_tree_stay_as_they_are(small: FullLength, tree: Path) -> None:
    pack(request(small.folder, tree=tree))
    before = dict(contents(tree))
    pack(replace(request(small.folder, tree=tree), submitter="Another"))
    pack(replace(request(small.folder, tree=tree), system="Box 2"))
    after = dict(contents(tree))
    assert before.items() <= after.items()
    assert {path.split("/")[1] for path in after} == {"Example", "Another"}


def test_what_the_submitter_filled_in_is_kept(small: FullLength, tree: Path) -> None:
    unasked = replace(request(small.folder, tree=tree), own=OwnFields())
    packed = pack(unasked)
    assert {one.field for one in packed.unknown} == set(OWN)
    path = tree / "open/Example/systems/Box-1.json"
    path.write_text(json.dumps({**json.loads(read(path)), **OWN}), "utf-8")
    again = pack(replace(unasked, replace=True))
    assert again.unknown == ()
    assert json.loads(read(path))["cooling"] == "air"


def test_a_system_keeps_its_type(small: FullLength, tree: Path) -> None:
    pack(request(small.folder, tree=tree))
    path = tree / "open/Example/systems/Box-1.json"
    path.write_text(read(path).replace('"edge"', '"datacenter"'), "utf-8")
    with pytest.raises(UsageError, match="of the type datacenter"):
        pack(replace(request(small.folder, tree=tree), replace=True))


def test_a_path_that_would_be_too_long_is_refused(small: FullLength, tree: Path) -> None:
    with pytest.raises(UsageError, match="and a submission accepts 200; give a shorter"):
        pack(replace(request(small.folder, tree=tree), system="x" * 300))
    assert not tree.exists()


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


def test_a_tree_of_another_layout_is_refused(small: FullLength, tree: Path) -> None:
    assert "measurements" in layout_of("v5.1").submitter_folders
    (tree / "open/Example/measurements").mkdir(parents=True)
    with pytest.raises(UsageError, match="has a folder measurements, for which"):
        pack(request(small.folder, tree=tree))


def test_what_would_be_unknown_is_asked_for(small: FullLength, tree: Path) -> None:
    for path in small.folder.rglob("run.json"):
        assert json.loads(read(path))["facts"]
    asked = questions(replace(request(small.folder, tree=tree), own=OwnFields()))
    assert asked == dict.fromkeys(asked, "")
    assert set(asked) == set(OWN)
    assert not tree.exists()
