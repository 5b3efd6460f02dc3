"""The main function of a worker process: it reads messages from standard input and answers on standard output.

`explorer.session.worker_process` starts and ends it; `explorer/__main__.py` knows the jobs. It imports only what its
job needs, because each import delays the first page and takes memory. A message is a pickle preceded by its length, a
little-endian uint32. Unpickling is safe here: both ends are this program, and no other process has the pipe.
"""

from __future__ import annotations

import os
import pickle
import re
import struct
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

_HEAD = struct.Struct("<I")
NICE = 5
"""The nice value of a worker, so that the window can paint on few cores.

Measured on two cores: while the window scrolls and loads, one frame in a hundred takes longer than 20 ms, and 22 ms
without it. A value of 10 costs a twentieth of the loading rate.
"""


def read_message(stream: IO[bytes]) -> Any:
    """The next message. Blocks until there is one. Raises EOFError at the end, also within a message."""
    head = stream.read(_HEAD.size)
    length = _HEAD.unpack(head)[0] if len(head) == _HEAD.size else 0
    data = stream.read(length)
    if not data or len(data) < length:
        raise EOFError
    return pickle.loads(data)  # noqa: S301 - from the other end of a pipe of our own


def write_message(stream: IO[bytes], message: object) -> None:
    """Writes one message. Raises OSError or ValueError when the pipe is closed."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    stream.write(_HEAD.pack(len(data)))
    stream.write(data)
    stream.flush()


class Orders:
    """The incoming messages: an iterator, or `at_end` to be called when there are no more."""

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
        """Calls ``call``, in a thread, when the input ends: then the process that gave the order wants no more."""

        def listen() -> None:
            for _ in self:
                pass
            call()

        threading.Thread(target=listen, name="orders", daemon=True).start()


Tell = Callable[[object], None]
"""Sends an answer. Raises OSError or ValueError when the pipe is closed."""
Job = Callable[[Any, Orders, Tell], None]
"""A job: it gets the first message, the messages after it, and a function to answer with."""


def worker_main(job: Job, *, low_priority: bool) -> int:
    """Runs ``job`` and returns the exit code. ``low_priority``: leave processor time to the window."""
    # A duplicate, so that a library's print goes to standard error; opened here, as PYTHONUNBUFFERED unbuffers stdout.
    channel = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    if low_priority and hasattr(os, "nice"):
        os.nice(NICE)
    orders = Orders(sys.stdin.buffer)
    for order in orders:
        job(order, orders, lambda message: write_message(channel, message))
        channel.flush()
        # A thread may still wait for input. Nothing else is open.
        os._exit(0)
    return 0


def own_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """``environment`` for a process that `own_command` starts: it finds this package, wherever it is started."""
    made = dict(environment)
    if not getattr(sys, "frozen", False):
        package, known = str(Path(__file__).resolve().parents[1]), made.get("PYTHONPATH")
        made["PYTHONPATH"] = os.pathsep.join([package, known]) if known else package
    return made


def own_command(*arguments: str) -> list[str]:
    """The command line that runs the program itself with these arguments."""
    if getattr(sys, "frozen", False):
        # On Windows the program with a console: a pipe to the one without is not sure to be its standard output.
        return [re.sub(r"-gui\.exe$", ".exe", sys.executable), *arguments]
    # -P: a file in the working directory must not take the place of a module.
    return [sys.executable, "-P", "-m", "explorer", *arguments]
