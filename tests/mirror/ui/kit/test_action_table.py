"""The small table of things done: what its cells say, and what Enter, a click and the menu do."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from explorer.ui.kit.action_table import ActionCell, ActionRow, ActionTable
from explorer.ui.kit.theme import theme


def table(qtbot: QtBot, done: list[str]) -> ActionTable:
    made = ActionTable(("name", "state"), "Things")
    qtbot.addWidget(made)
    QAbstractItemModelTester(made.deeds, made)
    made.deeds.show(
        [
            ActionRow(
                number,
                (ActionCell(f"<b>{number}</b>"), ActionCell("Expired", "fails")),
                (
                    ("Copy", partial(done.append, f"copy {number}")),
                    ("Forget", partial(done.append, f"forget {number}")),
                ),
            )
            for number in range(3)
        ]
    )
    made.resize(500, 200)
    return made


def test_enter_a_click_and_the_menu_act(qtbot: QtBot) -> None:
    done: list[str] = []
    view = table(qtbot, done)
    view.show()
    view.setCurrentIndex(view.model().index(1, 0))
    QTest.keyClick(view, Qt.Key.Key_Return)
    QTest.keyClick(view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)  # sends the page's form
    spot = view.visualRect(view.model().index(2, 2)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    spot = view.visualRect(view.model().index(2, 0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    menu = view.menu(0)
    assert [action.text() for action in menu.actions()] == ["Copy", "Forget"]
    menu.actions()[1].trigger()
    assert done == ["copy 1", "copy 2", "forget 0"]


def test_new_words_for_the_same_rows_keep_the_place(qtbot: QtBot) -> None:
    view = table(qtbot, [])
    view.setCurrentIndex(view.model().index(2, 0))
    view.deeds.show(
        [
            ActionRow(deed.key, (deed.cells[0], ActionCell("in 2 h", "caution")), ())
            for deed in view.deeds.deeds
        ]
    )
    assert view.currentIndex().row() == 2
    assert view.model().index(2, 1).data() == "in 2 h"
    assert view.model().index(2, 2).data() == ""
    view.act(2)  # nothing to do, and nothing happens
    view.deeds.show(())
    assert view.model().rowCount() == 0


def test_remote_words_are_plain_and_badges_have_their_ground(qtbot: QtBot) -> None:
    theme().install("light")
    view = table(qtbot, [])
    assert view.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == "<span>&lt;b&gt;0&lt;/b&gt;</span>"
    view.show()
    image = view.viewport().grab().toImage()
    area = view.visualRect(view.model().index(0, 1))
    assert image.pixelColor(area.left() + 13, area.center().y()) == theme().colors.color("fails_ground")
