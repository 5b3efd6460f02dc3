"""The Edit menu: its commands act on the focused field or table, and are enabled by what is possible there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import cast

import shiboken6
from PySide6.QtCore import QEvent, QMimeData, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from explorer.ui.kit.actions import Commands
from explorer.ui.kit.clipboard import copy_text

Text = QPlainTextEdit | QTextEdit
EDITS = ("undo", "redo", "cut", "copy", "paste", "select_all")
"""The commands, each ``edit.NAME``; each is enabled by the condition of the same name."""


class Editing(QObject):
    """Follows the keyboard focus; menus and the palette take it, but do not change what is edited."""

    def __init__(self, commands: Commands, parent: QObject) -> None:
        super().__init__(parent)
        self._commands = commands
        self._focus: QWidget | None = None
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._moved)

    def runs(self) -> dict[str, Callable[[], object]]:
        """The function of each command, by its id."""
        return {f"edit.{name}": partial(self._run, name) for name in EDITS}

    def look(self) -> None:
        """Update what is possible, before the palette shows it. The clipboard is not examined."""
        self._allow(set(_possible(self._target())))

    def look_with_clipboard(self) -> None:
        """Update it before the menu shows it. Only here the clipboard is read: its owner may be slow to answer."""
        can = set(_possible(self._target()))
        self._allow(can if "paste" not in can or _text_to_paste() else can - {"paste"})

    def _allow(self, can: set[str]) -> None:
        for name in EDITS:
            self._commands.allow(f"edit.{name}", name in can)

    def _moved(self, _old: QWidget | None, now: QWidget | None) -> None:
        if now is not None and not isinstance(now, (QMenu, QMenuBar)):
            self._focus = now
            self.look()

    def _target(self) -> QWidget | None:
        focus = self._focus
        if focus is None or not shiboken6.isValid(focus):
            return None
        if isinstance(focus, (QComboBox, QAbstractSpinBox)) and (line := focus.lineEdit()) is not None:
            return line
        return focus

    def _run(self, name: str) -> None:
        target = self._target()
        if isinstance(target, (QLineEdit, QPlainTextEdit, QTextEdit)):
            getattr(target, "selectAll" if name == "select_all" else name)()
        elif name == "select_all" and isinstance(target, QAbstractItemView):
            target.selectAll()
        elif name == "copy" and isinstance(target, QLabel):
            copy_text(target.selectedText(), "text")
        elif name == "copy" and target is not None:
            _copy_in(target)


def _possible(target: QWidget | None) -> Iterator[str]:
    if isinstance(target, QLineEdit):
        yield from _in_line(target)
    elif isinstance(target, (QPlainTextEdit, QTextEdit)):
        yield from _in_text(target)
    elif isinstance(target, QLabel):
        if target.hasSelectedText():
            yield "copy"
    elif isinstance(target, QAbstractItemView):
        if target.model() is not None and target.model().rowCount(target.rootIndex()):
            yield "copy"
            modes = QAbstractItemView.SelectionMode
            if target.selectionMode() in (modes.ExtendedSelection, modes.MultiSelection):
                yield "select_all"
    elif target is not None and _copier(target) is not None:
        yield "copy"


def _in_line(line: QLineEdit) -> Iterator[str]:
    changes, seen = not line.isReadOnly(), line.echoMode() is QLineEdit.EchoMode.Normal
    if changes and line.isUndoAvailable():
        yield "undo"
    if changes and line.isRedoAvailable():
        yield "redo"
    if seen and line.hasSelectedText():
        yield "copy"
        if changes:
            yield "cut"
    if changes:
        yield "paste"
    if line.text():
        yield "select_all"


def _in_text(text: Text) -> Iterator[str]:
    changes, document = not text.isReadOnly(), text.document()
    if changes and document.isUndoAvailable():
        yield "undo"
    if changes and document.isRedoAvailable():
        yield "redo"
    if text.textCursor().hasSelection():
        yield "copy"
        if changes:
            yield "cut"
    if changes:
        yield "paste"
    if not document.isEmpty():
        yield "select_all"


def _text_to_paste() -> bool:
    # None where nothing was ever copied, despite the type stubs.
    data = cast(QMimeData | None, QApplication.clipboard().mimeData())
    return data is not None and data.hasText()


def _copier(focus: QWidget) -> Callable[[], object] | None:
    """The action of Ctrl+C there: a shortcut or an action of the widget, or of one around it."""
    keys = QKeySequence(QKeySequence.StandardKey.Copy)
    place: QWidget | None = focus
    while place is not None and not place.isWindow():
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        for shortcut in place.findChildren(QShortcut, options=direct):
            known = shortcut.keys()
            if keys in known:
                return shortcut.activated.emit
        for action in place.actions():
            if keys in action.shortcuts():
                return action.trigger
        place = place.parentWidget()
    return None


def _copy_in(focus: QWidget) -> None:
    """Copy as Ctrl+C would there: by what it is bound to, else by the widget's own key."""
    copier = _copier(focus)
    if copier is not None:
        copier()
        return
    control = Qt.KeyboardModifier.ControlModifier
    focus.keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_C, control))
