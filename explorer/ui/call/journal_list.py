"""A list of what a page's calls saved in the journal, with the actions for each entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from explorer.api.errors import ExplorerError
from explorer.ui.kit.layout import STRETCH, column, dressed, scrolled
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import Action, Column, RowsModel, RowsTable
from explorer.ui.page import PageContext

if TYPE_CHECKING:
    from explorer.session.journal import Entry

Row = TypeVar("Row")
_TICK_MS = 20_000


class JournalList(QWidget, Generic[Row]):
    """The journal's entries of one kind, newest first; ``read`` makes a row of each, with the entry's id as ``entry``.

    It follows the journal. Loading an entry into a form sends nothing: that takes a press of the send button.
    """

    def __init__(
        self,
        context: PageContext,
        kind: str,
        noun: str,
        columns: Sequence[Column[Row]],
        read: Callable[[Entry], Row],
        actions: Callable[[Row], Sequence[Action]],
        *,
        made: str,
        none: str = "None yet.",
    ) -> None:
        """``noun`` and ``made`` give the heading: ``Webhooks sent in this profile``; ``none`` is the empty sentence."""
        super().__init__()
        self._journal, self._notices = context.session.journal, context.notices
        self._kind, self._noun, self._read, self._none = kind, noun, read, none
        words = f"{noun.capitalize()} {made} in this profile"
        self.title = PlainLabel(words, role="heading")
        self.table = RowsTable(RowsModel(columns, actions=actions), words, most=15)
        self.note = PlainLabel(role="muted", wrap=True)
        column(self.title, self.table, self.note, of=self, spacing=8)
        self._clock = QTimer(self, interval=_TICK_MS)  # keeps words such as "5 minutes ago" right
        self._clock.timeout.connect(self.table.viewport().update)
        self._clock.start()
        try:
            end = self._journal.subscribe(lambda changed: self.refresh() if changed == kind else None)
        except ExplorerError as fault:
            self._say(f"Earlier {noun} cannot be shown: {fault.sentence}")
        else:
            # When `destroyed` is emitted, self is half destroyed: call only the function.
            self.destroyed.connect(lambda _=None: end())
            self.refresh()

    def refresh(self) -> None:
        """Read the journal and show its entries."""
        try:
            rows = [self._read(entry) for entry in self._journal.latest(self._kind)]
        except ExplorerError as fault:
            self._say(f"Earlier {self._noun} cannot be shown: {fault.sentence}")
            return
        if not rows:
            self._say(self._none)
            return
        self.table.show_rows(rows, lambda one, other: one.entry == other.entry)
        self.table.show()
        self.note.hide()

    def add(self, key: str, data: Mapping[str, Any], *, source: str, connection: str = "") -> int | None:
        """Add an entry, which the journal redacts. Returns its id; None, and a message, when the journal failed."""
        try:
            return self._journal.add(self._kind, key, data, source=source, connection=connection).id
        except ExplorerError as fault:
            self._notices.report(fault)
            return None

    def forget(self, entry: int) -> None:
        """Delete one entry."""
        try:
            self._journal.remove(entry)
        except ExplorerError as fault:
            self._notices.report(fault)

    def _say(self, words: str) -> None:
        """Show a sentence in place of the table."""
        self.table.show_rows(())
        self.table.hide()
        self.note.setText(words)
        self.note.show()


def scrolling(*parts: QWidget) -> QScrollArea:
    """``parts`` one below the other, with a scroll bar where they are too high."""
    inside = dressed(QWidget(), ground="window")
    column(*parts, STRETCH, of=inside, margins=(20, 16, 16, 16), spacing=20)
    area = scrolled(inside)
    area.setFrameShape(QFrame.Shape.NoFrame)
    return area
