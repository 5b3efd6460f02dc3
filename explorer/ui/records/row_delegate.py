"""How a row of records is drawn: one look-up for each row; a value's kind shows in its colour and its form."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPolygon
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.text_match import Highlights
from explorer.ui.kit.theme import ROW, colors, drawable, mono, tabular, theme
from explorer.ui.records.cells import Cell
from explorer.ui.records.records import RecordsModel

MARGIN = 8
"""Space at either side of a cell's text, in pixels."""
_CORNER = 4
"""Pixels of the triangle that marks a value that does not fit."""

# As plain integers: converting a Qt flag at each call costs 2 of the 17 µs that a cell takes.
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_ELIDED = 4096
"""Texts whose elided form is cached, for rows that scroll back into view and values that many rows share."""


class CellPaint:
    """Paints cells with fonts and colours that are made once for a colour scheme and a font."""

    def __init__(self, font: QFont) -> None:
        tokens = colors()
        self.font = font
        self.mono = mono(font.pointSizeF() * 0.94 if font.pointSizeF() > 0 else None)
        self.figures = tabular(font)
        self.italic = QFont(font)
        self.italic.setItalic(True)
        color = tokens.color
        self.text, self.muted, self.strong = color("text"), color("muted"), color("muted_strong")
        self.line, self.surface, self.selection = color("line"), color("surface"), color("selection")
        self.accent, self.caution = color("accent"), color("caution")
        self.misfit_ground, self.misfit_words = color("misfit_ground"), color("on_caution")
        self.found, self.under = color("caution_ground"), color("on_caution")
        self.gap = color("window")
        self.later = QFont(font)
        self.later.setWeight(QFont.Weight.Medium)
        fonts = (self.font, self.mono, self.figures, self.italic, self.later)
        self.metrics = {id(f): QFontMetrics(f) for f in fonts}
        self.marks: Highlights | None = None
        """Finds the matches of the present search in a text; None without a search."""
        self._elided: dict[tuple[int, str, int], str] = {}

    def look(self, cell: Cell, column: str, selected: bool) -> tuple[QFont, QColor]:
        """The font and colour of a cell; ``column`` is the kind of its column."""
        quiet = self.strong if selected else self.muted
        if cell.misfit:
            return (self.italic if cell.kind in ("null", "absent") else self.mono), self.misfit_words
        if cell.later:
            return (self.italic if cell.kind in ("null", "absent") else self.later), self.misfit_words
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
        """Paint a cell's text in ``rect``, elided, with a mark at its left edge if something is odd about it."""
        font, color = self.look(cell, column, selected)
        if cell.misfit:
            self._misfit(painter, rect)
        elif cell.differs:
            ground = self.found if cell.later else self.misfit_ground
            painter.fillRect(rect.adjusted(0, 0, 0, -1), ground)
        left, top, width, height = rect.left() + MARGIN, rect.top(), rect.width() - 2 * MARGIN, rect.height()
        if cell.repeated:
            painter.fillRect(QRect(rect.left(), top + 5, 3, height - 11), self.caution)
        painter.setFont(font)
        painter.setPen(color)
        if cell.kind == "number" and not cell.misfit:
            shown = self._fitting(font, cell.text, width)
            if self.marks is not None:
                at = left + width - self.metrics[id(font)].horizontalAdvance(shown)
                self._mark(painter, QRect(at, top, left + width - at, height), font, cell, shown)
            painter.drawText(left, top, width, height, _RIGHT, shown)
            return
        more = self.metrics[id(font)].horizontalAdvance(" " + cell.more) if cell.more else 0
        shown = self._fitting(font, cell.text, width - more)
        if self.marks is not None and self._mark(painter, QRect(left, top, width, height), font, cell, shown):
            painter.setPen(self.text)  # the quieter colours have too little contrast on a match's background
        painter.drawText(left, top, width, height, _LEFT, shown)
        if cell.more:
            painter.setPen(self.strong if selected else self.muted)
            behind = self.metrics[id(font)].horizontalAdvance(shown + " ")
            painter.drawText(left + behind, top, width - behind, height, _LEFT, cell.more)

    def _misfit(self, painter: QPainter, rect: QRect) -> None:
        """Paint what marks a value that does not fit: a ground, and a triangle in the corner, as colour alone says
        nothing to many.
        """
        painter.fillRect(rect.adjusted(0, 0, 0, -1), self.misfit_ground)
        corner = QPoint(rect.right() + 1, rect.top())
        below, beside = corner + QPoint(0, _CORNER), corner - QPoint(_CORNER, 0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.caution)
        painter.drawPolygon(QPolygon([corner, below, beside]))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def number(self, painter: QPainter, rect: QRect, number: int, fault: str, selected: bool) -> None:
        """Paint a row's number (``number`` counts from 0), with a bar at its left where something is wrong with it."""
        left, top, width, height = rect.left(), rect.top(), rect.width(), rect.height()
        if fault:
            painter.fillRect(QRect(left, top + 5, 3, height - 11), self.caution)
        painter.setFont(self.figures)
        painter.setPen(self.strong if selected else self.muted)
        painter.drawText(left + 4, top, width - 4 - MARGIN, height, _RIGHT, f"{number + 1:,}")

    def _fitting(self, font: QFont, text: str, room: int) -> str:
        """``text``, elided where it is wider than ``room``. Measuring a text costs as much as drawing it."""
        key = (id(font), text, room)
        shown = self._elided.get(key)
        if shown is None:
            if len(self._elided) >= _ELIDED:
                self._elided.clear()
            shown = self.metrics[id(font)].elidedText(drawable(text), Qt.TextElideMode.ElideRight, room)
            self._elided[key] = shown
        return shown

    def _mark(self, painter: QPainter, room: QRect, font: QFont, cell: Cell, shown: str) -> bool:
        """Paint a background and a line under each match in ``shown``, or only the line where the match is in the part
        that is cut off.
        """
        if self.marks is None:
            return False
        metrics = self.metrics[id(font)]
        found = self.marks(shown)
        for start, stop in found:
            at = room.left() + metrics.horizontalAdvance(shown[:start])
            wide = room.left() + metrics.horizontalAdvance(shown[:stop]) - at
            painter.fillRect(QRect(at, room.top() + 4, wide, room.height() - 9), self.found)
            painter.fillRect(QRect(at, room.bottom() - 6, wide, 2), self.under)
        if not found and (self.marks(cell.text) or self.marks(cell.received)):
            wide = metrics.horizontalAdvance(shown)
            painter.fillRect(QRect(room.left(), room.bottom() - 6, wide, 2), self.under)
        return bool(found)


class RowDelegate(QStyledItemDelegate):
    """Paints the rows of a `RecordsModel`."""

    def __init__(self, model: RecordsModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._paint: CellPaint | None = None
        self._marks: Highlights | None = None
        theme().changed.connect(self.forget)

    def mark(self, marks: Highlights | None) -> None:
        """Highlight in every cell what ``marks`` finds in its text, from the next painting on; None ends it."""
        self._marks = marks
        if self._paint is not None:
            self._paint.marks = marks

    def forget(self) -> None:
        """The colour scheme or the font changed: drop the cached fonts and colours."""
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
        """The fonts and colours, made from ``font`` where none are cached."""
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
        """Paint one row at ``place`` (top and height); ``columns`` gives each column's number, left edge and width."""
        top, height = place
        for column, left, width in columns:
            self._draw(look, painter, QRect(left, top, width, height), row, column, selected)

    def frame(self, painter: QPainter, rect: QRect) -> None:
        """Paint the frame of the cell with the keyboard focus."""
        if self._paint is not None:
            painter.setPen(self._paint.accent)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def _draw(
        self, look: CellPaint, painter: QPainter, rect: QRect, row: int, column: int, selected: bool
    ) -> None:
        found = self._model.row(row)
        if selected or found.gap:
            painter.fillRect(rect, look.selection if selected else look.gap)
        painter.setPen(look.line)
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        if column == 0 and not found.gap:
            said = found.fault or self._model.found(row)
            look.number(painter, rect, self._model.number(row), said, selected)
        elif column:
            look.draw(painter, rect, found.cells[column - 1], self._model.columns[column - 1].kind, selected)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        if index.column() == 0:
            return QSize(52, ROW)
        look = self.look(option.font)
        cell = self._model.row(index.row()).cells[index.column() - 1]
        font, _ = look.look(cell, self._model.columns[index.column() - 1].kind, False)
        text = f"{cell.text} {cell.more}" if cell.more else cell.text
        return QSize(min(look.metrics[id(font)].horizontalAdvance(text) + 2 * MARGIN + 2, 480), ROW)
