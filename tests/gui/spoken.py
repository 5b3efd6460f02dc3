"""What a screen reader gets of a part of the window: which controls, cells and widgets have no word for it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QAbstractListModel, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QComboBox, QLineEdit, QWidget


def described(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QAbstractButton | QLineEdit) else ""
    return f"{type(widget).__name__} {widget.accessibleName() or text!r}"


CONTROLS = {
    QAccessible.Role.Button,
    QAccessible.Role.ButtonMenu,
    QAccessible.Role.ButtonDropDown,
    QAccessible.Role.CheckBox,
    QAccessible.Role.ComboBox,
    QAccessible.Role.Dialog,
    QAccessible.Role.EditableText,
    QAccessible.Role.List,
    QAccessible.Role.MenuItem,
    QAccessible.Role.PageTab,
    QAccessible.Role.PageTabList,
    QAccessible.Role.RadioButton,
    QAccessible.Role.SpinBox,
    QAccessible.Role.Table,
    QAccessible.Role.Tree,
    QAccessible.Role.ColumnHeader,
}
TABLES = (QAccessible.Role.Table, QAccessible.Role.Tree, QAccessible.Role.List)
CELLS = (QAccessible.Role.Cell, QAccessible.Role.ListItem, QAccessible.Role.TreeItem)
HEADS = (QAccessible.Role.ColumnHeader, QAccessible.Role.RowHeader)
_ROWS = 12


def nameless(root: QAccessibleInterface, path: str = "") -> Iterator[str]:
    """Every visible control below ``root`` without a name, and every cell of a table without a word."""
    for place in range(root.childCount()):
        child = root.child(place)
        if child.state().invisible:
            continue
        where = f"{path}/{child.role().name}"
        if child.role() in CONTROLS and not spoken(child):
            yield f"{where} {child.object()}"
        if child.role() in TABLES:
            yield from silent_cells(child, where)
        else:
            yield from nameless(child, where)


def spoken(interface: QAccessibleInterface) -> str:
    return interface.text(QAccessible.Text.Name) or interface.text(QAccessible.Text.Value)


def silent_cells(table: QAccessibleInterface, where: str) -> Iterator[str]:
    """Cells of the first rows that say nothing; a table's rows may be a million."""
    view = table.object()
    if not isinstance(view, QAbstractItemView) or view.model() is None:
        return
    columns = 1 if isinstance(view.model(), QAbstractListModel) else view.model().columnCount()
    most = (columns + 1) * (_ROWS + 1)
    for place in range(min(table.childCount(), most)):
        cell = table.child(place)
        if not cell.state().invisible and cell.role() in (*CELLS, *HEADS) and not spoken(cell):
            yield f"{where} {view.accessibleName()}: {cell.role().name} {place} says nothing"


def heard(root: QWidget) -> list[str]:
    interface = QAccessible.queryAccessibleInterface(root)
    assert interface is not None
    return [*nameless(interface), *unnamed(root), *choices_of_what(root)]


def choices_of_what(root: QWidget) -> Iterator[str]:
    """Every visible combo box of which no word but its value is said on Linux: there Qt gives that as its name."""
    for one in root.findChildren(QComboBox):
        interface = QAccessible.queryAccessibleInterface(one)
        labels = interface.relations(QAccessible.RelationFlag.Label)
        told = interface.text(QAccessible.Text.Description)
        if one.isVisible() and not labels and not told.startswith(one.accessibleName()):
            yield f"of {one.accessibleName()!r} only {told!r} is said"


def unnamed(root: QWidget) -> Iterator[str]:
    """Every visible widget that takes keys or clicks and has no name, though it is none of the usual controls."""
    for one in (root, *root.findChildren(QWidget)):
        if one.focusPolicy() == Qt.FocusPolicy.NoFocus or not one.isVisible() or one.focusProxy() is not None:
            continue
        interface = QAccessible.queryAccessibleInterface(one)
        if interface.role() not in CONTROLS and not spoken(interface):
            yield f"{interface.role().name} {described(one)} in {described(one.parentWidget() or root)}"
