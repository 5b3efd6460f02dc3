"""How a cell looks tells what its value is, not only what it says."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from explorer.ui.records.cells import ABSENT_CELL, NULL_CELL, Cell
from explorer.ui.records.row_delegate import CellPaint
from tests.gui.conftest import dressed

__all__ = ["dressed"]


def test_what_is_not_there_looks_unlike_a_text_of_the_same_letters(dressed: QApplication) -> None:
    paint = CellPaint(dressed.font())
    for cell in (NULL_CELL, ABSENT_CELL):
        font, color = paint.look(cell, "text", False)
        plain_font, plain_color = paint.look(Cell(cell.text, "text"), "text", False)
        assert font.italic()
        assert not plain_font.italic()
        assert color != plain_color
