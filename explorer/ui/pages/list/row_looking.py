"""A question that takes long: that it is being answered, for how long by now, and how it is stopped.

Most are answered before anybody could read a word about them. A pattern that no plain text narrows, over a million
rows, takes half a minute (measured), and the first rows may come last.
"""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer, Signal

from explorer import words
from explorer.ui.kit.tasks import Tasks
from explorer.ui.pages.list.row_question import ASK, RowQuestion

_PATIENCE_MS = 300
_SAY_MS = 500


class RowLooking(QObject):
    """Watches what ``question`` has going on."""

    changed = Signal()
    """There is something else to say."""

    def __init__(self, question: RowQuestion, tasks: Tasks) -> None:
        super().__init__(question)
        self._question, self._tasks = question, tasks
        self._since = 0.0
        self.stopped = False
        """The last question was stopped before it was answered."""
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._patience.timeout.connect(self._grew_late)
        self._pace = QTimer(self, interval=_SAY_MS)
        self._pace.timeout.connect(self._set_text)
        tasks.changed.connect(self._task_changed)

    @property
    def late(self) -> bool:
        """Whether an answer has been on its way for long enough to say so."""
        return self._pace.isActive() and self._going_on

    @property
    def _going_on(self) -> bool:
        view = self._question.view
        return self._tasks.busy(ASK) or (view is not None and view.state == "building")

    def words(self, rows: int) -> str:
        """``Looking through 257,200 rows  ·  4.2 s``, while nothing of the answer is in the table; else empty."""
        if not self.late or not self._tasks.busy(ASK):
            return ""
        took = words.duration(round((time.monotonic() - self._since) * 10) * 100)
        return f"Searching {words.count(rows, 'row')}  ·  {took}"

    def stop(self) -> None:
        """Leave it at what was found so far; with nothing found, at the rows of the question before."""
        view = self._question.view
        self.stopped = True
        if self._tasks.busy(ASK):
            self._tasks.cancel(ASK)
        elif view is not None:
            view.cancel()
        self._set_text()

    def release(self) -> None:
        """Watch nothing any more."""
        self._patience.stop()
        self._pace.stop()

    def _task_changed(self, name: str, busy: bool) -> None:
        if name != ASK:
            return
        if busy:
            self.stopped = False
            self._since = time.monotonic()
            self._pace.stop()
            self._patience.start()
        elif not self._patience.isActive():
            self._set_text()

    def _grew_late(self) -> None:
        if self._going_on:
            self._pace.start()
            self.changed.emit()

    def _set_text(self) -> None:
        if not self._going_on:
            self._pace.stop()
        self.changed.emit()
