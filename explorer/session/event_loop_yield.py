"""Work in a thread that steps back while the loop is busy.

Python runs one thread at a time. A thread that computes gives way to the loop only every five milliseconds, and the
loop, which lets go at each call into the system or Qt, has to wait as long each time: a repaint of 20 ms took up to
240 (measured). So the thread asks the loop for a sign of life every now and then, and while none comes it rests.
"""

from __future__ import annotations

import asyncio
import threading
import time

EVERY = 0.002
"""Seconds between two questions to the loop."""
LONGEST = 0.05
"""Seconds after which a small piece of work is done though the loop is busy still, so that it does end."""


class EventLoopYield:
    """Called between small pieces of work, by one thread. What it does not do: make a long piece shorter."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._answered = threading.Event()
        self._answered.set()
        self._asked = 0.0

    def __call__(self) -> None:
        """Returns at once, or when the loop has come round."""
        now = time.monotonic()
        if not self._answered.is_set():
            if now - self._asked > EVERY / 2:
                self._answered.wait(LONGEST)
        elif now - self._asked > EVERY:
            self._answered.clear()
            self._asked = now
            try:
                self._loop.call_soon_threadsafe(self._answered.set)
            except RuntimeError:  # the loop has ended: nobody is held up any more
                self._answered.set()
                self._asked = float("inf")
