"""The rows of a table of records that the user has chosen, as the inspector shows them: one, or a few side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.api.errors import ExplorerError
from explorer.catalog.spec import Resource
from explorer.ui.records.columns import ColumnChoice
from explorer.ui.records.record_view import RecordView, sample_of
from explorer.ui.records.records import RecordsModel, Rows
from explorer.ui.records.records_table import RecordsTable

if TYPE_CHECKING:
    from explorer.session import PageInfo

_COMPARED = 5
"""Chosen rows that are compared in the inspector at most: of more the one that the user is on is shown."""


class ChosenRows(QObject):
    """Follows what is chosen in a table of records."""

    changed = Signal(object)
    """The `RecordView` to show, or None for no record."""

    def __init__(
        self,
        resource: Resource,
        table: RecordsTable,
        model: RecordsModel,
        columns: ColumnChoice,
        rows: Callable[[], Rows | None],
        joined: Callable[[Sequence[int], Sequence[bytes]], list[bytes]] | None = None,
    ) -> None:
        """``rows`` returns the rows that the table shows, such as a pull; ``joined`` is that of `sample_of`."""
        super().__init__(table)
        self._resource, self._table, self._model = resource, table, model
        self._columns, self._rows, self._joined = columns, rows, joined
        self._compared: tuple[int, ...] = ()
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._compare)
        table.row_chosen.connect(self.choose)
        table.selectionModel().selectionChanged.connect(lambda *_: self._soon.start())
        columns.reading_changed.connect(self.again)

    def choose(self, row: int, explain: str = "") -> None:
        """Show the record in that row of the table; with ``explain`` say why that field of it does not fit."""
        model, rows = self._model, self._rows()
        if rows is None or not 0 <= row < model.rowCount():
            self.changed.emit(None)
            return
        self._show(rows, model.raw(row), model.number(row), explain)

    def show_hidden(self, number: int) -> None:
        """Show the record of the pull's row ``number``, which the table leaves out; no row of it is chosen then."""
        rows = self._rows()
        self._table.selectionModel().clear()
        if rows is not None:
            self._show(rows, rows.window(number, number + 1)[0], number)

    def _show(self, rows: Rows, raw: bytes, number: int, explain: str = "") -> None:
        model, reading = self._model, self._columns.reading
        sample = sample_of(rows, self._joined)
        view = RecordView(raw, self._resource, number, _page_at(rows, number), reading, *sample, explain)
        if self._joined is not None:
            with suppress(ExplorerError, IndexError):
                view = replace(view, joined=self._joined((number,), (raw,))[0])
        self._compared = () if explain else self._several()
        if self._compared:
            among = ((model.raw(place), model.number(place)) for place in self._compared)
            views = (RecordView(one, self._resource, at, reading=reading) for one, at in among)
            view = replace(view, among=tuple(views))
        self.changed.emit(view)

    def again(self) -> None:
        """Show the record in the row that the user is on, as it is now."""
        self.choose(self._table.currentIndex().row())

    def _several(self) -> tuple[int, ...]:
        """The rows of the table that are chosen, where they are several and few enough to be compared; else none."""
        if not 1 < self._table.selected_count() <= _COMPARED:
            return ()
        return tuple(row for start, stop in self._table.ranges() for row in range(start, stop))

    def _compare(self) -> None:
        if self._several() != self._compared:
            self.again()


def _page_at(rows: Rows, row: int) -> PageInfo | None:
    try:
        return rows.page_at(row)
    except (ExplorerError, IndexError):
        return None
