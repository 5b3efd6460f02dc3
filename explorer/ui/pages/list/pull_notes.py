"""Which pages of a pull break the contract, counted as they come, and the list of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QPushButton,
    QWidget,
)

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.ui.kit.layout import column
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import Column, RowsModel, RowsTable

if TYPE_CHECKING:
    from explorer.api.pages import Page
    from explorer.session import Pull

_LISTED = 2000
"""A list of more pages is cut, which is said: nobody reads it to its end."""


@dataclass(frozen=True, slots=True)
class NotedPage:
    """A page about which something is odd."""

    number: int
    first_row: int
    """Counted from 0."""
    notes: tuple[str, ...]


class NotedPages:
    """Follows one pull. Pages of an earlier run are read once from the store, those of this run as they come."""

    def __init__(self) -> None:
        self.pages: list[NotedPage] = []
        self._pull: Pull | None = None
        self._last: Page | None = None
        self._count = self._of = 0
        self._end: Callable[[], None] = lambda: None

    def follow(self, pull: Pull) -> None:
        """Count for ``pull`` from now on."""
        self.release()
        self._pull = pull
        self._read(pull)
        self._end = pull.subscribe(self._heard)

    def _read(self, pull: Pull) -> None:
        self._last, self._count, self._of = pull.last_page, pull.pages, pull.stored_id
        try:
            kept = pull.page_list(noted=True) if pull.pages else []
        except ExplorerError:  # the page itself says that the store cannot be read
            kept = []
        self.pages = [NotedPage(p.number, p.first_row, p.notes) for p in kept]

    def _read_on(self, pull: Pull) -> None:
        """The pages behind those that are known."""
        with contextlib.suppress(ExplorerError):
            kept = pull.page_list(self._count, noted=True)
            self._last, self._count = None, pull.pages
            self.pages += [NotedPage(p.number, p.first_row, p.notes) for p in kept]

    def release(self) -> None:
        """Hear of it no more."""
        self._end()
        self._end = lambda: None

    @property
    def last(self) -> NotedPage | None:
        """The one that came last."""
        return self.pages[-1] if self.pages else None

    def _heard(self) -> None:
        pull = self._pull
        if pull is None or (pull.last_page is self._last and pull.pages == self._count):
            return
        page = pull.last_page
        if (
            page is None and pull.stored_id == self._of and pull.pages > self._count
        ):  # another process went on
            self._read_on(pull)
            return
        if page is None:  # another window's pages were taken over
            self._read(pull)
            return
        if page.number <= self._count:  # begun anew
            self.pages = []
        self._last, self._count, self._of = page, pull.pages, pull.stored_id
        if page.notes:
            self.pages.append(NotedPage(page.number, pull.rows - len(page.records), page.notes))


class NotesDialog(QDialog):
    """Each such page with what is odd about it. Enter or a double click goes to its first row."""

    row_wanted = Signal(int)

    def __init__(self, title: str, pages: Sequence[NotedPage], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"{title}: pages that break the contract")
        self._pages = list(pages[:_LISTED])
        cut = f", the first {_LISTED:,} are listed" if len(pages) > _LISTED else ""
        said = PlainLabel(
            f"{words.count(len(pages), 'page')}{cut}. Enter goes to a page's first row.",
            role="muted",
            wrap=True,
        )
        columns = (
            Column[NotedPage]("Page", lambda page: f"{page.number:,}", "number", width=64),
            Column[NotedPage]("What is odd about it", lambda page: " ".join(page.notes)),
        )
        self.table = RowsTable(RowsModel(columns), "Pages that break the contract")
        self.table.show_rows(self._pages)
        self.table.taken.connect(self._go)
        close = QPushButton("Close")
        close.setAutoDefault(False)
        close.clicked.connect(self.reject)
        foot = (close, Qt.AlignmentFlag.AlignRight)
        column(said, (self.table, 1), foot, of=self, margins=(16, 12, 16, 12), spacing=12)
        if self._pages:
            self.table.setCurrentIndex(self.table.model().index(0, 1))
        self.table.setFocus()

    def sizeHint(self) -> QSize:
        return QSize(720, 420)

    def _go(self, row: int) -> None:
        self.row_wanted.emit(self._pages[row].first_row)
        self.accept()
