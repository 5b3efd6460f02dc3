"""Everything that a window says: to the eye, to a screen reader, in tooltips, titles, tables and menus."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QAbstractTableModel,
    QModelIndex,
    QObject,
    Qt,
)
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLineEdit, QTabBar, QWidget

_METHODS = (
    *("windowTitle", "toolTip", "statusTip", "whatsThis", "accessibleName", "accessibleDescription"),
    *("text", "toPlainText", "whole", "title", "placeholderText", "currentText", "windowFilePath"),
)
_ROLES = (
    *(Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.EditRole),
    *(Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole),
    *range(Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 6),
)
_SPOKEN = (
    *(QAccessible.Text.Name, QAccessible.Text.Description, QAccessible.Text.Value),
    *(QAccessible.Text.Help, QAccessible.Text.Accelerator),
)
_ROWS = 15
"""Of each table and each branch of a tree: what one row may hold, all may."""


Place = tuple[Any, ...]
"""A widget or action, and what of it: thousands are made, and few are ever read (`words_of`)."""


def words_of(place: Place) -> str:
    """A place as a sentence of a failed test names it."""
    of, *what = place
    name = of.accessibleName()[:40] if isinstance(of, QWidget) else ""
    return f"{type(of).__name__} {of.objectName()} {name} {what}"


def said() -> Iterator[tuple[Place, str]]:
    """Where and what, of every widget there is, shown or not, and of every action."""
    for top in QApplication.topLevelWidgets():
        yield from of_widgets(top)


def of_widgets(top: QWidget) -> Iterator[tuple[Place, str]]:
    """The same of one widget and what is in it."""
    for widget in (top, *top.findChildren(QWidget)):
        yield from _of_widget(widget)
    for action in top.findChildren(QAction):
        yield (action,), f"{action.text()}\n{action.toolTip()}\n{action.statusTip()}"


def _of_widget(widget: QWidget) -> Iterator[tuple[Place, str]]:
    for name in _methods(type(widget)):  # type: ignore[arg-type]  # the stub knows no hash of a class
        yield (widget, name), _called(widget, name)
    interface = QAccessible.queryAccessibleInterface(widget)
    if interface is not None:
        for kind in _SPOKEN:
            yield (widget, "spoken", kind.name), interface.text(kind)
    if isinstance(widget, QTabBar):
        for at in range(widget.count()):
            yield (widget, "tab", at), f"{widget.tabText(at)}\n{widget.tabToolTip(at)}"
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from _of_model(widget.model(), QModelIndex(), widget)


@functools.cache
def _methods(kind: type[QWidget]) -> tuple[str, ...]:
    """Those of `_METHODS` that widgets of this class have."""
    # A password's own text is what was typed; what is shown of it counts.
    names = ("displayText" if n == "text" and issubclass(kind, QLineEdit) else n for n in _METHODS)
    return tuple(name for name in names if callable(getattr(kind, name, None)))


def _called(widget: QObject, name: str) -> str:
    method = getattr(widget, name)
    try:
        value: Any = method() if callable(method) else ""
    except TypeError:  # a method of that name that takes arguments
        return ""
    return value if isinstance(value, str) else ""


def _of_model(model: QAbstractItemModel, parent: QModelIndex, of: QWidget) -> Iterator[tuple[Place, str]]:
    flat = isinstance(model, QAbstractTableModel | QAbstractListModel)  # whose ways down are private
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)
    for row in range(min(model.rowCount(parent), _ROWS)):
        for column in range(columns):
            index = model.index(row, column, parent)
            for role in _ROLES:
                value = model.data(index, role)
                if value is not None:
                    yield (of, "row", row, "column", column, "role", role), _words(value)
            if column == 0 and not flat and model.hasChildren(index):
                yield from _of_model(model, index, of)


def _words(value: object) -> str:
    if isinstance(value, tuple):
        return "\n".join(map(_words, value))
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)
