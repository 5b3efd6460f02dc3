"""Processes that start in a moment: each is forked from one process that has loaded all they need.

Hundreds of tests start a sandbox or a command, and loading the libraries takes longer than what they then ask of it.
What the tests start in its place is this file, run as a script. That asks for a process with its own streams, folder
and environment, is there as long as that, and ends with the same code. Where nothing can be forked (Windows) the real
command is started. Run as a script it imports no more than it needs.

A signal reaches the script alone: tests of signals start the real command.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
from _thread import allocate_lock
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from subprocess import Popen

LARGEST = 262_144
"""Bytes of a request: arguments and environment of a process."""
MAINS = {
    "explorer": "explorer.__main__:main",
    "explorer.sandbox": "explorer.sandbox.__main__:main",
    "pytest": "pytest:console_main",
}
"""Modules that can be started as ``-m`` starts them, and their function."""

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


def give(path: str) -> int:
    """The process that all are forked from: serves requests until its standard input ends."""
    assert sys.platform != "win32"
    import gc
    import select
    import signal

    load()
    gc.freeze()  # a collection in a forked process would write to, and so copy, all that is shared
    ended, wakes = socket.socketpair()
    wakes.setblocking(False)
    signal.set_wakeup_fd(wakes.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    lines: dict[int, socket.socket] = {}
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen(64)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            ready, _, _ = select.select([listening.fileno(), ended.fileno(), 0], [], [])
            if ended.fileno() in ready:
                ended.recv(4096)
                bury(lines)
            if 0 in ready:
                return 0
            if listening.fileno() in ready:
                line, _ = listening.accept()
                pid = os.fork()
                if pid == 0:
                    signal.set_wakeup_fd(-1)
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    for other in (listening, ended, wakes, *lines.values()):
                        other.close()
                    become(line)
                lines[pid] = line


def load() -> None:
    """Imports what the processes would import, but for the window."""
    import importlib
    import pkgutil

    import pytest
    import uvicorn.lifespan.off
    import uvicorn.loops.asyncio

    import explorer.cli
    import explorer.faults.wire
    import explorer.sandbox.__main__
    import explorer.sandbox.service

    for module in pkgutil.iter_modules(explorer.cli.__path__):
        importlib.import_module(f"explorer.cli.{module.name}")
    del pytest, uvicorn, explorer  # loaded, which is all


def bury(lines: dict[int, socket.socket]) -> None:
    """Tells those who asked how their processes ended."""
    while lines:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        code = os.waitstatus_to_exitcode(status)
        with lines.pop(pid) as line, contextlib.suppress(OSError):  # who asked may be gone
            line.sendall(bytes([code if code >= 0 else 128 - code]))


def become(line: socket.socket) -> NoReturn:
    """The process that was asked for: ends with the one who asked."""
    assert sys.platform != "win32"
    import threading
    from pkgutil import resolve_name

    request, given, _, _ = socket.recv_fds(line, LARGEST, 3)
    while not request.endswith(b"\n"):
        request += line.recv(LARGEST)
    (module, *arguments), folder, environment = json.loads(request)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, descriptor in enumerate(given):
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.argv[1:] = arguments
    threading.Thread(target=lambda: (line.recv(1), os._exit(1)), daemon=True).start()
    code = 1
    try:
        code = int(resolve_name(MAINS[module])())
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


class Forks:
    """What the tests have of it; the process to fork from comes with the first that is started."""

    def __init__(self) -> None:
        self._process: Popen[bytes] | None = None
        self._folder = ""

    def quick(self, command: Sequence[str]) -> list[str]:
        """The same command, forked; as it is where it is none of the program's own."""
        known = "-m" in command and command[command.index("-m") + 1] in MAINS
        if not known or command[0] != sys.executable or sys.platform == "win32":
            return list(command)
        with _STARTING:
            if self._process is None:
                self._process = self._start()
        script = [sys.executable, "-I", "-S", __file__, self._line]
        return [*script, *command[command.index("-m") + 1 :]]

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
            [sys.executable, "-m", "tests.forked", "give", self._line],
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


FORKS = Forks()
"""Those of this worker."""


if __name__ == "__main__":
    sys.exit(give(sys.argv[2]) if sys.argv[1] == "give" else ask(sys.argv[1], sys.argv[2:]))
