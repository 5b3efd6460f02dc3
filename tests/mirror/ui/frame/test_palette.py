"""Finding by a few letters, and the palette by keyboard alone."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleActionInterface, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow
from pytestqt.qtbot import QtBot

from explorer.ui.frame.palette import Entry, Palette, rank, score

TITLES = (
    "Contacts", "Accounts", "Jobs", "Files", "Drives", "Mailboxes", "Sequence states", "Customer balance",
    "Customer income", "Payment receipts", "Pipelines", "Connection check", "Customers", "Magic link", "Send webhook",
)  # fmt: skip


def entries() -> list[Entry]:
    return [Entry(title, "Page", lambda: None) for title in TITLES]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("jo", "Jobs"), ("ss", "Sequence states"), ("ci", "Customer income"), ("cb", "Customer balance"),
        ("cust", "Customers"), ("link", "Magic link"), ("mail", "Mailboxes"), ("PIPE", "Pipelines"),
    ],
)  # fmt: skip
def test_the_best_comes_first(typed: str, first: str) -> None:
    assert rank(typed, entries())[0].text == first


def test_what_does_not_fit_is_left_out_and_nothing_typed_shows_all() -> None:
    assert rank("xyzzy", entries()) == []
    assert [e.text for e in rank("", entries())] == list(TITLES)


@given(st.sampled_from(TITLES), st.data())
def test_letters_in_order_are_always_found(title: str, data: st.DataObject) -> None:
    places = sorted(data.draw(st.sets(st.integers(0, len(title) - 1), min_size=1)))
    typed = "".join(title[i] for i in places)
    assert score(title, title) is not None
    greedy = score(typed, title)
    # Word starts are preferred; that may pass over a letter, but never for what is a plain beginning.
    assert greedy is not None or not title.lower().startswith(typed.lower())


@given(st.text(max_size=8), st.text(max_size=30))
def test_scoring_never_raises(typed: str, text: str) -> None:
    score(typed, text)


def test_it_works_by_keyboard_and_gives_the_focus_back(qapp: QApplication) -> None:
    window = QMainWindow()
    field = QLineEdit()
    window.setCentralWidget(field)
    window.show()
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    field.setFocus()
    palette, done = Palette(window), list[str]()
    found = [Entry(title, "Page", lambda title=title: done.append(title)) for title in TITLES]  # type: ignore[misc]
    palette.ask(found, "Go to a page")
    tall = palette.height()
    QTest.keyClicks(palette.field, "cus")
    assert palette.height() < tall, "no empty room under the few that fit"
    assert palette.field.accessibleDescription() == "Customers, Page"
    QTest.keyClick(palette.field, Qt.Key.Key_Down)
    chosen = palette.field.accessibleDescription().split(",")[0]
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert done == [chosen]
    assert not palette.isVisible()
    assert QApplication.focusWidget() is field
    palette.ask(found, "Go to a page")
    QTest.keyClicks(palette.field, "xyzzy")
    assert palette.field.accessibleDescription() == "Nothing found"
    assert palette.nothing.isVisible()
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert done == [chosen]
    window.close()


@pytest.mark.parametrize("place", [0, 2])
def test_toggle_of_assistive_technology_chooses_a_line(qtbot: QtBot, place: int) -> None:
    window, ran = QMainWindow(), list[str]()
    qtbot.addWidget(window)
    window.show()
    palette = Palette(window)
    palette.ask([Entry(title, "Page", partial(ran.append, title)) for title in TITLES], "Go to")
    spoken = QAccessible.queryAccessibleInterface(palette.list)
    assert spoken is not None
    action = spoken.child(place).actionInterface()
    assert action is not None
    action.doAction(QAccessibleActionInterface.toggleAction())
    qtbot.waitUntil(lambda: ran == [TITLES[place]])
    assert not palette.isVisible()


def test_the_keys_that_open_it_choose_nothing(qtbot: QtBot) -> None:
    window, ran = QMainWindow(), list[str]()
    qtbot.addWidget(window)
    palette = Palette(window)
    offered = [Entry(title, "Page", partial(ran.append, title)) for title in TITLES]
    QShortcut(QKeySequence("Ctrl+K"), window, lambda: palette.ask(offered, "Go to"))
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert palette.isVisible()
    QApplication.processEvents()
    assert ran == []
    assert [index.row() for index in palette.list.selectedIndexes()] == [0]
