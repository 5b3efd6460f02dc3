"""How a cell looks: fonts and colours by what its value is."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from explorer.text_match import Highlights
from explorer.ui.kit.theme import colors, mono, tabular
from explorer.ui.records.cells import Cell

MARGIN = 8
"""Space at either side of a cell's text, in pixels."""

# As numbers: turning one of Qt's flags into a number for each call costs 2 µs of a cell's 17.
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_ELIDED = 4096
"""Texts whose elided form is remembered: rows that come back, and values that stand in many rows."""
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
        self.found, self.under = color("caution_ground"), color("on_caution")
        self.marks: Highlights | None = None
        """Where what was looked for stands in a text."""
        self._elided: dict[tuple[int, str, int], str] = {}

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
        left, top, width, height = rect.left() + MARGIN, rect.top(), rect.width() - 2 * MARGIN, rect.height()
        if cell.repeated:
            painter.fillRect(QRect(rect.left(), top + 5, 3, height - 11), self.caution)
        painter.setFont(font)
        painter.setPen(color)
        if cell.kind == "number":
            shown = self._fitting(font, cell.text, width)
            if self.marks is not None:
                at = left + width - self.metrics[id(font)].horizontalAdvance(shown)
                self._mark(painter, QRect(at, top, left + width - at, height), font, cell, shown)
            painter.drawText(left, top, width, height, _RIGHT, shown)
            return
        more = self.metrics[id(font)].horizontalAdvance(" " + cell.more) if cell.more else 0
        shown = self._fitting(font, cell.text, width - more)
        if self.marks is not None and self._mark(painter, QRect(left, top, width, height), font, cell, shown):
            painter.setPen(self.text)  # the quieter colours are too weak on the ground of a match
        painter.drawText(left, top, width, height, _LEFT, shown)
        if cell.more:
            painter.setPen(self.strong if selected else self.muted)
            behind = self.metrics[id(font)].horizontalAdvance(shown + " ")
            painter.drawText(left + behind, top, width - behind, height, _LEFT, cell.more)

    def number(self, painter: QPainter, rect: QRect, number: int, fault: str, selected: bool) -> None:
        """The number of a row, counted from 0, with a bar at its left where something is wrong with the record."""
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
            shown = self.metrics[id(font)].elidedText(text, Qt.TextElideMode.ElideRight, room)
            self._elided[key] = shown
        return shown

    def _mark(self, painter: QPainter, room: QRect, font: QFont, cell: Cell, shown: str) -> bool:
        """A ground and a line under each match in ``shown``; the line alone where it lies in what is not drawn."""
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
