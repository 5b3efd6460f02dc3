"""The program's window: start, frame, commands, and the end."""

import builtins
import sys

import PySide6  # noqa: F401 - it puts its own in place of Python's import, which is taken back below

# PySide6 looks in each module that is imported after it for ``from __feature__ import ...``, and reads its source for
# that: a tenth of a start. Nothing here uses such features.
builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)

if sys.version_info < (3, 12):  # before the first class of the window is made
    from explorer.ui.kit.overrides import catch_errors

    catch_errors()
