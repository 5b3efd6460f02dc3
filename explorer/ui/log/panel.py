"""The docks of the window: the sidebar, and the request log, which folds to the bar over its rows."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from explorer.ui.log.request_log import RequestLog

_UNBOUND = 16_777_215
"""Qt's own largest height (QWIDGETSIZE_MAX)."""
_MOST = 3
"""The log takes a third of the window at most when it is unfolded in a small one."""


class Panel(QDockWidget):
    """A dock without a title bar, as its content has a head. It is resized at its edge and moved by the View menu."""

    def __init__(self, name: str, window: QMainWindow) -> None:
        super().__init__(name, window)
        self.setObjectName(f"panel:{name}")
        self.setAccessibleName(name)
        self.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
        bar = QWidget()
        bar.setFixedHeight(0)
        self.setTitleBarWidget(bar)

    def place(self, window: QMainWindow, area: Qt.DockWidgetArea) -> None:
        """Move the panel to a side of the window."""
        if window.dockWidgetArea(self) != area:
            shown = not self.isHidden()
            window.addDockWidget(area, self)
            self.setVisible(shown)


class LogPanel(Panel):
    """The request log. In a low window it folds to its bar, and comes back with the room."""

    folded_changed = Signal()

    def __init__(self, requests: RequestLog, window: QMainWindow) -> None:
        super().__init__("Request log", window)
        self.setWidget(requests)
        self._window, self._requests = window, requests
        self._little = self._folded = False
        self.tall = 0
        """Its height with its rows, in pixels; 0 while nobody has said."""
        requests.unfold_wanted.connect(self.unfold)

    @property
    def folded(self) -> bool:
        """Whether its bar stands alone."""
        return self._folded

    def fold(self, little: bool) -> None:
        """There is little room, or enough again. What the user unfolds meanwhile stays so until that changes."""
        if little != self._little:
            self._little = little
            self._set_folded(little)

    def unfold(self) -> None:
        """Show it with its rows, whatever room there is."""
        self.show()
        self._set_folded(False)

    def remember(self) -> None:
        """Take note of its height, where its rows can be seen."""
        if self.isVisible() and not self._folded:
            self.tall = self.height()

    def place(self, window: QMainWindow, area: Qt.DockWidgetArea) -> None:
        """Move it to a side of the window; it folds only at the bottom."""
        super().place(window, area)
        self._set_folded(self._little)

    def _set_folded(self, folded: bool) -> None:
        folded = folded and self._window.dockWidgetArea(self) == BOTTOM
        if folded == self._folded:
            return
        self.remember()
        self._folded = folded
        self._requests.fold(folded)
        self.setMaximumHeight(self._requests.bar.sizeHint().height() if folded else _UNBOUND)
        if not folded and self.tall:
            height = min(self.tall, self._window.height() // _MOST)
            self._window.resizeDocks([self], [height], Qt.Orientation.Vertical)
        self.folded_changed.emit()


LEFT, RIGHT, BOTTOM = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)


def add_panels(window: QMainWindow, sidebar: QWidget, log: RequestLog) -> tuple[Panel, LogPanel]:
    """Add the sidebar, at the left over the whole height, and the request log, below the pages."""
    side, below = Panel("Sidebar", window), LogPanel(log, window)
    side.setWidget(sidebar)
    window.addDockWidget(LEFT, side)
    window.addDockWidget(BOTTOM, below)
    for corner in (Qt.Corner.BottomLeftCorner, Qt.Corner.TopLeftCorner):
        window.setCorner(corner, LEFT)
    window.setDockNestingEnabled(False)
    return side, below
