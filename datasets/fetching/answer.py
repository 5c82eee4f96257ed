"""One request for a file, or for the rest of it, and the answer as blocks of bytes.

HTTP, RFC 9110: a rest is asked for by ``Range``, under the condition (``If-Range``) that the file
is still the one whose start has arrived, where the place told how to know it. Whoever can't or
won't send a rest sends the whole: the answer says where it starts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, build_opener

from datasets.disk.foreign import HEAD_BYTES
from datasets.fetching.failures import PlaceError, breakdown, refusal

_BLOCK_BYTES = 1 << 18
_PARTIAL_CONTENT = 206
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")


@dataclass(frozen=True)
class Answer:
    """The start of an answer; its body is yet to come."""

    start: int
    """Place in the file of the first byte that comes."""
    total_bytes: int | None
    """Size of the whole file; None where it was not told."""
    validator: str | None
    """What tells this state of the file from others, to be sent as If-Range."""
    body: Any

    def blocks(self) -> Iterator[bytes]:
        """The body as it comes: first enough to tell the file's kind, then whatever is there.

        Raises LineError where the line breaks; an end that comes too soon may also just be the end.
        """
        try:
            yield self.body.read(HEAD_BYTES)
            while block := self.body.read1(_BLOCK_BYTES):
                yield block
        except (OSError, HTTPException) as error:
            raise breakdown(error) from error


@contextmanager
def ask(url: str, offset: int, validator: str | None, silence_s: float) -> Iterator[Answer]:
    """Ask for the bytes of ``url`` from ``offset`` on, if the file still has that ``validator``.

    Raises LineError or PlaceError where no bytes will come.
    """
    request = Request(url, headers=_headers(offset, validator))
    try:
        response = build_opener().open(request, timeout=silence_s)
    except HTTPError as error:
        raise refusal(error) from error
    except (OSError, HTTPException, ValueError) as error:
        raise breakdown(error) from error
    with response:
        yield _answer(response, offset)


def _headers(offset: int, validator: str | None) -> Mapping[str, str]:
    headers = {"User-Agent": "loadproof"}
    if offset:
        headers["Range"] = f"bytes={offset}-"
        if validator:
            headers["If-Range"] = validator
    return headers


def _answer(response: Any, offset: int) -> Answer:
    headers: Message = response.headers
    if response.status == _PARTIAL_CONTENT:
        start, total_bytes = _range(headers.get("Content-Range", ""))
        if start != offset:
            raise PlaceError(f"sent bytes from {start} on where those from {offset} were asked for")
    else:
        start, total_bytes = 0, _size(headers)
    return Answer(start, total_bytes, _validator(headers), response)


def _range(text: str) -> tuple[int, int | None]:
    match = _CONTENT_RANGE.fullmatch(text.strip())
    if match is None:
        raise PlaceError(f"sent a part of the file without saying which (Content-Range: {text!r})")
    return int(match[1]), None if match[2] == "*" else int(match[2])


def _size(headers: Message) -> int | None:
    length = headers.get("Content-Length", "")
    return int(length) if length.isdecimal() else None


def _validator(headers: Message) -> str | None:
    """A weak entity tag does not promise the same bytes, and If-Range does not allow it."""
    tag = headers.get("ETag", "")
    return tag if tag.startswith('"') else headers.get("Last-Modified")
