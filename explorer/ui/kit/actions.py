"""Every command as data. Menus, the palette and the shortcuts are all built from this one list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence

from explorer.ui.kit.theme import icon

Run = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Command:
    """One thing the program can do."""

    id: str
    """Stable, as ``request.send``."""
    text: str
    """As a menu says it."""
    shortcut: str = ""
    """As Qt writes it, ``Ctrl+K``; several with ``; `` between."""
    icon: str = ""
    """The name of a drawing in resources/icons; may be empty."""
    when: str = ""
    """The condition under which it can be used (see `Commands.allow`); empty when it always can."""
    group: str = ""
    """The menu that it belongs to; empty when only the palette and the shortcut have it."""
    checkable: bool = False
    section: str = ""
    """Within a menu, commands of another section are set apart by a line."""


class Commands(QObject):
    """All commands of a window and the one QAction of each.

    A command may be added without anything to run: it waits, switched off, until the page in front offers it.
    """

    changed = Signal()
    """Sent when commands were added or taken away. Each QAction itself signals whether it can be used."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: dict[str, Command] = {}
        self._actions: dict[str, QAction] = {}
        self._standing: dict[str, Run] = {}
        self._offered: dict[str, Run] = {}
        self._passing: set[str] = set()
        self._conditions: set[str] = set()

    def add(self, command: Command, run: Run | None = None) -> QAction:
        """Adds a command. Adding the same id again replaces what it runs."""
        if run is not None:
            self._standing[command.id] = run
        if command.id not in self._actions:
            self._known[command.id] = command
            self._actions[command.id] = self._make(command)
        self._refresh(command.id)
        self.changed.emit()
        return self._actions[command.id]

    def offer(self, commands: Iterable[tuple[Command, Run]]) -> None:
        """Sets what the page in front can do, in place of what the previous page could."""
        for gone in self._passing:
            self._known.pop(gone)
            action = self._actions.pop(gone)
            action.setShortcuts([])
            action.deleteLater()
        self._passing = set()
        self._offered = {}
        for command, run in commands:
            self._offered[command.id] = run
            if command.id not in self._actions:
                self._known[command.id] = command
                self._actions[command.id] = self._make(command)
                self._passing.add(command.id)
        for known in self._known:
            self._refresh(known)
        self.changed.emit()

    def allow(self, condition: str, holds: bool = True) -> None:
        """Sets whether a condition named by `Command.when` holds now."""
        if holds == (condition in self._conditions):
            return
        (self._conditions.add if holds else self._conditions.discard)(condition)
        for known in self._known:
            self._refresh(known)

    def action(self, command_id: str) -> QAction:
        """The action of a command, for menus and buttons. Raises KeyError."""
        return self._actions[command_id]

    def get(self, command_id: str) -> Command:
        """The command of that id. Raises KeyError."""
        return self._known[command_id]

    def run(self, command_id: str) -> bool:
        """Runs the command if it can be used now. Returns whether it ran."""
        action = self._actions.get(command_id)
        if action is None or not action.isEnabled():
            return False
        action.trigger()
        return True

    def __iter__(self) -> Iterator[Command]:
        return iter(list(self._known.values()))

    def group(self, name: str) -> list[Command]:
        """The commands of one menu, in the order in which they were added."""
        return [c for c in self if c.group == name]

    def usable(self, command_id: str) -> bool:
        """Whether the command can be used now."""
        return self._actions[command_id].isEnabled()

    def _make(self, command: Command) -> QAction:
        action = QAction(command.text, self)
        action.setObjectName(command.id)
        action.setCheckable(command.checkable)
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        if command.shortcut:
            action.setShortcuts([QKeySequence(one) for one in command.shortcut.split("; ")])
        if command.icon:
            action.setIcon(icon(command.icon))
        # On a Mac Qt would move "About" and "Quit" by their words; it may, they are what they say.
        action.triggered.connect(lambda *_: self._do(command.id))
        return action

    def _do(self, command_id: str) -> None:
        run = self._offered.get(command_id) or self._standing.get(command_id)
        if run is not None:
            run()

    def _refresh(self, command_id: str) -> None:
        command = self._known[command_id]
        there = command_id in self._offered or command_id in self._standing
        self._actions[command_id].setEnabled(there and (not command.when or command.when in self._conditions))
