"""How a row of records is drawn: one look-up a row, state by colour and by form, nothing laid out that is not seen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.text_match import Highlights
from explorer.ui.kit.theme import ROW, theme
from explorer.ui.records.cell_paint import MARGIN, CellPaint
from explorer.ui.records.records import RecordsModel

__all__ = ["MARGIN", "CellPaint", "RowDelegate"]


class RowDelegate(QStyledItemDelegate):
    """Paints the cells of a `RecordsModel` from the row's own tuple."""

    def __init__(self, model: RecordsModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._paint: CellPaint | None = None
        self._marks: Highlights | None = None
        theme().changed.connect(self.forget)

    def mark(self, marks: Highlights | None) -> None:
        """Mark in every cell what ``marks`` finds in its text, from the next painting on; None: nothing."""
        self._marks = marks
        if self._paint is not None:
            self._paint.marks = marks

    def forget(self) -> None:
        """The scheme or the font changed: make fonts and colours anew."""
        self._paint = None

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        state = option.state
        look, selected = self.look(option.font), bool(state & QStyle.StateFlag.State_Selected)
        self._draw(look, painter, option.rect, index.row(), index.column(), selected)
        if state & QStyle.StateFlag.State_HasFocus:
            self.frame(painter, option.rect)

    def look(self, font: QFont) -> CellPaint:
        """Fonts and colours, made with ``font`` when there are none."""
        look = self._paint
        if look is None:
            look = self._paint = CellPaint(QFont(font))
            look.marks = self._marks
        return look

    def row(
        self,
        look: CellPaint,
        painter: QPainter,
        row: int,
        place: tuple[int, int],
        columns: Sequence[tuple[int, int, int]],
        *,
        selected: bool,
    ) -> None:
        """Cells of one row at ``place`` (top and height): of each column its number, left edge and width."""
        top, height = place
        for column, left, width in columns:
            self._draw(look, painter, QRect(left, top, width, height), row, column, selected)

    def frame(self, painter: QPainter, rect: QRect) -> None:
        """Around the cell that has the keys."""
        if self._paint is not None:
            painter.setPen(self._paint.accent)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def _draw(
        self, look: CellPaint, painter: QPainter, rect: QRect, row: int, column: int, selected: bool
    ) -> None:
        if selected:
            painter.fillRect(rect, look.selection)
        painter.setPen(look.line)
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        found = self._model.row(row)
        if column == 0:
            look.number(painter, rect, self._model.number(row), found.fault, selected)
        else:
            look.draw(painter, rect, found.cells[column - 1], self._model.columns[column - 1].kind, selected)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        if index.column() == 0:
            return QSize(52, ROW)
        look = self.look(option.font)
        cell = self._model.row(index.row()).cells[index.column() - 1]
        font, _ = look.look(cell, self._model.columns[index.column() - 1].kind, False)
        text = f"{cell.text} {cell.more}" if cell.more else cell.text
        return QSize(min(look.metrics[id(font)].horizontalAdvance(text) + 2 * MARGIN + 2, 480), ROW)
