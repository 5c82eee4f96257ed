"""Calling one function in a child process of its own.

Opening a runtime, generating a model or preparing a dataset may need gigabytes, print to the
terminal or crash; none of that may happen to the process that supervises. The child speaks lines of
JSON: ``{"progress": [done, total]}``, then ``{"result": …}`` or ``{"error": [class, sentence]}``.
Whatever else it prints goes to its log.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from datasets import errors
from datasets.errors import LoadproofError
from datasets.samples.prepared import Progress
from harness import exits
from harness.running.death import die_with_parent
from harness.running.environment import child_environment
from harness.stop import StopRequests
from harness.system_errors import explained

POLL_S = 0.1
SILENCE_S = 600.0
"""Without a word from the child, after which it counts as hung."""
LAST_WORD_S = 5.0
"""For the child to end by itself after its last word: a thread of a runtime may keep it alive."""
LOG_TAIL_LINES = 3


def call(
    function: str,
    argument: Any,
    *,
    doing: str,
    log: Path,
    stop: StopRequests,
    progress: Progress | None = None,
    silence_s: float = SILENCE_S,
) -> Any:
    """Call ``module:function`` with one JSON argument and a progress callback; its JSON result.

    A LoadproofError raised there is raised here. Any other end becomes a LoadproofError that says
    what the child was ``doing`` (``probing batch sizes on simulated/cpu``) and names the log, which
    holds everything the child printed; so does ``silence_s`` without progress.
    Raises StoppedError after a signal.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as sink, _started(function, sink) as child:
        try:
            last = _converse(child, argument, stop, progress, silence_s)
        finally:
            child.kill()
    if stop.requested:
        raise exits.StoppedError(f"Stopped by {stop.name} while {doing}.")
    if "result" in last:
        return last["result"]
    raise _error(last, child.returncode, doing, log)


def _started(function: str, sink: IO[bytes]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "harness.running.child", function, str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=sink,
        start_new_session=True,
        env=child_environment(),
    )


def _converse(
    child: subprocess.Popen[bytes],
    argument: Any,
    stop: StopRequests,
    progress: Progress | None,
    silence_s: float,
) -> dict[str, Any]:
    """Send the argument and follow what is said until the last word, or until nothing is."""
    assert child.stdin is not None
    assert child.stdout is not None
    with contextlib.suppress(BrokenPipeError), child.stdin as pipe:
        pipe.write(json.dumps(argument).encode())
    for message in _messages(child.stdout, stop, silence_s):
        if "silent" in message:
            return message
        if "progress" not in message:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(LAST_WORD_S)
            return message
        if progress:
            progress(*message["progress"])
    return {}


def _messages(said: IO[bytes], stop: StopRequests, silence_s: float) -> Iterator[dict[str, Any]]:
    """Line by line as they come, until a signal strikes; ``{"silent": seconds}`` after too long a
    silence."""
    os.set_blocking(said.fileno(), False)
    pending, heard = b"", time.monotonic()
    with selectors.DefaultSelector() as selector:
        selector.register(said, selectors.EVENT_READ)
        while not stop.requested:
            if selector.select(POLL_S):
                heard = time.monotonic()
                block = said.read(1 << 16)
                if not block:
                    return
                *lines, pending = (pending + block).split(b"\n")
                yield from map(json.loads, lines)
            elif time.monotonic() - heard > silence_s:
                yield {"silent": silence_s}


def _error(last: dict[str, Any], code: int, doing: str, log: Path) -> LoadproofError:
    if "error" in last:
        name, sentence = last["error"]
        kind = getattr(errors, name, None)
        if isinstance(kind, type) and issubclass(kind, LoadproofError):
            return kind(sentence)
        return LoadproofError(f"{name}: {sentence} (a defect of loadproof; the trace is in {log})")
    if "silent" in last:
        return LoadproofError(
            f"Nothing happened for {last['silent']:g} s while {doing}, so the child process was "
            f"ended; its log is {log}."
        )
    how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
    tail = log.read_text("utf-8", errors="replace").splitlines()[-LOG_TAIL_LINES:]
    said = f": {' / '.join(tail)}" if tail else ""
    return LoadproofError(f"A child process ended with {how} while {doing}; its log is {log}{said}")


def _speaker(out: IO[str]) -> Callable[[dict[str, Any]], None]:
    def say(message: dict[str, Any]) -> None:
        out.write(json.dumps(message) + "\n")
        out.flush()

    return say


def _told(error: BaseException) -> dict[str, Any]:
    return {"error": [type(error).__name__, str(error)]}


def main(arguments: Sequence[str]) -> int:
    module, _, function = arguments[0].partition(":")
    die_with_parent(int(arguments[1]))
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        say = _speaker(out)
        try:
            called = getattr(importlib.import_module(module), function)
            argument = json.load(sys.stdin)
            result = called(argument, lambda done, total: say({"progress": [done, total]}))
        except LoadproofError as error:
            say(_told(error))
        except OSError as error:
            traceback.print_exc()
            say(_told(explained(error)))
        except Exception as error:  # noqa: BLE001 — the process edge
            traceback.print_exc()
            say(_told(error))
        else:
            say({"result": result})
    return exits.FINE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
