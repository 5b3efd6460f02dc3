"""What is done in the window's thread, by counting: functions that were called, and memory that was taken."""

from __future__ import annotations

import contextlib
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from explorer import work

Seen = list[tuple[str, bool]]
"""The name of a function that was entered, and whether that was in the window's thread."""


@contextlib.contextmanager
def watched(*functions: Callable[..., Any]) -> Iterator[Seen]:
    """Notes each call of ``functions``, in whichever thread."""
    names = {function.__code__: function.__name__ for function in functions}
    seen: Seen = []
    main = threading.main_thread().ident

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in names:
            seen.append((names[frame.f_code], threading.get_ident() == main))

    # A thread is watched from its start on: those that are there already would do the work unseen, and those that are
    # started now would be watched for ever.
    idle, work._MOST_IDLE = work._MOST_IDLE, 0
    work._IDLE.clear()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        work._MOST_IDLE = idle


class Allocated:
    """How much Python took at the most within one step; `most` of all of them."""

    def __init__(self) -> None:
        self.most = 0
        self.where = ""

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Counts what is done in here."""
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        yield
        taken = tracemalloc.get_traced_memory()[1] - before
        if taken > self.most:
            self.most, self.where = taken, name


@contextlib.contextmanager
def allocating() -> Iterator[Allocated]:
    """Counts bytes that are taken a step at a time: who handles a large value takes memory for it, whatever is done."""
    tracemalloc.start()
    try:
        yield Allocated()
    finally:
        tracemalloc.stop()
