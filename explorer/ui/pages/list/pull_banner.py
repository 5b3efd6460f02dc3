"""The banner of a list's page: what failed, stopped or breaks the contract, and what can be done about it now."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from explorer.api.exchanges import Exchange
from explorer.session import PullPhase
from explorer.ui.kit.banner import Banner
from explorer.ui.pages.list.pull_notes import NotedPages, NotesDialog
from explorer.ui.pages.list.pull_words import Act, BannerWords, banner_of

if TYPE_CHECKING:
    from explorer.session import Pull, Session


class PullBanner(Banner):
    """Says how one pull stands, where that needs words. Hidden when it does not."""

    wanted = Signal(str)
    """An `Act` that is the page's to do."""
    profile_wanted = Signal()
    """The user wants to edit the profile in use."""
    row_wanted = Signal(int)
    """A row of the pull that the user wants to see."""

    def __init__(self, title: str, session: Session, rows: QWidget) -> None:
        """``rows`` takes the keys when a button that has them goes."""
        super().__init__()
        self._of, self._session, self._rows = title, session, rows
        self._pull: Pull | None = None
        self._spoken: Pull | None = None
        """The pull that it speaks of: the one in front, or a reload of it."""
        self._said: BannerWords | None = None
        self._noted = NotedPages()
        self.hide()

    def follow(self, pull: Pull) -> None:
        """Speak of another pull."""
        self._pull = pull
        self._noted.follow(pull)

    def release(self) -> None:
        """Follow no pull any more."""
        self._noted.release()

    def say(
        self, state: PullPhase, *, anew: bool, other: BannerWords | None = None, of: Pull | None = None
    ) -> None:
        """Say what is to be said of the pull in ``state``; ``anew``: begun anew, and without a page yet.

        ``other`` is said in place of that, about the pull ``of``.
        """
        pull, said = self._pull, other
        self._spoken = of if other is not None else pull
        if pull is not None and said is None:
            last = self._noted.last
            said = banner_of(
                state,
                pull,
                self.failed_call(pull),
                last.notes if last else (),
                anew=anew,
                noted=len(self._noted.pages),
                at=last.number if last else 0,
            )
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
        asked = [(label, run.get(act) or partial(self.wanted.emit, act)) for label, act in said.acts]
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
        dialog = NotesDialog(self._of, self._noted.pages, self.window())
        dialog.row_wanted.connect(self.row_wanted)
        dialog.open()
