"""The page of a list: what is asked at the top, how far the pull is below it, the rows under both.

Only four things fetch: opening the page when nothing is kept, scrolling to the end, Reload and Load all (or what the
banner offers). Everything else works on the rows at hand.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QWidget

from explorer.api.errors import ExplorerError
from explorer.api.exchanges import as_curl
from explorer.catalog.spec import Resource
from explorer.session import PageDamaged, PullPhase
from explorer.ui.kit.actions import Command
from explorer.ui.kit.layout import column
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.own_pages import SNAPSHOTS
from explorer.ui.page import Page, PageContext
from explorer.ui.pages.list import row_state
from explorer.ui.pages.list.list_head import ListHead
from explorer.ui.pages.list.list_places import is_at_hand, row_of
from explorer.ui.pages.list.list_pulls import PULL, ListPulls
from explorer.ui.pages.list.list_tools import ListTools
from explorer.ui.pages.list.pull_banner import PullBanner
from explorer.ui.pages.list.pull_words import count_words, empty_words, is_ended, status_words
from explorer.ui.pages.list.row_asking import RowAsking
from explorer.ui.pages.list.row_question import RowQuestion
from explorer.ui.pages.list.row_stop import RowStop
from explorer.ui.records.columns import ColumnChoice
from explorer.ui.records.record_view import RecordView, sample_of
from explorer.ui.records.records import RecordsModel
from explorer.ui.records.records_table import RecordsTable
from explorer.ui.records.row_export import EXPORT
from explorer.ui.records.row_menu import RowMenu

if TYPE_CHECKING:
    from explorer.session import PageInfo, Pull
    from explorer.session.pull_storage import Which

CLEARED = "The saved rows of this list were cleared. Reload fetches its first page."
_PATIENCE_MS = 400
"""A single page that is on its way for longer than this can be stopped by the primary button."""


class ListPage(Page):
    """A lazy table over one pull of one list."""

    def __init__(self, resource: Resource, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(resource, context, parent)
        listing = resource.listing
        if listing is None:
            raise ValueError(f"{resource.key} has no list")
        self.listing = listing
        self.pull: Pull | None = None
        self._asked: Any = None
        self._halted = self._fitted = False
        self.looking = False
        """The previous pull is shown, and nothing can be asked for."""
        self._bulk_since: tuple[float, int] | None = None
        self.head = ListHead(resource, listing)
        self.model = RecordsModel(resource.columns, self._fetch, parent=self)
        self.table = RecordsTable(self.model)
        self.table.setAccessibleName(f"{resource.title}: loaded rows")
        self.columns = ColumnChoice(resource, self.model, self.table, context.settings)
        self.menu = RowMenu(self)
        self.banner = PullBanner(resource.title, context.session, self.table)
        self.tools = ListTools(resource, self.columns, self.menu)
        self.pulls = ListPulls(self)
        self.reloading = self.pulls.reload
        self.question = RowQuestion(self.model, self.table, self.tasks)
        self.asking = RowAsking(
            self.question, self.tools, self.table, self.columns, self.tasks, resource.title
        )
        self.row_stop = RowStop(self.tools, self.tasks, self.menu, self.asking)
        self.menu.more = self.asking.fill
        self.menu.exports.keep = self.keep
        self._build()
        self._wire()
        self._pace = QTimer(self, interval=500)
        self._pace.timeout.connect(self._say_count)
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._patience.timeout.connect(self._say_primary)

    def _wire(self) -> None:
        self.head.reload.connect(self.reload)
        self.head.primary.connect(self._primary)
        self.head.changed.connect(self._say_changed)
        self.banner.wanted.connect(self.pulls.act)
        self.reloading.changed.connect(self._refresh)
        self.banner.row_wanted.connect(self._go_to_row)
        if self.context.elsewhere is not None:
            self.banner.profile_wanted.connect(self.context.elsewhere.edit_profile)
        self.model.changed.connect(self._refresh)
        self.question.changed.connect(self._refresh)
        self.asking.looking.changed.connect(self._refresh)
        self.table.row_chosen.connect(self._choose)
        self.columns.reading_changed.connect(self._choose_again)
        self.tasks.changed.connect(self._task_changed)

    def _build(self) -> None:
        self.line, self.count, self.hint = self.tools.line, self.tools.count, self.tools.hint
        self.export_button = self.tools.export_button
        self._empty = PlainLabel("", self.table.viewport(), role="muted", wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.table.viewport().installEventFilter(self)
        column(self.head, self.tools, self.banner, (self.table, 1), of=self)

    # ---- the window's side

    def body(self) -> QWidget:
        return self.table

    @property
    def status_text(self) -> str:
        if self.pull is None:
            return ""
        kept = self.model.state == "failed"
        said = status_words(
            self._at_hand, self.pull.pages, self.pull.bytes, kept, self.pull.unfit, self.pull.with_key
        )
        if self.looking:
            return f"Previous pull  ·  {said}"
        return f"Page {self._failing_page:,} failed  ·  {said}" if kept and said else said

    @property
    def _failing_page(self) -> int:
        """The page that failed, where one did: the next, or one that is damaged in the store."""
        if self.pull is None:
            return 1
        error = self.pull.error
        return error.page if isinstance(error, PageDamaged) else self.pull.pages + 1

    def shown_pulls(self) -> set[int]:
        """Ids of the pulls that are shown, or being brought."""
        shown = self.pull.stored_id if self.pull is not None else 0
        return {shown, *self.reloading.ids()} - {0}

    @property
    def unfinished(self) -> str:
        return self.menu.exports.unfinished

    @property
    def _at_hand(self) -> int:
        """Rows of the pull, however many of them a view shows."""
        view = self.model.picked and self.pull is not None
        return self.pull.rows if view and self.pull is not None else self.model.rowCount()

    def activated(self) -> None:
        self.pulls.look_again()
        self._choose_again()
        self.status.emit(self.status_text)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.pull is None:
            QTimer.singleShot(0, self, self._open)

    def commands(self) -> list[tuple[Command, Callable[[], object]]]:
        return [
            (Command("request.reload", "Reload", "F5; Ctrl+R", group="Request"), self.reload),
            (Command("request.load_all", "Load all", "Ctrl+Shift+L", group="Request"), self.load_all),
            (Command("request.stop", "Stop", "Ctrl+.", group="Request"), self.stop),
            (Command("request.copy_curl", "Copy as cURL", "Ctrl+Shift+C", group="Request"), self.copy_curl),
            (Command("rows.keep", "Keep as a snapshot…", group="Request"), self.keep),
            (
                Command("rows.previous", "Look at the previous pull", group="Request"),
                self.pulls.look_at_previous,
            ),
            (Command("rows.compare", "Compare with the previous pull", group="Request"), self.pulls.compare),
            *self.asking.commands(),
        ]

    def save_state(self) -> dict[str, Any]:
        query, extra = self.head.asked()
        return {
            "query": query,
            "extra": [list(pair) for pair in extra],
            "row": self.question.chosen,
            "asked": self._asked_by_connection(),
        }

    def _asked_by_connection(self) -> dict[str, Any]:
        """Filters and order by connection: those of one say nothing of another's rows."""
        others = {k: v for k, v in self._kept_questions.items() if k != self.session.connection}
        mine = self.asking.save()
        last = list(others.items())[1 - row_state.MOST :]
        return dict(last) | ({self.session.connection: mine} if mine["filters"] or mine["sort"] else {})

    def restore_state(self, state: dict[str, Any]) -> None:
        query, extra = state.get("query"), state.get("extra")
        pairs = [(str(p[0]), str(p[1])) for p in extra if len(p) == 2] if isinstance(extra, list) else []
        self.head.set_asked(query if isinstance(query, dict) else {}, pairs)
        row = state.get("row")
        self._row_to_restore = row if isinstance(row, int) else -1
        asked = state.get("asked")
        self._kept_questions = asked if isinstance(asked, dict) else {}
        self.asking.restore(self._kept_questions.get(self.session.connection))

    _row_to_restore = -1
    _cleared = False
    _kept_questions: dict[str, Any] = {}  # noqa: RUF012 - replaced whole, never written to

    async def shutdown(self) -> None:
        if self.unfinished:
            lost = "It was stopped when its page closed. Nothing was written."
            self.context.notices.tell("caution", f"{self.resource.title} was not exported", lost)
        self._pace.stop()
        self._patience.stop()
        self.columns.keep()
        self.model.release()
        self.question.release()
        self.row_stop.release()
        self.banner.release()
        await super().shutdown()
        self.reloading.release()
        if self.pull is not None:
            self.pull.close()

    def report(self, error: BaseException) -> None:
        """A failed page is told by the banner; whatever else goes wrong goes through the one door."""
        self.context.notices.report(error)

    # ---- fetching

    def _open(self) -> None:
        """Show what is kept for these parameters; with nothing kept, fetch the first page."""
        if self.pull is not None:
            return
        self.take_pull()
        focused: QWidget | None = self.window().focusWidget()
        if focused is None or self.head.isAncestorOf(focused):
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self.stand_on(self._row_to_restore)

    def stand_on(self, row: int) -> None:
        """Be on that row of all, where it is there."""
        if 0 <= row < self.model.rowCount() and not self.model.picked:
            self.table.setCurrentIndex(self.model.index(row, 1))
            # The table has not counted its new rows yet: it cannot scroll there before the loop has turned.
            QTimer.singleShot(0, self.table, lambda: self.table.scrollTo(self.table.currentIndex()))

    async def let_go(self) -> None:
        """What is kept of this list is about to be cleared: stop, and wait until nothing is being written."""
        self.menu.rows_go()
        self.tasks.cancel(PULL)
        await self._when_quiet(_nothing)

    def cleared(self) -> None:
        """What was kept is gone: an empty table that fetches nothing until it is told to."""
        self._cleared = True
        self.take_pull(fetch=False)

    def take_pull(self, *, fetch: bool = True, which: Which = "front") -> None:
        """Show what is kept for the parameters as they stand, or the pull of that id of those that are shown."""
        self.looking = which != "front"
        query, extra = self._asked = self._asked if self.looking else self.head.asked()
        made = self.session.pull(self.listing, query, extra, which=which)
        if not self.looking:
            self.reloading.follow(made)
        if self.pull is not None:
            self.pull.close()
        self.pull = made
        self.banner.follow(self.pull)
        self._halted = False
        self.model.set_pull(self.pull)
        self.question.follow(self.pull)
        self._say_changed()
        if fetch and not self.pull.pages and self.model.state == "ready":
            self._fetch()

    def _fetch(self) -> None:
        # What the profile lacks is said over the pages: a page that only shows itself has not failed.
        if self.pull is not None and not self.looking and self.session.withheld is None:
            self.run(self.pull.more)

    def run(self, ask: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        """Do ``ask`` as the one task that fetches, in place of what is under way."""
        if self.pull is not None:
            self.tasks.start(PULL, self._when_quiet(ask))

    async def _when_quiet(self, ask: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        """A Stop takes a moment to end (a page being written): what is asked right after it waits for that."""
        for pull in filter(None, (self.pull, self.reloading.pull)):
            quiet = asyncio.Event()
            end = pull.subscribe(quiet.set)
            try:
                while pull.state == "loading":
                    quiet.clear()
                    await quiet.wait()
            finally:
                end()
        await ask()
        if self._bulk_since is not None and self.pull is not None:
            await self.pull.load_all()  # Load all was pressed while one page was on its way

    def reload(self) -> None:
        """Ask anew with the parameters as they stand. Rows that are complete stay until the new ones are, others until
        the first page is there.
        """
        if self.looking:
            self.take_pull(fetch=False)
        if self.pull is None or self.head.asked() != self._asked:
            self.menu.rows_go()
            self.tasks.cancel(PULL)
            self.take_pull()
            return
        self._halted = False
        if self.pull.settled:
            self.pulls.bring(self.reloading.begin)
            return
        self.menu.rows_go()
        self.model.expect_restart()
        self.run(self.pull.restart)

    def load_all(self) -> None:
        """Fetch page after page until the list ends, fails or is stopped; a reload that was stopped goes on."""
        pull, busy = self.pull, self.tasks.busy(PULL)
        if self.reloading.pull is not None:
            if not busy:
                self.pulls.bring(self.reloading.go_on)
            return
        if (
            pull is None
            or self.looking
            or self._bulk_since is not None
            or (self.model.state == "complete" and not busy)
        ):
            return
        if self.model.state == "stopped" and not busy:
            pull.go_past()
        self._halted = False
        self._bulk_since = (time.monotonic(), pull.rows)
        self.model.set_bulk(True)
        if not busy:
            self.run(pull.load_all)
        self._pace.start()
        self._say_primary()

    def try_again(self) -> None:
        """Ask for the page that failed once more, and for no other."""
        if self.pull is not None and not self.tasks.busy(PULL):
            self.pull.retry()
            self._fetch()

    def go_on(self) -> None:
        """Go past what made the walk stop: the user decided so."""
        if self.pull is not None and not self.tasks.busy(PULL):
            self.pull.go_past()
            self._fetch()

    def stop(self) -> None:
        """Stop fetching now. What is loaded stays; Continue goes on from there."""
        if self.tasks.busy(PULL):
            self._halted = True
            self.tasks.cancel(PULL)

    @property
    def _stoppable(self) -> bool:
        """Whether the primary button says Stop: for one page only when it takes long, or each scroll would flash it."""
        slow = not self._patience.isActive()
        return self.tasks.busy(PULL) and (self._bulk_since is not None or self.reloading.running or slow)

    def _primary(self) -> None:
        if self._stoppable:
            self.stop()
        else:
            if (
                self.reloading.pull is None
                and self.model.state == "failed"
                and self.pull is not None
                and not self.tasks.busy(PULL)
            ):
                self.pull.retry()
            self.load_all()

    def _task_changed(self, name: str, busy: bool) -> None:
        if name == EXPORT and not busy:
            self._refresh()
            self.pulls.show_new()
        if name != PULL:
            return
        if busy:
            self._patience.start()
            self._pace.start()
        else:
            self._patience.stop()
            self._pace.stop()
            self._bulk_since = None
            self.model.set_bulk(False)
        self.busy_changed.emit(busy)
        self._refresh()
        if not busy:
            # Not at once: it may have been replaced by another task, which is told of next.
            QTimer.singleShot(0, self, self.pulls.show_new)

    # ---- telling

    def _refresh(self) -> None:
        if self.pull is None:
            return
        state, rows = self.model.state, self._at_hand
        self.line.show_state(PullPhase.LOADING if self.reloading.running else state, bool(rows))
        self._say_count()
        self._say_primary()
        # First that other rows are shown, or what is wrong with them; then how a reload stands.
        self.banner.say(state, anew=self.model.restarting, other=self.pulls.said, of=self.reloading.pull)
        self.pulls.show_button()
        if rows and not self._fitted:
            self._fitted = True
            QTimer.singleShot(0, self, self.columns.fit_once)
        self._empty.setVisible(not self.model.rowCount())
        cleared = self._cleared and state == "ready" and not self.pull.pages
        self._empty.setText(
            CLEARED if cleared else self.asking.none_words() or empty_words(state, self.pull.pages)
        )
        self.export_button.setEnabled(bool(rows) or self.tasks.busy(EXPORT))
        if not self.looking:
            self.rows_changed.emit(self.resource.key, rows)
        self.status.emit(self.status_text)

    def _say_count(self) -> None:
        if self.pull is None or self.tasks.busy(EXPORT):
            return
        began, before = self._bulk_since or (0.0, 0)
        rows = self._at_hand
        said = count_words(
            self.model.state,
            rows,
            self._failing_page - 1 if self.model.state == "failed" else self.pull.pages,
            bulk=self._bulk_since is not None,
            seconds=time.monotonic() - began if began else 0.0,
            new=rows - before,
            ended=is_ended(self.pull.error),
        )
        self.count.setText(self.asking.count_words(rows) or self.reloading.count_words or said)
        self.asking.say(rows)

    def _say_primary(self) -> None:
        state = self.model.state
        ended = state == "stopped" and self.pull is not None and is_ended(self.pull.error)
        if (state == "complete" or ended) and self.head.primary_button.hasFocus() and not self._stoppable:
            # It is disabled below, and Qt would hand the keys to a parameter.
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        if self._stoppable:
            self.head.set_primary("Stop", True, "Stop fetching; what is loaded stays")
        elif self.looking:
            self.head.set_primary("Load all", False, "The previous pull is read only")
        elif self.reloading.pull is not None:
            self.head.set_primary("Continue", True, "Continue the reload after its last saved page")
        elif ended:
            self.head.set_primary(
                "Load all", False, "The service gave no cursor to continue with: Reload starts again"
            )
        elif state in ("failed", "stopped"):
            self.head.set_primary("Continue", True, "Continue after the last saved page")
        elif state == "complete":
            self.head.set_primary("Load all", False, "All rows of this list are loaded")
        elif self._halted:
            self.head.set_primary("Continue", True, "Continue after the last saved page")
        else:
            self.head.set_primary("Load all", True, "Fetch page after page to the end of the list")

    def _say_changed(self) -> None:
        differs = self._asked is not None and self.head.asked() != self._asked
        self.hint.setText("Parameters changed: Reload uses them" if differs else "")

    def _choose(self, row: int) -> None:
        if self.pull is None or not 0 <= row < self.model.rowCount():
            self.record_chosen.emit(None)
            return
        raw, number = self.model.raw(row), self.model.number(row)
        view = RecordView(
            raw, self.resource, number, self._page_at(number), self.columns.reading, *sample_of(self.pull)
        )
        self.record_chosen.emit(view)

    def _page_at(self, row: int) -> PageInfo | None:
        try:
            return self.pull.page_at(row) if self.pull is not None else None
        except (ExplorerError, IndexError):
            return None

    def _choose_again(self) -> None:
        self._choose(self.table.currentIndex().row())

    def _go_to_row(self, row: int) -> None:
        place = self.question.place_of(row)
        if place < 0 and self.model.picked:
            self.hint.setText(f"Row {row + 1:,} is not among the rows shown")
        elif place >= 0:
            index = self.model.index(place, 1)
            self.table.setCurrentIndex(index)
            self.table.scrollTo(index, self.table.ScrollHint.PositionAtTop)
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_place(self, row: int | None = None, page: int | None = None) -> None:
        """Go to a row of the whole list or to the first of a page, both counted from 1; what lacks is fetched."""
        if self.looking:
            self.pulls.look_at_newest()
        if self.head.asked() != ({}, ()):
            self.head.set_asked({}, [])
            self.reload()
        self._open()
        self.run(lambda: self._reach(row, page))

    async def _reach(self, row: int | None, page: int | None) -> None:
        pull = self.pull
        while pull is not None and pull.state == "ready" and not is_at_hand(pull, row, page):
            await pull.more()
        place = row_of(pull, row, page) if pull is not None else None
        if place is None:
            self.hint.setText(f"{f'Row {row:,}' if row else f'Page {page}'} was not loaded this time")
        else:
            QTimer.singleShot(0, self, lambda: self._go_to_row(place))

    def keep(self) -> None:
        """Keep the rows at hand under a name, on the page of snapshots."""
        elsewhere = self.context.elsewhere
        page = elsewhere.open_page(SNAPSHOTS.key) if elsewhere is not None else None
        keep_list = getattr(page, "keep_list", None)
        if keep_list is not None:
            keep_list(self.listing.key)

    def copy_curl(self) -> None:
        """The last call of this list as a cURL command, its key as the name of a variable."""
        calls = [e for e in self.session.exchanges.all() if e.operation == self.listing.key]
        if calls:
            QGuiApplication.clipboard().setText(as_curl(calls[-1]))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.table.viewport() and event.type() == QEvent.Type.Resize:
            self._empty.setGeometry(self.table.viewport().rect().adjusted(16, 0, -16, 0))
        return super().eventFilter(watched, event)


async def _nothing() -> None:
    """To wait for quiet alone."""
