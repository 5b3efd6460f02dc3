"""A plain HTTP server for tests, on sockets and nothing else: it records what arrives and answers as it is told.

It shares no code with the program or its sandbox, so that a mistake there cannot agree with itself. It can misbehave:
reset, cut off, drip, keep silent, or send any bytes. It runs in a thread with a loop of its own, so that it serves
plain tests, asyncio and Qt alike.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

DRIP_SECONDS = 0.02
_LIMIT = 16 * 1024 * 1024


@dataclass(frozen=True)
class Got:
    """One request as it arrived."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    """Names as sent, in order."""
    body: bytes
    connection: int
    """Which connection it came over, counted from 1."""

    def header(self, name: str) -> str | None:
        return next((v for n, v in self.headers if n.lower() == name.lower()), None)

    @property
    def names(self) -> set[str]:
        return {name.lower() for name, _ in self.headers}


@dataclass(frozen=True)
class Reply:
    """What to answer. `raw` in place of all else sends those bytes and closes."""

    status: int = 200
    body: bytes = b"{}"
    headers: Sequence[tuple[str, str]] = (("content-type", "application/json"),)
    reason: str = "Reason"
    raw: bytes | None = None
    length: int | None = None
    """A content length that is not the body's."""
    cut: int | None = None
    """Close after that many bytes of the body."""
    reset: bool = False
    """Break the connection (RST) instead of answering, or after `cut`."""
    silent: bool = False
    """Never answer; the connection stays open until the server stops."""
    drip: bool = False
    """Send the body a byte at a time, for ever again from its start."""
    close: bool = False
    """Close the connection after this answer without having said so."""


def reply(value: Any = None, status: int = 200, **headers: str) -> Reply:
    """A reply with a JSON body; ``retry_after="2"`` becomes the header Retry-After."""
    pairs = [("content-type", "application/json"), *((n.replace("_", "-"), v) for n, v in headers.items())]
    return Reply(status, json.dumps({} if value is None else value).encode(), tuple(pairs))


Answering = Callable[[Got], Reply]


@dataclass
class Recording:
    """The server. Answers with `replies` one after another, the last one for ever; or with what `answering` says."""

    replies: list[Reply] = field(default_factory=lambda: [Reply()])
    answering: Answering | None = None
    tls: ssl.SSLContext | None = None
    greeting: bytes = b""
    """Sent as soon as a connection is made, before anything has arrived."""
    got: list[Got] = field(default_factory=list)
    connections: int = 0

    def __post_init__(self) -> None:
        self.arrived = threading.Semaphore(0)
        """Released for each request that is complete."""
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._served = 0
        self.port = 0
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    def __enter__(self) -> Recording:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._loop is not None
        assert self._stop is not None
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"

    def answer(self, *replies: Reply) -> None:
        """Answer with these from now on."""
        self.replies = list(replies)
        self._served = 0

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._client, "127.0.0.1", 0, ssl=self.tls, limit=_LIMIT)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        number = self.connections
        writer.write(self.greeting)
        try:
            while await self._one(reader, writer, number):
                pass
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> bool:
        """Read one request and answer it. False when the connection is to be closed."""
        line = (await reader.readuntil(b"\r\n"))[:-2].decode("latin-1")
        method, target, _ = line.split(" ", 2)
        headers: list[tuple[str, str]] = []
        while (line := (await reader.readuntil(b"\r\n"))[:-2].decode("latin-1")) != "":
            name, _, value = line.partition(":")
            headers.append((name, value.strip()))
        length = next((int(v) for n, v in headers if n.lower() == "content-length"), 0)
        got = Got(method, target, tuple(headers), await reader.readexactly(length), number)
        self.got.append(got)
        self.arrived.release()
        return await self._answer(self._reply(got), got, writer)

    def _reply(self, got: Got) -> Reply:
        if self.answering is not None:
            return self.answering(got)
        chosen = self.replies[min(self._served, len(self.replies) - 1)]
        self._served += 1
        return chosen

    async def _answer(self, what: Reply, got: Got, writer: asyncio.StreamWriter) -> bool:
        if what.silent:
            await asyncio.Event().wait()
        if what.reset and what.cut is None:
            _break(writer)
            return False
        if what.raw is not None:
            writer.write(what.raw)
            await writer.drain()
            return False
        length = len(what.body) if what.length is None else what.length
        head = [f"HTTP/1.1 {what.status} {what.reason}"]
        head += [f"{name}: {value}" for name, value in what.headers]
        head += [f"content-length: {length}"] if not what.drip and what.status not in (204, 304) else []
        head += ["connection: close"] if what.drip else []
        writer.write("\r\n".join((*head, "", "")).encode("latin-1"))
        if got.method == "HEAD" or what.status in (204, 304):
            return True
        while what.drip:
            for byte in what.body:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(DRIP_SECONDS)
        writer.write(what.body if what.cut is None else what.body[: what.cut])
        await writer.drain()
        if what.reset:
            _break(writer)
        return not (what.close or what.cut is not None)


def _break(writer: asyncio.StreamWriter) -> None:
    """End a connection as a crashed peer does: with a reset."""
    broken = writer.get_extra_info("socket")
    broken.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def pages(
    envelope_cursor: str, chunks: Iterable[bytes], cursors: Sequence[Any], flag: str = ""
) -> list[Reply]:
    """List pages: each of ``chunks`` is the JSON of an array of rows, each of ``cursors`` what leads on from it."""
    made = []
    for rows, cursor in zip(chunks, cursors, strict=True):
        more = f', "{flag}": {json.dumps(cursor not in (None, ""))}' if flag else ""
        made.append(
            Reply(body=b'{"items": ' + rows + f', "{envelope_cursor}": {json.dumps(cursor)}{more}}}'.encode())
        )
    return made
