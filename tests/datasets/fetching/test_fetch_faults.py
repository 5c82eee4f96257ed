"""However the line or the server fails, a fetch ends with the right bytes or in one sentence."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from datasets.errors import FetchError
from tests.datasets.fetching.fetches import CONTENT, Fetcher, played, refused, source
from tests.datasets.fetching.server import (
    Internet,
    Seen,
    cut_after,
    honest,
    other_range,
    redirect,
    refuse,
    serving,
    silent,
    slow,
    whole_only,
)


@pytest.fixture
def fetcher(tmp_path: Path) -> Fetcher:
    return Fetcher(tmp_path / "cache")


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
    assert f"put the file with the SHA-256 {source().sha256} into a folder" in sentence
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


def test_a_range_that_was_not_asked_for_is_refused(fetcher: Fetcher) -> None:
    assert "sent bytes from 299999 on" in refused(fetcher, other_range)


def test_a_part_that_does_not_say_which_is_refused(fetcher: Fetcher) -> None:
    assert "without saying which" in refused(fetcher, lambda exchange: exchange.head(206, 0))


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
