"""A small frame over its window: it ends with what it belongs to."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLineEdit, QPushButton, QTabWidget
from pytestqt.qtbot import QtBot

from explorer.ui.kit.layout import column
from explorer.ui.kit.popover import Popover


def test_it_closes_when_another_page_comes_in_front_though_the_focus_stays(qtbot: QtBot) -> None:
    """So a screen reader chooses a tab: by its action, without the focus."""
    tabs = QTabWidget()
    qtbot.addWidget(tabs)
    anchor = QPushButton("Add a filter")
    tabs.addTab(anchor, "Jobs")
    tabs.addTab(QPushButton("Other"), "Files")
    tabs.show()
    made = Popover("Filter", anchor)
    field = QLineEdit()
    column(field, of=made)
    made.show_below(anchor, QPoint(0, 0), field)
    assert made.isVisible()
    with qtbot.waitSignal(made.destroyed):
        tabs.setCurrentIndex(1)
