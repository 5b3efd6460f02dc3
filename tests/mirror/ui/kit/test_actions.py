"""Commands: bound, offered by a page and taken back, allowed by conditions."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow

from explorer.ui.frame.menus import Menus
from explorer.ui.frame.window_commands import COMMANDS
from explorer.ui.kit.actions import Command, Commands

SEND = Command("request.send", "Send", "Ctrl+Return", group="Request")


def test_a_command_waits_until_a_page_offers_it(qapp: QApplication) -> None:
    commands, done = Commands(), list[str]()
    commands.add(SEND)
    assert not commands.usable("request.send")
    assert not commands.run("request.send")
    commands.offer([(SEND, lambda: done.append("first"))])
    assert commands.run("request.send")
    commands.offer([(SEND, lambda: done.append("second"))])
    commands.run("request.send")
    commands.offer([])
    assert not commands.run("request.send")
    assert done == ["first", "second"]


def test_a_page_s_own_commands_go_with_it(qapp: QApplication) -> None:
    commands = Commands()
    commands.add(Command("edit.copy", "Copy"), lambda: None)
    commands.offer([(Command("list.copy_csv", "Copy as CSV", "Ctrl+Alt+C", group="Edit"), lambda: None)])
    assert [c.id for c in commands] == ["edit.copy", "list.copy_csv"]
    action = commands.action("list.copy_csv")
    commands.offer([])
    assert [c.id for c in commands] == ["edit.copy"]
    assert action.shortcuts() == []


def test_conditions_switch_on_and_off(qapp: QApplication) -> None:
    commands = Commands()
    commands.add(Command("go.close_tab", "Close tab", when="tabs"), lambda: None)
    assert not commands.usable("go.close_tab")
    commands.allow("tabs")
    assert commands.usable("go.close_tab")
    commands.allow("tabs", False)
    assert not commands.usable("go.close_tab")


def test_no_two_commands_share_an_id_or_keys() -> None:
    ids = [c.id for c in COMMANDS]
    keys = [k for c in COMMANDS for k in c.shortcut.split("; ") if k]
    assert len(ids) == len(set(ids))
    assert len(keys) == len(set(keys))


def test_menus_and_shortcuts_follow(qapp: QApplication) -> None:
    window, done = QMainWindow(), list[str]()
    commands = Commands(window)
    commands.add(Command("view.log", "Request log", "Ctrl+L", group="View"), lambda: done.append("log"))
    menus = Menus(window, commands)
    commands.offer(
        [(Command("list.find", "Find", "F3", group="View", section="find"), lambda: done.append("find"))]
    )
    menus.fill()
    shown = [a.text() for m in menus.menus() for a in m.actions()]
    assert shown == ["Request log", "", "Find"]
    window.show()
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(window, Qt.Key.Key_F3)
    assert done == ["log", "find"]
    window.close()
