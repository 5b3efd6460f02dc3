"""How a row of records is drawn: one look-up a row, state by colour and by form, nothing laid out that is not seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.ui.theme import ROW, theme
from explorer.ui.views.cell_paint import MARGIN, CellPaint

if TYPE_CHECKING:  # the first rows are painted before the models are imported
    from explorer.session import Marks
    from explorer.ui.models.records import RecordsModel

__all__ = ["MARGIN", "CellPaint", "RowDelegate"]

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class RowDelegate(QStyledItemDelegate):
    """Paints the cells of a `RecordsModel` from the row's own tuple."""

    def __init__(self, model: RecordsModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._paint: CellPaint | None = None
        self._row_number = -1
        self._marks: Marks | None = None
        theme().changed.connect(self.forget)

    def mark(self, marks: Marks | None) -> None:
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
        look = self._paint
        if look is None:
            look = self._paint = CellPaint(QFont(option.font))
            look.marks = self._marks
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, look.selection)
        painter.setPen(look.line)
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        column = index.column()
        if column == 0:
            self._draw_number(painter, rect, index.row(), look, selected)
        else:
            cell = self._model.row(index.row()).cells[column - 1]
            look.draw(painter, rect, cell, self._model.columns[column - 1].kind, selected)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(look.accent)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def _draw_number(self, painter: QPainter, rect: QRect, row: int, look: CellPaint, selected: bool) -> None:
        if self._model.row(row).fault:
            painter.fillRect(QRect(rect.left(), rect.top() + 5, 3, rect.height() - 11), look.caution)
        painter.setFont(look.figures)
        painter.setPen(look.strong if selected else look.muted)
        painter.drawText(rect.adjusted(4, 0, -MARGIN, 0), _RIGHT, f"{self._model.number(row) + 1:,}")

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        if index.column() == 0:
            return QSize(52, ROW)
        look = self._paint or CellPaint(QFont(option.font))
        cell = self._model.row(index.row()).cells[index.column() - 1]
        font, _ = look.look(cell, self._model.columns[index.column() - 1].kind, False)
        text = f"{cell.text} {cell.more}" if cell.more else cell.text
        return QSize(min(look.metrics[id(font)].horizontalAdvance(text) + 2 * MARGIN + 2, 480), ROW)
