"""The documents that tell of a check: JSON, CSV and SARIF, and the rules of one entry."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from audit import schema
from audit.submission.check import Checked, check
from audit.submission.choice import choose
from audit.submission.csv_table import csv_table
from audit.submission.document import check_document
from audit.submission.explain import entry_at, explain
from audit.submission.findings import Finding, Kept
from audit.submission.reading import read_submission
from audit.submission.sarif import sarif_document
from datasets.errors import UsageError
from tests.audit.submission.trees import SampleTree, build, change_json, change_log, write

SARIF = json.loads(Path(__file__).with_name("sarif.schema.json").read_text("utf-8"))
OFFLINE = "closed/Example/results/sample-cpu/resnet50/Offline"


@pytest.fixture
def tree(tmp_path: Path) -> SampleTree:
    """A tree with one broken run, a stray file with an odd name, and a formula for a name."""
    tree = build(tmp_path / "tree")
    change_log(tree.performance("Offline"), {"result_validity": "INVALID"})
    write(tree.code / "a b#ü.txt", "x")
    change_json(tree.description, system_name="=1+1", hw_notes="warm")
    return tree


def checked(tree: SampleTree, *only: str) -> Checked:
    submission = read_submission(tree.root, tree.round.name)
    return check(submission, choose(only, ()))


def rows(found: Checked) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_table(found))))


def test_the_document_holds_every_entry_and_every_finding(tree: SampleTree) -> None:
    found = checked(tree)
    document = check_document(found, "2026-01-01T00:00:00+00:00")
    assert schema.problems(document, "submission-check") == []
    assert len(document["findings"]) == len(found.findings)
    statuses = {one["name"].partition("sample-cpu/")[2]: one for one in document["entries"]}
    assert len(statuses) == 5
    assert statuses["resnet50/Offline"]["status"] == "invalid"
    assert statuses["resnet50/SingleStream"]["status"] == "valid"
    assert statuses["resnet50/Offline"]["result"]["unit"] == "Samples/s"


def test_the_table_has_the_official_columns_first_and_a_row_for_each_entry(
    tree: SampleTree,
) -> None:
    found = rows(checked(tree))
    assert list(found[0])[:9] == [
        "Organization",
        "Availability",
        "Division",
        "SystemType",
        "SystemName",
        "Platform",
        "Model",
        "MlperfModel",
        "Scenario",
    ]
    offline = next(one for one in found if one["Location"] == OFFLINE)
    assert (offline["Organization"], offline["MlperfModel"]) == ("Example", "resnet")
    assert (offline["Units"], offline["verdict"]) == ("Samples/s", "invalid")
    assert (offline["inferred"], offline["notes"]) == ("0", "warm")
    assert float(offline["Result"]) > 0
    assert offline["Accuracy"].startswith("top1_percent: ")
    assert offline["weight_data_types"] != ""
    assert "PERF-" in offline["rules"]
    assert len(found) == 5


def test_no_cell_is_a_formula(tree: SampleTree) -> None:
    assert {one["SystemName"] for one in rows(checked(tree))} == {"'=1+1"}


def test_sarif_has_its_published_shape_and_names_file_and_rule(tree: SampleTree) -> None:
    document = sarif_document(checked(tree), "1.0")
    assert list(Draft202012Validator(SARIF).iter_errors(document)) == []
    (run,) = document["runs"]
    ids = [one["id"] for one in run["tool"]["driver"]["rules"]]
    assert all(ids[one["ruleIndex"]] == one["ruleId"] for one in run["results"])
    places = [one["locations"][0]["physicalLocation"] for one in run["results"]]
    uris = {one["artifactLocation"]["uri"] for one in places}
    assert f"{OFFLINE}/performance/run_1/mlperf_log_detail.txt" in uris
    assert "closed/Example/src/a%20b%23%C3%BC.txt" in uris


def test_an_entry_is_explained_with_what_holds_and_what_does_not(tree: SampleTree) -> None:
    found = checked(tree)
    told = explain(found, entry_at(found.submission, f"{OFFLINE}/performance"))
    broken = {one.rule for one in told.outcomes if isinstance(one, Finding)}
    kept = {one.rule for one in told.outcomes if isinstance(one, Kept)}
    assert broken == {one.rule for one in told.verdict.findings}
    assert len(kept) > 20
    assert not broken & {one.rule for one in found.verdicts[0].findings}


def test_what_holds_is_explained_with_the_numbers_of_the_round(tree: SampleTree) -> None:
    found = checked(tree)
    told = explain(found, entry_at(found.submission, OFFLINE.replace("Offline", "MultiStream")))
    demanded = {one.rule: one.expected for one in told.outcomes}
    assert demanded["PERF-014"] == "600000"
    assert demanded["PERF-010"] == "1024"
    assert demanded["PERF-016"] == "none"
    assert demanded["PERF-018"] == "8 in MultiStream"
    shown = {one.rule: one.found for one in told.outcomes}
    assert "queries/s, " in demanded["TEST-009"]
    assert all(shown[rule] for rule in ("PERF-002", "TEST-002", "TEST-009", "TEST-022"))
    assert str(tree.round.seeds.qsl_rng_seed) in demanded["PERF-009"]
    assert not {rule for rule, text in demanded.items() if "{" in text}


def test_only_the_rules_that_are_asked_are_explained(tree: SampleTree) -> None:
    found = checked(tree, "PERF-007")
    told = explain(found, entry_at(found.submission, OFFLINE))
    assert {one.rule for one in told.outcomes} == {"PERF-007"}


@pytest.mark.parametrize(
    "path",
    [
        OFFLINE,
        f"{OFFLINE}/",
        f"{OFFLINE}/accuracy/accuracy.txt",
        "closed/Example/sample-cpu/resnet50/Offline",
    ],
)
def test_an_entry_is_named_by_its_folder_a_file_of_it_or_its_name(
    tree: SampleTree, path: str
) -> None:
    submission = read_submission(tree.root, tree.round.name)
    assert entry_at(submission, path).results == OFFLINE


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("closed/Example/results/sample-cpu", "holds 5 entries; name one: "),
        ("closed/Example/results/sample-cpu/resnet50/Offlin", f"nearest entry is {OFFLINE}"),
    ],
)
def test_a_place_that_is_not_one_entry_is_refused(tree: SampleTree, path: str, said: str) -> None:
    submission = read_submission(tree.root, tree.round.name)
    with pytest.raises(UsageError, match=said):
        entry_at(submission, path)
