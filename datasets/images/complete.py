"""Whether bytes are a whole JPEG or PNG file, before anything decodes them.

A decoder can't be trusted with that: some turn the first half of a JPEG into a picture whose lower
half is grey and say so on stderr only.
"""

from __future__ import annotations

import re

from datasets.disk.foreign import foreign_kind
from datasets.errors import DataError

_JPEG = b"\xff\xd8\xff"
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG_MARKER = re.compile(rb"\xff([^\x00\xff\xd0-\xd7])", re.DOTALL)
_SEQUENTIAL_FRAMES = (0xC0, 0xC1)
_SCAN = 0xDA
_END_OF_IMAGE = 0xD9


def require_whole_image(data: bytes, name: str) -> None:
    """DataError, naming the file, unless ``data`` is a JPEG or PNG that reaches its own end."""
    if data.startswith(_JPEG):
        whole, kind = _jpeg_is_whole(data), "JPEG"
    elif data.startswith(_PNG):
        whole, kind = _png_is_whole(data), "PNG"
    else:
        raise DataError(f"{name} is {_what(data, name)}, not a JPEG or PNG image: fetch it again.")
    if not whole:
        raise DataError(
            f"{name} is a {kind} image cut short after {len(data)} bytes: fetch it again."
        )


def _jpeg_is_whole(data: bytes) -> bool:
    """Walk the segments (ITU-T T.81, B.1.1) to the end-of-image marker of the image itself.

    Thumbnails have such a marker too, but they lie inside a segment, and segments are stepped
    over. Inside a scan a marker is 0xFF with neither a stuffed zero nor a restart number. The scan
    that is the only one has every pixel, so whatever marker is behind it, it is whole: that spares
    most images the search for markers in their pixels.
    """
    position, components = 2, 0
    while match := _JPEG_MARKER.search(data, position):
        kind, content = match[1][0], match.end() + 2
        if kind == _END_OF_IMAGE:
            return True
        if kind in _SEQUENTIAL_FRAMES:
            components = data[content + 5] if len(data) > content + 5 else 0
        if kind == _SCAN and components and data[content : content + 1] == bytes([components]):
            return data.rfind(b"\xff\xd9", content) >= 0
        position = match.end() + int.from_bytes(data[match.end() : content], "big")
    return False


def _png_is_whole(data: bytes) -> bool:
    """Step over the chunks (length, type, content, checksum) to IEND."""
    position = len(_PNG)
    while position + 12 <= len(data):
        length = int.from_bytes(data[position : position + 4], "big")
        if data[position + 4 : position + 8] == b"IEND":
            return True
        position += 12 + length
    return False


def _what(data: bytes, name: str) -> str:
    if not data:
        return "empty"
    kind = foreign_kind(data, name)
    return kind.found if kind else f"something that starts with {data[:8]!r}"
