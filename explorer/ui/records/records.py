"""The Qt model of a list's rows: a window onto a pull, and the pull's state.

The model holds no records: it reads the bytes of the rows that are being painted and caches a bounded number of them
as cells. It fetches only when the user scrolls to the end (`scrolled_to_end`); sorting, fitting, resizing and jumping
to the end do not. The result of a find, filter or sort (`set_view`) takes the place of the pull's own rows; the state
remains the pull's, and scrolling fetches nothing then.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import (
    QAbstractTableModel,
    QElapsedTimer,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from explorer.api.errors import ExplorerError
from explorer.catalog.spec import Column
from explorer.session import PullPhase
from explorer.ui.kit.plain import tooltip
from explorer.ui.records.cells import Cell, Reading, Row, row_of, tooltip_text
from explorer.ui.records.misfits import Misfit, UnfitPages, marked, misfit_in

if TYPE_CHECKING:
    from pydantic import BaseModel

    from explorer.session import PageInfo, QueryResult

Index = QModelIndex | QPersistentModelIndex

CELL_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""The `Cell`."""
ROW_ROLE = int(Qt.ItemDataRole.UserRole) + 2
"""The `Row` of an index: one look-up is enough to paint a whole row."""
VALUE_ROLE = int(Qt.ItemDataRole.UserRole)
"""The value as received, as text (an excerpt where it is very long)."""

_BLOCK = 8
_BLOCKS_KEPT = 128
"""Rows that are decoded together, and blocks that are cached: a row takes 0.11 ms, a frame brings three into view."""
_PIECE = 200
_MARKED_AT_ONCE = 64_000
"""Bytes of records that are held against the contract for one block that comes into view: under a millisecond."""
_COALESCE_MS = 150
"""Milliseconds within which arriving rows are inserted together: each insert repaints the view (9 ms, measured)."""

_NOWHERE = QModelIndex()
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_Q = Qt.ItemDataRole
_DISPLAY, _TIP, _ALIGN = int(_Q.DisplayRole), int(_Q.ToolTipRole), int(_Q.TextAlignmentRole)
_SPOKEN, _SPOKEN_MORE = int(_Q.AccessibleTextRole), int(_Q.AccessibleDescriptionRole)


class Rows(Protocol):
    """What the model needs of its rows; a session.Pull has it."""

    @property
    def state(self) -> str: ...
    @property
    def rows(self) -> int: ...
    def window(self, start: int, stop: int) -> list[bytes]: ...
    def page_at(self, row: int) -> PageInfo: ...
    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]: ...


class RecordsModel(QAbstractTableModel):
    """A window onto a pull. Column 0 is the row's number; the columns of the resource follow.

    ``fetch`` is called when another page is wanted; it has to start the work, and its owner owns the task.
    """

    replaced = Signal()
    """The pull was restarted, and its new rows took the place of those before."""
    changed = Signal()
    """The state or the number of rows changed; the new rows are already in the view."""

    def __init__(
        self,
        columns: Sequence[Column],
        fetch: Callable[[], None],
        *,
        reading: Reading | None = None,
        record: type[BaseModel] | None = None,
        parent: QObject | None = None,
    ) -> None:
        """``record``: the contract's model of a record, by which values that do not fit are marked; None: none are."""
        super().__init__(parent)
        self.columns = tuple(columns)
        self._record = record
        self._fetch = fetch
        self._reading = reading or Reading()
        self._pull: Rows | None = None
        self._view: QueryResult | None = None
        self._sorted: tuple[str, bool] | None = None
        self._count = 0
        self._state = PullPhase.READY
        self._asked = False
        self._bulk = False
        self._restarting: int | None = None
        self._found: Mapping[str, str] = {}
        self._blocks: OrderedDict[int, list[Row]] = OrderedDict()
        self._unfit = UnfitPages()
        self._unmarked: list[int] = []
        """Rows that are to be looked at later, as their records are large."""
        self._blank = False
        self._since = QElapsedTimer()
        self._ends: list[Callable[[], None]] = []
        ends = self._ends
        # A model that is deleted while a page is awaited must not be called back. By then it may be half destroyed,
        # so the lambda touches a plain list only.
        self.destroyed.connect(lambda: [end() for end in ends])
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self.sync)
        self._mark_soon = QTimer(self, interval=0)
        self._mark_soon.timeout.connect(self._mark_next)

    # ---- what it shows

    @property
    def state(self) -> PullPhase:
        """Ready, loading, complete, stopped or failed; "loading" until the last row is in the view."""
        return self._state

    @property
    def pull(self) -> Rows | None:
        """The rows that are shown, or None."""
        return self._pull

    def set_pull(self, pull: Rows | None, columns: Sequence[Column] | None = None) -> None:
        """Show another pull from its first row on; ``columns`` replace the present ones if given."""
        self.release()
        self.beginResetModel()
        if columns is not None:
            self.columns = tuple(columns)
        self._pull, self._view = pull, None
        self._forget_rows()
        self._count = pull.rows if pull else 0
        self._state = PullPhase(pull.state) if pull else PullPhase.READY
        self._asked = self._bulk = False
        self._restarting = None
        self.endResetModel()
        if pull is not None:
            self._ends.append(pull.subscribe(self._pull_changed))
        self.changed.emit()

    def set_view(self, view: QueryResult | None) -> None:
        """Show the rows of a query in place of all; None shows all again, as received."""
        if view is None and self._view is None:
            return
        self.release()
        self.beginResetModel()
        self._view = view
        self._forget_rows()
        self._count = self._source.rows if self._source is not None else 0
        self.endResetModel()
        for rows in (self._pull, view):
            if rows is not None:
                self._ends.append(rows.subscribe(self._pull_changed))
        self.sync()
        self.changed.emit()

    @property
    def shows_result(self) -> bool:
        """Whether the rows are those of a query (`set_view`) and not the pull's own."""
        return self._view is not None

    @property
    def _source(self) -> Rows | QueryResult | None:
        return self._view or self._pull

    def number(self, row: int) -> int:
        """Which row of the pull is shown at ``row``, both counted from 0."""
        return self._view.row(row) if self._view is not None else row

    @property
    def highest(self) -> int:
        """The highest row number that the first column may show, counted from 1."""
        return self._pull.rows if self._view is not None and self._pull is not None else self._count

    def set_sorted(self, sort: tuple[str, bool] | None) -> None:
        """Mark the column that the rows are sorted by: its field, and whether it is descending."""
        self._sorted = sort
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns))

    def set_found(self, found: Mapping[str, str]) -> None:
        """Mark the rows that findings name; ``found``: what they say, by the id of the row."""
        if found != self._found:
            self._found = found
            if self._count:
                self.dataChanged.emit(self.index(0, 0), self.index(self._count - 1, 0))

    def found(self, row: int) -> str:
        """What findings say of a row; empty when they name it not."""
        return self._found.get(self.ident(row), "") if self._found else ""

    def ident(self, row: int) -> str:
        """The id of the record at ``row``; empty where it has none."""
        place = next((place for place, column in enumerate(self.columns) if column.field == "id"), -1)
        if place < 0 or not 0 <= row < self._count:
            return ""
        cell = self.row(row).cells[place]
        return (cell.received or cell.text) if cell.kind in ("text", "number") and not cell.elided else ""

    def release(self) -> None:
        """End the subscription to the pull, so that it no longer calls this model."""
        self._later.stop()
        while self._ends:
            self._ends.pop()()

    def set_reading(self, reading: Reading) -> None:
        """Display values in another way, such as dates in another zone."""
        self._reading = reading
        self._forget_rows()
        if self._count:
            self.dataChanged.emit(self.index(0, 0), self.index(self._count - 1, self.columnCount() - 1))

    def set_bulk(self, bulk: bool) -> None:
        """Whether all pages are being loaded: rows are then inserted in groups, and scrolling fetches nothing."""
        self._bulk = bulk
        if not bulk:
            self.sync()

    def expect_restart(self) -> None:
        """The pull is about to start again: keep its rows until its first new page is there, then replace them."""
        self._restarting = self._stored_id

    @property
    def restarting(self) -> bool:
        """Whether the rows in view are still those from before a restart whose first page is awaited."""
        return self._restarting is not None

    @property
    def _stored_id(self) -> int:
        """The pull's id in the store, which changes when it is restarted; 0 where nothing is stored."""
        return getattr(self._pull, "stored_id", 0)

    # ---- following the pull

    def _pull_changed(self) -> None:
        source = self._source
        if source is None:
            return
        recent = self._since.isValid() and self._since.elapsed() < _COALESCE_MS
        if (self._bulk or source.state in ("loading", "building")) and source.rows > self._count and recent:
            if not self._later.isActive():
                self._later.start(_COALESCE_MS - int(self._since.elapsed()))
            return
        self.sync()

    def sync(self) -> None:
        """Take over the rows and the state of the pull. The state changes after the rows are inserted, so that
        "complete" is never shown beside rows that are missing.
        """
        self._later.stop()
        pull, source = self._pull, self._source
        if pull is None or source is None:
            return
        before = (self._state, self._count)
        rows = source.rows
        if rows < self._count or (self._restarting is not None and self._stored_id != self._restarting):
            self._replace_rows(rows)
        elif rows > self._count:
            self._append_rows(rows)
        state = PullPhase(pull.state)
        if self._bulk and state == "ready":
            state = PullPhase.LOADING
        self._state = state
        self._asked = self._asked and state == "loading"
        if self._blank and before[0] == "failed" != state:
            self._forget_rows()  # rows that could not be read may be readable now
            self.dataChanged.emit(self.index(0, 0), self.index(self._count - 1, self.columnCount() - 1))
        if (state, self._count) != before:
            self.changed.emit()

    def _append_rows(self, rows: int) -> None:
        self._state = PullPhase.LOADING
        self.beginInsertRows(_NOWHERE, self._count, rows - 1)
        self._blocks.pop(self._count // _BLOCK, None)  # it was decoded when it was shorter
        self._count = rows
        self.endInsertRows()
        self._since.start()

    def _replace_rows(self, rows: int) -> None:
        self._restarting = None
        self.beginResetModel()
        self._forget_rows()
        self._count = rows
        self.endResetModel()
        self._since.start()
        self.replaced.emit()

    def _forget_rows(self) -> None:
        self._blocks.clear()
        self._unmarked.clear()
        self._mark_soon.stop()
        self._unfit.forget()
        self._blank = False

    # ---- fetching

    def canFetchMore(self, parent: Index = _NOWHERE) -> bool:
        """True only when the user's scrolling asked for it, the pull is ready, and no page is on its way."""
        return (
            not parent.isValid()
            and self._asked
            and self._state == PullPhase.READY
            and not self._bulk
            and self._view is None
        )

    def fetchMore(self, parent: Index = _NOWHERE) -> None:
        if not self.canFetchMore(parent):
            return
        self._asked = False
        self._state = PullPhase.LOADING
        self.changed.emit()
        self._fetch()

    def scrolled_to_end(self) -> None:
        """The user scrolled to the last row: fetch the next page, if there may be one."""
        self._asked = True
        self.fetchMore()
        self._asked = False

    # ---- rows and cells

    def row(self, number: int) -> Row:
        """The cells of one row. Raises IndexError."""
        block = self._blocks.get(number // _BLOCK)
        if block is None:
            block = self._read_block(number // _BLOCK)
        else:
            self._blocks.move_to_end(number // _BLOCK)
        return block[number % _BLOCK]

    def _read_block(self, block: int) -> list[Row]:
        source = self._source
        if source is None:
            raise IndexError(block)
        start, stop = block * _BLOCK, min((block + 1) * _BLOCK, self._count)
        try:
            raws = source.window(start, stop)
        except ExplorerError:
            raws = [self._painted(row) for row in range(start, stop)]
            self._blank = self._blank or b"" in raws
        raws += [b""] * (stop - start - len(raws))
        made = [row_of(raw, self.columns, self._reading) for raw in raws]
        self._mark(start, raws, made)
        self._blocks[block] = made
        while len(self._blocks) > _BLOCKS_KEPT:
            self._blocks.popitem(last=False)
        return made

    def _mark(self, start: int, raws: Sequence[bytes], made: list[Row]) -> None:
        """Mark what does not fit in the rows from ``start`` on. Only rows of pages that have such are looked at, and
        of large records one a turn of the loop: what breaks the contract everywhere takes milliseconds each.
        """
        if self._record is None or self._pull is None:
            return
        room = _MARKED_AT_ONCE
        for place, raw in enumerate(raws):
            if not raw or not self._unfit.may_hold(self._pull, self.number(start + place)):
                continue
            room -= len(raw)
            if room >= 0:
                made[place] = marked(made[place], raw, self.columns, self._record)
            elif len(self._unmarked) < _BLOCK * _BLOCKS_KEPT:
                self._unmarked.append(start + place)
                self._mark_soon.start()

    def _mark_next(self) -> None:
        row = self._unmarked.pop() if self._unmarked else -1  # the last one is what was painted last
        if not self._unmarked:
            self._mark_soon.stop()
        block = self._blocks.get(row // _BLOCK) if 0 <= row < self._count else None
        if block is not None and self._record is not None:
            place = row % _BLOCK
            before = block[place]
            block[place] = marked(before, self._painted(row), self.columns, self._record)
            if block[place] is not before:
                self.dataChanged.emit(self.index(row, 0), self.index(row, self.columnCount() - 1))

    def misfit(self, row: int, column: int) -> Misfit | None:
        """What is said of a cell that does not fit or is observed; None for another. ``column`` as in `cell`."""
        cell = self.cell(row, column) if 0 <= row < self._count and column > 0 else None
        if cell is None or not (cell.misfit or cell.observed):
            return None
        return misfit_in(self.columns[column - 1], cell, self._record)

    def cell(self, row: int, column: int) -> Cell:
        """One cell. ``column`` is that of the view, so 1 is the first field."""
        return self.row(row).cells[column - 1]

    def raw(self, row: int) -> bytes:
        """One record exactly as received; empty when the store cannot read it, and then the pull's error says why.

        Raises IndexError.
        """
        if not 0 <= row < self._count:
            raise IndexError(row)
        return self._painted(row)

    def _painted(self, row: int) -> bytes:
        """A record for painting, empty where it cannot be read: painting cannot report a fault, `pieces` can."""
        try:
            return next(iter(self._source.window(row, row + 1)), b"") if self._source is not None else b""
        except ExplorerError:
            return b""

    async def pieces(self, ranges: Sequence[tuple[int, int]]) -> AsyncIterator[list[bytes]]:
        """The records of those ranges in pieces, in the order shown now. Raises StoreFault, and Superseded where the
        query was replaced by another.
        """
        view, pull = self._view, self._pull
        if view is not None:
            async for piece in view.stream(ranges):
                yield piece
        elif pull is not None:
            for start, stop in ranges:
                for at in range(start, stop, _PIECE):
                    yield pull.window(at, min(at + _PIECE, stop))

    # ---- Qt

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns) + 1

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        if not index.isValid() or index.row() >= self._count:
            return None
        number, column = index.row(), index.column()
        if role == ROW_ROLE:
            return self.row(number)
        if column == 0:
            return self._number_data(number, role)
        if role not in (_DISPLAY, _TIP, _ALIGN, _SPOKEN, _SPOKEN_MORE, CELL_ROLE, VALUE_ROLE):
            return None
        cell = self.cell(number, column)
        if role == _DISPLAY:
            return f"{cell.text} {cell.more}" if cell.more else cell.text
        if role == CELL_ROLE:
            return cell
        if role == _ALIGN:
            return _RIGHT if cell.kind == "number" else _LEFT
        if role == _TIP:
            return None if cell.misfit or cell.observed else tooltip(tooltip_text(cell))  # a card says it
        if role == _SPOKEN:
            return cell.spoken
        if role == _SPOKEN_MORE:
            return f"{self.columns[column - 1].field}, row {self.number(number) + 1}"
        return cell.received or cell.text

    def _number_data(self, place: int, role: int) -> Any:
        number = self.number(place)
        if role == _DISPLAY:
            return f"{number + 1:,}"
        if role == _ALIGN:
            return _RIGHT
        if role == _SPOKEN:
            return ", ".join(filter(None, (f"row {number + 1}", self.found(place))))
        if role == _TIP:
            said = "; ".join(filter(None, (self.row(place).fault, self.row(place).unfit, self.found(place))))
            return tooltip(f"Row {number + 1}: {said}") if said else None
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section <= len(self.columns):
            return None
        if role == _DISPLAY:
            return self._head(section) if section else ""
        if role == _ALIGN:
            number = section == 0 or self.columns[section - 1].kind == "number"
            return _RIGHT if number else _LEFT
        if role in (_SPOKEN, _TIP) and section == 0:
            return "Row number"
        if role == _SPOKEN:
            return self._head(section, spoken=True)
        if role == _TIP:
            column = self.columns[section - 1]
            return tooltip(f"{column.field}: {column.kind}")
        return None

    def _head(self, section: int, *, spoken: bool = False) -> str:
        field = self.columns[section - 1].field
        if self._sorted is None or self._sorted[0] != field:
            return field
        down = self._sorted[1]
        if spoken:
            return f"{field}, sorted {'descending' if down else 'ascending'}"
        return f"{field} {'▾' if down else '▴'}"
