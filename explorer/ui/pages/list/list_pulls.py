"""Which pull of a list its page shows: the one in front, or the previous one; and the reload that brings the next."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from explorer import words
from explorer.ui.own_pages import SNAPSHOTS
from explorer.ui.pages.list.list_reload import ListReload
from explorer.ui.pages.list.pull_words import Act, BannerWords
from explorer.ui.pages.list.pulls_page import PullsPage
from explorer.ui.pages.list.reload_words import previous_banner
from explorer.ui.records.row_export import EXPORT

if TYPE_CHECKING:
    from explorer.session import PullInfo

PULL = "pull"
"""The name of the one task that fetches: a table never has two pages in flight."""
NONE = "There is no previous pull of this list: the next Reload of all its pages makes one"


class ListPulls(QObject):
    """The pulls of ``page``'s list beside the one that it shows."""

    def __init__(self, page: PullsPage) -> None:
        super().__init__(page.tools)
        self._page = page
        self.reload = ListReload(page.session, page.listing, self)
        self._button = page.tools.previous_button
        self._menu = QMenu("Previous pull", self._button)
        self._look = self._menu.addAction("", self.look_at_previous)
        self._menu.addAction("Compare with the newest", self.compare)
        self._button.setMenu(self._menu)

    @property
    def previous(self) -> PullInfo | None:
        """The pull that was in front before, as the page last looked it up."""
        pull = self._page.pull
        return pull.standing.previous if pull is not None else None

    @property
    def said(self) -> BannerWords | None:
        """For the banner: that the previous pull is looked at, or how a reload stands that does not run."""
        pull = self._page.pull
        if self._page.looking and pull is not None and pull.info is not None:
            return previous_banner(pull.rows, pull.info.updated_at)
        if self._page.model.state == "failed":
            return None
        return self.reload.said(self._page.banner.failed_call(self.reload.pull))

    def show_button(self) -> None:
        """Let the button say what there is."""
        info = self.previous if not self._page.looking else None
        if info is not None:
            self._button.setText(f"Previous pull, {words.day_and_time(info.updated_at)}…")
            self._look.setText(f"Look at its {words.count(info.rows, 'row')}")
        if self._button.isHidden() == (info is not None):
            self._button.setVisible(info is not None)
            self._page.tools.arrange()

    # ---- the reload

    def act(self, act: Act) -> None:
        """What a button of the banner says."""
        acts: dict[Act, Callable[[], object]] = {
            "drop": lambda: self.bring(self.reload.drop),
            "front": lambda: self.bring(self.reload.settle),
            "back": self.look_at_newest,
            "compare": self.compare,
            "again": self._page.try_again,
            "past": self._page.go_on,
        }
        if act in ("go_on", "again", "past") and self.reload.pull and self._page.model.state != "failed":
            self.bring(self.reload.go_on)
        else:
            acts[act]()

    def bring(self, ask: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        """Do something with the new pull, beside the rows that are shown."""
        self._page.run(ask)

    def show_new(self) -> None:
        """Show the new pull once it is complete; an export of the rows before it is waited for."""
        tasks = self._page.tasks
        if self.reload.complete and not tasks.busy(EXPORT) and not tasks.busy(PULL):
            self._page.menu.rows_go()
            self.look_at_newest()

    def look_again(self) -> None:
        """Another window or the command line may have brought another pull to the front, or begun one."""
        page = self._page
        if page.pull is None or page.looking or page.tasks.busy(PULL) or page.tasks.busy(EXPORT):
            return
        now = page.session.standing(page.pull.key)
        new = now.front is not None and now.front.settled and now.front.id != page.pull.stored_id
        if new or now.begun != self.reload.info:
            self.reload.release()
            self.look_at_newest()

    # ---- the previous pull

    def look_at_newest(self) -> None:
        """Show the pull that is in front, from the same row on."""
        row = self._page.question.chosen
        self._page.take_pull(fetch=False)
        self._page.stand_on(row)

    def look_at_previous(self) -> None:
        """Show the pull before the last reload, to be read only; asked once more, go back."""
        page = self._page
        if page.looking or page.pull is None:
            self.look_at_newest()
            return
        info = page.session.standing(page.pull.key).previous
        if info is None:  # it may have gone since the page was opened
            self.look_at_newest()
            page.hint.setText(NONE)
        else:
            page.menu.rows_go()
            page.take_pull(fetch=False, which=info.id)

    def compare(self) -> None:
        """Hold the newest pull against the previous one, on the page of snapshots."""
        pull, elsewhere = self._page.pull, self._page.context.elsewhere
        if pull is None or self.previous is None:
            self._page.hint.setText(NONE)
            return
        page = elsewhere.open_page(SNAPSHOTS.key) if elsewhere is not None else None
        compare = getattr(page, "compare_with_previous", None)
        if compare is not None:
            compare(pull.key)
