"""A process of the program's own that works for another, from the side that starts it; see `explorer.worker_main`.

It is started as ``python -m explorer --worker JOB`` (frozen: the program itself with the same two words). What it is to
do, secrets included, comes by its standard input, never by its arguments or environment, and it ends when that input
does: so it never outlives the window. asyncio's own processes do not work on every loop (qasync, on Windows), so that
one thread reads what it answers, and one what it says on standard error, of which the end is kept to explain a failure.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Literal

from explorer.profiles.secrets import SECRET_VARIABLES
from explorer.work import in_thread
from explorer.worker_main import read_message, write_message

JobName = Literal["load", "keep", "bundle"]
"""Of `explorer.__main__`."""
ARGUMENT = "--worker"
_DIAGNOSIS = 4000
"""Bytes of standard error that are kept: its end."""
_PIPE_BYTES = 1024 * 1024


class Ended(Exception):
    """The other process is not there any more. Never shown."""


class WorkerProcess:
    """One process that does one job. Belongs to the event loop of `start`."""

    def __init__(self, job: JobName, heard: Callable[[Any], None]) -> None:
        """``heard`` is given each answer, on the loop's thread, in order."""
        self._job, self._heard = job, heard
        self._process: subprocess.Popen[bytes] | None = None
        self._called_off = False
        self._said = b""
        self._over: asyncio.Event | None = None
        self._starting = threading.Lock()

    @property
    def pid(self) -> int:
        """Its number; 0 before it is started."""
        return self._process.pid if self._process else 0

    @property
    def running(self) -> bool:
        """Whether it was started and has not been seen to end."""
        return self._process is not None and self._over is not None and not self._over.is_set()

    @property
    def diagnosis(self) -> str:
        """The end of what it said on standard error. May hold anything: redact it."""
        return self._said.decode("utf-8", "replace").strip()

    async def start(self, order: object) -> None:
        """Starts it and gives it its order, in a thread. Raises OSError when it cannot be started.

        One that was killed meanwhile, or ended over its order, is one that has `ended`.
        """
        loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        await in_thread(self._start, loop, order)

    def send(self, message: object) -> None:
        """Sends it a message; waits while it does not read. Raises Ended."""
        process = self._process
        if process is None or process.stdin is None:
            raise Ended
        try:
            write_message(process.stdin, message)
        except (OSError, ValueError):
            raise Ended from None

    async def ended(self) -> None:
        """Waits until it is gone, with all that it started."""
        if self._over is not None and self._process is not None:
            await self._over.wait()

    def kill(self) -> None:
        """Ends it at once, wherever it is. What it had written whole is kept."""
        with self._starting:
            self._called_off = True
        if self._process is not None:
            with contextlib.suppress(OSError):
                self._process.kill()

    async def close(self, seconds: float) -> None:
        """Ends its input, gives it so long to end by itself, and kills it then. Returns when it is gone."""
        process = self._process
        if process is None:
            self.kill()
        elif process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
        # Not asyncio.timeout: in a task that is being cancelled, as here, it does not end in Python 3.11.0 to 3.11.2.
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
                _command(self._job),
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
        # The loop may end before the process does: then nobody is left to hear it.
        with contextlib.suppress(EOFError, RuntimeError, OSError, ValueError):
            while process.stdout is not None:
                loop.call_soon_threadsafe(self._heard, read_message(process.stdout))

    def _see_end(
        self, process: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop, listening: threading.Thread
    ) -> None:
        """Reads standard error to its end, which comes when the process and all that it started are gone."""
        with contextlib.suppress(OSError, ValueError):
            while process.stderr is not None and (piece := process.stderr.read1(_DIAGNOSIS)):  # type: ignore[attr-defined]
                self._said = (self._said + piece)[-_DIAGNOSIS:]
        process.wait()
        listening.join()  # all that it said has been handed to the loop by then
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(self._over.set if self._over else int)


def _command(job: JobName) -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, ARGUMENT, job]
    return [sys.executable, "-m", "explorer", ARGUMENT, job]


def _flags(job: JobName) -> int:
    """For Windows: no console window, and behind the program's own window where time is short."""
    behind = "BELOW_NORMAL_PRIORITY_CLASS" if job != "keep" else ""
    return getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, behind, 0)


def _environment() -> dict[str, str]:
    """The present one, without keys; it finds the same package."""
    environment = {name: value for name, value in os.environ.items() if name not in SECRET_VARIABLES}
    if not getattr(sys, "frozen", False):
        package = str(Path(__file__).resolve().parents[2])
        known = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join([package, known]) if known else package
    return environment


def _widen(pipe: IO[bytes] | None) -> None:
    """Where the system can, room for whole pages: a write then waits for no reader."""
    if sys.platform == "linux" and pipe is not None:
        import fcntl

        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
