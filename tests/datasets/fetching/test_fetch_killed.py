"""A fetch that is killed at any moment goes on at the next start, and ends in the same bytes."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from datasets.fetching import part as part_module
from datasets.fetching import transfer as transfer_module
from datasets.fetching.part import Origin, Part
from tests.datasets.fetching.fetches import CONTENT, Fetcher, source
from tests.datasets.fetching.server import Internet, serving, slow

_FETCH = """
import sys
from pathlib import Path
from datasets.fetching.fetch import fetch
from tests.datasets.fetching.fetches import source
say = lambda done, total: print(done, flush=True)
fetch(source(urls=(sys.argv[1],)), Path(sys.argv[2]), progress=say)
"""


def _killed_at(url: str, cache: Path, place: int) -> bool:
    """Fetch in a process that gets SIGKILL once ``place`` bytes are there; whether it was hit."""
    command = [sys.executable, "-c", _FETCH, url, str(cache)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= place:
                process.send_signal(signal.SIGKILL)
                break
        process.stdout.read()
    return process.returncode == -signal.SIGKILL


def test_killed_processes_lose_nothing(tmp_path: Path) -> None:
    places = sorted(random.Random(1).sample(range(1, len(CONTENT) - 60_000), 4))
    fetcher = Fetcher(tmp_path)
    with serving(Internet(CONTENT, then=slow(block=10_000, pause_s=0.01))) as internet:
        for place in places:
            assert _killed_at(internet.url, tmp_path, place)
            assert not fetcher.path.exists()
        internet.then = None
        assert fetcher(source(urls=(internet.url,))).read_bytes() == CONTENT
    starts = [int(seen.range.removeprefix("bytes=")[:-1]) for seen in internet.seen if seen.range]
    assert len(starts) == 4
    assert starts == sorted(starts)


class _KilledError(BaseException):
    """Stands in for the end of the process: nothing may catch it and tidy up."""


_STEPS_ON_DISK = (
    (Path, "write_bytes"),
    (Path, "replace"),
    (Path, "unlink"),
    (part_module, "write_json"),
    (transfer_module, "lack_of_space"),
)


def _is_killed(patch: pytest.MonkeyPatch, survived: int, run: Callable[[], object]) -> bool:
    """Whether ``run`` takes more than ``survived`` steps on the disk; it ends before the next."""
    left = iter(range(survived))

    def mortal(step: Callable[..., object]) -> Callable[..., object]:
        def taken(*arguments: object, **options: object) -> object:
            if next(left, None) is None:
                raise _KilledError
            return step(*arguments, **options)

        return taken

    with patch.context() as context:
        for owner, name in _STEPS_ON_DISK:
            context.setattr(owner, name, mortal(getattr(owner, name)))
        try:
            run()
        except _KilledError:
            return True
    return False


@pytest.mark.parametrize("arrived_bytes", [150_000, len(CONTENT)])
def test_killed_between_any_two_steps_on_disk(
    arrived_bytes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has arrived is of another edition, so that it must be set aside and fetched anew."""
    with serving(Internet(CONTENT)) as internet:
        wanted = source(urls=(internet.url,))
        for survived in count():
            fetcher = Fetcher(tmp_path / str(survived))
            part = Part(fetcher.path)
            part.begin(Origin("http://elsewhere", '"old"', len(CONTENT)))
            part.path.write_bytes(bytes(arrived_bytes))
            killed = _is_killed(monkeypatch, survived, partial(fetcher, wanted))
            assert fetcher(wanted).read_bytes() == CONTENT
            if not killed:
                break
    assert survived >= 10
