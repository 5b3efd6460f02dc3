"""How a row of records is drawn: one look-up a row, state by colour and by form, nothing laid out that is not seen."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.ui.models.cells import Cell
from explorer.ui.models.records import RecordsModel
from explorer.ui.theme import ROW, colors, mono, tabular, theme

MARGIN = 8
"""Space at either side of a cell's text, in pixels."""

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_UNSAID = frozenset(("null", "absent", "empty"))


class CellPaint:
    """Fonts and colours of cells, made once for a scheme and a font."""

    def __init__(self, font: QFont) -> None:
        tokens = colors()
        self.font = font
        self.mono = mono(font.pointSizeF() * 0.94 if font.pointSizeF() > 0 else None)
        self.figures = tabular(font)
        self.italic = QFont(font)
        self.italic.setItalic(True)
        self.metrics = {id(f): QFontMetrics(f) for f in (self.font, self.mono, self.figures, self.italic)}
        color = tokens.color
        self.text, self.muted, self.strong = color("text"), color("muted"), color("muted_strong")
        self.line, self.surface, self.selection = color("line"), color("surface"), color("selection")
        self.accent, self.caution = color("accent"), color("caution")

    def look(self, cell: Cell, column: str, selected: bool) -> tuple[QFont, QColor]:
        """The font and colour of a cell in a column of that kind."""
        quiet = self.strong if selected else self.muted
        if cell.kind in ("null", "absent"):
            return self.italic, quiet
        if cell.kind == "empty":
            return self.mono, quiet
        if cell.kind == "invalid":
            return self.mono, self.caution
        if column == "id":
            return self.mono, self.text
        return (self.figures if cell.kind in ("number", "date") else self.font), self.text

    def draw(self, painter: QPainter, rect: QRect, cell: Cell, column: str, selected: bool) -> None:
        """One cell's text within ``rect``, elided; what is odd about it is marked at its left edge."""
        font, color = self.look(cell, column, selected)
        metrics = self.metrics[id(font)]
        inner = rect.adjusted(MARGIN, 0, -MARGIN, 0)
        if cell.repeated:
            painter.fillRect(QRect(rect.left(), rect.top() + 5, 3, rect.height() - 11), self.caution)
        painter.setFont(font)
        painter.setPen(color)
        room = inner.width()
        if cell.kind == "number":
            painter.drawText(inner, _RIGHT, metrics.elidedText(cell.text, Qt.TextElideMode.ElideRight, room))
            return
        more = metrics.horizontalAdvance(" " + cell.more) if cell.more else 0
        shown = metrics.elidedText(cell.text, Qt.TextElideMode.ElideRight, room - more)
        painter.drawText(inner, _LEFT, shown)
        if cell.more:
            painter.setPen(self.strong if selected else self.muted)
            painter.drawText(
                inner.adjusted(metrics.horizontalAdvance(shown + " "), 0, 0, 0), _LEFT, cell.more
            )


class RowDelegate(QStyledItemDelegate):
    """Paints the cells of a `RecordsModel` from the row's own tuple."""

    def __init__(self, model: RecordsModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._paint: CellPaint | None = None
        self._row_number = -1
        theme().changed.connect(self.forget)

    def forget(self) -> None:
        """The scheme or the font changed: make fonts and colours anew."""
        self._paint = None

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        look = self._paint
        if look is None:
            look = self._paint = CellPaint(QFont(option.font))
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
