"""Getting one wheel through pip, so that the user's own index and proxy settings apply.

pip runs in a child process that is ended after a stated time and dies with its parent. It never
installs anything, and it keeps its temporary files inside the folder it is given.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

from datasets.errors import FetchError

_PIP_THAT_DIES_WITH_ITS_PARENT = """
import ctypes, os, runpy, signal, sys
PR_SET_PDEATHSIG = 1
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
if os.getppid() != int(sys.argv.pop(1)):
    sys.exit("the parent is gone")
sys.argv[0] = "pip"
runpy.run_module("pip", run_name="__main__", alter_sys=True)
"""
_OPTIONS = (
    "--no-deps",
    "--only-binary=:all:",
    "--no-cache-dir",
    "--no-input",
    "--quiet",
    "--disable-pip-version-check",
)


def download_wheel(
    package: str, version: str, folder: Path, *, mirror: str | None, limit_s: float
) -> Path:
    """Put the wheel of ``package`` at ``version``, without its dependencies, into ``folder``.

    ``mirror`` is a folder that holds the wheel, or the URL of a package index; None leaves it to
    pip's settings. Raises FetchError with the cause alone: the caller knows what is at stake.
    """
    if importlib.util.find_spec("pip") is None:
        raise FetchError(f"{sys.executable} has no pip; `python -m ensurepip` adds it")
    where = [*_where(mirror), "--dest", str(folder), f"{package}=={version}"]
    _run(["download", *_OPTIONS, *where], folder, limit_s)
    wheels = sorted(folder.glob("*.whl"))
    if len(wheels) != 1:
        raise FetchError(f"pip left {len(wheels)} wheels where one was asked for")
    return wheels[0]


def _where(mirror: str | None) -> list[str]:
    if mirror is None:
        return []
    if "://" in mirror:
        return ["--index-url", mirror]
    folder = Path(mirror).expanduser().resolve()
    if not folder.is_dir():
        raise FetchError(f"the mirror {mirror} is neither a folder nor a URL")
    return ["--no-index", "--find-links", str(folder)]


def _run(arguments: list[str], temporary: Path, limit_s: float) -> None:
    command = [sys.executable, "-c", _PIP_THAT_DIES_WITH_ITS_PARENT, str(os.getpid()), *arguments]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit_s,
            check=False,
            env={**os.environ, "TMPDIR": str(temporary)},
        )
    except subprocess.TimeoutExpired as error:
        raise FetchError(f"pip was not done after {limit_s:g} s") from error
    if done.returncode != 0:
        raise FetchError(f'pip said "{_last_error(done.stderr) or done.returncode}"')


def _last_error(stderr: str) -> str:
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return (errors or lines or [""])[-1].removeprefix("ERROR:").strip(" .")
