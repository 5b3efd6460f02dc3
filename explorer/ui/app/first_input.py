"""What was typed and clicked while the window was still being furnished goes to where it was meant for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from explorer.ui.app.window import Window


def pass_on(window: Window, keys: Sequence[QKeyEvent], clicks: Sequence[QPoint]) -> None:
    """Clicks first, on the sidebar and the tabs alone: nothing is sent or changed by a click on a picture.

    A key that is a command of the window runs it; any other goes to the field that has the focus by now.
    """
    for click in clicks:
        target = window.childAt(click)
        if target is not None and _harmless(window, target):
            _click(target, QPointF(target.mapFrom(window, click)))
    for key in keys:
        if not _command(window, QKeySequence(key.keyCombination())):
            _type(window, key)


def _harmless(window: Window, target: QWidget) -> bool:
    return target is window.tabs.bar or window.sidebar.isAncestorOf(target)


def _click(target: QWidget, place: QPointF) -> None:
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    for kind, held in ((QEvent.Type.MouseButtonPress, left), (QEvent.Type.MouseButtonRelease, none)):
        where = target.mapToGlobal(place)
        QApplication.sendEvent(
            target, QMouseEvent(kind, place, where, left, held, Qt.KeyboardModifier.NoModifier)
        )


def _command(window: Window, keys: QKeySequence) -> bool:
    for action in window.actions():
        if keys in action.shortcuts():
            action.trigger()  # a command that may not run now does nothing, as at any other time
            return True
    return False


def _type(window: Window, key: QKeyEvent) -> None:
    if (field := QApplication.focusWidget() or window.focusWidget()) is None:
        return
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(field, QKeyEvent(kind, key.key(), key.modifiers(), key.text()))
