"""Everything that a window says: to the eye, to a screen reader, in tooltips, titles, tables and menus."""

from __future__ import annotations

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


def said() -> Iterator[tuple[str, str]]:
    """Where and what, of every widget there is, shown or not, and of every action."""
    for top in QApplication.topLevelWidgets():
        yield from of_widgets(top)


def of_widgets(top: QWidget) -> Iterator[tuple[str, str]]:
    """The same of one widget and what is in it."""
    for widget in (top, *top.findChildren(QWidget)):
        yield from _of_widget(widget)
    for action in top.findChildren(QAction):
        yield f"action {action.objectName()}", f"{action.text()}\n{action.toolTip()}\n{action.statusTip()}"


def _of_widget(widget: QWidget) -> Iterator[tuple[str, str]]:
    where = f"{type(widget).__name__} {widget.objectName()} {widget.accessibleName()[:40]}"
    for name in _METHODS:
        yield f"{where}.{name}", _called(widget, name)
    interface = QAccessible.queryAccessibleInterface(widget)
    if interface is not None:
        for kind in _SPOKEN:
            yield f"{where} spoken {kind.name}", interface.text(kind)
    if isinstance(widget, QTabBar):
        for at in range(widget.count()):
            yield f"{where} tab {at}", f"{widget.tabText(at)}\n{widget.tabToolTip(at)}"
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from _of_model(widget.model(), QModelIndex(), where)


def _called(widget: QObject, name: str) -> str:
    if name == "text" and isinstance(widget, QLineEdit):
        name = "displayText"  # a password's own text is what was typed; what is shown of it counts
    method = getattr(widget, name, None)
    try:
        value: Any = method() if callable(method) else ""
    except TypeError:  # a method of that name that takes arguments
        return ""
    return value if isinstance(value, str) else ""


def _of_model(model: QAbstractItemModel, parent: QModelIndex, where: str) -> Iterator[tuple[str, str]]:
    flat = isinstance(model, QAbstractTableModel | QAbstractListModel)  # whose ways down are private
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)
    for row in range(min(model.rowCount(parent), _ROWS)):
        for column in range(columns):
            index = model.index(row, column, parent)
            for role in _ROLES:
                value = model.data(index, role)
                if value is not None:
                    yield f"{where} row {row}, column {column}, role {int(role)}", _words(value)
            if column == 0 and not flat and model.hasChildren(index):
                yield from _of_model(model, index, where)


def _words(value: object) -> str:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)
