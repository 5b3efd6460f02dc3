"""The one link that ends what the rows of a list have going on: an export, copying, a question that takes long."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from explorer.ui.kit.tasks import Tasks
from explorer.ui.pages.list.list_tools import ListTools
from explorer.ui.pages.list.row_asking import RowAsking
from explorer.ui.records.row_export import EXPORT
from explorer.ui.records.row_menu import COPY, RowMenu

_PATIENCE_MS = 300
"""What is over sooner needs no Stop: the link would only flash by."""
_NAMES = {EXPORT: "export", COPY: "copying"}


class RowStop(QObject):
    """Shows the link in ``tools`` while there is something to stop."""

    def __init__(self, tools: ListTools, tasks: Tasks, menu: RowMenu, asking: RowAsking) -> None:
        super().__init__(tools)
        self._tools, self._tasks, self._menu, self._asking = tools, tasks, menu, asking
        self._late = set[str]()
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._patience.timeout.connect(self._grew_late)
        tools.stop.connect(self.stop)
        tasks.changed.connect(self._task_changed)
        asking.looking.changed.connect(self._set_text)

    def stop(self) -> None:
        """End what the link names."""
        if EXPORT in self._late:
            self._menu.exports.stop()
        elif COPY in self._late:
            self._menu.stop_copying()
        else:
            self._asking.stop()

    def release(self) -> None:
        """Watch nothing any more."""
        self._patience.stop()
        self._asking.looking.release()

    def _task_changed(self, name: str, busy: bool) -> None:
        if name not in _NAMES:
            return
        if busy:
            self._patience.start()
        else:
            self._late.discard(name)
            self._set_text()

    def _grew_late(self) -> None:
        self._late.update(name for name in _NAMES if self._tasks.busy(name))
        self._set_text()

    def _set_text(self) -> None:
        going_on = next((said for name, said in _NAMES.items() if name in self._late), "")
        self._tools.show_stop(going_on or ("looking" if self._asking.looking.late else ""))
