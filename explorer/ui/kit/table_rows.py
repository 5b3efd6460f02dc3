"""What the tables have in common: whole rows are chosen, nothing is edited in place, and Tab leaves the table."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QTableView

from explorer.ui.kit.theme import HEADER, ROW


def by_rows(table: QTableView, *, several: bool = False) -> None:
    """Makes ``table`` one of rows of one height, of which one is chosen, or ``several``; heads stand at the left."""
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setCornerButtonEnabled(False)
    table.setTabKeyNavigation(False)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    mode = QAbstractItemView.SelectionMode
    table.setSelectionMode(mode.ExtendedSelection if several else mode.SingleSelection)
    rows, head = table.verticalHeader(), table.horizontalHeader()
    rows.hide()
    rows.setMinimumSectionSize(ROW)
    rows.setDefaultSectionSize(ROW)
    head.setFixedHeight(HEADER)
    head.setHighlightSections(False)
    head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
