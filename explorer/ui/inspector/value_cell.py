"""A value in the inspector, painted as in the table of records; only numbers stand at the left."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from explorer.ui.kit.theme import ROW, theme
from explorer.ui.records.cells import Cell
from explorer.ui.records.row_delegate import CellPaint


class ValuePaint(QObject):
    """Keeps the fonts and colours until the scheme or the font changes."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._look: CellPaint | None = None
        theme().changed.connect(self._forget)

    def _forget(self) -> None:
        self._look = None

    def draw(self, painter: QPainter, option: QStyleOptionViewItem, cell: Cell, kind: str = "text") -> None:
        """``cell`` of a column of that kind, in the upper part of ``option.rect``: a row without its line."""
        look = self._look = self._look or CellPaint(QFont(option.font))
        rect = QRect(option.rect.left(), option.rect.top(), option.rect.width(), ROW - 1)
        left = cell._replace(kind="text") if cell.kind == "number" else cell
        look.draw(painter, rect, left, kind, bool(option.state & QStyle.StateFlag.State_Selected))
