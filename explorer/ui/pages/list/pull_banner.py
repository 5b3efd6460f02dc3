"""The banner of a list's page: what failed, stopped or breaks the contract, and what can be done about it now.

Also here: which pages of a pull break the contract, counted as they arrive, and the dialog that lists them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.api.exchanges import Exchange
from explorer.ui.kit.banner import Banner
from explorer.ui.kit.layout import column
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import Column, RowsModel, RowsTable
from explorer.ui.log.exchange_detail import ExchangeDialog
from explorer.ui.pages.list.list_state import Act, BannerWords

if TYPE_CHECKING:
    from explorer.session import Pull, Session

_LISTED = 2000
"""Most pages that the dialog lists; of more it says how many there are."""


class PullBanner(Banner):
    """The banner about one pull. Hidden while there is nothing to say."""

    wanted = Signal(str, bool)
    """An `Act` for the page to do, and whether it is about the reload and not about the shown pull."""
    profile_wanted = Signal()
    """The user wants to edit the profile in use."""
    row_wanted = Signal(int)
    """A row of the pull that the user wants to see."""

    def __init__(self, title: str, session: Session, rows: QWidget) -> None:
        """``rows`` gets the keyboard focus when a button that has it disappears."""
        super().__init__()
        self._of, self._session, self._rows = title, session, rows
        self._spoken: Pull | None = None
        """The pull that the banner is about: the shown one, or a reload of it."""
        self._said: BannerWords | None = None
        self.noted = NotedPages()
        self.hide()

    def say(self, said: BannerWords | None, spoken: Pull | None) -> None:
        """Show ``said``, which is about the pull ``spoken``; None hides the banner."""
        self._spoken = spoken
        if said == self._said:
            return
        self._said = said
        focused: QWidget | None = self.window().focusWidget()
        if focused is not None and self.isAncestorOf(focused):
            self._rows.setFocus(Qt.FocusReason.OtherFocusReason)  # its buttons disappear
        self.setVisible(said is not None)
        if said is None:
            return
        run: dict[Act, Callable[[], object]] = {
            "show": self.show_response,
            "pages": self.show_noted,
            "profile": self.profile_wanted.emit,
        }
        asked = [
            (label, run.get(act) or partial(self.wanted.emit, act, said.of_reload))
            for label, act in said.acts
        ]
        self.show_(said.kind, said.title, said.text, asked)

    def failed_call(self, pull: Pull | None) -> Exchange | None:
        """The call that made ``pull`` fail, where the log still has it."""
        error = pull.error if pull is not None else None
        number = error.exchange if error is not None else None
        return self._session.exchanges.get(number) if number else None

    def show_response(self) -> None:
        """Show the failed call in full."""
        exchange = self.failed_call(self._spoken)
        if exchange is not None:
            dialog = ExchangeDialog(exchange, self.window())
            if exchange.status is None:
                dialog.detail.show_request()
            dialog.show()

    def show_noted(self) -> None:
        """List the pages that break the contract, and how each does."""
        dialog = NotesDialog(self._of, self.noted.pages, self.window())
        dialog.row_wanted.connect(self.row_wanted)
        dialog.open()


@dataclass(frozen=True, slots=True)
class NotedPage:
    """A page that breaks the contract."""

    number: int
    first_row: int
    """Counted from 0."""
    notes: tuple[str, ...]


class NotedPages:
    """Counts the pages of one pull that break the contract. Each is read from the store once, when it is stored."""

    def __init__(self) -> None:
        self.pages: list[NotedPage] = []
        self._pull: Pull | None = None
        self._count = self._of = 0
        self._end: Callable[[], None] = lambda: None

    def follow(self, pull: Pull) -> None:
        """Count the pages of ``pull`` from now on."""
        self.release()
        self._pull, self._of, self.pages = pull, 0, []
        self._heard()
        self._end = pull.subscribe(self._heard)

    def release(self) -> None:
        """End the subscription to the pull."""
        self._end()
        self._end = lambda: None

    @property
    def last(self) -> NotedPage | None:
        """The latest such page, or None."""
        return self.pages[-1] if self.pages else None

    def _heard(self) -> None:
        pull = self._pull
        if pull is None:
            return
        if pull.stored_id != self._of or pull.pages < self._count:  # it was restarted
            self.pages, self._count, self._of = [], 0, pull.stored_id
        if pull.pages > self._count:
            with contextlib.suppress(ExplorerError):  # the list's page reports a store that cannot be read
                kept = pull.page_list(self._count, noted=True)
                self._count = pull.pages
                self.pages += [NotedPage(p.number, p.first_row, p.notes) for p in kept]


class NotesDialog(QDialog):
    """Lists the pages that break the contract, and how. Enter or a double click goes to a page's first row."""

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
