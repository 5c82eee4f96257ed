"""Word pieces: right ids, and the stretch of original text behind each."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasets.errors import DataError
from datasets.questions.wordpiece import Vocabulary
from tests.datasets.conftest import TINY_VOCABULARY


def shown(vocabulary: Vocabulary, text: str) -> str:
    """The pieces of ``text``, each with the part that it covers."""
    (pieces,) = vocabulary.split([text])
    spans = zip(pieces.ids, pieces.starts, pieces.ends, strict=True)
    return " ".join(f"{TINY_VOCABULARY[piece]}={text[start:end]}" for piece, start, end in spans)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Annie WROTE it.", "ann=Ann ##ie=ie wr=WR ##ote=OTE it=it .=."),
        ("the caf\u00e9s", "the=the cafe=caf\u00e9 ##s=s"),
        ("the cafe\u0301.", "the=the cafe=cafe .=."),
        ("a\u00a0b", "a=a b=b"),
        ("a\u200db", "[UNK]=a\u200db"),
        ("北京.", "北=北 京=京 .=."),
        ("a-b", "a=a -=- b=b"),
        ("👩\u200d👧 it", "[UNK]=👩\u200d👧 it=it"),
        ("it \u200d a", "it=it a=a"),
        ("\t \n", ""),
        ("", ""),
    ],
)
def test_pieces_and_the_text_behind_them(tiny_vocab: Path, text: str, expected: str) -> None:
    assert shown(Vocabulary(tiny_vocab), text) == expected


def test_a_word_of_more_than_a_hundred_letters_is_unknown(tiny_vocab: Path) -> None:
    assert shown(Vocabulary(tiny_vocab), "a" * 101) == "[UNK]=" + "a" * 101


def test_a_vocabulary_knows_its_checksum_and_size(tiny_vocab: Path) -> None:
    vocabulary = Vocabulary(tiny_vocab)
    assert len(vocabulary) == len(TINY_VOCABULARY)
    assert (vocabulary.cls, vocabulary.sep) == (2, 3)


def test_the_official_vocabulary(official_vocab: Path) -> None:
    vocabulary = Vocabulary(official_vocab)
    assert len(vocabulary) == 30_522
    assert (vocabulary.cls, vocabulary.sep) == (101, 102)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"[PAD]\n[UNK]\n[CLS]\nit\n", r"no BERT vocabulary, it lacks \[SEP\]"),
        (b"[UNK]\n[PAD]\n[CLS]\n[SEP]\n", r"\[PAD\] on another line than the first"),
        (b"[PAD]\n[UNK]\n[CLS]\n[SEP]\nit\nit\n", "names 1 pieces twice"),
        (b"\xff\xfe", "not UTF-8 text"),
    ],
)
def test_another_file_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "vocab.txt"
    path.write_bytes(content)
    with pytest.raises(DataError, match=sentence):
        Vocabulary(path)


def test_line_ends_of_another_system_are_no_fault(tiny_vocab: Path, tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_bytes(tiny_vocab.read_bytes().replace(b"\n", b"\r\n"))
    assert shown(Vocabulary(path), "it") == "it=it"


def test_an_absent_vocabulary_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"absent\.txt can't be read"):
        Vocabulary(tmp_path / "absent.txt")
