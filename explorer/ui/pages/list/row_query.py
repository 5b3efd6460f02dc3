"""A query over the loaded rows (find, filters, order), and its result in the table.

Nothing is requested from the service. A new query cancels the one before; rows that arrive later are not in a result
until the query is run again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QObject, Qt, QTimer, Signal

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.session import Query, Superseded
from explorer.ui.kit.tasks import LateTasks, Tasks
from explorer.ui.pages.list.list_facts import QueryFacts
from explorer.ui.pages.list.list_state import result_words
from explorer.ui.pages.list.sought import lost_words, row_of
from explorer.ui.records.records import RecordsModel
from explorer.ui.records.records_table import RecordsTable
from explorer.work import in_thread

if TYPE_CHECKING:
    from explorer.session import Pull, QueryResult, Summary

ASK = "question"
_PIECE = 100
"""Rows of a sample that are read together, as they lie together on a page."""
_SAY_MS = 150
"""Milliseconds between two updates of the words, as pages may arrive much faster than those can be read."""


class RowQuery(QObject):
    """Puts the result of a query into ``model``, and keeps the user on the record that was chosen."""

    changed = Signal()
    """What is to be said changed: rows found, rows that arrived later, a fault."""
    lost = Signal(str)
    """Says that the record that the user was on is not among the rows; empty once another one is chosen."""

    def __init__(self, model: RecordsModel, table: RecordsTable, tasks: Tasks) -> None:
        super().__init__(table)
        self.question = Query()
        self.view: QueryResult | None = None
        self.fault = ""
        """Why the query could not be answered, in a sentence; else empty."""
        self.stopped = False
        """The last query was stopped before it ended."""
        self._model, self._table, self._tasks = model, table, tasks
        self._pull: Pull | None = None
        self._ends: list[Callable[[], None]] = []
        self.chosen = -1
        """The row of the pull that the user is on, or was on before a result left it out; -1 for none."""
        self._chosen_id = ""
        """The id of its record; empty where that has none."""
        self._left: tuple[int, str] | None = None
        self._sought = ""
        """The id of the record to be found and selected before the next query runs, as a query ends the one before."""
        self._lost = False
        self._soon = QTimer(self, singleShot=True, interval=_SAY_MS)
        self._soon.timeout.connect(self.changed)
        table.row_chosen.connect(self._row_chosen)
        model.replaced.connect(lambda: self.stand_on(*self.place))

    # ---- asking

    def follow(self, pull: Pull) -> None:
        """Run the present query over another pull, or over one that was restarted."""
        self.release()
        self._pull, self.chosen, self._chosen_id, self._sought = pull, -1, "", ""
        self._ends = [pull.subscribe(self._pull_told)]
        self.view = None
        self._model.set_view(None)
        self.ask_again()

    def ask(self, question: Query) -> None:
        """Run a query and show its result; an empty query shows all rows."""
        if question != self.question:
            self.question = question
            self.ask_again()

    async def summary(self, column: str) -> Summary:
        """Summarise ``column`` over the rows shown, once all are found. Raises StoreFault, Superseded."""
        pull, view = self._pull, self.view
        if pull is None or not pull.rows:
            raise Superseded("There are no rows.")
        if view is None:
            view = await pull.view(Query())
        if view.state == "building":
            await view.done()
        return await view.summary(column)

    async def sampled(
        self, ranges: Sequence[tuple[int, int]], most: int
    ) -> AsyncIterator[tuple[list[int], list[bytes]]]:
        """Up to ``most`` of the rows shown, from everywhere among them, in pieces: their numbers and records.

        Each record has the raw data of its page's envelope as a last field, where the list has it there. ``ranges``:
        only among these places, [start, stop); none for all. Raises StoreFault, Superseded.
        """
        pull = self._pull
        if pull is None:
            return
        view = self.view or await pull.view(Query())
        if view.state == "building":
            await view.done()
        wanted = ranges or [(0, view.rows)]
        pieces = [(at, min(at + _PIECE, stop)) for start, stop in wanted for at in range(start, stop, _PIECE)]
        step = -(-sum(stop - start for start, stop in pieces) // most) or 1
        for start, stop in pieces[::step]:
            places = range(start, min(stop, view.rows))
            numbers, records = [view.row(place) for place in places], await view.records(places)
            if pull.listing.envelope.raw:
                records = await in_thread(pull.with_raw, numbers, records)
            yield numbers, records

    def raw(self, number: int) -> bytes:
        """The pull's row ``number`` as received; empty when it is gone or cannot be read, which the page reports."""
        try:
            return next(iter(self._pull.window(number, number + 1)), b"") if self._pull is not None else b""
        except ExplorerError:
            return b""

    def over(self) -> str:
        """The rows that a summary is over, in words: ``12 match, of 1,200 loaded``."""
        if self.view is not None and self.view.question.picks:
            return result_words(self.view)
        rows = self.view.total if self.view is not None else self._pull.rows if self._pull is not None else 0
        return f"{words.count(rows, 'row')} loaded"

    @property
    def going_on(self) -> bool:
        """Whether the query is still running."""
        return self._tasks.busy(ASK) or (self.view is not None and self.view.state == "building")

    def facts(self, running: LateTasks) -> QueryFacts:
        """The facts about the query for `state_of`; ``running`` knows for how long it has been running."""
        late = running.late(ASK)
        return QueryFacts(
            self.view,
            self.unanswered,
            self.fault,
            late,
            running.seconds(ASK) if late and self._tasks.busy(ASK) else None,
            self.stopped,
            self.question.unfit,
            self.question.observed,
        )

    @property
    def unanswered(self) -> bool:
        """Whether the table still shows the result of the query before."""
        now = self.question
        return self.view.question != now if self.view is not None else bool(now.picks or now.sort)

    def stop(self) -> None:
        """Stop the query: what it found stays; if it found nothing yet, the result of the query before stays."""
        self.stopped = True
        if self._tasks.busy(ASK):
            self._tasks.cancel(ASK)
        elif self.view is not None:
            self.view.cancel()
        self.changed.emit()

    def release(self) -> None:
        """Stop the query and end the subscription to the pull."""
        self._tasks.cancel(ASK)
        self._soon.stop()
        while self._ends:
            self._ends.pop()()

    def ask_again(self) -> None:
        """Run the query again, over all rows that are loaded by now."""
        self.fault, self.stopped = "", False
        if self._pull is None or not (self.question.picks or self.question.sort):
            self._tasks.cancel(ASK)
            self._show(None)
            if self._pull is not None and self._sought:
                self._tasks.start(ASK, self._answer(self._pull, None))
        else:
            self._tasks.start(ASK, self._answer(self._pull, self.question))

    async def _answer(self, pull: Pull, question: Query | None) -> None:
        """Select the record that is sought, then show the rows that ``question`` asks for; None: all are shown."""
        try:
            await self._seek(pull)
            if question is None:
                return
            view = await pull.view(question)
        except Superseded:
            return
        except ExplorerError as error:
            self.fault = error.sentence
            self.changed.emit()
            return
        self._show(view)

    # ---- showing

    def _show(self, view: QueryResult | None) -> None:
        pull, before = self._pull, self.view
        if pull is None or (view is None and before is None):
            self.changed.emit()
            return
        self.view = view
        del self._ends[1:]
        self._model.set_view(view)
        if view is not None:
            self._ends.append(view.subscribe(self._view_told))
        self._choose_again()
        if view is not None and view.question.sort != (before.question.sort if before else ()):
            self._table.scrollToTop()
        self.changed.emit()

    def _view_told(self) -> None:
        view = self.view
        if view is None:
            return
        if view.state == "building":
            if not self._soon.isActive():
                self._soon.start()
            return
        if view.error is not None:
            self.fault = view.error.sentence
        self._model.sync()
        if not self._table.currentIndex().isValid():
            self._choose_again()
        self.changed.emit()

    def _pull_told(self) -> None:
        """More rows arrived, or the pull was restarted: then the rows of a result are no longer stored."""
        view, pull = self.view, self._pull
        if pull is None or not (self.question.picks or self.question.sort):
            return
        if view is not None and pull.stored_id != view.pull_id:
            place = self.place
            self.follow(pull)
            self.stand_on(*place)
        elif not self._soon.isActive():
            self._soon.start()

    # ---- the chosen record

    def _row_chosen(self, row: int) -> None:
        if row >= 0:
            self._sought = ""  # the user chose another, or it was found
            if self._lost:
                self._lost = False
                self.lost.emit("")
            self.chosen, self._chosen_id = self._model.number(row), self._model.ident(row)

    def place_of(self, number: int) -> int:
        """The table's row that shows the pull's row ``number``; -1 when none does."""
        place = self.view.place(number) if self.view is not None else number
        return place if place < self._model.rowCount() else -1

    def _choose_again(self) -> None:
        place = self.place_of(self.chosen)
        if place >= 0:
            self.go_to(place)

    def go_to(self, place: int) -> None:
        """Select the table's row ``place``; the keyboard focus stays where it is."""
        column = max(self._table.currentIndex().column(), 1)
        while self._table.isColumnHidden(column) and column < self._model.columnCount() - 1:
            column += 1
        flags = QItemSelectionModel.SelectionFlag
        index = self._model.index(place, column)
        self._table.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    @property
    def place(self) -> tuple[int, str]:
        """The row that the user is on, -1 for none, and its record's id; before `stand_where_left` as it was left."""
        return self._left or (self.chosen, self._chosen_id)

    def leave_at(self, place: tuple[int, str]) -> None:
        """The user was there when the list was last shown."""
        self._left = place

    def stand_where_left(self) -> None:
        """Select the record of `leave_at`."""
        place, self._left = self._left, None
        if place is not None:
            self.stand_on(*place)

    def stand_on(self, row: int, ident: str) -> None:
        """Select the record with the id ``ident``, which stood in the pull's row ``row``, where it stands now.

        One that has no id is the row's. What is not there is said by `lost`, and nothing is selected.
        """
        pull = self._pull
        if (row < 0 and not ident) or pull is None or not pull.rows:
            return
        shows_all = not self._model.shows_result
        if not ident or (shows_all and self._model.ident(row) == ident):
            self._stand(row)
        else:
            self.chosen, self._chosen_id, self._sought = -1, ident, ident
            self.ask_again()

    async def _seek(self, pull: Pull) -> None:
        """Select the record that is sought. Raises StoreFault, Superseded."""
        ident = self._sought
        row = await row_of(pull, ident) if ident else None
        if not ident or ident != self._sought:
            return
        self._sought = ""
        if row is not None:
            self._stand(row)
        else:
            self._chosen_id, self._lost = "", True
            self._table.row_chosen.emit(-1)
            self.lost.emit(lost_words(pull, ident))

    def _stand(self, row: int) -> None:
        self.chosen = row
        place = self.place_of(row)
        if place >= 0:
            self.go_to(place)
            # The table has not counted its new rows yet: it cannot scroll there before the loop has turned.
            QTimer.singleShot(0, self._table, lambda: self._table.scrollTo(self._table.currentIndex()))

    def show_row(self, row: int, field: str = "") -> bool:
        """Select the pull's row ``row`` at the top of the table, with the keyboard focus; whether the table has it.

        ``field``: the column that comes into sight, unless it is hidden.
        """
        place = self.place_of(row)
        if place >= 0:
            wanted = next((at for at, one in enumerate(self._model.columns, 1) if one.field == field), 1)
            index = self._model.index(place, 1 if self._table.isColumnHidden(wanted) else wanted)
            self._table.setCurrentIndex(index)
            self._table.scrollTo(index, self._table.ScrollHint.PositionAtTop)
            self._table.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.chosen, self._chosen_id = row, ""  # until it is shown again
        return place >= 0

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) match; after the last comes the first."""
        rows, at = self._model.rowCount(), self._table.currentIndex().row()
        if rows:
            self.go_to((at + by) % rows if at >= 0 else (0 if by > 0 else rows - 1))
