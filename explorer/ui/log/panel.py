"""The panels of the main window: the sidebar, and the request log at the bottom or at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget


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


LEFT, RIGHT, BOTTOM = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)


def add_panels(window: QMainWindow, sidebar: QWidget, log: QWidget) -> tuple[Panel, Panel]:
    """Add the sidebar, at the left over the whole height, and the request log, below the pages."""
    side, below = Panel("Sidebar", window), Panel("Request log", window)
    side.setWidget(sidebar)
    below.setWidget(log)
    window.addDockWidget(LEFT, side)
    window.addDockWidget(BOTTOM, below)
    for corner in (Qt.Corner.BottomLeftCorner, Qt.Corner.TopLeftCorner):
        window.setCorner(corner, LEFT)
    window.setDockNestingEnabled(False)
    return side, below
