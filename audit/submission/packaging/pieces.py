"""The files of one entry: what is copied, what is cut, and what is written for it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from audit.accuracy.accuracy_txt import accuracy_text, hash_text
from audit.compliance.texts import compliance_texts
from audit.compliance_tests import compliance_test
from audit.submission.files import join
from audit.submission.packaging.choosing import Chosen
from audit.submission.packaging.place import Piece, Place
from audit.submission.packaging.truncation import viewable
from audit.submission.subject import ACCURACY_LOG, ACCURACY_TEXT, DETAIL, SUMMARY
from audit.verdicts import ComplianceVerdict
from datasets.disk.files import sha256_of

USER_CONF = "user.conf"
README = "README.md"


def entry_pieces(
    chosen: Chosen, place: Place, measurements: Mapping[str, str], readme: str, most_bytes: int
) -> Iterator[Piece]:
    """Every file of an entry; accuracy logs keep to ``most_bytes``."""
    run = chosen.folder / chosen.performance.name
    performance = join(place.results, "performance", "run_1")
    yield from _logs(run, performance)
    if (run / ACCURACY_LOG).is_file():
        yield Piece(join(performance, ACCURACY_LOG), viewable(run / ACCURACY_LOG, most_bytes))
    yield from _accuracy(chosen, join(place.results, "accuracy"), most_bytes)
    yield Piece(place.measurements_file, document_bytes(measurements))
    yield Piece(join(place.measurements, USER_CONF), run / USER_CONF)
    yield Piece(join(place.measurements, README), readme.encode(errors="backslashreplace"))
    for test in chosen.tests:
        yield from _test(chosen.folder, test, join(place.compliance, test.test), most_bytes)


def document_bytes(document: Mapping[str, object]) -> bytes:
    """A JSON file of a submission."""
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def _logs(run: Path, folder: str) -> Iterator[Piece]:
    for name in (SUMMARY, DETAIL):
        yield Piece(join(folder, name), run / name)


def _accuracy(chosen: Chosen, folder: str, most_bytes: int) -> Iterator[Piece]:
    log = chosen.folder / chosen.accuracy.source.file
    yield from _logs(log.parent, folder)
    yield Piece(join(folder, ACCURACY_LOG), viewable(log, most_bytes))
    text = accuracy_text(chosen.accuracy.score.result, chosen.accuracy.source.sha256)
    yield Piece(join(folder, ACCURACY_TEXT), text.encode())


def _test(root: Path, verdict: ComplianceVerdict, folder: str, most_bytes: int) -> Iterator[Piece]:
    """The run of a test; what it logged of its answers moves beside it, into ``accuracy``."""
    run = root / verdict.run
    yield from _logs(run, join(folder, "performance", "run_1"))
    for name, text in compliance_texts(verdict).items():
        yield Piece(join(folder, name), text.encode())
    if compliance_test(verdict.test).compares_answers:
        log = run / ACCURACY_LOG
        text = hash_text(sha256_of(log))
        yield Piece(join(folder, "accuracy", ACCURACY_LOG), viewable(log, most_bytes))
        yield Piece(join(folder, "accuracy", ACCURACY_TEXT), text.encode())
