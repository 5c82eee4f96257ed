"""What goes wrong between us and a file, sorted by whether to ask the same place again.

A message is the rest of a sentence that begins with the address. Only what the network did is
sorted here; trouble with the local disk stays an OSError.
"""

from __future__ import annotations

import ssl
from http.client import HTTPException, InvalidURL
from urllib.error import HTTPError, URLError

_RANGE_NOT_SATISFIABLE = 416
_PASSING_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
_LASTING_CAUSES = (
    FileNotFoundError,
    IsADirectoryError,
    PermissionError,
    ssl.SSLCertVerificationError,
)


class PlaceError(Exception):
    """This place won't give the file; another may."""


class LineError(Exception):
    """This try failed; the next may not."""

    def __init__(self, message: str, least_pause_s: float = 0.0) -> None:
        super().__init__(message)
        self.least_pause_s = least_pause_s


class StaleError(LineError):
    """What has arrived so far does not belong to what this place has now."""


def refusal(error: HTTPError) -> LineError | PlaceError:
    """What an answer with an error status means."""
    error.close()
    words = f"answered {error.code} {error.reason}"
    if error.code == _RANGE_NOT_SATISFIABLE:
        return StaleError(words)
    if error.code not in _PASSING_STATUSES:
        return PlaceError(words)
    wait = error.headers.get("Retry-After", "")
    return LineError(words, float(wait) if wait.isdecimal() else 0.0)


def breakdown(error: OSError | HTTPException | ValueError) -> LineError | PlaceError:
    """What it means that there was no answer, or no end of one."""
    cause = error.reason if isinstance(error, URLError) else error
    if isinstance(cause, (str, ValueError, InvalidURL)):
        return PlaceError(f"can't be asked: {cause}")
    if isinstance(cause, _LASTING_CAUSES):
        return PlaceError(f"can't be read: {_words(cause)}")
    if isinstance(cause, TimeoutError):
        return LineError("fell silent")
    verb = "can't be reached" if isinstance(error, URLError) else "broke off"
    return LineError(f"{verb}: {_words(cause)}")


def _words(cause: BaseException) -> str:
    said = cause.strerror if isinstance(cause, OSError) else None
    return said or str(cause) or type(cause).__name__
