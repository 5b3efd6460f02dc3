"""A bar in a narrow room: its buttons are in the menu in their order, and what is not there at all is in neither."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from explorer.ui.kit.folding_bar import FoldingBar
from explorer.ui.kit.plain import PlainLabel


def made(qtbot: QtBot) -> tuple[FoldingBar, list[QPushButton], QPushButton]:
    bar = FoldingBar()
    first, second, primary = QPushButton("First"), QPushButton("Second"), QPushButton("Send")
    label = PlainLabel("words that may be cut", elide=True)
    bar.folds += [first, second]
    bar.fill((label, 1), first, second, bar.more, primary, label=label, least=40, margins=(12, 0, 12, 0))
    qtbot.addWidget(bar)
    bar.show()
    return bar, [first, second], primary


def entries(bar: FoldingBar) -> list[tuple[str, bool]]:
    menu = bar.more.menu()
    menu.aboutToShow.emit()
    return [(action.text(), action.isEnabled()) for action in menu.actions()]


def test_buttons_move_into_the_menu_and_come_back(qtbot: QtBot, qapp: QApplication) -> None:
    bar, buttons, primary = made(qtbot)
    pressed: list[str] = []
    buttons[0].clicked.connect(lambda: pressed.append("First"))
    menu = QMenu("Second", bar)
    menu.addAction("Inner")
    buttons[1].setMenu(menu)
    buttons[1].setEnabled(False)
    for width, folded in ((600, []), (bar.minimumSizeHint().width(), buttons), (600, [])):
        bar.resize(width, 40)
        qapp.processEvents()
        assert bar.folded == folded
        assert [one.isVisible() for one in buttons] == [one not in folded for one in buttons]
        assert bar.more.isVisible() == bool(folded)
        assert bar.rect().contains(primary.geometry())
        if folded:
            assert entries(bar) == [("Second", False), ("First", True)]
            bar.more.menu().actions()[1].trigger()
    assert pressed == ["First"]


def test_what_is_not_offered_is_neither_in_the_bar_nor_in_the_menu(qtbot: QtBot, qapp: QApplication) -> None:
    bar, buttons, _ = made(qtbot)
    bar.offer(buttons[0], False)
    for width in (600, 150):
        bar.resize(width, 40)
        qapp.processEvents()
        assert not buttons[0].isVisible()
        assert ("First", True) not in entries(bar)
    assert bar.folded == buttons[1:]
    bar.offer(buttons[0], True)
    qapp.processEvents()
    assert bar.folded == buttons
    bar.resize(600, 40)
    qapp.processEvents()
    assert buttons[0].isVisible()
