"""The button that Enter presses: the one that a dialog means, and none beside it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QPushButton
from pytestqt.qtbot import QtBot

from explorer.quality.reports.issue import Subject
from explorer.ui.handover import HandOver
from explorer.ui.help import About
from explorer.ui.kit.dialogs import press_on_enter
from explorer.ui.pages.quality.quality_save import BundleDialog
from tests.house.sources import modules
from tests.mirror.quality.reports.test_issue import call

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
MADE: dict[str, Callable[[], QDialog]] = {
    "Copy": lambda: HandOver(Subject(call=call()), ()),
    "Save…": lambda: BundleDialog(None, "evidence"),
    "Close": About,
}


@pytest.mark.parametrize("words", MADE)
def test_enter_presses_the_button_that_the_dialog_means(qtbot: QtBot, words: str) -> None:
    dialog = MADE[words]()
    qtbot.addWidget(dialog)
    dialog.show()
    [meant] = [one for one in dialog.findChildren(QPushButton) if one.isDefault()]
    assert meant.text() == words
    pressed: list[str] = []
    meant.clicked.disconnect()
    meant.clicked.connect(lambda *_: pressed.append(words))
    dialog.setFocus()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert pressed == [words]


def test_a_button_without_its_dialog_is_refused(qtbot: QtBot) -> None:
    button = QPushButton("Alone")
    qtbot.addWidget(button)
    with pytest.raises(ValueError, match="Alone"):
        press_on_enter(button)


def test_no_other_way_to_name_the_button() -> None:
    named = {path for path, tree in modules(words=("setDefault",)) if "'setDefault'" in _names(tree)}
    assert named == {"explorer/ui/kit/dialogs.py"}


def _names(tree: object) -> str:
    import ast

    return repr({one.attr for one in ast.walk(tree) if isinstance(one, ast.Attribute)})  # type: ignore[arg-type]
