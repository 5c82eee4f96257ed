"""PNG files whose bytes are the same on every machine.

Compressors differ between versions of zlib, so the pixels are stored uncompressed: the file's
SHA-256 is then a fact about the picture alone.
"""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_STORED_MAX = 0xFFFF


def grey_png(pixels: NDArray[np.uint8]) -> bytes:
    """The PNG file of an 8-bit grey picture [height,width] (PNG specification, RFC 2083)."""
    height, width = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = np.zeros((height, 1 + width), np.uint8)
    rows[:, 1:] = pixels
    return (
        _SIGNATURE
        + _chunk(b"IHDR", header)
        + _chunk(b"IDAT", _stored(rows.tobytes()))
        + _chunk(b"IEND", b"")
    )


def _chunk(kind: bytes, body: bytes) -> bytes:
    checksum = zlib.crc32(kind + body)
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", checksum)


def _stored(data: bytes) -> bytes:
    """A zlib stream of stored blocks (RFC 1950 and 1951)."""
    blocks = [data[start : start + _STORED_MAX] for start in range(0, len(data), _STORED_MAX)]
    stream = b"\x78\x01"
    for number, block in enumerate(blocks, 1):
        last = number == len(blocks)
        stream += struct.pack("<BHH", last, len(block), len(block) ^ _STORED_MAX) + block
    return stream + struct.pack(">I", zlib.adler32(data))
