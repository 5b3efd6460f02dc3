"""The banner of a list's page: what failed, stopped or breaks the contract, and what can be done about it now.

Beside it which pages of a pull break the contract, counted as they come, and the list of them.
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
from explorer.ui.pages.list.list_state import Act, BannerWords

if TYPE_CHECKING:
    from explorer.session import Pull, Session

_LISTED = 2000
"""A list of more pages is cut, which is said: nobody reads it to its end."""


class PullBanner(Banner):
    """Says how one pull stands, where that needs words. Hidden when it does not."""

    wanted = Signal(str, bool)
    """An `Act` that is the page's to do, and whether it is about the reload beside the pull that is shown."""
    profile_wanted = Signal()
    """The user wants to edit the profile in use."""
    row_wanted = Signal(int)
    """A row of the pull that the user wants to see."""

    def __init__(self, title: str, session: Session, rows: QWidget) -> None:
        """``rows`` takes the keys when a button that has them goes."""
        super().__init__()
        self._of, self._session, self._rows = title, session, rows
        self._spoken: Pull | None = None
        """The pull that it speaks of: the one in front, or a reload of it."""
        self._said: BannerWords | None = None
        self.noted = NotedPages()
        self.hide()

    def say(self, said: BannerWords | None, spoken: Pull | None) -> None:
        """Show ``said``, which is about the pull ``spoken``; None: there is nothing to say."""
        self._spoken = spoken
        if said == self._said:
            return
        self._said = said
        focused: QWidget | None = self.window().focusWidget()
        if focused is not None and self.isAncestorOf(focused):
            self._rows.setFocus(Qt.FocusReason.OtherFocusReason)  # its buttons go: the keys stay on the page
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
        """The call that ``pull`` failed over, where the log still has it."""
        error = pull.error if pull is not None else None
        number = error.exchange if error is not None else None
        return self._session.exchanges.get(number) if number else None

    def show_response(self) -> None:
        """The failed call in full."""
        from explorer.ui.log.exchange_detail import ExchangeDialog

        exchange = self.failed_call(self._spoken)
        if exchange is not None:
            dialog = ExchangeDialog(exchange, self.window())
            if exchange.status is None:
                dialog.detail.show_request()
            dialog.show()

    def show_noted(self) -> None:
        """The pages that break the contract, and what each of them does."""
        dialog = NotesDialog(self._of, self.noted.pages, self.window())
        dialog.row_wanted.connect(self.row_wanted)
        dialog.open()


@dataclass(frozen=True, slots=True)
class NotedPage:
    """A page about which something is odd."""

    number: int
    first_row: int
    """Counted from 0."""
    notes: tuple[str, ...]


class NotedPages:
    """Follows one pull. What is odd about a page is read from the store once, when the page is kept."""

    def __init__(self) -> None:
        self.pages: list[NotedPage] = []
        self._pull: Pull | None = None
        self._count = self._of = 0
        self._end: Callable[[], None] = lambda: None

    def follow(self, pull: Pull) -> None:
        """Count for ``pull`` from now on."""
        self.release()
        self._pull, self._of, self.pages = pull, 0, []
        self._heard()
        self._end = pull.subscribe(self._heard)

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
        if pull is None:
            return
        if pull.stored_id != self._of or pull.pages < self._count:  # begun anew
            self.pages, self._count, self._of = [], 0, pull.stored_id
        if pull.pages > self._count:
            with contextlib.suppress(ExplorerError):  # the page itself says that the store cannot be read
                kept = pull.page_list(self._count, noted=True)
                self._count = pull.pages
                self.pages += [NotedPage(p.number, p.first_row, p.notes) for p in kept]


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
