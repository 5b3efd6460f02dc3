"""Which functions were called, and whether that was in the window's thread."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

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

    threading.setprofile(note)  # of threads that are started from now on
    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
