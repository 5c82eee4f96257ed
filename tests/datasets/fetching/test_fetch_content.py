"""Only the bytes that were promised are ever used; whatever else comes is named."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from datasets.errors import FetchError
from tests.datasets.fetching.fetches import (
    CONTENT,
    FILE,
    UNCHECKED,
    Fetcher,
    played,
    refused,
    source,
)
from tests.datasets.fetching.server import (
    Internet,
    cut_after,
    honest,
    send_instead,
    send_untold,
    serving,
)

LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 102470000\n"
OTHER = CONTENT[:-1] + bytes([CONTENT[-1] ^ 1])
SUM, OTHER_SUM = (hashlib.sha256(content).hexdigest() for content in (CONTENT, OTHER))


@pytest.fixture
def fetcher(tmp_path: Path) -> Fetcher:
    return Fetcher(tmp_path / "cache")


@pytest.mark.parametrize("promised", [{}, {"sha256": None}])
def test_wrong_bytes_are_set_aside_with_both_sums(
    promised: dict[str, Any], fetcher: Fetcher
) -> None:
    sentence = refused(fetcher, send_instead(OTHER), **promised)
    algorithm = "md5" if promised else "sha256"
    for content in (CONTENT, OTHER):
        assert hashlib.new(algorithm, content).hexdigest() in sentence
    aside = fetcher.path.with_name(f"{FILE}.wrong")
    assert str(aside) in sentence
    assert aside.read_bytes() == OTHER


def test_wrong_bytes_at_one_place_leave_the_next(fetcher: Fetcher) -> None:
    played(fetcher, [])
    fetcher.path.unlink()
    with serving(Internet(CONTENT, play=[send_instead(OTHER)])) as internet:
        assert fetcher(source(urls=(internet.url, internet.url))).read_bytes() == CONTENT


def test_a_kept_file_that_went_bad_is_set_aside_and_fetched_again(fetcher: Fetcher) -> None:
    played(fetcher, [])
    fetcher.path.write_bytes(OTHER)
    played(fetcher, [])
    assert fetcher.path.with_name(f"{FILE}.wrong").read_bytes() == OTHER


def test_a_kept_file_that_went_bad_is_not_used_offline(fetcher: Fetcher) -> None:
    played(fetcher, [])
    fetcher.path.write_bytes(OTHER)
    with pytest.raises(FetchError) as caught:
        fetcher(source(), offline=True)
    assert SUM in str(caught.value)
    assert OTHER_SUM in str(caught.value)


@pytest.mark.parametrize("size", [len(CONTENT) - 1, len(CONTENT) + 1])
def test_another_length_than_promised_is_refused_before_it_is_fetched(
    size: int, fetcher: Fetcher
) -> None:
    sentence = refused(fetcher, honest, size_bytes=size)
    assert f"has 300,000 bytes where {size:,} were promised" in sentence
    assert fetcher.progress == []


def test_a_body_without_a_length_is_taken_to_its_end(fetcher: Fetcher) -> None:
    played(fetcher, [send_untold(CONTENT)])
    assert fetcher.progress[-1] == (len(CONTENT), 0)


def test_a_body_that_does_not_end_is_left(fetcher: Fetcher) -> None:
    endless = send_untold(CONTENT + b"more")
    sentence = refused(fetcher, endless, size_bytes=len(CONTENT))
    assert "sent more than the 300,000 bytes there should be" in sentence


def test_an_empty_file_is_not_taken(fetcher: Fetcher) -> None:
    assert "sent nothing, 5 times" in refused(fetcher, send_instead(b""), **UNCHECKED)


@pytest.mark.parametrize("promised", [{}, UNCHECKED, {"size_bytes": len(CONTENT)}])
@pytest.mark.parametrize(
    ("body", "name"),
    [
        (b"<!DOCTYPE html>\n<title>Sign in</title>", "an HTML page"),
        (b'<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>', "an XML document"),
        (LFS_POINTER, "a Git LFS pointer"),
    ],
)
def test_what_comes_in_place_of_the_file_is_named(
    body: bytes, name: str, promised: dict[str, Any], fetcher: Fetcher
) -> None:
    sentence = refused(fetcher, send_instead(body), **promised)
    assert f"gave {name} in place of {FILE}" in sentence
    assert list(fetcher.visible()) == []


def test_a_web_page_does_not_cost_what_has_arrived(fetcher: Fetcher) -> None:
    refused(fetcher, cut_after(0.5))
    refused(fetcher, send_instead(b"<html>Sign in to this network</html>"))
    assert [request.range for request in played(fetcher, [])] == ["bytes=150000-"]


@pytest.mark.parametrize(
    ("content", "file"), [(b'{"data": []}', "dev.json"), (b"\x1f\x8b\x08tar", "labels.tar.gz")]
)
def test_a_kind_that_its_name_promises_is_no_surprise(
    content: bytes, file: str, fetcher: Fetcher
) -> None:
    with serving(Internet(content)) as internet:
        path = fetcher(source(content, file=file, urls=(internet.url,)))
    assert path.read_bytes() == content


def test_an_unchecked_file_comes_in_one_answer(fetcher: Fetcher) -> None:
    seen = played(fetcher, [cut_after(0.5)], **UNCHECKED)
    assert [request.range for request in seen] == [None, None]


def test_an_unchecked_file_of_another_size_is_fetched_again(fetcher: Fetcher) -> None:
    unchecked = {**UNCHECKED, "size_bytes": len(CONTENT)}
    played(fetcher, [], **unchecked)
    fetcher.path.write_bytes(CONTENT[:1000])
    assert len(played(fetcher, [], **unchecked)) == 1
