"""Imports httpx without its command-line client, whose imports (click, pygments, rich) take 48 ms of a start.

httpx works without these packages when they are not installed; here its import of them is made to fail in the same way.
Import this module before httpx.
"""

from __future__ import annotations

import sys

_COMMAND_LINE = "httpx._main"

if "httpx" not in sys.modules:
    sys.modules[_COMMAND_LINE] = None  # type: ignore[assignment]  # an import of it fails, as if it were missing
    try:
        import httpx  # noqa: F401
    finally:
        del sys.modules[_COMMAND_LINE]
