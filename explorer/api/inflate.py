"""Reads and decompresses a body within a limit of bytes: one layer of gzip or deflate."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterable

from explorer.api.errors import BadAnswer, TooLarge

ACCEPTED = "gzip, deflate"
"""The value of ``accept-encoding``: the compressions that can be decompressed within a limit."""

_PIECE = 256 * 1024
_GZIP = 16 + zlib.MAX_WBITS


async def read_body(chunks: AsyncIterable[bytes], encoding: str, most: int) -> bytes:
    """The whole body of ``chunks``, decompressed as ``encoding`` (the ``content-encoding`` header) says.

    Raises TooLarge above ``most`` bytes, as received or after decompression, without ever holding more than that.
    Raises BadAnswer for several layers of compression (270 bytes of nested gzip grew to 300 MB, measured), an unknown
    compression, or damaged data.
    """
    layers = [
        each.strip().lower() for each in encoding.split(",") if each.strip().lower() not in ("", "identity")
    ]
    if len(layers) > 1:
        raise BadAnswer(
            "The response is compressed more than once, which was not requested.", "It was not decompressed."
        )
    if layers and layers[0] not in ("gzip", "x-gzip", "deflate"):
        raise BadAnswer("The response uses a compression that was not requested.", "It was not decompressed.")
    unpack = Inflater(layers[0], most) if layers else None
    body = bytearray()
    wire = 0
    async for chunk in chunks:
        wire += len(chunk)
        if wire > most:
            raise _too_large(most)
        if unpack is None:
            body += chunk
        else:
            unpack.feed(chunk, body)
    if unpack is not None and wire:
        unpack.end()
    return bytes(body)


class Inflater:
    """Decompresses gzip (one or more members) or deflate (with or without zlib header) up to ``most`` bytes."""

    def __init__(self, encoding: str, most: int) -> None:
        self._gzip = encoding != "deflate"
        self._most = most
        self._stream = zlib.decompressobj(_GZIP) if self._gzip else None
        self._head = b""
        self._over = False

    def feed(self, chunk: bytes, body: bytearray) -> None:
        """Appends the decompressed ``chunk`` to ``body``. Raises TooLarge at the limit, BadAnswer for damaged data."""
        try:
            self._feed(chunk, body)
        except zlib.error:
            damaged = True
        else:
            damaged = False
        if damaged:
            raise BadAnswer("The compressed response is damaged: it cannot be read.", "Try again.")

    def _feed(self, chunk: bytes, body: bytearray) -> None:
        if self._stream is None:
            self._head += chunk
            if len(self._head) < 2:
                return
            chunk, self._head = self._head, b""
            # By RFC 9110 "deflate" means the zlib format; some servers send the raw stream.
            zlib_head = chunk[0] & 15 == 8 and int.from_bytes(chunk[:2], "big") % 31 == 0
            self._stream = zlib.decompressobj(zlib.MAX_WBITS if zlib_head else -zlib.MAX_WBITS)
        while chunk and not self._over:
            room = self._most - len(body)
            body += self._stream.decompress(chunk, min(_PIECE, room + 1))
            if len(body) > self._most:
                raise _too_large(self._most)
            if not self._stream.eof:
                chunk = self._stream.unconsumed_tail
                continue
            chunk = self._stream.unused_data
            if self._gzip and chunk[:1] == b"\x1f":
                self._stream = zlib.decompressobj(_GZIP)
            elif chunk:
                self._over = True

    def end(self) -> None:
        """Raises BadAnswer when the compressed data ended too early."""
        if self._stream is None or not self._stream.eof:
            raise BadAnswer("The compressed response is cut off: it cannot be read.", "Try again.")


def _too_large(most: int) -> TooLarge:
    bound = f"{most // 1_048_576} MiB" if most >= 1_048_576 else f"{most} bytes"
    return TooLarge(
        f"The response is larger than {bound}: reading it was stopped.",
        "Ask for less, such as a smaller page.",
    )
