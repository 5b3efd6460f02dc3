"""The rows of the first sight: read from the store, laid out as the table had them, painted as its delegate does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from typing import Any, NamedTuple

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication

from explorer.ui.kit.theme import ROW
from explorer.ui.records.cell_paint import MARGIN, CellPaint
from explorer.ui.records.cells import Reading, Row, row_of

Count = Callable[[int, str], int]
"""Rows that the newest pull like the given one has, of that resource."""
Records = Callable[[int, str, int, int], list[bytes]]
"""Its records from the third to before the fourth."""


class Shown(NamedTuple):
    """One column as it stood: as much of a resource's column as reading a cell takes, and its place."""

    field: str
    kind: Any
    summary: str
    left: int
    width: int


class FirstRows:
    """The rows that the table will show first, and where."""

    def __init__(self, known: dict[str, Any], count: Count, records: Records) -> None:
        """``known`` is what `sight_keeping.table_of` made. Raises LookupError, TypeError or ValueError on else."""
        self.room = QRect(*known["room"])
        self._numbers = int(known["numbers"])
        # What lies beyond the right edge is not read: a script that no cell in sight is written in would load a font.
        columns = (Shown(*each) for each in known["columns"])
        self.columns = [c for c in columns if c.left < self.room.width() and c.left + c.width > 0]
        pull, resource = int(known["pull"]), str(known["resource"])
        total = count(pull, resource)
        current = int(known["current"])
        self._current = current if current < total else -1
        # The table scrolls no further than it must to show the row that it was left on.
        self._scroll = max((self._current + 1) * ROW - self.room.height(), 0)
        self.first = self._scroll // ROW
        stop = min(total, (self._scroll + self.room.height()) // ROW + 1)
        reading = Reading(_zone(str(known["zone"])))
        found = records(pull, resource, self.first, stop)
        self.rows: list[Row] = [row_of(raw, self.columns, reading) for raw in found]  # type: ignore[arg-type]
        self._look = CellPaint(QApplication.font())

    def paint(self, painter: QPainter) -> None:
        """Onto the window, whose whole area ``painter`` covers."""
        painter.save()
        painter.setClipRect(self.room)
        for place, row in enumerate(self.rows):
            top = self.room.top() + (self.first + place) * ROW - self._scroll
            self._paint_row(painter, row, self.first + place, top)
        painter.restore()

    def _paint_row(self, painter: QPainter, row: Row, number: int, top: int) -> None:
        look, selected = self._look, number == self._current
        for left, width, at in (
            (0, self._numbers, -1),
            *((c.left, c.width, i) for i, c in enumerate(self.columns)),
        ):
            rect = QRect(self.room.left() + left, top, width, ROW)
            if selected:
                painter.fillRect(rect, look.selection)
            painter.setPen(look.line)
            painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
            if at >= 0:
                look.draw(painter, rect, row.cells[at], self.columns[at].kind, selected)
                continue
            if row.fault:
                painter.fillRect(QRect(rect.left(), rect.top() + 5, 3, rect.height() - 11), look.caution)
            painter.setFont(look.figures)
            painter.setPen(look.strong if selected else look.muted)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(rect.adjusted(4, 0, -MARGIN, 0), right, f"{number + 1:,}")


def _zone(name: str) -> tzinfo | None:
    if name == "received":
        return None
    return UTC if name == "utc" else datetime.now(UTC).astimezone().tzinfo
