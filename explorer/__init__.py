"""Unified Explorer: look into one connection of a unified integration API, from a window or a command line."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"
APP_ID = "io.github.unified_explorer.UnifiedExplorer"
"""The program's name among a desktop's programs: that of its desktop entry, icon and bundle, and of its windows."""


def __getattr__(name: str) -> Any:
    """`open_connection` of `python_api`, for ``from explorer import open_connection``.

    It is imported when it is asked for, as the whole program lies behind it, and every part of that imports this.
    """
    if name == "open_connection":
        return import_module("explorer.python_api").open_connection
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
