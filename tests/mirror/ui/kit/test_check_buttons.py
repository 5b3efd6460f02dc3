"""What can be checked does the same by a click, a key and *Toggle* of assistive technology, and nothing by itself."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QButtonGroup
from pytestqt.qtbot import QtBot

from explorer.ui.kit.check_buttons import CheckBox, CheckButton
from explorer.ui.kit.layout import push_button


def toggle(button: QAbstractButton) -> None:
    actions = QAccessible.queryAccessibleInterface(button).actionInterface()
    assert actions.actionNames()[0] == "Toggle", "what a screen reader does first"
    actions.doAction("Toggle")


@pytest.mark.parametrize("kind", [CheckButton, CheckBox])
def test_each_way_is_told_once(qtbot: QtBot, kind: type[CheckButton] | type[CheckBox]) -> None:
    button = kind("Whole lists")
    qtbot.addWidget(button)
    button.show()
    told: list[bool] = []
    button.clicked.connect(lambda on: told.append(on))
    toggle(button)
    assert told == [True]
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert told == [True, False]
    button.click()
    assert told == [True, False, True]
    button.setChecked(False)
    assert told == [True, False, True], "the program told nobody to do anything"
    toggle(button)
    assert told == [True, False, True, True]


def test_one_of_several_is_told_of_the_chosen_one_alone(qtbot: QtBot) -> None:
    group = QButtonGroup()
    buttons = [push_button(text, checkable=True) for text in ("Tree", "Text")]
    told: list[object] = []
    group.idClicked.connect(told.append)
    for place, button in enumerate(buttons):
        qtbot.addWidget(button)
        button.show()
        group.addButton(button, place)
        button.clicked.connect(lambda _=False, button=button: told.append(button.text()))
    buttons[0].setChecked(True)
    assert told == []
    toggle(buttons[1])
    assert told == ["Text", 1]
    buttons[0].click()
    assert sorted(map(str, told)) == ["0", "1", "Text", "Tree"]
