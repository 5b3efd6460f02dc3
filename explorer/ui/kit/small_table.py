"""A small table of rows that are all there: it fits its width, moves by whole rows, and gives the one that is taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QHeaderView, QTableView, QWidget

from explorer.ui.kit.plain import tooltip, visible
from explorer.ui.kit.table_rows import by_rows
from explorer.ui.kit.theme import colors, mono, theme

Row = TypeVar("Row")
Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_NARROW = 560  # pixels at 100 %
_AROUND = 18
"""Pixels beside a text in a cell, both sides together."""


@dataclass(frozen=True)
class ColumnOf(Generic[Row]):
    """One column of a small table: its head, the text of a row, and how that looks."""

    head: str
    text: Callable[[Row], str]
    look: Literal["text", "mono", "muted", "link", "number"] = "text"
    tip: Callable[[Row], str] | None = None
    """A longer text for the pointer; without it, the text itself."""
    share: int = 1
    """Of the width, against the other columns."""
    spare: bool = False
    """Left out where there is little room."""
    fit: bool = False
    """As wide as its widest text, whatever its share."""


class SmallModel(QAbstractTableModel, Generic[Row]):
    """Rows that are all there, in columns of plain text."""

    def __init__(self, columns: Sequence[ColumnOf[Row]]) -> None:
        super().__init__()
        self.columns = tuple(columns)
        self.rows: list[Row] = []
        theme().changed.connect(self._repaint)

    def show(self, rows: Sequence[Row]) -> None:
        """Show ``rows`` in place of what was there."""
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row, column = self.rows[index.row()], self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return visible(column.text(row))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip((column.tip or column.text)(row))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{column.head}: {visible(column.text(row))}" if column.head else visible(column.text(row))
        if role == Qt.ItemDataRole.TextAlignmentRole and column.look == "number":
            return _RIGHT
        if role == Qt.ItemDataRole.FontRole and column.look == "mono":
            return mono()
        if role == Qt.ItemDataRole.ForegroundRole and column.look in ("muted", "link"):
            return colors().color("muted_strong" if column.look == "muted" else "info")
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = int(Qt.ItemDataRole.DisplayRole)
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].head
        if role == Qt.ItemDataRole.TextAlignmentRole and self.columns[section].look == "number":
            return _RIGHT
        return None

    def _repaint(self) -> None:
        if self.rows:
            last = self.index(len(self.rows) - 1, len(self.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)


class SmallTable(QTableView):
    """A table that fits its width and moves by whole rows. Enter or a double click takes a row."""

    taken = Signal(int)
    link_clicked = Signal(int)
    """A cell of the look ``link`` was clicked, by its row."""
    chosen = Signal(int)
    """The row that the user is on, or -1."""

    def __init__(self, model: SmallModel[Any], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._out: frozenset[int] = frozenset()
        self._model = model
        model.setParent(self)
        self.setModel(model)
        self.setAccessibleName(name)
        by_rows(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        rows, head = self.verticalHeader(), self.horizontalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setSectionsClickable(False)
        head.setAccessibleName("Columns")
        self.doubleClicked.connect(self._take)
        self.clicked.connect(self._clicked)
        self.selectionModel().currentRowChanged.connect(lambda now, _: self.chosen.emit(now.row()))

    def show_rows(self, rows: Sequence[Any], same: Callable[[Any, Any], bool] | None = None) -> None:
        """Show ``rows``; the one chosen before stays chosen where ``same`` finds it again."""
        before = self.row()
        self._model.show(rows)
        if any(column.fit for column in self._model.columns):
            self._share()
        place = next((i for i, one in enumerate(rows) if same and before and same(one, before)), None)
        if place is not None:
            self.setCurrentIndex(self._model.index(place, 0))
        else:
            self.chosen.emit(-1)

    def row(self) -> Any:
        """The row that the user is on, or None."""
        index = self.currentIndex()
        return self._model.rows[index.row()] if index.isValid() else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.currentIndex().isValid():
            QApplication.clipboard().setText(str(self.currentIndex().data() or ""))
            return
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not control:
            self._take(self.currentIndex())
            return
        super().keyPressEvent(event)

    def leave_out(self, place: int, out: bool) -> None:
        """Leave a column out, or show it again; the others share the room."""
        self._out = (self._out | {place}) if out else (self._out - {place})
        self._share()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        room = self.viewport().width()
        narrow = room < _NARROW
        shown = {
            place: column.share
            for place, column in enumerate(self._model.columns)
            if place not in self._out and not (narrow and column.spare)
        }
        fits = {place: self._widest(place) for place in shown if self._model.columns[place].fit}
        left = max(room - sum(fits.values()), 0)
        whole = max(sum(share for place, share in shown.items() if place not in fits), 1)
        for place in range(len(self._model.columns)):
            self.setColumnHidden(place, place not in shown)
            width = fits.get(place, left * shown.get(place, 0) // whole)
            self.setColumnWidth(place, width)

    def _widest(self, place: int) -> int:
        """What the head and the texts of a column need, in pixels."""
        column = self._model.columns[place]
        font = mono() if column.look == "mono" else self.font()
        metrics, head = QFontMetrics(font), self.horizontalHeader().sectionSizeHint(place)
        texts = (metrics.horizontalAdvance(visible(column.text(row))) for row in self._model.rows)
        return max(head, max(texts, default=0) + _AROUND)

    def _take(self, index: QModelIndex) -> None:
        if index.isValid():
            self.taken.emit(index.row())

    def _clicked(self, index: QModelIndex) -> None:
        if self._model.columns[index.column()].look == "link":
            self.link_clicked.emit(index.row())
