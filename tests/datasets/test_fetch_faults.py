"""Whatever the other side does, a fetch ends with the right bytes or in one sentence."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

import pytest

from datasets.errors import FetchError
from tests.datasets.fetches import CONTENT, FILE, Fetcher, source
from tests.datasets.server import (
    Act,
    Internet,
    Seen,
    cut_after,
    honest,
    other_range,
    redirect,
    refuse,
    send_instead,
    send_untold,
    serving,
    silent,
    slow,
    whole_only,
)

LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 102470000\n"
OTHER = CONTENT[:-1] + bytes([CONTENT[-1] ^ 1])
SUM, OTHER_SUM = (hashlib.sha256(content).hexdigest() for content in (CONTENT, OTHER))
UNCHECKED = {"md5": None, "sha256": None}


@pytest.fixture
def fetcher(tmp_path: Path) -> Fetcher:
    return Fetcher(tmp_path / "cache")


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


def test_a_line_cut_at_half_is_taken_up_there(fetcher: Fetcher) -> None:
    seen = played(fetcher, [cut_after(0.5), cut_after(0.7)])
    assert [request.range for request in seen] == [None, "bytes=150000-", "bytes=210000-"]
    assert {request.if_range for request in seen[1:]} == {'"the-first-edition"'}
    assert fetcher.pauses_s == [1, 2]


def test_a_later_start_takes_up_what_an_earlier_one_left(fetcher: Fetcher) -> None:
    refused(fetcher, cut_after(0.5))
    seen = played(fetcher, [])
    assert [request.range for request in seen] == ["bytes=150000-"]


def test_another_place_takes_up_what_the_first_one_left(fetcher: Fetcher) -> None:
    with (
        serving(Internet(CONTENT, then=cut_after(0.5))) as first,
        serving(Internet(CONTENT)) as second,
    ):
        path = fetcher(source(urls=(first.url, second.url)))
    assert path.read_bytes() == CONTENT
    assert second.seen == [Seen("/", "bytes=150000-", None)]


def test_a_server_without_ranges_starts_again(fetcher: Fetcher) -> None:
    assert len(played(fetcher, [whole_only(0.5), whole_only(0.8), whole_only()])) == 3


def test_the_same_half_again_and_again_is_given_up(fetcher: Fetcher) -> None:
    sentence = refused(fetcher, whole_only(0.5))
    assert "broke off after 150,000 of 300,000 bytes, 5 times" in sentence
    assert fetcher.pauses_s == [1, 2, 4, 8]


def test_an_error_that_passes_is_waited_for(fetcher: Fetcher) -> None:
    assert len(played(fetcher, [refuse(503), refuse(503)])) == 3
    assert fetcher.pauses_s == [1, 2]


def test_a_server_that_says_how_long_to_wait_is_heeded(fetcher: Fetcher) -> None:
    played(fetcher, [refuse(429, Retry_After="7"), refuse(503, Retry_After="86400")])
    assert fetcher.pauses_s == [7, 60]


def test_an_error_that_stays_is_said_with_what_to_do(fetcher: Fetcher) -> None:
    sentence = refused(fetcher, refuse(503))
    assert "answered 503 Service Unavailable, 5 times" in sentence
    assert f"put the file with the SHA-256 {SUM} into a folder" in sentence
    assert "--mirror" in sentence


def test_a_missing_file_is_asked_for_once(fetcher: Fetcher) -> None:
    assert "answered 404 Not Found" in refused(fetcher, refuse(404))
    assert fetcher.pauses_s == []


def test_a_silent_line_is_taken_as_broken(fetcher: Fetcher) -> None:
    fetcher.silence_s = 0.2
    seen = played(fetcher, [silent])
    assert [request.range for request in seen] == [None, "bytes=150000-"]


def test_a_slow_line_is_not_a_broken_one(fetcher: Fetcher) -> None:
    fetcher.silence_s = 0.5
    assert len(played(fetcher, [slow(block=10_000, pause_s=0.025)])) == 1


def test_the_rest_is_asked_for_where_the_file_has_moved_to(fetcher: Fetcher) -> None:
    seen = played(fetcher, [cut_after(0.5), redirect("/there")])
    assert [(request.path, request.range) for request in seen[1:]] == [
        ("/", "bytes=150000-"),
        ("/there", "bytes=150000-"),
    ]


def test_nobody_at_the_address_is_said(fetcher: Fetcher) -> None:
    with serving(Internet(CONTENT)) as gone:
        pass
    with pytest.raises(FetchError, match="can't be reached: Connection refused, 5 times"):
        fetcher(source(urls=(gone.url,)))


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


def test_halves_of_two_editions_are_fetched_anew(fetcher: Fetcher) -> None:
    other = bytes(len(CONTENT))
    with (
        serving(Internet(other, then=cut_after(0.5), etag=None)) as first,
        serving(Internet(CONTENT, etag=None)) as second,
    ):
        assert fetcher(source(urls=(first.url, second.url))).read_bytes() == CONTENT
    assert [request.range for request in second.seen] == ["bytes=150000-", None]


def test_an_edition_that_changed_meanwhile_comes_whole(fetcher: Fetcher) -> None:
    with serving(Internet(bytes(len(CONTENT)), then=cut_after(0.5))) as internet:
        wanted = source(urls=(internet.url,))
        with pytest.raises(FetchError):
            fetcher(wanted)
        internet.content, internet.etag, internet.then = CONTENT, '"second"', honest
        assert fetcher(wanted).read_bytes() == CONTENT
    assert internet.seen[-1].range == "bytes=150000-"


@pytest.mark.parametrize("longer", [False, True])
def test_a_start_that_fits_no_file_there_is_forgotten(longer: bool, fetcher: Fetcher) -> None:
    other = bytes(len(CONTENT) * 3) if longer else bytes(len(CONTENT) - 1000)
    refused_by_first = Internet(other, then=cut_after(0.5), etag=None)
    with serving(refused_by_first) as first, serving(Internet(CONTENT, etag=None)) as second:
        assert fetcher(source(urls=(first.url, second.url))).read_bytes() == CONTENT
    assert second.seen[-1].range is None


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


def test_a_range_that_was_not_asked_for_is_refused(fetcher: Fetcher) -> None:
    assert "sent bytes from 299999 on" in refused(fetcher, other_range)


def test_a_part_that_does_not_say_which_is_refused(fetcher: Fetcher) -> None:
    assert "without saying which" in refused(fetcher, lambda exchange: exchange.head(206, 0))


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


def test_a_full_disk_is_told_before_the_file_is_fetched(
    fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=299_999))
    with serving(Internet(CONTENT)) as internet:
        wanted = source(urls=(internet.url,))
        with pytest.raises(FetchError, match=r"which has 0\.0 GB free: make room"):
            fetcher(wanted)
        assert fetcher.progress == []
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=300_000))
        assert fetcher(wanted).read_bytes() == CONTENT


def test_what_has_arrived_needs_no_room_again(
    fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused(fetcher, cut_after(0.5))
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=150_000))
    played(fetcher, [])


def test_a_cache_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    with pytest.raises(FetchError, match=r"can't be kept .*LOADPROOF_CACHE"):
        Fetcher(tmp_path / "cache")(source())
