"""What the window keeps for the next start: its place and size, its panels, and each profile's tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSize

from explorer.ui.app.window import Window

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

    from explorer.ui.frame.layout import Layout

_LOG_HEIGHT = 176
_LOG_LEAST = 124
_FIRST_SIZE = QSize(1440, 900)
_FRAME = QSize(16, 48)
"""Pixels kept for the title bar and edges that the system puts round a window: they are not known before it shows."""
_STATE = 1


def log_height(height: int) -> int:
    """What the request log gets at first in a window of ``height``: on a small screen the rows need the room more."""
    return max(_LOG_LEAST, min(_LOG_HEIGHT, height // 5))


def first_size(room: QSize) -> QSize:
    """The window's size at the very first start, on a screen that leaves ``room`` for it and its frame."""
    return _FIRST_SIZE.boundedTo(room - _FRAME)


def key(window: Window, name: str) -> str:
    """The settings key of ``name`` for the profile in use, as each profile has its own tabs."""
    return f"{name}@{window.profile.id if window.profile else ''}"


def save(window: Window) -> None:
    """Saves all of it now."""
    kept = window.kept
    if window.session is not None:
        kept.set(key(window, "tabs"), window.tabs.save())
    kept.set("window/geometry", _text(window.saveGeometry()))
    kept.set("window/panels", _text(window.saveState(_STATE)))
    window.log.remember()
    kept.set("window/log", window.log.tall)
    kept.set("inspector", window.beside.save())
    kept.save()


def place(window: QMainWindow, kept: Layout) -> None:
    """Sets position and size: the last ones, else the middle of the screen. Call it before the window is shown."""
    if (where := kept.get("window/geometry")) and window.restoreGeometry(_bytes(where)):
        return
    room = window.screen().availableGeometry()
    size = first_size(room.size())
    left = (room.size() - size - _FRAME) / 2
    window.resize(size)
    # What is moved is the frame: with its title bar it stands within the room.
    window.move(room.left() + left.width(), room.top() + left.height())


def restore(window: Window) -> None:
    """Panels, and the place of a window that does not show yet; what cannot be understood stays as it is at first."""
    kept = window.kept
    if not window.isVisible():
        place(window, kept)
    tall = kept.get("window/log")
    window.log.tall = tall if isinstance(tall, int) and tall > 0 else log_height(window.height())
    if panels := kept.get("window/panels"):
        window.restoreState(_bytes(panels), _STATE)
    else:
        size_panels(window)
    window.sidebar.restore(kept.get("sidebar/icons"))
    inspector = kept.get("inspector")
    window.beside.restore(inspector if isinstance(inspector, dict) else {})


def size_panels(window: Window) -> None:
    """Give request log and sidebar the sizes that they have at first."""
    from PySide6.QtCore import Qt  # not at the top: its enumerations take 8 ms

    window.resizeDocks([window.log], [log_height(window.height())], Qt.Orientation.Vertical)
    window.resizeDocks([window.side], [window.sidebar.sizeHint().width()], Qt.Orientation.Horizontal)


def _text(data: QByteArray) -> str:
    return bytes(data.toBase64().data()).decode("ascii")


def _bytes(text: object) -> QByteArray:
    return QByteArray.fromBase64(str(text).encode("ascii", "ignore"))
