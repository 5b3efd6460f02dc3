"""Memory that was freed goes back to the system: a library of C keeps it for the next time, some 30 MB after a sort."""

from __future__ import annotations

import contextlib
import ctypes
import sys
from collections.abc import Callable
from functools import cache

_KEPT = 256 * 1024
"""Bytes at the end of a heap that stay for the next time."""


def trim_heap() -> None:
    """Gives what is free back to the system, where it can be asked to (glibc). Some milliseconds; in any thread."""
    with contextlib.suppress(OSError):
        trim = _trim()
        if trim is not None:
            trim(_KEPT)


@cache
def _trim() -> Callable[[int], object] | None:
    """The ``malloc_trim`` of glibc; None where the C library is another."""
    if not sys.platform.startswith("linux"):
        return None
    found: Callable[[int], object] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return found
