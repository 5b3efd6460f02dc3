"""The focus ring of tables and lists that have no current cell yet: a frame around the whole view.

Qt draws the focus of a view at its current cell alone. A view that was just filled, or emptied, has none, and Tab
seemed to lead nowhere.
"""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QEvent, QModelIndex, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget

from explorer.ui.kit.theme import colors


class FocusRing(QObject):
    """Follows the keyboard focus through the whole program, dialogs included."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._ring: _Ring | None = None
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._moved)

    def _moved(self, _old: QWidget | None, now: QWidget | None) -> None:
        ring, self._ring = self._ring, None
        if ring is not None and shiboken6.isValid(ring):  # it goes with its view
            ring.leave()
        if isinstance(now, QAbstractItemView) and now.selectionModel() is not None:
            self._ring = _Ring(now)


class _Ring(QWidget):
    """Lies over the view, not in what scrolls in it, while the view has no current cell."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self._left = False
        self.setObjectName("focus-ring")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        view.viewport().installEventFilter(self)
        view.selectionModel().currentChanged.connect(self._show)
        view.selectionModel().modelChanged.connect(self.hide)
        if view.model() is not None:
            view.model().modelReset.connect(self._look)
        self.hide()
        QTimer.singleShot(0, self, self._look)  # how the keys came is known when they are there

    def leave(self) -> None:
        """Hides the ring, as the focus is elsewhere."""
        self._left = True
        self.hide()
        self.deleteLater()

    def _look(self) -> None:
        if shiboken6.isValid(self._view):  # a view that goes empties itself last
            self._show(self._view.currentIndex())

    def _show(self, current: QModelIndex) -> None:
        # Whoever works with the mouse knows where they pressed: Qt marks the window when keys moved the focus.
        by_keys = self.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
        self.setVisible(by_keys and not current.isValid() and not self._left)
        self._fit()

    def _fit(self) -> None:
        """Fits the ring around what the view shows, without its header."""
        self.setGeometry(self._view.viewport().geometry())
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(colors().color("accent"), 2))
        painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.end()
