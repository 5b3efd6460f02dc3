"""Paints a value in the inspector as in the table of records, but with numbers aligned to the left."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from explorer.ui.kit.theme import ROW, theme
from explorer.ui.records.cells import Cell
from explorer.ui.records.row_delegate import CellPaint


class ValuePaint(QObject):
    """Paints values; fonts and colours are cached until the colour scheme or the font changes."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._look: CellPaint | None = None
        theme().changed.connect(self._forget)

    def _forget(self) -> None:
        self._look = None

    def draw(self, painter: QPainter, option: QStyleOptionViewItem, cell: Cell, kind: str = "text") -> None:
        """Paint ``cell`` in the top line of ``option.rect``; ``kind`` is that of its column."""
        look = self._look = self._look or CellPaint(QFont(option.font))
        rect = QRect(option.rect.left(), option.rect.top(), option.rect.width(), ROW - 1)
        left = cell._replace(kind="text") if cell.kind == "number" else cell
        look.draw(painter, rect, left, kind, bool(option.state & QStyle.StateFlag.State_Selected))
