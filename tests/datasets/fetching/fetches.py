"""A source of a few bytes, and fetching it without waiting, in fair weather and foul."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from datasets.errors import FetchError
from datasets.fetching.fetch import fetch
from datasets.fetching.patience import Patience
from datasets.fetching.sources import Source
from tests.datasets.fetching.server import Act, Internet, Seen, serving

CONTENT = random.Random(0).randbytes(300_000)
NAME, FILE = "tiny-model", "tiny.onnx"
UNCHECKED: dict[str, Any] = {"md5": None, "sha256": None}


def source(content: bytes = CONTENT, **changes: Any) -> Source:
    """A source that promises ``content`` by its SHA-256; it has no address yet."""
    plain = Source(
        name=NAME,
        file=FILE,
        about="A file for tests",
        urls=(),
        size_bytes=None,
        about_bytes=None,
        md5=hashlib.md5(content).hexdigest(),
        sha256=hashlib.sha256(content).hexdigest(),
        licence="CC0-1.0",
    )
    return replace(plain, **changes)


@dataclass
class Fetcher:
    """Fetches into one cache, and records the pauses and the progress that a user would sit
    through."""

    cache: Path
    pauses_s: list[float] = field(default_factory=list)
    progress: list[tuple[int, int]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    silence_s: float = 20.0

    @property
    def path(self) -> Path:
        return self.cache / "fetched" / NAME / FILE

    def __call__(self, wanted: Source, **options: Any) -> Path:
        return fetch(
            wanted,
            self.cache,
            progress=lambda done, total: self.progress.append((done, total)),
            note=self.notes.append,
            patience=Patience(silence_s=self.silence_s, sleep=self.pauses_s.append),
            **options,
        )

    def visible(self) -> Iterator[str]:
        """Names of the files that a user sees in the cache."""
        for path in sorted(self.cache.rglob("*")):
            if path.is_file() and not path.name.startswith("."):
                yield path.name


def played(fetcher: Fetcher, play: list[Act], **changes: Any) -> list[Seen]:
    """Fetch while ``play`` goes wrong; what was asked for, once the right bytes are there."""
    with serving(Internet(CONTENT, play=play)) as internet:
        assert fetcher(source(urls=(internet.url,), **changes)).read_bytes() == CONTENT
    return internet.seen


def refused(fetcher: Fetcher, act: Act, **changes: Any) -> str:
    """Fetch from a server that always does ``act``; the sentence it ends in."""
    with (
        serving(Internet(CONTENT, then=act)) as internet,
        pytest.raises(FetchError) as caught,
    ):
        fetcher(source(urls=(internet.url,), **changes))
    sentence = str(caught.value)
    assert internet.url in sentence
    assert "\n" not in sentence
    assert not fetcher.path.exists()
    return sentence
