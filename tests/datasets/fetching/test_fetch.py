"""A file is fetched once, from where the user says, and is then at hand without a network."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from datasets.errors import FetchError
from datasets.fetching.fetch import fetch
from tests.datasets.fetching.fetches import CONTENT, FILE, NAME, Fetcher, source
from tests.datasets.fetching.server import Internet, redirect, refuse, serving, slow


@pytest.fixture
def fetcher(tmp_path: Path) -> Fetcher:
    return Fetcher(tmp_path / "cache")


def test_the_file_arrives_as_published_and_nothing_else_stays(fetcher: Fetcher) -> None:
    with serving(Internet(CONTENT)) as internet:
        path = fetcher(source(urls=(f"{internet.url}/{FILE}",)))
    assert path == fetcher.path
    assert path.read_bytes() == CONTENT
    assert list(fetcher.visible()) == [FILE]
    assert [name for name in path.parent.iterdir() if ".part" in name.name] == []
    assert fetcher.notes == []


def test_progress_counts_bytes_up_to_the_size(fetcher: Fetcher) -> None:
    with serving(Internet(CONTENT)) as internet:
        fetcher(source(urls=(internet.url,)))
    counted = [done for done, _ in fetcher.progress]
    assert counted == sorted(counted)
    assert fetcher.progress[-1] == (len(CONTENT), len(CONTENT))
    assert {total for _, total in fetcher.progress} == {len(CONTENT)}


def test_a_second_time_needs_no_network(fetcher: Fetcher) -> None:
    with serving(Internet(CONTENT)) as internet:
        wanted = source(urls=(internet.url,))
        fetcher(wanted)
    assert fetcher(wanted, offline=True).read_bytes() == CONTENT
    assert len(internet.seen) == 1


def test_offline_says_what_is_missing_and_what_to_do(fetcher: Fetcher) -> None:
    with serving(Internet(CONTENT)) as internet, pytest.raises(FetchError) as caught:
        fetcher(source(urls=(internet.url,)), offline=True)
    for wanted in (str(fetcher.path), "switched off", source().sha256, "--mirror"):
        assert str(wanted) in str(caught.value)
    assert internet.seen == []


def test_mirrors_are_tried_in_order(fetcher: Fetcher) -> None:
    with serving(Internet(CONTENT, play=[refuse(404), refuse(403)])) as internet:
        urls = tuple(f"{internet.url}/{place}" for place in ("first", "second", "third", "fourth"))
        assert fetcher(source(urls=urls)).read_bytes() == CONTENT
    assert [seen.path for seen in internet.seen] == ["/first", "/second", "/third"]
    assert fetcher.pauses_s == []


def test_a_moved_file_is_followed(fetcher: Fetcher) -> None:
    with serving(Internet(CONTENT, play=[redirect("/there")])) as internet:
        assert fetcher(source(urls=(f"{internet.url}/here",))).read_bytes() == CONTENT
    assert [seen.path for seen in internet.seen] == ["/here", "/there"]


@pytest.mark.parametrize("layout", [f"{NAME}/{FILE}", FILE])
def test_a_folder_serves_as_mirror(layout: str, tmp_path: Path, fetcher: Fetcher) -> None:
    placed = tmp_path / "my mirror" / layout
    placed.parent.mkdir(parents=True)
    placed.write_bytes(CONTENT)
    wanted = source(urls=("http://127.0.0.1:9/never-asked",))
    path = fetcher(wanted, mirror=str(tmp_path / "my mirror"))
    assert path.read_bytes() == placed.read_bytes() == CONTENT


def test_a_url_serves_as_mirror_in_place_of_the_published_ones(fetcher: Fetcher) -> None:
    with serving(Internet(CONTENT, play=[refuse(404)])) as internet:
        wanted = source(urls=("http://127.0.0.1:9/never-asked",))
        assert fetcher(wanted, mirror=f"{internet.url}/pub/").read_bytes() == CONTENT
    assert [seen.path for seen in internet.seen] == [f"/pub/{NAME}/{FILE}", f"/pub/{FILE}"]


def test_the_cache_of_another_machine_serves_as_mirror(tmp_path: Path, fetcher: Fetcher) -> None:
    with serving(Internet(CONTENT)) as internet:
        Fetcher(tmp_path / "other")(source(urls=(internet.url,)))
    assert fetcher(source(), mirror=str(tmp_path / "other/fetched")).read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("mirror", "words"),
    [
        ("absent", "neither a folder nor a URL"),
        ("empty", "No such file or directory"),
        ("gopher://x", "unknown url type"),
        ("http://", "can't be asked"),
    ],
)
def test_a_mirror_without_the_file_says_so(
    mirror: str, words: str, tmp_path: Path, fetcher: Fetcher
) -> None:
    (tmp_path / "empty").mkdir()
    named = mirror if "://" in mirror else str(tmp_path / mirror)
    with pytest.raises(FetchError, match=words) as caught:
        fetcher(source(), mirror=named)
    assert named.rstrip("/") in str(caught.value)


def test_what_only_its_owner_gives_out_is_asked_of_the_user(fetcher: Fetcher) -> None:
    with pytest.raises(FetchError, match=r"no public address.*CC0-1\.0.*--mirror"):
        fetcher(source())


def test_the_proxy_of_the_environment_is_used(
    fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "")
    with serving(Internet(CONTENT)) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        path = fetcher(source(urls=("http://files.invalid/tiny.onnx",)))
    assert path.read_bytes() == CONTENT
    assert [seen.path for seen in proxy.seen] == ["http://files.invalid/tiny.onnx"]


def test_without_a_checksum_the_user_is_told(fetcher: Fetcher) -> None:
    with serving(Internet(CONTENT)) as internet:
        wanted = source(urls=(internet.url,), md5=None, sha256=None)
        fetcher(wanted)
        fetcher(wanted)
    assert len(internet.seen) == 1
    assert len(fetcher.notes) == 2
    for note in fetcher.notes:
        assert "was not checked" in note
        assert str(source().sha256) in note


def test_nobody_listening_is_no_reason_for_silence(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(Internet(CONTENT)) as internet, caplog.at_level(logging.WARNING):
        fetch(source(urls=(internet.url,), md5=None, sha256=None), tmp_path)
    assert "was not checked" in caplog.text


_FETCH = """
import sys
from pathlib import Path
from datasets.fetching.fetch import fetch
from tests.datasets.fetching.fetches import source
fetch(source(urls=(sys.argv[1],)), Path(sys.argv[2]))
"""


def test_two_processes_at_once_fetch_once(fetcher: Fetcher) -> None:
    with serving(Internet(CONTENT, then=slow(block=30_000, pause_s=0.02))) as internet:
        command = [sys.executable, "-c", _FETCH, internet.url, str(fetcher.cache)]
        processes = [subprocess.Popen(command) for _ in range(3)]
        assert [process.wait() for process in processes] == [0, 0, 0]
    assert fetcher.path.read_bytes() == CONTENT
    assert len(internet.seen) == 1
