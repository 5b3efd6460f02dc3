"""A small table: a column that fits is as wide as its widest text, the others share what it leaves."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionHeader, QStyleOptionViewItem

from explorer.ui.kit.small_table import ColumnOf, SmallModel, SmallTable
from explorer.ui.kit.theme import theme

pytestmark = pytest.mark.usefixtures("qapp")


def made(*, width: int = 320) -> SmallTable:
    theme().install("light")
    model = SmallModel[tuple[str, str, str]](
        (
            ColumnOf("Page", lambda row: row[0], fit=True),
            ColumnOf("Value", lambda row: row[1], share=2),
            ColumnOf("Request number", lambda row: row[2], fit=True),
        )
    )
    table = SmallTable(model, "Places")
    table.resize(width, 200)
    table.show()
    return table


def test_what_fits_is_seen_whole_and_the_rest_is_shared() -> None:
    table = made()
    table.show_rows([("1,177", "x" * 200, "7"), ("12", "", "25")])
    metrics = QFontMetrics(table.font())
    assert table.columnWidth(0) > metrics.horizontalAdvance("1,177") + 10
    assert table.columnWidth(2) >= table.horizontalHeader().sectionSizeHint(2)
    assert sum(map(table.columnWidth, range(3))) <= table.viewport().width()
    before = table.columnWidth(1)
    table.show_rows([("1", "", "7"), ("1,234,567,890", "", "7")])
    assert table.columnWidth(1) < before
    table.show_rows([])
    assert table.columnWidth(0) >= table.horizontalHeader().sectionSizeHint(0)


def test_a_text_stands_below_its_head() -> None:
    table = made()
    table.show_rows([("1", "value", "7")])
    index = table.model().index(0, 1)
    option = QStyleOptionViewItem()
    option.initFrom(table)
    option.rect = table.visualRect(index)
    delegate = table.itemDelegate()
    assert isinstance(delegate, QStyledItemDelegate)
    delegate.initStyleOption(option, index)
    cell: QRect = table.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, table)
    head = table.horizontalHeader()
    section = QStyleOptionHeader()
    head.initStyleOption(section)
    section.rect = QRect(head.sectionViewportPosition(1), 0, head.sectionSize(1), head.height())
    label = head.style().subElementRect(QStyle.SubElement.SE_HeaderLabel, section, head)
    margin = table.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, option, table) + 1
    assert cell.left() + margin == label.left()
    assert head.defaultAlignment() & Qt.AlignmentFlag.AlignLeft
