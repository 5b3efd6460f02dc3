"""httpx without its own command line, which it looks for as it is imported: click, pygments and rich, 48 ms of a start.

Importing this imports httpx; where they are missing httpx does without them by itself, and so it does here.
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
