"""The Edit menu acts on what has the keys, and offers only what does something there; keys reach the menu bar."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QTableView, QWidget

from explorer.ui.app.application import Application
from explorer.ui.app.window import Window
from tests.gui.conftest import RunWindow, until

# A menu is a popup, on which the offscreen platform remarks.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
EDITS = ["Undo", "Redo", "Cut", "Copy", "Paste", "Select all"]
NONE = Qt.KeyboardModifier.NoModifier


async def field(app: Application) -> QLineEdit:
    """An empty field of the page of contacts, with the keys in it."""
    await until(lambda: app.session is not None and app.window.tabs.current is not None, "the first page")
    app.window.open_page("crm/contact")
    app.window.activateWindow()
    page = app.window.tabs.current
    assert page is not None
    [found] = [line for line in page.findChildren(QLineEdit) if line.accessibleName() == "first_name"]
    found.setFocus()
    await until(found.hasFocus, "the keys in the field")
    return found


async def open_edit(window: Window) -> QMenu:
    """The Edit menu, opened with the mouse."""
    bar = window.menuBar()
    [action] = [a for a in bar.actions() if a.text().replace("&", "") == "Edit"]
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, NONE, bar.actionGeometry(action).center())
    menu = action.menu()
    assert isinstance(menu, QMenu)
    await until(menu.isVisible, "the menu")
    return menu


def offered(menu: QMenu) -> list[str]:
    return [a.text() for a in menu.actions() if a.isEnabled() and a.text() in EDITS]


async def choose(window: Window, text: str) -> None:
    """Open the menu and press an entry of it."""
    menu = await open_edit(window)
    [action] = [a for a in menu.actions() if a.text() == text]
    assert action.isEnabled(), text
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, NONE, menu.actionGeometry(action).center())
    await until(lambda: not menu.isVisible(), "the end of the menu")


def test_what_is_typed_is_undone_cut_and_pasted_by_the_menu(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        window, line = app.window, await field(app)
        QApplication.clipboard().clear()
        menu = await open_edit(window)
        assert [a.text() for a in menu.actions() if not a.isSeparator()][: len(EDITS)] == EDITS
        assert offered(menu) == [], "an empty field, an empty clipboard"
        QTest.keyClick(menu, Qt.Key.Key_Escape)
        QTest.keyClicks(line, "Ada")
        await choose(window, "Select all")
        assert line.selectedText() == "Ada"
        await choose(window, "Cut")
        assert (line.text(), QApplication.clipboard().text()) == ("", "Ada")
        await choose(window, "Paste")
        assert line.text() == "Ada"
        await choose(window, "Undo")
        assert line.text() == ""
        assert offered(await open_edit(window)) == ["Undo", "Redo", "Paste"]

    run_window(body)


def test_rows_can_be_chosen_and_copied_and_not_changed(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await until(lambda: app.window.tabs.current is not None, "the page")
        page = app.window.tabs.current
        table = page.findChild(QTableView) if page is not None else None
        assert isinstance(table, QTableView)
        await until(lambda: table.model().rowCount() > 0, "the rows")
        QApplication.clipboard().setText("a text that cannot go into rows")
        app.window.activateWindow()
        table.setFocus()
        table.setCurrentIndex(table.model().index(0, 1))
        assert offered(await open_edit(app.window)) == ["Copy", "Select all"]
        QTest.keyClick(focused_popup(), Qt.Key.Key_Escape)
        await choose(app.window, "Select all")
        assert len(table.selectionModel().selectedRows()) == table.model().rowCount()

    run_window(body)


def focused_popup() -> QWidget:
    popup = QApplication.activePopupWidget()
    assert popup is not None
    return popup


def test_f10_and_letters_with_alt_reach_the_menus(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        line, bar = await field(app), app.window.menuBar()
        QTest.keyClick(line, Qt.Key.Key_F10)
        await until(bar.hasFocus, "the keys in the menu bar")
        active = bar.activeAction()
        assert active is not None
        assert active.text().replace("&", "") == "File"
        QTest.keyClick(bar, Qt.Key.Key_Right)
        QTest.keyClick(bar, Qt.Key.Key_Down)
        await until(
            lambda: QApplication.activePopupWidget() is app.window.menus.menu("Edit"), "the Edit menu"
        )
        QTest.keyClick(focused_popup(), Qt.Key.Key_Escape)
        QTest.keyClick(bar, Qt.Key.Key_Escape)
        await until(line.hasFocus, "the keys where they were")
        QTest.keyClick(line, Qt.Key.Key_Alt, Qt.KeyboardModifier.AltModifier)
        await until(bar.hasFocus, "Alt alone does the same")
        QTest.keyClick(bar, Qt.Key.Key_Escape)
        QTest.keyClick(line, Qt.Key.Key_V, Qt.KeyboardModifier.AltModifier)
        await until(
            lambda: QApplication.activePopupWidget() is app.window.menus.menu("View"), "the View menu"
        )
        QTest.keyClick(focused_popup(), Qt.Key.Key_Escape)

    run_window(body)
