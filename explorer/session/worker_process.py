"""A worker process, seen from the process that starts it; `explorer.worker_main` is the other side.

It is started as ``python -m explorer --worker JOB`` (frozen: the program itself with the same two arguments). Its
order, secrets included, is sent through its standard input, never in arguments or environment; it ends when that input
is closed, so that it never outlives the window. asyncio's subprocesses do not work on every loop (qasync on Windows),
so one thread reads its answers and another one its standard error, the end of which is kept to explain a failure.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import IO, Any, Literal

from explorer.profiles.credential import PART_VARIABLE
from explorer.profiles.secrets import SECRET_VARIABLES
from explorer.work import in_thread
from explorer.worker_main import own_command, own_environment, read_message, write_message

JobName = Literal["load", "keep", "bundle"]
"""The jobs that `explorer.__main__` knows."""
ARGUMENT = "--worker"
_DIAGNOSIS = 4000
"""Bytes at the end of standard error that are kept."""
_PIPE_BYTES = 1024 * 1024


class Ended(Exception):
    """The worker process has ended. Never shown to the user."""


class WorkerProcess:
    """One worker process for one job. Use it on the event loop of `start`."""

    def __init__(self, job: JobName, heard: Callable[[Any], None]) -> None:
        """``heard`` is called with each answer, in order, on the loop's thread."""
        self._job, self._heard = job, heard
        self._process: subprocess.Popen[bytes] | None = None
        self._called_off = False
        self._said = b""
        self._over: asyncio.Event | None = None
        self._starting = threading.Lock()

    @property
    def pid(self) -> int:
        """The process id; 0 before it is started."""
        return self._process.pid if self._process else 0

    @property
    def running(self) -> bool:
        """Whether it was started and has not ended yet, as far as is known."""
        return self._process is not None and self._over is not None and not self._over.is_set()

    @property
    def diagnosis(self) -> str:
        """The end of its standard error. It may contain anything: redact it before it is shown."""
        return self._said.decode("utf-8", "replace").strip()

    async def start(self, order: object) -> None:
        """Starts it and sends its order, in a thread. Raises OSError when it cannot be started.

        When it was killed in the meantime, or ended while the order was sent, `ended` returns at once.
        """
        loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        await in_thread(self._start, loop, order)

    def send(self, message: object) -> None:
        """Sends a message; blocks while the pipe is full. Raises Ended."""
        process = self._process
        if process is None or process.stdin is None:
            raise Ended
        try:
            write_message(process.stdin, message)
        except (OSError, ValueError):
            raise Ended from None

    async def ended(self) -> None:
        """Waits until it has ended, with all processes that it started."""
        if self._over is not None and self._process is not None:
            await self._over.wait()

    def kill(self) -> None:
        """Kills it. Transactions that it committed are kept."""
        with self._starting:
            self._called_off = True
        if self._process is not None:
            with contextlib.suppress(OSError):
                self._process.kill()

    async def close(self, seconds: float) -> None:
        """Closes its input, waits ``seconds`` for it to end, then kills it. Returns when it has ended."""
        process = self._process
        if process is None:
            self.kill()
        elif process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
        # Not asyncio.timeout: in a task that is being cancelled, as here, it never fires in Python 3.11.0 to 3.11.2.
        late = asyncio.get_running_loop().call_later(seconds, self.kill)
        try:
            await self.ended()
        finally:
            late.cancel()

    # ------------------------------------------------------------------ in threads

    def _start(self, loop: asyncio.AbstractEventLoop, order: object) -> None:
        with self._starting:
            if self._called_off:
                return
            process = self._process = subprocess.Popen(
                own_command(ARGUMENT, self._job),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=_environment(),
                creationflags=_flags(self._job),
            )
        if self._job == "keep":
            _widen(process.stdin)
        listening = threading.Thread(
            target=self._listen, args=(process, loop), name="worker-answers", daemon=True
        )
        listening.start()
        end = threading.Thread(
            target=self._see_end, args=(process, loop, listening), name="worker-end", daemon=True
        )
        end.start()
        with contextlib.suppress(Ended):
            self.send(order)

    def _listen(self, process: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop) -> None:
        # The loop may be closed before the process ends: then nobody listens.
        with contextlib.suppress(EOFError, RuntimeError, OSError, ValueError):
            while process.stdout is not None:
                loop.call_soon_threadsafe(self._heard, read_message(process.stdout))

    def _see_end(
        self, process: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop, listening: threading.Thread
    ) -> None:
        """Reads standard error to its end, which is when the process and all that it started have ended."""
        with contextlib.suppress(OSError, ValueError):
            while process.stderr is not None and (piece := process.stderr.read1(_DIAGNOSIS)):  # type: ignore[attr-defined]
                self._said = (self._said + piece)[-_DIAGNOSIS:]
        process.wait()
        listening.join()  # then all its answers have been handed to the loop
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(self._over.set if self._over else int)


def _flags(job: JobName) -> int:
    """Flags for Windows: no console window, and a lower priority than the window, but for the page writer."""
    behind = "BELOW_NORMAL_PRIORITY_CLASS" if job != "keep" else ""
    return getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, behind, 0)


def _environment() -> dict[str, str]:
    """This process's environment without keys, and with the package on ``PYTHONPATH``."""
    hidden = (*SECRET_VARIABLES, PART_VARIABLE)
    return own_environment({name: value for name, value in os.environ.items() if not name.startswith(hidden)})


def _widen(pipe: IO[bytes] | None) -> None:
    """On Linux: enlarges the pipe to whole pages, so that a write does not wait for the reader."""
    if sys.platform == "linux" and pipe is not None:
        import fcntl  # not available on Windows

        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
