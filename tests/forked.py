"""Processes that start in a moment: each is forked from one process that has loaded all they need.

Hundreds of tests start a sandbox or a command, and loading the libraries takes longer than what they then ask of it.
What the tests start in its place is this file, run as a script. That asks for a process with its own streams, folder
and environment, is there as long as that, and ends with the same code. Where nothing can be forked (Windows) the real
command is started. Run as a script it imports no more than it needs.

The process is killed when the script is, by the one that it was forked from; no other signal reaches it, and what it
has loaded says nothing of a real start. Tests of those start the real command.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
from _thread import allocate_lock
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from subprocess import Popen

LARGEST = 262_144
"""Bytes of a request: arguments and environment of a process."""
MAINS = {
    "explorer": "explorer.__main__:main",
    "explorer.sandbox": "explorer.sandbox.__main__:main",
    "pytest": "pytest:console_main",
    "tests.flow.loading_window": "tests.flow.loading_window:main",
}
"""Modules that can be started as ``-m`` starts them, and their function."""

_PYTHON = sys.executable
"""The program itself: a test may set another one, that a real start is refused."""
_STARTING = allocate_lock()


def ask(path: str, words: list[str]) -> int:
    """The script: asks for a process of this module with these arguments, and waits for its end."""
    assert sys.platform != "win32"
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
        folder = os.getcwd()  # noqa: PTH109 - pathlib takes longer to import than all else here
        request = json.dumps([words, folder, dict(os.environ)]).encode() + b"\n"
        socket.send_fds(line, [request], [0, 1, 2])
        code = line.recv(1)
    return code[0] if code else 1


def give(path: str, *, window: bool) -> int:
    """The process that all are forked from: serves requests until its standard input ends."""
    assert sys.platform != "win32"
    import gc
    import select
    import signal

    load(window=window)
    stand_in(lambda command: asking(path, command))  # in what these start in turn
    gc.freeze()  # a collection in a forked process would write to, and so copy, all that is shared
    ended, wakes = socket.socketpair()
    wakes.setblocking(False)
    signal.set_wakeup_fd(wakes.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    lines: dict[int, socket.socket] = {}
    """To those who asked, by process; without those of processes that were killed."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen(64)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            heeded: list[Any] = [listening, ended, 0, *lines.values()]
            ready, _, _ = select.select(heeded, [], [])
            for pid in [one for one, line in lines.items() if line in ready]:
                os.kill(pid, signal.SIGKILL)  # who asked says nothing more, and is gone
                lines.pop(pid).close()
            if ended in ready:
                ended.recv(4096)
                bury(lines)
            if 0 in ready:
                return 0
            if listening in ready:
                line, _ = listening.accept()
                request, streams = heard(line)
                pid = os.fork()
                if pid == 0:
                    signal.set_wakeup_fd(-1)
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    for other in (listening, ended, wakes, line, *lines.values()):
                        other.close()
                    become(request, streams)
                for stream in streams:
                    os.close(stream)
                lines[pid] = line


def heard(line: socket.socket) -> tuple[bytes, list[int]]:
    """A request, cut off where the one who asked is gone, and its streams."""
    request, streams, _, _ = socket.recv_fds(line, LARGEST, 3)
    while not request.endswith(b"\n") and (more := line.recv(LARGEST)):
        request += more
    return request, streams


def load(*, window: bool) -> None:
    """Imports what the processes would import; of the window only where it is wanted."""
    import importlib
    import pkgutil

    import pytest
    import uvicorn.lifespan.off
    import uvicorn.loops.asyncio

    import explorer.cli
    import explorer.faults.wire
    import explorer.quality.bundle.write
    import explorer.sandbox.__main__
    import explorer.sandbox.service
    import explorer.session.load_process
    import explorer.store.page_writer

    for module in pkgutil.iter_modules(explorer.cli.__path__):
        importlib.import_module(f"explorer.cli.{module.name}")
    if window:
        import explorer.ui

        for module in pkgutil.walk_packages(explorer.ui.__path__, "explorer.ui."):
            importlib.import_module(module.name)
    del pytest, uvicorn  # loaded, which is all


def stand_in(quick: Callable[[Sequence[str]], list[str]]) -> None:
    """The program starts its services and workers by what ``quick`` makes of their commands."""
    from explorer.loopback import ServiceProcess
    from explorer.session import worker_process
    from explorer.worker_main import own_command

    real = ServiceProcess.start.__func__  # type: ignore[attr-defined]
    start = classmethod(lambda cls, command: real(cls, quick(command)))
    ServiceProcess.start = start  # type: ignore[method-assign, assignment]
    worker_process.own_command = lambda *words: quick(own_command(*words))  # type: ignore[attr-defined]


def bury(lines: dict[int, socket.socket]) -> None:
    """Tells those who asked how their processes ended."""
    with contextlib.suppress(ChildProcessError):  # no process is left
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            line = lines.pop(ended[0], None)
            if line is None:  # it was killed, as the one who asked was
                continue
            code = os.waitstatus_to_exitcode(ended[1])
            with line, contextlib.suppress(OSError):  # who asked may be gone
                line.sendall(bytes([code if code >= 0 else 128 - code]))


def become(request: bytes, streams: list[int]) -> NoReturn:
    """The process that was asked for."""
    import threading

    if not request.endswith(b"\n"):
        os._exit(1)
    words, folder, environment = json.loads(request)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    code = 1
    try:
        code = start(words)
    except SystemExit as ended:
        code = int(ended.code or 0)
    except BaseException:  # noqa: BLE001 - as the interpreter does at its end
        sys.excepthook(*sys.exc_info())
    finally:
        for thread in threading.enumerate():
            if not thread.daemon and thread is not threading.main_thread():
                thread.join()
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        # An orderly end of the interpreter would take longer than all that was loaded saved.
        os._exit(code)


def start(words: list[str]) -> int:
    """What Python does with these words behind its options: a module's name, a file, or ``-c`` and code."""
    import runpy
    from pkgutil import resolve_name

    if words[0] == "-c":
        sys.argv = ["-c", *words[2:]]
        names: dict[str, Any] = {"__name__": "__main__"}
        exec(compile(words[1], "<string>", "exec"), names)
        return 0
    if words[0].endswith(".py"):
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")
        return 0
    sys.argv[1:] = words[1:]
    return int(resolve_name(MAINS[words[0]])())


def words_of(command: Sequence[str]) -> list[str]:
    """What stands behind Python's options, as `start` takes it; empty where that cannot be forked."""
    words = list(command[1:])
    while words and words[0] in ("-P", "-u"):
        words.pop(0)
    if words[:1] == ["-m"]:
        return words[1:] if words[1] in MAINS else []
    return words if words and (words[0] == "-c" or words[0].endswith(".py")) else []


def asking(path: str, command: Sequence[str]) -> list[str]:
    """The script that asks for this command there; the command itself where it cannot be forked."""
    words = words_of(command) if command[0] == _PYTHON and sys.platform != "win32" else []
    return [_PYTHON, "-I", "-S", __file__, path, *words] if words else list(command)


class Forks:
    """What the tests have of it; the process to fork from comes with the first that is started."""

    def __init__(self, *, window: bool) -> None:
        self._given = "window" if window else "line"
        self._process: Popen[bytes] | None = None
        self._folder = ""

    def quick(self, command: Sequence[str]) -> list[str]:
        """The same command, forked; as it is where it is none of the program's own and no script of a test."""
        if asking("", command) == list(command):
            return list(command)
        with _STARTING:
            if self._process is None:
                self._process = self._start()
        return asking(self._line, command)

    @property
    def _line(self) -> str:
        return f"{self._folder}/line"

    def _start(self) -> Popen[bytes]:
        import subprocess
        import tempfile
        from pathlib import Path

        # Not below the folder of a test: the path of a socket has a hundred letters at most.
        self._folder = tempfile.mkdtemp(prefix="forks-")
        environment = {k: v for k, v in os.environ.items() if not k.startswith("UNIFIED_EXPLORER_")}
        process = subprocess.Popen(
            [_PYTHON, "-m", "tests.forked", "give", self._line, self._given],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[1],
            env=environment,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        return process

    def stop(self) -> None:
        """No more of them; those that are there stay."""
        import shutil

        if self._process is not None:
            self._process.communicate()
            shutil.rmtree(self._folder)
            self._process = None


FORKS = Forks(window=False)
"""Those of this worker: commands and services."""
WINDOWS = Forks(window=True)
"""Those of this worker that have a window."""


if __name__ == "__main__":
    if sys.argv[1] == "give":
        sys.exit(give(sys.argv[2], window=sys.argv[3] == "window"))
    sys.exit(ask(sys.argv[1], sys.argv[2:]))
