"""Standard output and standard error, whatever lies behind them.

Who listens never decides how a command ends: a closed or full standard error is no reason to stop
measuring, and a verdict keeps its exit code where its table can't be told. Characters that an
encoding lacks are written plainly, in a way that leaves JSON what it was.
"""

from __future__ import annotations

import codecs
import errno
import io
import json
import os
import sys
from dataclasses import dataclass

from harness import exits

_PLAINER = "loadproof.plainer"
_PLAIN = {"×": "x", "·": "-", "—": "-", "–": "-", "−": "-", "…": "...", "→": "->"}
_PLAIN |= {"≥": ">=", "≤": "<=", "±": "+-", "µ": "u", "’": "'", "“": "'", "”": "'"}
_STANDARD = (0, 1, 2)


class Channel(io.FileIO):
    """A descriptor to write to. The first failure is kept instead of raised, and ends writing."""

    trouble: OSError | None = None

    def write(self, data: object) -> int:
        """The number of bytes that were taken, be it to nowhere."""
        block = memoryview(data).cast("B")  # type: ignore[arg-type]
        if self.trouble is None:
            try:
                return super().write(block)
            except OSError as error:
                self.trouble = error
        return len(block)


@dataclass(frozen=True)
class Channels:
    """What took the place of ``sys.stdout`` and ``sys.stderr``."""

    out: Channel

    def settle(self, code: int) -> int:
        """Write what is left; the exit code of a command that meant to end with ``code``.

        Success is no success where the output was lost, unless the reader had enough of it.
        """
        sys.stdout.flush()
        trouble = self.out.trouble
        if trouble is None or trouble.errno == errno.EPIPE:
            return code
        sys.stderr.write(f"loadproof: Standard output can't be written: {trouble.strerror}.\n")
        return exits.USAGE if code == exits.FINE else code


def take_over() -> Channels:
    """Put channels in the place of standard output and standard error; closed ones lead nowhere."""
    _fill_closed()
    codecs.register_error(_PLAINER, plainer)
    out, err = Channel(1, "w", closefd=False), Channel(2, "w", closefd=False)
    sys.stdout = _text(out, getattr(sys.stdout, "encoding", None), out.isatty())
    sys.stderr = _text(err, getattr(sys.stderr, "encoding", None), True)
    return Channels(out)


def plainer(error: UnicodeError) -> tuple[str, int]:
    """An error handler for codecs: a plainer sign of the same meaning, else JSON's escape."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_PLAIN.get(sign) or json.dumps(sign)[1:-1] for sign in lacking), error.end


def _fill_closed() -> None:
    """Files that are opened later must not become standard output."""
    for descriptor in _STANDARD:
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _text(channel: Channel, encoding: str | None, by_line: bool) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BufferedWriter(channel),
        encoding=encoding or "utf-8",
        errors=_PLAINER,
        line_buffering=by_line,
    )
