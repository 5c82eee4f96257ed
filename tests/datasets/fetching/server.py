"""A web server on this machine that plays the internet, with its faults.

It serves one file under every path. Each request takes the next act of the play; when the play is
over, the server is honest: it sends ranges, under If-Range, and validators.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ETAG = '"the-first-edition"'


@dataclass(frozen=True)
class Seen:
    """What one request asked for."""

    path: str
    range: str | None
    if_range: str | None


class Exchange(BaseHTTPRequestHandler):
    """One request, with the means to answer it rightly or wrongly."""

    internet: Internet

    def do_GET(self) -> None:
        asked = Seen(self.path, self.headers.get("Range"), self.headers.get("If-Range"))
        with suppress(ConnectionError):
            self.internet.next_act(asked)(self)

    def log_message(self, *_arguments: Any) -> None:
        """A test's output is not the place for an access log."""

    @property
    def content(self) -> bytes:
        return self.internet.content

    @property
    def offset(self) -> int:
        """Where the asked range starts; 0 where the whole is asked for, or has changed since."""
        changed = self.headers.get("If-Range") not in (None, self.internet.etag)
        asked = self.headers.get("Range")
        return 0 if changed or asked is None else int(asked.removeprefix("bytes=").rstrip("-"))

    def head(self, status: int, length: int | None, **headers: str) -> None:
        self.send_response(status)
        if length is not None:
            self.send_header("Content-Length", str(length))
        if self.internet.etag is not None:
            self.send_header("ETag", self.internet.etag)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def send(self, body: bytes) -> None:
        self.wfile.write(body)


Act = Callable[[Exchange], None]


@dataclass
class Internet:
    """What is served, what goes wrong first, and what was asked for."""

    content: bytes
    play: list[Act] = field(default_factory=list)
    then: Act | None = None
    """What happens to every request once the play is over; None for an honest answer."""
    etag: str | None = ETAG
    url: str = ""
    seen: list[Seen] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def next_act(self, asked: Seen) -> Act:
        with self._lock:
            self.seen.append(asked)
            return self.play.pop(0) if self.play else self.then or honest


@contextmanager
def serving(internet: Internet) -> Iterator[Internet]:
    """The server, until the block ends."""
    handler = type("Bound", (Exchange,), {"internet": internet})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        internet.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield internet
        finally:
            internet.stopping.set()
            server.shutdown()
            thread.join()


def honest(exchange: Exchange) -> None:
    """What was asked for: the rest of the file, or all of it."""
    _send_from(exchange, exchange.offset, len(exchange.content))


def cut_after(share: float) -> Act:
    """The line breaks when this share of the file is through, wherever the answer began."""

    def act(exchange: Exchange) -> None:
        end = max(exchange.offset, int(len(exchange.content) * share))
        _send_from(exchange, exchange.offset, end)

    return act


def _send_from(exchange: Exchange, start: int, end: int) -> None:
    content = exchange.content
    if start >= len(content):
        exchange.head(416, 0, Content_Range=f"bytes */{len(content)}")
        return
    if start:
        told = f"bytes {start}-{len(content) - 1}/{len(content)}"
        exchange.head(206, len(content) - start, Content_Range=told)
    else:
        exchange.head(200, len(content))
    exchange.send(content[start:end])


def whole_only(share: float = 1.0) -> Act:
    """No ranges: the file from its first byte, up to ``share`` of it."""

    def act(exchange: Exchange) -> None:
        content = exchange.content
        exchange.head(200, len(content))
        exchange.send(content[: int(len(content) * share)])

    return act


def refuse(status: int, **headers: str) -> Act:
    """An error status."""
    return lambda exchange: exchange.head(status, 0, **headers)


def redirect(path: str) -> Act:
    """The file has moved."""
    return lambda exchange: exchange.head(302, 0, Location=exchange.internet.url + path)


def send_instead(body: bytes) -> Act:
    """Something else, as if it were the file."""

    def act(exchange: Exchange) -> None:
        exchange.head(200, len(body))
        exchange.send(body)

    return act


def send_untold(body: bytes) -> Act:
    """Bytes whose end is the end of the connection, as HTTP/1.0 had it."""

    def act(exchange: Exchange) -> None:
        exchange.head(200, None)
        exchange.send(body)

    return act


def other_range(exchange: Exchange) -> None:
    """A part of the file, but not the one that was asked for."""
    size = len(exchange.content)
    exchange.head(206, 1, Content_Range=f"bytes {size - 1}-{size - 1}/{size}")
    exchange.send(exchange.content[-1:])


def silent(exchange: Exchange) -> None:
    """A head and a first part, then nothing until the test is over."""
    exchange.head(200, len(exchange.content))
    exchange.send(exchange.content[: len(exchange.content) // 2])
    exchange.internet.stopping.wait()


def slow(block: int, pause_s: float) -> Act:
    """An honest answer that comes in small pieces."""

    def act(exchange: Exchange) -> None:
        start = exchange.offset
        _send_from(exchange, start, start)
        for place in range(start, len(exchange.content), block):
            exchange.send(exchange.content[place : place + block])
            time.sleep(pause_s)

    return act
