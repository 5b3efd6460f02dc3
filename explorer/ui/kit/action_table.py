"""A small table of things that were done: some cells are badges, and the last column is what can be done again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from explorer.ui.kit.badge import paint_badge
from explorer.ui.kit.plain import tooltip, visible
from explorer.ui.kit.table_rows import by_rows
from explorer.ui.kit.theme import HEADER, ROW, colors, theme

Look = Literal["plain", "muted", "holds", "caution", "fails", "info", "action"]
Index = QModelIndex | QPersistentModelIndex
_LOOK = int(Qt.ItemDataRole.UserRole) + 1
_ACTION = 112
_BADGES = ("holds", "caution", "fails", "info")


@dataclass(frozen=True, slots=True)
class ActionCell:
    """One cell: its words, how they look, and what its tooltip adds."""

    text: str
    look: Look = "plain"
    tip: str = ""


@dataclass(frozen=True, slots=True)
class ActionRow:
    """One row: its cells, and what can be done with it; the first is what its last column and Enter do."""

    key: int
    cells: tuple[ActionCell, ...]
    actions: tuple[tuple[str, Callable[[], object]], ...]


class DeedsModel(QAbstractTableModel):
    """The rows, replaced as a whole: there are a few hundred at most."""

    def __init__(self, heads: Sequence[str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._heads = tuple(heads)
        self._deeds: tuple[ActionRow, ...] = ()

    @property
    def deeds(self) -> tuple[ActionRow, ...]:
        """What is shown, in order."""
        return self._deeds

    def show(self, deeds: Sequence[ActionRow]) -> None:
        """Show others. Rows that stay keep what the view knows of them when only their words are new."""
        new = tuple(deeds)
        if [deed.key for deed in new] == [deed.key for deed in self._deeds]:
            self._deeds = new
            if new:
                self.dataChanged.emit(self.index(0, 0), self.index(len(new) - 1, len(self._heads)))
            return
        self.beginResetModel()
        self._deeds = new
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._deeds)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._heads) + 1

    def said(self, row: int, column: int) -> ActionCell:
        """One cell; the last column says the row's first action."""
        deed = self._deeds[row]
        if column < len(self._heads):
            return deed.cells[column]
        return ActionCell(deed.actions[0][0] if deed.actions else "", "action")

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        said = self.said(index.row(), index.column())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return visible(said.text)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(said.tip or said.text)
        return said.look if role == _LOOK else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = int(Qt.ItemDataRole.DisplayRole)
    ) -> Any:
        if orientation is Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return self._heads[section] if section < len(self._heads) else ""
            if role == Qt.ItemDataRole.AccessibleTextRole and section == len(self._heads):
                return "Action"
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None


class ActionTable(QTableView):
    """The table. Enter, or a click on the last column, does a row's first action; the menu has all of them."""

    def __init__(self, heads: Sequence[str], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.deeds = DeedsModel(heads, self)
        self.setModel(self.deeds)
        self.setItemDelegate(_SaidDelegate(self))
        self.setAccessibleName(name)
        self.setProperty("card", "true")
        by_rows(self)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        head = self.horizontalHeader()
        head.setMinimumSectionSize(56)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        last = len(heads)
        head.setSectionResizeMode(last, QHeaderView.ResizeMode.Fixed)
        head.resizeSection(last, _ACTION)
        self.clicked.connect(self._clicked)
        self.customContextMenuRequested.connect(self._menu)
        self.deeds.modelReset.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """As high as its rows, up to fifteen."""
        rows = min(max(self.deeds.rowCount(), 1), 15)
        return QSize(320, HEADER + rows * ROW + 2 * self.frameWidth())

    def minimumSizeHint(self) -> QSize:
        return QSize(240, HEADER + min(max(self.deeds.rowCount(), 1), 4) * ROW + 4)

    def act(self, row: int, action: int = 0) -> None:
        """Do what a row offers."""
        deed = self.deeds.deeds[row]
        if action < len(deed.actions):
            deed.actions[action][1]()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if self.currentIndex().isValid():
                self.act(self.currentIndex().row())
            return
        super().keyPressEvent(event)

    def _clicked(self, index: QModelIndex) -> None:
        if index.column() == self.deeds.columnCount() - 1:
            self.act(index.row())

    def _menu(self, at: QPoint) -> None:
        index = self.indexAt(at)
        if not index.isValid():
            index = self.currentIndex()
        if index.isValid():
            self.menu(index.row()).popup(self.viewport().mapToGlobal(at))

    def menu(self, row: int) -> QMenu:
        """What can be done with a row."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, run in self.deeds.deeds[row].actions:
            menu.addAction(words).triggered.connect(lambda _=False, run=run: run())
        return menu


class _SaidDelegate(QStyledItemDelegate):
    """Paints words, badges and what looks like a link."""

    def __init__(self, view: ActionTable) -> None:
        super().__init__(view)
        theme().changed.connect(view.viewport().update)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens = colors()
        rect, state = option.rect, option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, tokens.color("selection"))
        painter.setPen(tokens.color("line"))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        look: Look = index.data(_LOOK)
        text = str(index.data() or "")
        if look in _BADGES and text:
            paint_badge(painter, rect, text, look)
        else:
            quiet = "muted_strong" if selected else "muted"
            ink = {"muted": quiet, "action": "info"}.get(look, "text")
            painter.setPen(tokens.color(ink))
            painter.setFont(option.font)
            inner = rect.adjusted(8, 0, -6, 0)
            shown = QFontMetrics(option.font).elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
            painter.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter), shown)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(tokens.color("accent"))
            painter.drawRect(rect.adjusted(0, 0, -1, -2))

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, ROW)
