"""A small frame over its window that closes when the focus leaves it."""

from __future__ import annotations

from collections.abc import Iterator

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

_EDGE = 8


class Popover(QFrame):
    """Stays open until Esc is pressed, the focus leaves it or what it belongs to is hidden. Afterwards the focus is
    where it was before.
    """

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent.window())
        self._before: QWidget | None = None
        self.setObjectName("filter")
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def show_below(self, anchor: QWidget, at: QPoint, first: QWidget, back: QWidget | None = None) -> None:
        """Show it with its corner at ``at`` of ``anchor``, inside the window, the keys in ``first``.

        ``back``: where the keys go afterwards, if it is not where they are now.
        """
        window = anchor.window()
        self.adjustSize()
        place = anchor.mapTo(window, at)
        self.move(
            max(0, min(place.x(), window.width() - self.width() - _EDGE)),
            max(0, min(place.y(), window.height() - self.height() - _EDGE)),
        )
        focused: QWidget | None = window.focusWidget()
        # Opened over another of these, which closes now: then it goes back to where that one would.
        under = next((one for one in _around(focused) if isinstance(one, Popover)), None)
        self._before = back or (under._before if under is not None else focused) or anchor
        self.show()
        self.raise_()
        first.setFocus(Qt.FocusReason.PopupFocusReason)
        anchor.installEventFilter(self)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._focus_changed)

    def _focus_changed(self, _old: QWidget | None, now: QWidget | None) -> None:
        # The list of a combo box is a window of its own: going there is not going away.
        if (
            now is not None
            and now.window() is self.window()
            and not self.isAncestorOf(now)
            and now is not self
        ):
            self._before = None
            self.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Hide:  # another page is in front, by an action that moves no focus
            self.close()
        return super().eventFilter(watched, event)

    def closeEvent(self, event: QCloseEvent) -> None:
        before, self._before = self._before, None
        if before is not None and shiboken6.isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.PopupFocusReason)
        super().closeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)


def _around(widget: QWidget | None) -> Iterator[QWidget]:
    """``widget`` and what it lies in, from the inside out."""
    while widget is not None:
        yield widget
        widget = widget.parentWidget()
