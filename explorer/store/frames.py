"""Frames on a pipe between two processes of the program: a little-endian uint32, the length, then that many bytes."""

from __future__ import annotations

import struct
from typing import IO

_HEAD = struct.Struct("<I")


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next frame, or None at the end, in the middle of a frame too. Waits."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    (length,) = _HEAD.unpack(head)
    data = stream.read(length)
    return data if len(data) == length else None


def write_frame(stream: IO[bytes], data: bytes) -> None:
    """Writes one frame. Raises OSError or ValueError when nobody reads any more."""
    stream.write(_HEAD.pack(len(data)))
    stream.write(data)
    stream.flush()
