"""The two small dialogs hold what they promise."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from explorer import __version__
from explorer.ui.frame.window_commands import COMMANDS
from explorer.ui.help import About, Shortcuts
from explorer.ui.kit.actions import Command, Commands
from explorer.ui.kit.plain import PlainLabel


def test_every_command_with_keys_is_listed(qapp: QApplication) -> None:
    commands = Commands()
    for command in COMMANDS:
        commands.add(command)
    commands.offer([(Command("list.next", "Next hit", "F3"), lambda: None)])
    said = [label.whole() for label in Shortcuts(commands).findChildren(PlainLabel)]
    for command in COMMANDS:
        assert (command.text in said) == bool(command.shortcut)
    assert {"Next hit", "F3", "This page", "Ctrl K"} <= set(said)


def test_no_line_of_keys_is_cut(qapp: QApplication) -> None:
    commands = Commands()
    commands.offer(
        [(Command("list.long", "A command of many words " * 2, "Ctrl+Return; Ctrl++"), lambda: None)]
    )
    with_style = QWidget()
    with_style.setStyleSheet("QLabel[role=path] { font-size: 30pt }")
    for dialog in (Shortcuts(commands), Shortcuts(commands, with_style)):
        dialog.show()
        qapp.processEvents()
        [area] = dialog.findChildren(QScrollArea)
        assert area.horizontalScrollBar().maximum() == 0
        assert "Ctrl Return  or  Ctrl +" in [label.whole() for label in dialog.findChildren(PlainLabel)]
        dialog.close()


def test_about_names_the_version(qapp: QApplication) -> None:
    said = [label.whole() for label in About().findChildren(PlainLabel)]
    assert f"Version {__version__}" in said
