"""The program's window: start, frame, commands, and the end."""

import builtins

import PySide6  # noqa: F401 - it puts its own in place of Python's import, which is taken back below

# PySide6 looks in each module that is imported after it for ``from __feature__ import ...``, and reads its source for
# that: a tenth of a start. Nothing here uses such features.
builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
