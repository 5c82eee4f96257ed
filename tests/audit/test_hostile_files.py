"""Evidence whose files are no files, or hold what no file should: always a judgement, in time."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit import strict_json
from audit.judge import document, judge
from audit.logs.accuracy_log import read_accuracy_log
from audit.regular_file import read_regular
from audit.verdicts import Audit
from datasets.errors import EvidenceError
from tests.audit.written_evidence import Evidence

DETAIL, ANSWERS = "mlperf_log_detail.txt", "mlperf_log_accuracy.json"


@pytest.fixture
def good(tmp_path: Path) -> Evidence:
    return Evidence(tmp_path / "evidence")


def errors(audit: Audit) -> list[tuple[str, str]]:
    return [(one.rule, one.sentence) for one in audit.findings if one.severity == "error"]


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


@pytest.mark.parametrize("name", ["run.json", DETAIL])
@pytest.mark.parametrize(
    ("replace", "word"), [(_pipe, "a named pipe"), (_device, "a device"), (_folder, "a folder")]
)
def test_what_is_no_file_is_named_and_never_waited_for(
    good: Evidence, name: str, replace: Callable[[Path], None], word: str
) -> None:
    replace(good.run() / name)
    audit = judge(good.root)
    assert any(rule == "evidence.unreadable" and word in said for rule, said in errors(audit))


@pytest.mark.parametrize("replace", [_pipe, _device, _folder, _loop])
def test_answers_that_are_no_file_are_not_scored(
    good: Evidence, replace: Callable[[Path], None]
) -> None:
    replace(good.run(repeat=None) / ANSWERS)
    assert "accuracy.not_scoreable" in [rule for rule, _ in errors(judge(good.root))]


@pytest.mark.parametrize("replace", [_pipe, _device, _folder, Path.unlink])
def test_a_folder_without_a_plan_is_left_alone(
    good: Evidence, replace: Callable[[Path], None]
) -> None:
    foreign = good.folder / "result.json"
    foreign.write_text("not ours", encoding="utf-8")
    replace(good.folder / "plan.json")
    before = sorted(good.folder.rglob("*"))
    with pytest.raises(EvidenceError, match=r"holds no plan\.json"):
        judge(good.folder)
    assert sorted(good.folder.rglob("*")) == before
    assert foreign.read_text("utf-8") == "not ours"


@pytest.mark.parametrize(
    ("found", "twice"),
    [
        ('"outcome": "finished"', '"outcome": "failed", "outcome": "finished"'),
        ('"failed": 0', '"failed": 900, "failed": 0'),
    ],
)
def test_a_member_that_stands_twice_is_refused(good: Evidence, found: str, twice: str) -> None:
    path = good.run() / "run.json"
    path.write_text(path.read_text("utf-8").replace(found, twice), encoding="utf-8")
    ((rule, sentence),) = errors(judge(good.folder))
    assert rule == "evidence.unreadable"
    assert "stands twice in one object" in sentence


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("value", "1e400"),
        ("value", "-1e400"),
        ("value", "0"),
        ("value", "-1e9"),
        ("value", "100.5"),
        ("count", "1" + 30 * "0"),
        ("count", "1" + 10 * "0"),
        ("repeat", "1" + 400 * "0"),
        ("repeat", "1" + 6000 * "0"),
    ],
)
def test_a_plan_with_numbers_beyond_sense_is_a_finding(
    good: Evidence, key: str, value: str
) -> None:
    path = good.folder / "plan.json"
    judge(good.folder)
    plan = json.loads(path.read_text("utf-8"))
    holder = {"value": plan["accuracy_target"], "count": plan["dataset"], "repeat": plan["runs"][1]}
    holder[key][key] = "HERE"
    path.write_text(json.dumps(plan).replace('"HERE"', value), encoding="utf-8")
    audit = judge(good.folder)
    assert [rule for rule, _ in errors(audit)] == ["evidence.unreadable", "evidence.no_plan"]
    written = json.loads((good.folder / "audit.json").read_text("utf-8"))
    assert written["passed"] is False


@pytest.mark.parametrize("key", ["seq_id", "qsl_idx"])
@pytest.mark.parametrize("digits", [20, 6000])
def test_an_answer_numbered_beyond_counting_is_refused(
    tmp_path: Path, key: str, digits: int
) -> None:
    members: dict[str, Any] = {"seq_id": 3, "qsl_idx": 3}
    text = '{ "seq_id" : SEQ, "qsl_idx" : QSL, "data" : "00000000" }'
    members[key] = digits * "9"
    for name, place in (("seq_id", "SEQ"), ("qsl_idx", "QSL")):
        text = text.replace(place, str(members[name]))
    path = tmp_path / ANSWERS
    path.write_text(f"[\n{text}\n]\n", encoding="utf-8")
    with pytest.raises(EvidenceError, match=r"json:2 is not an answer"):
        read_accuracy_log(path)


@pytest.mark.parametrize(
    "name", ["audit.json", "result.json", "resnet50/Offline/accuracy/accuracy.txt"]
)
def test_what_can_not_be_written_is_said_beside_the_judgement(good: Evidence, name: str) -> None:
    (good.root / name).mkdir()
    audit = judge(good.root)
    assert audit.passed
    assert [text for text in audit.unwritten if name in text and "can't be written" in text]
    assert document(audit)["passed"] is True


def test_an_older_judgement_goes_before_the_new_one_is_made(
    good: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(good.root)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("audit.judge.assess", interrupted)
    with pytest.raises(KeyboardInterrupt):
        judge(good.root)
    assert not (good.root / "audit.json").exists()
    assert not (good.root / "result.json").exists()


@pytest.mark.parametrize(
    "text", ['{"a": 1, "a": 1}', "[NaN]", "[-Infinity]", "[1e999]", "[" + "9" * 21 + "]"]
)
def test_json_with_no_single_meaning_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"twice|not a number|too large"):
        strict_json.loads(text)


def test_the_numbers_of_loadgen_are_read_to_the_last_digit() -> None:
    assert strict_json.loads("[16159082839903944936, -0.5, 1e308]") == [
        16159082839903944936,
        -0.5,
        1e308,
    ]


def test_a_link_to_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text")
    (tmp_path / "link").symlink_to("file")
    assert read_regular(tmp_path / "link") == b"text"
    with pytest.raises(EvidenceError, match=r"the log can't be read: No such file"):
        read_regular(tmp_path / "absent", "the log")
