"""Dialogs: awaited without an event loop of their own, and no larger than the screen."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QPushButton, QWidget


def resize_within(window: QWidget, width: int, height: int) -> None:
    """Give a window that size in pixels, or what the screen has room for: at 200 % that is a quarter."""
    window.resize(QSize(width, height).boundedTo(window.screen().availableGeometry().size()))


def size_over(dialog: QDialog, width: int, height: int) -> QSize:
    """That size in pixels, or what the window below ``dialog`` has room for, with an edge of it left to be seen."""
    below: QWidget | None = dialog.parentWidget()
    room = below.window().size() - QSize(40, 40) if below is not None else QSize(width, height)
    return QSize(width, height).boundedTo(room)


def press_on_enter(button: QPushButton) -> None:
    """Have Enter press ``button`` in its dialog.

    Raises ValueError for a button that no dialog holds yet: Qt would press the dialog's first button in its place.
    """
    if not isinstance(button.window(), QDialog):
        raise ValueError(f"{button.text()} is in no dialog yet")
    button.setDefault(True)


class Question(QDialog):
    """A dialog in which Enter presses the button that was tabbed to, else the default one, if there is any.

    Qt does so only for buttons that become the default as soon as they have the focus, as *Send* must not where a
    name is being typed.
    """

    def keyPressEvent(self, event: QKeyEvent) -> None:
        button = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(button, QPushButton):
            button.click()
        else:
            super().keyPressEvent(event)


async def answered(dialog: QDialog) -> bool:
    """Opens ``dialog`` and waits for its answer without blocking the loop. Returns whether it was accepted."""
    future: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def finish(result: int) -> None:
        if not future.done():
            future.set_result(result)

    dialog.finished.connect(finish)
    dialog.open()
    try:
        return await future == QDialog.DialogCode.Accepted.value
    finally:
        dialog.close()
        dialog.deleteLater()
