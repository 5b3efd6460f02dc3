"""Sandboxes that start in a moment: each is forked from one process that has loaded all they need.

Hundreds of tests open a window or run a command that starts a sandbox, and loading its libraries takes longer than
what they then ask of it. The program's own way stays: it starts a command, which is this file run as a script. That
hands its standard input and output on, is there as long as its sandbox, and ends with the same code. Where nothing can
be forked (Windows) the program starts what it always does. Run as a script it imports no more than it needs.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from subprocess import Popen

LARGEST = 262_144
"""Bytes of a request: options and environment of a process."""


def ask(path: str, options: list[str]) -> int:
    """The script: asks for a sandbox with these options, and waits for its end."""
    assert sys.platform != "win32"
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
        socket.send_fds(line, [json.dumps([options, dict(os.environ)]).encode() + b"\n"], [0, 1])
        code = line.recv(1)
    return code[0] if code else 1


def give(path: str) -> None:
    """The process that all are forked from: serves requests until its standard input ends."""
    assert sys.platform != "win32"
    import select

    import uvicorn.lifespan.off
    import uvicorn.loops.asyncio

    import explorer.sandbox.__main__
    import explorer.sandbox.service
    import explorer.sandbox.wire

    del uvicorn, explorer  # loaded, which is all
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen(64)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            ready, _, _ = select.select([listening.fileno(), 0], [], [])
            _bury()
            if 0 in ready:
                return
            line, _ = listening.accept()
            if os.fork() == 0:
                try:
                    listening.close()
                    os._exit(_serve(line))
                finally:
                    os._exit(1)
            line.close()


def _bury() -> None:
    """Those that have ended; one that a test has left ends with the test's process."""
    assert sys.platform != "win32"
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def _serve(line: socket.socket) -> int:
    """A sandbox in place of the one who asked, and gone with it."""
    assert sys.platform != "win32"
    import threading

    from explorer.sandbox.__main__ import main

    request, given, _, _ = socket.recv_fds(line, LARGEST, 2)
    while not request.endswith(b"\n"):
        request += line.recv(LARGEST)
    options, environment = json.loads(request)
    os.environ.clear()
    os.environ.update(environment)
    for number, descriptor in enumerate(given):
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.argv[1:] = options
    threading.Thread(target=lambda: (line.recv(1), os._exit(1)), daemon=True).start()
    code = main()
    line.sendall(bytes([code]))
    return code


class Forks:
    """What the tests have of it: the command that starts a sandbox; the process to fork from comes with the first."""

    def __init__(self) -> None:
        import tempfile
        from pathlib import Path
        from threading import Lock

        from explorer.sandbox.process import sandbox_command

        self._own = sandbox_command
        self._starting = Lock()
        self._process: Popen[bytes] | None = None
        # Not below the folder of a test: the path of a socket has a hundred letters at most.
        self._line = Path(tempfile.mkdtemp(prefix="sandbox-")) / "line"

    def command(self, **settings: float) -> list[str]:
        """In place of `explorer.sandbox.process.sandbox_command`."""
        own = self._own(**settings)
        with self._starting:
            if self._process is None:
                self._process = self._start()
        script = [sys.executable, "-I", "-S", __file__, str(self._line)]
        return [*script, *own[own.index("explorer.sandbox") + 1 :]]

    def _start(self) -> Popen[bytes]:
        import subprocess
        from pathlib import Path

        environment = {k: v for k, v in os.environ.items() if not k.startswith("UNIFIED_EXPLORER_")}
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.forked_sandbox", "give", str(self._line)],
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
        shutil.rmtree(self._line.parent)


if __name__ == "__main__":
    if sys.argv[1] == "give":
        give(sys.argv[2])
    else:
        sys.exit(ask(sys.argv[1], sys.argv[2:]))
