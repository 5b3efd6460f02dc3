"""The QApplication, and whether there is a screen for it. Imported first of all: nothing but Qt is loaded here."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from PySide6.QtCore import QLoggingCategory
from PySide6.QtWidgets import QApplication

from explorer import APP_ID
from explorer.ui.app.zoom import KEY, scaled

CANNOT_START = 3


def missing_screen(environment: Mapping[str, str], platform: str = sys.platform) -> str:
    """Why no window can open, in one sentence, or nothing. Qt itself would abort with a misleading word on xcb."""
    if not platform.startswith(("linux", "freebsd")) or environment.get("QT_QPA_PLATFORM"):
        return ""
    if environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"):
        return ""
    return (
        "There is no screen to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set. "
        "The command line works without one: unified-explorer --help."
    )


def application(zoom: int = 100) -> QApplication:
    """The QApplication, made and named once; ``zoom`` in per cent."""
    # For each font without Devanagari Qt writes a line to the terminal, fifty on a plain system, and takes another.
    QLoggingCategory.setFilterRules("qt.text.font.db=false")
    if sys.platform == "win32":
        import ctypes  # not used elsewhere: joins the windows with the start menu's entry of the same name

        ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID(APP_ID)
    existing = QApplication.instance()
    with scaled(zoom):
        app = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    if app is not existing:
        app.setProperty(KEY, zoom)
    app.setApplicationName("unified-explorer")
    app.setApplicationDisplayName("Unified Explorer")
    app.setDesktopFileName(APP_ID)
    app.setQuitOnLastWindowClosed(False)
    return app
