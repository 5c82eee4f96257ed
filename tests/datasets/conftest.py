"""Material that several tests of this room start from."""

from __future__ import annotations

from pathlib import Path

import pytest

TINY_VOCABULARY = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    *("who", "it", "?", "ann", "##ie", "wr", "##ote", ".", "the", "cafe", "a", "b"),
    *("北", "京", "-", "##s"),
)


@pytest.fixture(autouse=True)
def _no_proxy_to_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers of the tests are reached directly, whatever proxy the user has."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.fixture(scope="session")
def tiny_vocab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vocabulary whose ids can be read off: the place in TINY_VOCABULARY."""
    path = tmp_path_factory.mktemp("vocabulary") / "vocab.txt"
    path.write_text("\n".join(TINY_VOCABULARY) + "\n", encoding="utf-8")
    return path
