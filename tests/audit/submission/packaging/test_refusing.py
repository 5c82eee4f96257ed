"""What is not packed, and why; what nobody has said yet is asked for."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from audit.submission.packaging.own_fields import OwnFields
from audit.submission.packaging.packing import pack, questions
from datasets.errors import EvidenceError, UsageError
from tests.audit.submission.evidence import OWN, FullLength
from tests.audit.submission.packaging.asking import read, request, why
from tests.audit.written_evidence import Evidence


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


def test_a_path_that_would_be_too_long_is_refused(small: FullLength, tree: Path) -> None:
    with pytest.raises(UsageError, match="and a submission accepts 200; give a shorter"):
        pack(replace(request(small.folder, tree=tree), system="x" * 300))
    assert not tree.exists()


def test_what_would_be_unknown_is_asked_for(small: FullLength, tree: Path) -> None:
    for path in small.folder.rglob("run.json"):
        assert json.loads(read(path))["facts"]
    asked = questions(replace(request(small.folder, tree=tree), own=OwnFields()))
    assert asked == dict.fromkeys(asked, "")
    assert set(asked) == set(OWN)
    assert not tree.exists()


def test_evidence_that_is_named_twice_is_refused(small: FullLength, tree: Path) -> None:
    again = small.folder / ".." / small.folder.name
    with pytest.raises(UsageError, match="is named twice, also as"):
        pack(request(small.folder, again, tree=tree))
    with pytest.raises(UsageError, match="is named twice; name each"):
        questions(request(small.folder, small.folder, tree=tree))


def test_evidence_is_no_place_for_a_tree(small: FullLength) -> None:
    for inside in (small.folder, small.folder / "tree"):
        with pytest.raises(UsageError, match="lies in the evidence"):
            pack(request(small.folder, tree=inside))


@pytest.mark.parametrize("link", ["open", "open/Example"])
def test_nothing_is_written_through_a_link(
    small: FullLength, tree: Path, tmp_path: Path, link: str
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tree / link).parent.mkdir(parents=True)
    (tree / link).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match=f"{link} is a link to"):
        pack(request(small.folder, tree=tree))
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_missing_description_of_the_machine_is_said_to_be_missing(
    quick: Evidence, tree: Path
) -> None:
    (quick.root / "system.json").unlink(missing_ok=True)
    with pytest.raises(UsageError, match=r"system\.json is missing or can't be read"):
        pack(replace(request(quick.root, tree=tree), system=None))


def test_no_option_is_named_that_package_does_not_have(tmp_path: Path, tree: Path) -> None:
    with pytest.raises(EvidenceError) as caught:
        pack(request(tmp_path, tree=tree / "new"))
    assert "--logs" not in str(caught.value)


@pytest.mark.parametrize(("name", "folder"), [("../../x", "x"), ("Ä😀", "A")])
def test_another_name_of_the_submitter_is_said(
    small: FullLength, tree: Path, name: str, folder: str
) -> None:
    packed = pack(replace(request(small.folder, tree=tree), submitter=name))
    assert any(f"the submitter is called {folder}" in note for note in packed.notes)
