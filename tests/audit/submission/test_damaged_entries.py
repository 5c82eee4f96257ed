"""Whatever one file of an entry holds, every check of it ends by itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.submission.checking import check_entry
from audit.submission.measured import measured
from audit.submission.reading import read_submission
from audit.submission.subject import ACCURACY_TEXT, DETAIL, SUMMARY, Subject
from tests.audit.submission.negatives.performance import copied
from tests.audit.submission.negatives.power import measures_power
from tests.audit.submission.trees import SampleTree, build

Damage = Callable[[bytes], bytes]

OTHER_VALUES = (
    *("null", "true", '"x"', "[]", "{}", "[1, [2]]", "-1", "0", "0.5", "1e400", "-1e400", "NaN"),
    *(
        "nan",
        "inf",
        "1" + "0" * 40,
        '""',
        '"\\u0000"',
        "Infinity",
        '"99.00"',
        "18446744073709551616",
    ),
)


def _cut(share: float) -> Damage:
    return lambda raw: raw[: int(share * len(raw))]


def _flipped(places: list[tuple[float, int]]) -> Damage:
    def damage(raw: bytes) -> bytes:
        changed = bytearray(raw)
        for share, mask in places:
            if changed:
                changed[int(share * (len(changed) - 1))] ^= mask
        return bytes(changed)

    return damage


def _other_value(share: float, text: str) -> Damage:
    """Another value in one line of a log, or for one number or word of another file."""

    def damage(raw: bytes) -> bytes:
        lines = raw.split(b"\n")
        at = int(share * (len(lines) - 1))
        lines[at] = _valued(lines[at], text)
        return b"\n".join(lines)

    return damage


def _valued(line: bytes, text: str) -> bytes:
    if line.startswith(b":::MLLOG"):
        entry = json.loads(line.partition(b" ")[2])
        old = f'"value": {json.dumps(entry["value"])}'.encode()
        return line.replace(old, f'"value": {text}'.encode())
    before, sign, _ = line.partition(b"=" if b"=" in line else b":")
    return before + sign + b" " + text.encode()


shares = st.floats(0, 1)
damages: st.SearchStrategy[Damage] = st.one_of(
    st.builds(_cut, shares),
    st.builds(_flipped, st.lists(st.tuples(shares, st.integers(1, 255)), min_size=1, max_size=4)),
    st.builds(_other_value, shares, st.sampled_from(OTHER_VALUES)),
    st.binary(max_size=200).map(lambda whole: lambda _: whole),
)


@pytest.fixture(scope="module", params=["measured", "inferred"])
def tree(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> SampleTree:
    """A good tree whose Offline has power, and is measured itself or inferred from MultiStream."""
    built = build(tmp_path_factory.mktemp("tree"))
    if request.param == "inferred":
        copied(built, "MultiStream", "Offline")
    measures_power(built)
    return built


@pytest.fixture(scope="module")
def subject(tree: SampleTree) -> Subject:
    submission = read_submission(tree.root, tree.round.name)
    entry = next(
        one
        for one in submission.entries()
        if (one.benchmark_folder, one.scenario) == ("resnet50", "Offline")
    )
    return Subject(entry, submission.tree, submission.round, submission.layout)


def _files(subject: Subject) -> Iterator[str]:
    return (
        path
        for path in subject.tree.below(subject.entry.results)
        if subject.tree.is_file(path) and "README" not in path
    )


@settings(max_examples=250, deadline=None)
@given(which=shares, damage=damages)
def test_a_damaged_file_is_told_and_no_check_fails(
    subject: Subject, which: float, damage: Damage
) -> None:
    files = list(_files(subject))
    file: Path = subject.tree.root / files[int(which * (len(files) - 1))]
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    try:
        fresh = Subject(subject.entry, subject.tree, subject.round, subject.layout)
        assert "INT-001" not in {one.rule for one in check_entry(fresh)}
        measured(fresh)
    finally:
        file.write_bytes(whole)


def test_what_is_damaged_was_good(subject: Subject) -> None:
    rules = {one.rule for one in check_entry(subject) if one.severity == "error"}
    assert rules <= {"PWR-004", "TEST-007"}


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_files_as_other_systems_save_them_are_good(tmp_path: Path, mark: bytes) -> None:
    tree = build(tmp_path)
    folder = tree.test("TEST01")
    names = ("verify_accuracy.txt", "verify_performance.txt")
    texts = [tree.accuracy() / ACCURACY_TEXT, *(folder / name for name in names)]
    for path in (*texts, tree.performance() / DETAIL, tree.performance() / SUMMARY):
        path.write_bytes(mark + path.read_bytes().replace(b"\n", b"\r\n"))
    assert not tree.check()
