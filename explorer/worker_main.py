"""What a process of the program's own is: it gets orders on its standard input and answers on its standard output.

`explorer.session.worker_process` starts it and says when it ends; `explorer/__main__.py` says what there is to do. It
imports what its job needs and no more: each import holds up the first page and takes memory as long as it works.
A message is a pickle, in a frame: a little-endian uint32, its length, then that many bytes. Both ends are this program,
and nobody else has the pipe.
"""

from __future__ import annotations

import os
import pickle
import struct
import sys
import threading
from collections.abc import Callable
from typing import IO, Any

_HEAD = struct.Struct("<I")
NICE = 5
"""How far a process stands back: a window has to paint, and there may be few cores. Measured on two: a frame in a
hundred takes longer than 20 ms while it scrolls and loads, and 22 without; 10 costs a twentieth of the rate."""


def read_message(stream: IO[bytes]) -> Any:
    """The next message. Waits. Raises EOFError at the end, in the middle of a message too."""
    head = stream.read(_HEAD.size)
    length = _HEAD.unpack(head)[0] if len(head) == _HEAD.size else 0
    data = stream.read(length)
    if not data or len(data) < length:
        raise EOFError
    return pickle.loads(data)  # noqa: S301 - from the other end of a pipe of our own


def write_message(stream: IO[bytes], message: object) -> None:
    """Writes one message. Raises OSError or ValueError when nobody reads any more."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    stream.write(_HEAD.pack(len(data)))
    stream.write(data)
    stream.flush()


class Orders:
    """The messages that come in: iterated over, or one is taken and the end of all is listened for."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def __iter__(self) -> Orders:
        return self

    def __next__(self) -> Any:
        try:
            return read_message(self._stream)
        except EOFError:
            raise StopIteration from None

    def at_end(self, call: Callable[[], object]) -> None:
        """Has ``call`` made in a thread when nothing more comes: whoever gave the order wants no more of it."""

        def listen() -> None:
            for _ in self:
                pass
            call()

        threading.Thread(target=listen, name="orders", daemon=True).start()


Tell = Callable[[object], None]
"""Sends an answer."""
Job = Callable[[Any, Orders, Tell], None]
"""Does what its first message says, with the messages that follow it."""


def worker_main(job: Job, *, stand_back: bool) -> int:
    """Does ``job`` and returns the exit code. ``stand_back``: somebody else has to be quick meanwhile."""
    # What a library prints must not come between the answers; PYTHONUNBUFFERED would give a pipe that writes parts.
    channel = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    if stand_back and hasattr(os, "nice"):
        os.nice(NICE)
    orders = Orders(sys.stdin.buffer)
    for order in orders:
        job(order, orders, lambda message: write_message(channel, message))
        channel.flush()
        # A thread may wait for orders still; nothing is open any more.
        os._exit(0)
    return 0
