"""The page of a list: the request's parameters at the top, below them find, filters and progress, then the rows.

Only four things fetch: opening the page when nothing is stored, scrolling to the end, Reload and Load all (or what the
banner offers). Everything else works on the loaded rows. What is shown and allowed at any moment is one value, made by
`list_state`; this page gathers the facts for it and paints it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from explorer.api.exchanges import as_curl
from explorer.catalog.builtin.connect import MAGIC_LINK
from explorer.catalog.request import lacking
from explorer.catalog.spec import Resource
from explorer.ui.handover import HAND_OVER, hand_over_rows
from explorer.ui.kit.actions import Command
from explorer.ui.kit.clipboard import CURL, copy_curl
from explorer.ui.kit.layout import column
from explorer.ui.kit.plain import visible
from explorer.ui.kit.tasks import LateTasks
from explorer.ui.own_pages import SNAPSHOTS
from explorer.ui.page import FoundIn, Page, PageContext
from explorer.ui.pages.list.filters import among_words
from explorer.ui.pages.list.list_facts import ListFacts
from explorer.ui.pages.list.list_head import ChangesSince, ListHead, ParentIds
from explorer.ui.pages.list.list_pulls import NONE, PULL, ListPulls
from explorer.ui.pages.list.list_state import CLEARED, RESTORED, ListState, state_of
from explorer.ui.pages.list.list_tools import ListTools
from explorer.ui.pages.list.pull_banner import PullBanner
from explorer.ui.pages.list.query_controls import QueryControls
from explorer.ui.pages.list.row_query import ASK, RowQuery
from explorer.ui.pages.list.row_state import of_connection, parameters_of, with_connection
from explorer.ui.pages.list.sought import Sought, row_of, run_after
from explorer.ui.records.chosen_rows import ChosenRows
from explorer.ui.records.columns import ColumnChoice
from explorer.ui.records.records import RecordsModel
from explorer.ui.records.records_table import RecordsTable
from explorer.ui.records.row_export import EXPORT
from explorer.ui.records.row_menu import COPY, RowMenu

if TYPE_CHECKING:
    from explorer.session import Pull

_PATIENCE_MS = {PULL: 400, ASK: 300, EXPORT: 300, COPY: 300}
"""Milliseconds before work is shown and can be stopped: what ends sooner would only flicker."""
_INSPECTOR = "view.inspector"


class ListPage(Page):
    """The page of one list: a table over one of its pulls, which fetches pages as it is scrolled."""

    def __init__(self, resource: Resource, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(resource, context, parent)
        listing = resource.listing
        if listing is None:
            raise ValueError(f"{resource.key} has no list")
        self.listing = listing
        self._painted: ListState | None = None
        self._fitted, self._waits = False, ""
        self._counts = True
        """Whether the rows that are shown are those that count for the list."""
        self._sought: Sought | None = None
        self._kept_questions: Any = None
        """What was asked on each connection, as `save_state` gave it."""
        self.head = ListHead(resource, listing)
        self.model = RecordsModel(resource.columns, self._fetch, record=resource.record, parent=self)
        self.table = RecordsTable(self.model)
        self.table.setAccessibleName(f"{resource.title}: loaded rows")
        self.columns = ColumnChoice(resource.key, self.model, self.table, context.settings)
        self.chosen = ChosenRows(
            resource, self.table, self.model, self.columns, lambda: self.pull, self._joined
        )
        self.menu = RowMenu(self)
        self.banner = PullBanner(resource.title, context.session, self.table)
        self.tools = ListTools(resource, self.columns, self.menu)
        self.pulls = ListPulls(
            self.session, listing, self.head, self.model, self.tasks, self._state, self.table.rows_in_sight
        )
        self.reloading = self.pulls.beside
        self.parent_ids = ParentIds(self.session, listing, self.head.strip.value)
        self.since = ChangesSince(self.head, self.session, self.tasks)
        self.question = RowQuery(self.model, self.table, self.tasks)
        self.asking = QueryControls(self.question, self.tools, self.table, self.columns, self.tasks, resource)
        self.late = LateTasks(self.tasks, _PATIENCE_MS, self._still, self)
        self._end_found = context.found.listeners.subscribe(self._mark_found)
        self.menu.more = self._fill_menu
        self.menu.exports.keep = self.keep
        self._build()
        self._wire()

    def _build(self) -> None:
        self.line, self.count, self.hint = self.tools.line, self.tools.count, self.tools.hint
        self.export_button = self.tools.export_button
        column(self.head, self.tools, self.banner, (self.table, 1), of=self)

    def _wire(self) -> None:
        pulls = self.pulls
        self.head.reload.connect(pulls.reload)
        self.head.primary.connect(pulls.press_primary)
        self.head.since.clicked.connect(lambda _: self._show_other() if self.since.other else self.compare())
        self.head.changed.connect(self._say_changed)
        self.head.offer_ids(self.parent_ids.of, self.parent_ids.title)
        self.banner.wanted.connect(self._act)
        self.banner.row_wanted.connect(self._go_to_row)
        if self.context.elsewhere is not None:
            self.banner.profile_wanted.connect(self.context.elsewhere.edit_profile)
        self.asking.row_wanted.connect(self._go_to_row)
        self.tools.stop.connect(self._stop_what_is_named)
        self.tools.previous.connect(pulls.look_at_previous)
        self.tools.compare.connect(self.compare)
        self.tools.found_wanted.connect(self._only_found)
        pulls.followed.connect(self._follow)
        pulls.rows_going.connect(self.menu.rows_go)
        pulls.hinted.connect(self.hint.setText)
        for told in (pulls.changed, self.model.changed, self.question.changed, self.late.changed):
            told.connect(self._refresh)
        self.late.changed.connect(self.asking.mark)
        self.table.explain_wanted.connect(self._explain)
        self.table.opened.connect(self._show_inspector)
        self.chosen.changed.connect(self.record_chosen)
        self.question.lost.connect(self.hint.setText)
        self.tasks.changed.connect(self._task_changed)

    # ---- the window's side

    def body(self) -> QWidget:
        return self.table

    @property
    def pull(self) -> Pull | None:
        """The pull that is shown."""
        return self.pulls.pull

    @property
    def status_text(self) -> str:
        return self._state().status if self.pull is not None else ""

    def shown_pulls(self) -> set[int]:
        """Ids of the pulls that are shown or being fetched: they must not be removed from the store."""
        return self.pulls.shown()

    @property
    def unfinished(self) -> str:
        return self.menu.exports.unfinished

    def activated(self) -> None:
        self.pulls.look_again()
        self.chosen.again()
        self.status.emit(self.status_text)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.pull is None:
            QTimer.singleShot(0, self, self._open)

    def commands(self) -> list[tuple[Command, Callable[[], object]]]:
        said: tuple[tuple[str, str, str, Callable[[], object]], ...] = (
            ("request.reload", "Reload", "F5; Ctrl+R", self.reload),
            ("request.load_all", "Load all", "Ctrl+Shift+L", self.load_all),
            ("request.stop", "Stop", "Ctrl+.", self.stop),
            ("request.copy_curl", "Copy as cURL", "Ctrl+Shift+C", self.copy_curl),
            ("rows.keep", "Keep as a snapshot…", "", self.keep),
            ("rows.previous", "Look at the previous pull", "", self.pulls.look_at_previous),
            ("rows.compare", "Compare with the previous pull", "", self.compare),
            ("request.beside", "Open side by side", "", self.open_beside),
        )
        made = [(Command(name, text, keys, group="Request"), run) for name, text, keys, run in said]
        return [*made, (HAND_OVER, self.hand_over), *self.asking.commands()]

    def save_state(self) -> dict[str, Any]:
        query, extra = self.head.asked()
        mine = self.asking.save() | {"query": query, "extra": [list(pair) for pair in extra]}
        asked = with_connection(self._kept_questions, self.session.connection, mine)
        return {"asked": asked}

    def restore_state(self, state: dict[str, Any]) -> None:
        self._kept_questions = state.get("asked")
        mine = of_connection(self._kept_questions, self.session.connection)
        self.head.set_asked(*parameters_of(mine))
        self.asking.restore(mine)

    async def shutdown(self) -> None:
        if self.unfinished:
            lost = "It was stopped when its page closed. Nothing was written."
            self.context.notices.tell("caution", f"{self.resource.title} was not exported", lost)
        self.late.release()
        self._end_found()
        self.columns.keep()
        self.model.release()
        self.question.release()
        self.banner.noted.release()
        await super().shutdown()
        self.pulls.release()

    # ---- what is done

    def _open(self) -> None:
        """Show what is stored for these parameters; with nothing stored, fetch the first page.

        Nothing is fetched where the user had chosen the page for another connection.
        """
        if self.pull is not None:
            return
        self._waits = RESTORED if self.restored else ""
        self.pulls.take(fetch=not self.restored)
        focused: QWidget | None = self.window().focusWidget()
        if focused is None or self.head.isAncestorOf(focused):
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self.question.stand_where_left()

    def ask_again(self) -> None:
        """The user chose the list again: fetch its first page where nothing is stored."""
        super().ask_again()
        self._waits = ""
        if self.pull is not None and not self.pull.pages:
            self.pulls.take()

    def _fetch(self) -> None:
        """The table was scrolled to its end."""
        self.pulls.fetch()

    def reload(self) -> None:
        """Fetch the list again, with the parameters as they are now."""
        self.pulls.reload()

    def load_all(self) -> None:
        """Fetch page after page until the list ends, fails or is stopped; a stopped reload is continued."""
        self.pulls.load_all()

    def load_or_reload(self) -> None:
        """Fetch what is left of the list, or all of it again where it is complete."""
        self._open()
        if self.pull is not None and self.pull.state == "complete":
            self.reload()
        else:
            self.load_all()

    def stop(self) -> None:
        """Stop fetching. What is loaded stays, and Continue fetches the rest."""
        self.pulls.stop()

    async def let_go(self) -> None:
        """The stored rows of this list are about to be cleared: stop, and wait until nothing is being written."""
        await self.pulls.let_go()

    def cleared(self) -> None:
        """The stored rows were cleared: show an empty table, which fetches nothing until the user asks."""
        self._waits = CLEARED
        self.pulls.take(fetch=False)

    def _act(self, act: Any, of_reload: bool) -> None:
        if act == "compare":
            self.compare()
        elif act == "reload":
            self.reload()
        elif act == "reconnect":
            self._on_page(MAGIC_LINK.key, "reconnect", self.session.connection)
        else:
            self.pulls.act(act, of_reload=of_reload)

    def _stop_what_is_named(self) -> None:
        """Stop what the link in the tools names: an export, copying or a query."""
        named = self._painted.stop if self._painted is not None else ""
        if named == "export":
            self.menu.exports.stop()
        elif named == "copying":
            self.menu.stop_copying()
        else:
            self.asking.stop()

    def keep(self) -> None:
        """Open the page of snapshots to keep the loaded rows under a name."""
        self._on_page(SNAPSHOTS.key, "keep_list", self.listing.key)

    def compare(self) -> None:
        """Open the page of snapshots to compare the newest pull with the previous one."""
        if self.pull is None or self.pull.standing.previous is None:
            self.hint.setText(NONE)
        else:
            self._on_page(SNAPSHOTS.key, "compare_with_previous", self.pull.key)

    def _show_other(self) -> None:
        """Show the pull with other parameters that the head names."""
        other = self.since.other
        if other is not None:
            self.head.set_asked(*other.key.asked)
            self.pulls.take(fetch=False)

    def open_beside(self) -> None:
        """Open the page of snapshots to show these rows side by side with another state of the list."""
        if self.pull is not None:
            self._on_page(SNAPSHOTS.key, "open_beside", self.pull.key)

    def _on_page(self, key: str, what: str, of: object) -> None:
        """Open another page and have it do something, where there is such a page."""
        elsewhere = self.context.elsewhere
        page = elsewhere.open_page(key) if elsewhere is not None else None
        run = getattr(page, what, None)
        if run is not None:
            run(of)

    def copy_curl(self) -> None:
        """Copy the call that brought the chosen row, else the list's last one, with a variable in place of the key."""
        at = self.table.currentIndex()
        call, which = self.pulls.call_of(self.model.number(at.row()) if at.isValid() else -1)
        if call is not None:
            copy_curl(as_curl(call), f"{CURL} of {which}")

    def _fill_menu(self, menu: QMenu) -> None:
        self.asking.fill(menu)
        menu.addSeparator()
        menu.addAction("Open beside…", self.open_beside)
        menu.addAction(HAND_OVER.text, self.hand_over)

    def hand_over(self) -> None:
        """Show the selected rows as the text of an issue."""
        count = self.table.selected_count()
        if count and self.pull is not None:
            meant = "" if self.asking.field == "id" else self.asking.field
            given = (self.pull, self.context, self, meant, among_words(self.question.question))
            rows = hand_over_rows(self.table.selected_raws(), count, *given)
            self.tasks.start("hand over", rows)

    # ---- state

    def _follow(self, stay: bool) -> None:
        """Show another pull."""
        pulls, pull, place = self.pulls, self.pull, self.question.place
        if pull is not None:
            self._painted = None
            self._counts = self.session.counts(pull.key)
            self.banner.noted.follow(pull)
            self.model.set_pull(pull)
            self._mark_found()
            self.question.follow(pull)
            self.since.look(pull)
            self._say_changed()
            if stay and self._sought is not None:
                sought = self._sought
                self._sought = sought if run_after(pull, self.context.found, sought) else None
                pulls.run(partial(self._reach, sought))
            elif stay:
                self.question.stand_on(*place)

    def _mark_found(self) -> None:
        """Mark the rows that a run's findings name, while they are those of the run's time."""
        info = self.pull.info if self.pull is not None else None
        self.model.set_found(
            self.context.found.of(self.resource.key, info.started_at) if info is not None else {}
        )
        if self._painted is not None:
            self._refresh()

    def _found_here(self) -> FoundIn | None:
        info = self.pull.info if self.pull is not None else None
        return self.context.found.told(self.resource.key, info.started_at) if info is not None else None

    def _only_found(self, only: bool) -> None:
        found = self._found_here()
        self.asking.only("id", found.ids if found is not None and only else ())

    def _task_changed(self, name: str, busy: bool) -> None:
        if name == PULL and not busy:
            self._mark_found()
            self._counts = self.pull is None or self.session.counts(self.pull.key)
        if name == PULL:
            self.busy_changed.emit(busy)
        if name in (PULL, EXPORT):
            self._refresh()

    def _still(self, task: str) -> bool:
        return self.question.going_on if task == ASK else self.tasks.busy(task)

    def _state(self) -> ListState:
        """The state of the page now. Raises RuntimeError while no pull is shown."""
        return state_of(self._facts())

    def _facts(self) -> ListFacts:
        pulls, pull, late, failed_call = self.pulls, self.pull, self.late.late, self.banner.failed_call
        if pull is None:
            raise RuntimeError("there is no pull yet")
        noted = self.banner.noted
        return ListFacts(
            pull,
            self.model.state,
            shown=self.model.rowCount(),
            shows_result=self.model.shows_result,
            anew=self.model.restarting,
            waits=self._waits,
            previous_shown=pulls.previous_shown,
            call=failed_call(pull),
            notes=noted.last.notes if noted.last is not None else (),
            noted=len(noted.pages),
            noted_at=noted.last.number if noted.last is not None else 0,
            reload=self.reloading.facts(failed_call),
            query=self.question.facts(self.late),
            differs=pulls.differs,
            busy=self.tasks.busy(PULL),
            slow=late(PULL),
            halted=pulls.halted,
            lacks=self.head.lacks,
            unasked=pulls.unasked,
            bulk=pulls.bulk,
            exporting=self.tasks.busy(EXPORT),
            run_at=run_after(pull, self.context.found, self._sought),
            reconnects=any(one.key == MAGIC_LINK.key for one in self.session.registry.resources()),
            found=self._found_here(),
            found_only=self.asking.shows_only("id"),
            late=frozenset(said for name, said in ((EXPORT, "export"), (COPY, "copying")) if late(name)),
        )

    def _refresh(self) -> None:
        """Paint the present state."""
        if self.pull is None:
            return
        state = self._state()
        if state != self._painted:
            self._painted = state
            if not state.primary.enabled and self.head.primary_button.hasFocus():
                # Qt would move the focus of a disabled button to a parameter.
                self.table.setFocus(Qt.FocusReason.OtherFocusReason)
            self.head.show_primary(state.primary)
            self.head.show_reload(state.needs)
            self.tools.show_state(state)
            self.banner.say(state.banner, self._spoken_of(state))
            self.table.say_empty(state.empty)
        if state.any_rows and not self._fitted:
            self._fitted = True
            QTimer.singleShot(0, self, self.columns.fit_once)
        if not self.pulls.previous_shown and self._counts:
            self.rows_changed.emit(self.resource.key, state.rows)
        self.status.emit(state.status)

    def _spoken_of(self, state: ListState) -> Pull | None:
        return self.reloading.pull if state.banner is not None and state.banner.of_reload else self.pull

    def _say_changed(self) -> None:
        changed = self.pulls.differs and not self.head.lacks
        self.hint.setText("Parameters changed: Reload uses them" if changed else "")
        self._refresh()

    # ---- the row that the user is on

    def _explain(self, row: int, field: str) -> None:
        """Have the inspector say why the value of that field does not fit."""
        self.table.setCurrentIndex(self.model.index(row, self.table.currentIndex().column()))
        self._show_inspector()
        self.chosen.choose(row, field)

    def _show_inspector(self) -> None:
        """Open the inspector beside the rows, where it is closed."""
        commands = self.context.commands
        if any(known.id == _INSPECTOR for known in commands) and not commands.action(_INSPECTOR).isChecked():
            commands.run(_INSPECTOR)

    def _joined(self, rows: Sequence[int], records: Sequence[bytes]) -> list[bytes]:
        return self.pull.with_raw(rows, records) if self.pull is not None else list(records)

    def _go_to_row(self, row: int, field: str = "") -> None:
        if not self.question.show_row(row, field) and self.model.shows_result:
            self.chosen.show_hidden(row)
            self.asking.hint_of_rows(f"Row {row + 1:,} is not among the rows shown; the inspector shows it")

    def show_unfit(self) -> None:
        """Show only the records that do not fit the contract."""
        self.question.ask(replace(self.question.question, unfit=True, observed=False))

    def show_only(self, ids: Sequence[str]) -> None:
        """Show only the records with these ids."""
        self.asking.only("id", ids)

    def show_place(self, row: int | None = None, page: int | None = None, **found: Any) -> None:
        """Go to a row of the list, or to the first row of a page, both counted from 1; missing pages are fetched."""
        if self.pulls.previous_shown:
            self.pulls.look_at_newest()
        query, extra = self.head.asked()
        needed = {name: query[name] for name in lacking(self.listing, {}) if name in query}
        if (query, extra) != (needed, ()):
            self.head.set_asked(needed, [])
            self.pulls.reload()
        self._open()
        self.asking.only("id", ())
        self._sought = Sought(row, page, **found)
        self.pulls.run(partial(self._reach, self._sought))
        self._refresh()

    async def _reach(self, sought: Sought) -> None:
        place, pull = await self.pulls.reach(sought.row, sought.page), self.pull
        if sought.ident and pull is not None and "id" in self.listing.record.model_fields:
            place = await row_of(pull, sought.ident)
        if place is None:
            self.hint.setText(f"{visible(sought.words)} was not loaded this time")
        else:
            QTimer.singleShot(0, self, lambda: self._go_to_row(place, sought.column))
