"""The other side of worker_process.py: what a process of the program's own does, once it is there.

It imports what its work needs and no more: each import holds up the first page and takes memory as long as it works.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import IO

Work = Callable[[IO[bytes], IO[bytes]], int]
"""What such a process does, with its input and its output."""
NICE = 5
"""How far a process that loads stands back: a window has to paint, and there may be few cores. Measured on two: a frame
in a hundred takes longer than 20 ms while it scrolls and loads, and 22 without; 10 costs a twentieth of the rate."""


def worker_main(role: str, work: Work | None = None) -> int:
    """Does what ``role`` says (`worker_process.Role`), or ``work`` of another room. Returns the exit code."""
    # A print of some library must not come between the frames; PYTHONUNBUFFERED would give a pipe that writes parts.
    channel, sys.stdout = open(sys.stdout.fileno(), "wb", closefd=False), sys.stderr  # noqa: SIM115
    if role == "keep":
        from explorer.store.page_writer import keep

        return keep(sys.stdin.buffer, channel)
    if hasattr(os, "nice"):
        os.nice(NICE)
    if work is not None:
        return work(sys.stdin.buffer, channel)
    import explorer.api.bare_httpx  # noqa: F401 - before anything imports httpx with its command line
    from explorer.session.load_process import load

    return load(sys.stdin.buffer, channel)
