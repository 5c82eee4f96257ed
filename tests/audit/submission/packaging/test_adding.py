"""Systems in one tree: their names, and what happens to what is there already."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from audit.submission.layout import layout_of
from audit.submission.packaging.own_fields import OwnFields
from audit.submission.packaging.packing import pack
from datasets.errors import UsageError
from tests.audit.submission.evidence import OWN, FullLength
from tests.audit.submission.packaging.asking import read, request
from tests.audit.submission.trees import findings
from tests.audit.written_evidence import Evidence

SYSTEM = "Sample-processor-simulated-cpu"


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
    with pytest.raises(UsageError, match="is named twice"):
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


def test_bert_is_submitted_under_the_name_that_its_score_allows(
    bert: FullLength, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = replace(request(bert.folder, tree=tree, division="closed"), benchmark="bert-99.9")
    assert {one.split("/")[3] for one in pack(asked).entries} == {"bert-99.9"}
    assert list(findings(tree, "v6.1")) == []
    with pytest.raises(UsageError, match="it can as bert-99, bert-99"):
        pack(replace(asked, benchmark="resnet"))
    monkeypatch.setattr("tests.audit.submission.evidence.F1", 90.0)
    with pytest.raises(UsageError, match=r"scores 90\.000 in Offline, and bert-99\.9 demands"):
        pack(replace(asked, system="Box 2"))
    assert pack(replace(asked, division="open")).written


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


def test_what_the_evidence_tells_is_kept_or_replaced_but_never_in_silence(
    small: FullLength, tree: Path
) -> None:
    pack(request(small.folder, tree=tree))
    path = tree / "open/Example/systems/Box-1.json"
    own = {"framework": "mine 1", "system_name": "My box"}
    path.write_text(json.dumps({**json.loads(read(path)), **own}), "utf-8")
    shutil.rmtree(tree / "open/Example/results")
    kept = pack(request(small.folder, tree=tree))
    assert "keeps framework as mine 1, where the evidence has simulated" in kept.notes[0]
    assert own.items() <= json.loads(read(path)).items()
    assert pack(replace(request(small.folder, tree=tree), replace=True)).notes == ()
    made = json.loads(read(path))
    assert (made["framework"], made["system_name"]) == ("simulated", "My box")


def test_a_system_keeps_its_type(small: FullLength, tree: Path) -> None:
    pack(request(small.folder, tree=tree))
    path = tree / "open/Example/systems/Box-1.json"
    path.write_text(read(path).replace('"edge"', '"datacenter"'), "utf-8")
    with pytest.raises(UsageError, match="of the type datacenter"):
        pack(replace(request(small.folder, tree=tree), replace=True))


def test_a_tree_of_another_layout_is_refused(small: FullLength, tree: Path) -> None:
    assert "measurements" in layout_of("v5.1").submitter_folders
    (tree / "open/Example/measurements").mkdir(parents=True)
    with pytest.raises(UsageError, match="has a folder measurements, for which"):
        pack(request(small.folder, tree=tree))
