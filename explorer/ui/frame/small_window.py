"""In a small window the rows come first: the inspector and the request log fold, and return with enough room.

Automatic folding is not the user's choice: it is not saved, and if the user unfolds a part it stays until the room
changes.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QMainWindow, QWidget

from explorer.ui.frame.inspector_place import InspectorPlace
from explorer.ui.log.panel import LogPanel

_LOW = 680
"""Pixels of a window's height below which the log and an inspector below the rows fold."""
_NARROW = 840
"""Pixels beside the sidebar below which an inspector at the right would leave only two or three columns of the rows."""


class SmallWindow(QObject):
    """Checks the room of a window's pages each time that it changes."""

    changed = Signal()
    """The inspector or the log may have folded, or returned."""

    def __init__(self, window: QMainWindow, pages: QWidget, beside: InspectorPlace, log: LogPanel) -> None:
        super().__init__(window)
        self._window, self._pages, self._beside, self._log = window, pages, beside, log
        log.folded_changed.connect(self.changed)
        for one in (window, pages):
            one.installEventFilter(self)
        self.look()

    def look(self) -> None:
        """Fold what has too little room, bring back what has enough."""
        low = self._window.height() < _LOW
        self._log.fold(low)
        self._beside.fold(low if self._beside.below else self._pages.width() < _NARROW)
        self.changed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.look()
        return False
