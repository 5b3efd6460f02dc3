"""The panel of the request log: foldable, at the bottom or at the right, a new log for each session."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget


class Panel(QDockWidget):
    """A dock whose content has a head of its own: no title bar. Its edge resizes it, the View menu moves it."""

    def __init__(self, name: str, window: QMainWindow) -> None:
        super().__init__(name, window)
        self.setObjectName(f"panel:{name}")
        self.setAccessibleName(name)
        self.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
        bar = QWidget()
        bar.setFixedHeight(0)
        self.setTitleBarWidget(bar)

    def place(self, window: QMainWindow, area: Qt.DockWidgetArea) -> None:
        """Move it to a side of the window."""
        if window.dockWidgetArea(self) != area:
            shown = not self.isHidden()
            window.addDockWidget(area, self)
            self.setVisible(shown)


LEFT, RIGHT, BOTTOM = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)


def add_panels(window: QMainWindow, sidebar: QWidget, log: QWidget) -> tuple[Panel, Panel]:
    """The sidebar over the whole height at the left, the request log under what is beside it."""
    side, below = Panel("Sidebar", window), Panel("Request log", window)
    side.setWidget(sidebar)
    below.setWidget(log)
    window.addDockWidget(LEFT, side)
    window.addDockWidget(BOTTOM, below)
    for corner in (Qt.Corner.BottomLeftCorner, Qt.Corner.TopLeftCorner):
        window.setCorner(corner, LEFT)
    window.setDockNestingEnabled(False)
    return side, below
