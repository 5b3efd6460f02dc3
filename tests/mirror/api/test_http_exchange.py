"""What the first call brings along is imported in a thread: the loop that sends it also paints the window."""

from __future__ import annotations

import subprocess
import sys

from tests.house.sources import ROOT
from tests.recording import Recording

SCRIPT = """
import sys
import threading

from tests.mirror.api.made import client, read, run

on_the_loop = []


class Watch:
    def find_spec(self, name, path=None, target=None):
        if threading.current_thread() is threading.main_thread():
            on_the_loop.append(name)


async def first_call():
    async with client(sys.argv[1]) as made:
        sys.meta_path.insert(0, Watch())
        answer = await made.send(read())
        print(answer.status, "httpx" in sys.modules, "anyio._backends._asyncio" in sys.modules)


run(first_call())
print(sorted(name for name in on_the_loop if name.split(".")[0] in ("httpx", "httpcore", "anyio", "sniffio")))
"""


def test_the_first_call_imports_nothing_of_http_on_the_loop() -> None:
    with Recording() as server:
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, server.url],
            cwd=ROOT,
            check=False,
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["200 True True", "[]"]
