"""Where the window is small, its rows come first: inspector and request log fold, the sidebar shows its icons alone.

All of it comes back with the room. What folds by itself is no choice of the user's: it is not kept, and whoever
unfolds it has it until the room changes.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QMainWindow, QWidget

from explorer.ui.frame.inspector_place import InspectorPlace
from explorer.ui.frame.sidebar import Sidebar
from explorer.ui.log.panel import LogPanel

_LOW = 680
"""Pixels of a window's height below which the log and an inspector below the rows fold."""
_NARROW = 840
"""Pixels beside the sidebar below which an inspector at the right would leave only two or three columns of the rows."""

_ICONS = 1000
"""Pixels of a window's width below which the sidebar has no room for words."""


class SmallWindow(QObject):
    """Checks the room of a window's pages each time that it changes."""

    changed = Signal()
    """The inspector or the log may have folded, or returned."""

    def __init__(
        self, window: QMainWindow, pages: QWidget, beside: InspectorPlace, log: LogPanel, side: Sidebar
    ) -> None:
        super().__init__(window)
        self._window, self._pages, self._beside, self._log = window, pages, beside, log
        self._side = side
        log.folded_changed.connect(self.changed)
        for one in (window, pages):
            one.installEventFilter(self)
        self.look()

    def look(self) -> None:
        """Fold what has too little room, bring back what has enough."""
        low, narrow = self._window.height() < _LOW, self._window.width() < _ICONS
        self._side.fold(narrow)
        self._log.fold(low)
        self._beside.fold(low if self._beside.below else narrow or self._pages.width() < _NARROW)
        self.changed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.look()
        return False
