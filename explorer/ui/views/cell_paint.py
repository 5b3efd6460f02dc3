"""How a cell looks: fonts and colours by what its value is. Without Qt's views, for the first sight of a start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from explorer.ui.theme import colors, mono, tabular

if TYPE_CHECKING:  # the first rows are painted before the catalog is imported
    from explorer.session import Marks
    from explorer.ui.models.cells import Cell

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
        self.found, self.under = color("caution_ground"), color("on_caution")
        self.marks: Marks | None = None
        """Where what was looked for stands in a text."""

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
            shown = metrics.elidedText(cell.text, Qt.TextElideMode.ElideRight, room)
            left = inner.right() + 1 - metrics.horizontalAdvance(shown)
            self._mark(painter, inner.adjusted(left - inner.left(), 0, 0, 0), metrics, cell, shown)
            painter.drawText(inner, _RIGHT, shown)
            return
        more = metrics.horizontalAdvance(" " + cell.more) if cell.more else 0
        shown = metrics.elidedText(cell.text, Qt.TextElideMode.ElideRight, room - more)
        if self._mark(painter, inner, metrics, cell, shown):
            painter.setPen(self.text)  # the quieter colours are too weak on the ground of a match
        painter.drawText(inner, _LEFT, shown)
        if cell.more:
            painter.setPen(self.strong if selected else self.muted)
            painter.drawText(
                inner.adjusted(metrics.horizontalAdvance(shown + " "), 0, 0, 0), _LEFT, cell.more
            )

    def _mark(self, painter: QPainter, room: QRect, metrics: QFontMetrics, cell: Cell, shown: str) -> bool:
        """A ground and a line under each match in ``shown``; the line alone where it lies in what is not drawn."""
        if self.marks is None:
            return False
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
