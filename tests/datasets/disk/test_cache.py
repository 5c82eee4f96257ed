"""Where the cache is."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasets.disk.cache import default_cache
from datasets.errors import UsageError


@pytest.mark.parametrize(
    ("own", "xdg", "found"),
    [
        ("", "", "/home/somebody/.cache/loadproof"),
        ("", "/var/cache", "/var/cache/loadproof"),
        ("", "relative", "/home/somebody/.cache/loadproof"),
        ("", "~/kept", "/home/somebody/.cache/loadproof"),
        ("/own", "/var/cache", "/own"),
        ("~/own", "", "/home/somebody/own"),
        ("own", "", "own"),
    ],
)
def test_the_cache_is_where_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, own: str, xdg: str, found: str
) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setenv("LOADPROOF_CACHE", own)
    monkeypatch.setenv("XDG_CACHE_HOME", xdg)
    assert default_cache() == Path(found)


def test_a_user_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOADPROOF_CACHE", "~no_such_user/cache")
    with pytest.raises(UsageError, match="set LOADPROOF_CACHE to a folder"):
        default_cache()
