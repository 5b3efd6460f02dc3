"""Menus made from the commands, and updated with them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu

from explorer.ui.frame.window_commands import MENUS
from explorer.ui.kit.actions import Commands


class Menus(QObject):
    """Fills the menu bar of a window. Every action is the window's too, so that its shortcut works without a menu."""

    def __init__(self, window: QMainWindow, commands: Commands) -> None:
        super().__init__(window)
        self._window = window
        self._commands = commands
        self._menus: dict[str, QMenu] = {}
        for name in MENUS:
            menu = QMenu(f"&{name}", window)
            menu.setAccessibleName(name)
            window.menuBar().addMenu(menu)
            self._menus[name] = menu
        window.menuBar().setAccessibleName("Menu")
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.fill)
        commands.changed.connect(self._soon.start)
        self.fill()

    def fill(self) -> None:
        """Rebuild the menus."""
        kept = {id(a) for a in self._window.actions()}
        for command in self._commands:
            action = self._commands.action(command.id)
            if id(action) not in kept:
                self._window.addAction(action)
        for name, menu in self._menus.items():
            menu.clear()
            before: str | None = None
            for command in sorted(
                self._commands.group(name), key=lambda c: _order(self._commands, name, c.section)
            ):
                if before is not None and command.section != before:
                    menu.addSeparator()
                before = command.section
                menu.addAction(self._commands.action(command.id))

    def menu(self, name: str) -> QMenu:
        """The menu with that name. Raises KeyError."""
        return self._menus[name]

    def enter(self) -> None:
        """Give the keyboard focus to the bar, as pressing Alt does; only then Qt returns it afterwards."""
        kinds = QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.KeyRelease
        for kind in kinds:
            event = QKeyEvent(kind, Qt.Key.Key_Alt, Qt.KeyboardModifier.AltModifier)
            QApplication.sendEvent(self._window, event)

    def menus(self) -> list[QMenu]:
        """In the order of the bar."""
        return list(self._menus.values())


def _order(commands: Commands, menu: str, section: str) -> int:
    return [c.section for c in commands.group(menu)].index(section)
