"""Every table but that of records: rows of any kind, columns as values, one model, one view, one way to paint.

A page says which columns there are and shows rows; widths, copying, keys, elision, tooltips, names for assistive
technology and colours are the same in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QMenu,
    QStyle,
    QStyleOptionViewItem,
    QTableView,
)

from explorer.ui.kit.clipboard import copy_text
from explorer.ui.kit.columns import (
    ROW_ROLE,
    CellDelegate,
    Column,
    Index,
    Row,
    Tone,
    follow_selection,
    share_room,
)
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.theme import HEADER, ROW, colors, theme
from explorer.words import count

__all__ = ["ROW_ROLE", "Action", "Column", "RowsModel", "RowsTable", "Tone"]

Action = tuple[str, Callable[[], object]]
"""What can be done with a row: its words, and what does it."""
_NOWHERE = QModelIndex()
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_ACTION = 112


class RowsModel(QAbstractTableModel, Generic[Row]):
    """A list of rows that is watched, in columns. With ``actions``, a last column says the first action of a row."""

    def __init__(
        self,
        columns: Sequence[Column[Row]],
        parent: QObject | None = None,
        *,
        actions: Callable[[Row], Sequence[Action]] | None = None,
    ) -> None:
        super().__init__(parent)
        self.actions = actions
        done = Column[Row]("", self._first_action, "link", width=_ACTION)
        self.columns = (*columns, done) if actions else tuple(columns)
        self.rows: Sequence[Row] = []

    def _first_action(self, row: Row) -> str:
        offered = self.actions(row) if self.actions else ()
        return offered[0][0] if offered else ""

    # ---- the list

    def show(self, rows: Sequence[Row], same: Callable[[Row, Row], bool] | None = None) -> None:
        """Show ``rows`` in place of what was there. Where they are the ``same`` ones in the same order, all stays
        chosen and scrolled as it is. What is no list is not copied: it is read where it is in sight.
        """
        taken = list(rows) if isinstance(rows, list) else rows
        if same and len(rows) == len(self.rows) > 0 and all(map(same, rows, self.rows)):
            self.rows = taken
            self.refresh()
            return
        self.beginResetModel()
        self.rows = taken
        self.endResetModel()

    def show_columns(self, columns: Sequence[Column[Row]], rows: Sequence[Row]) -> None:
        """Show ``rows`` in other columns."""
        self.beginResetModel()
        self.columns, self.rows = tuple(columns), rows
        self.endResetModel()

    def first(self, fits: Callable[[Row], bool]) -> int:
        """The place of the first row that matches, or -1."""
        return next((place for place, row in enumerate(self.rows) if fits(row)), -1)

    def refresh(self, first: int = 0, last: int = -1) -> None:
        """Repaints rows whose content changed: all of them, or those that are named."""
        last = last if last >= 0 else len(self.rows) - 1
        if last >= first:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(self.columns) - 1))

    # ---- Qt

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        return self.columns[index.column()].data(self.rows[index.row()], role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        return self.columns[section].head(role)


def choose_by_rows(table: QTableView, *, several: bool) -> None:
    """Whole rows are chosen, one or several; nothing is edited in place, and Tab leaves the table."""
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setCornerButtonEnabled(False)
    table.setTabKeyNavigation(False)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    mode = QAbstractItemView.SelectionMode
    table.setSelectionMode(mode.ExtendedSelection if several else mode.SingleSelection)


class RowsTable(QTableView):
    """A table that fits its width and moves by whole rows.

    Enter or a double click takes a row. Where rows have actions, Enter or a click on the last column does the first,
    and the menu has all of them. Ctrl C copies the cell.
    """

    taken = Signal(int)
    link_clicked = Signal(int)
    """Sent with the row of a clicked cell of the tone ``link``."""
    chosen = Signal(int)
    """Sent with the number of the current row, or -1."""

    def __init__(
        self,
        model: RowsModel[Any],
        name: str,
        *,
        most: int = 0,
        height: int = ROW,
        control: bool = False,
        several: bool = False,
        copy: Callable[[], object] | None = None,
    ) -> None:
        """``most``: it stands in a card of its own, as high as its rows, up to so many; ``height`` is that of a row.
        ``control``: Ctrl Enter takes a row too; else it is left to a form beside the table. ``several``: more rows than
        one can be chosen, and Ctrl C copies them as text with tabs. ``copy`` is what Ctrl C does in place of copying.
        """
        super().__init__()
        self._out: frozenset[int] = frozenset()
        self._most, self._control = most, control
        self._copy = copy or (self._copy_rows if several else None)
        self.empty = PlainLabel("", self.viewport(), role="muted")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._model = model
        model.setParent(self)
        self.setModel(model)
        self.setItemDelegate(RowsDelegate(model, self, height))
        self.setAccessibleName(name)
        choose_by_rows(self, several=several)
        self.setFrameShape(QFrame.Shape.StyledPanel if most else QFrame.Shape.NoFrame)
        if most:
            self.setProperty("card", "true")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        rows, head = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setMinimumSectionSize(ROW)
        rows.setDefaultSectionSize(height)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setFixedHeight(HEADER)
        head.setHighlightSections(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionsClickable(False)
        head.setTextElideMode(Qt.TextElideMode.ElideRight)
        head.setAccessibleName("Columns")
        self.clicked.connect(self._clicked)
        if model.actions:
            self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            self.customContextMenuRequested.connect(self._popup)
        else:
            self.doubleClicked.connect(self._take)
        self.selectionModel().currentRowChanged.connect(lambda now, _: self.chosen.emit(now.row()))
        follow_selection(self)
        for changed in (model.modelReset, model.rowsInserted, model.rowsRemoved):
            changed.connect(self._counted)
        theme().changed.connect(self.viewport().update)

    def show_rows(self, rows: Sequence[Any], same: Callable[[Any, Any], bool] | None = None) -> None:
        """Show ``rows``; the one chosen before stays chosen where ``same`` finds it again."""
        before = self.row()
        self._model.show(rows, same)
        if any(column.fit for column in self._model.columns):
            self.share()
        place = -1
        if same and before:
            place = self._model.first(lambda one: same(one, before))
        if place < 0:
            self.chosen.emit(-1)
        elif place == self.currentIndex().row():
            self.chosen.emit(place)
        else:
            self.setCurrentIndex(self._model.index(place, 0))

    def row(self) -> Any:
        """The row that the user is on, or None."""
        index = self.currentIndex()
        return self._model.rows[index.row()] if index.isValid() else None

    def say_empty(self, words: str) -> None:
        """Sets the sentence that is shown in the middle while there is no row."""
        self.empty.setText(words)
        self._counted()

    def _counted(self) -> None:
        if self._most:
            self.updateGeometry()
        self.empty.setVisible(bool(self.empty.whole()) and not self._model.rows)
        self.empty.setGeometry(self.viewport().rect())

    # ---- what is done with a row

    def act(self, row: int, action: int = 0) -> None:
        """Runs an action of a row; does nothing when the row does not offer it."""
        offered = self._actions(row)
        if action < len(offered):
            offered[action][1]()

    def menu(self, row: int) -> QMenu:
        """The actions of a row, as a menu."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, run in self._actions(row):
            menu.addAction(words).triggered.connect(lambda _=False, run=run: run())
        return menu

    def _actions(self, row: int) -> Sequence[Action]:
        return self._model.actions(self._model.rows[row]) if self._model.actions else ()

    def _popup(self, at: QPoint) -> None:
        index = self.indexAt(at)
        if not index.isValid():
            index = self.currentIndex()
        if index.isValid():
            self.menu(index.row()).popup(self.viewport().mapToGlobal(at))

    def _take(self, index: QModelIndex) -> None:
        if index.isValid() and self._model.actions:
            self.act(index.row())
        elif index.isValid():
            self.taken.emit(index.row())

    def _clicked(self, index: QModelIndex) -> None:
        if self._model.columns[index.column()].tone != "link":
            return
        if self._model.actions:
            self.act(index.row())
        else:
            self.link_clicked.emit(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_enter(event, control=self._control):
            self._take(self.currentIndex())
        elif self._copy is not None and event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
            event.accept()
        else:
            super().keyPressEvent(event)

    def _copy_rows(self) -> None:
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        lines = (
            "\t".join(visible(column.text(self._model.rows[row])) for column in self._model.columns)
            for row in rows
        )
        copy_text("\n".join(lines), count(len(rows), "row"))

    # ---- room

    def leave_out(self, place: int, out: bool) -> None:
        """Hides a column or shows it again; the others share the width."""
        if out != (place in self._out):
            self._out ^= {place}
            self.share()

    def sizeHint(self) -> QSize:
        return QSize(320, self.height_of(self._most)) if self._most else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.height_of(4)) if self._most else super().minimumSizeHint()

    def height_of(self, most: int) -> int:
        """Pixels for its head and its rows, one at least, up to so many of them."""
        return HEADER + min(max(len(self._model.rows), 1), most) * ROW + 2 * self.frameWidth()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.share()
        self._counted()

    def share(self) -> None:
        """Computes the widths of all columns again."""
        share_room(self, self.horizontalHeader(), self._model.columns, self._model.rows, self._out)


def is_enter(event: QKeyEvent, *, control: bool = False) -> bool:
    """Whether that key is Enter. With Ctrl it sends a page's form, and is nobody else's unless ``control``."""
    held = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    return event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and (control or not held)


class RowsDelegate(CellDelegate):
    """Paints the cells of a `RowsModel`, and a frame around the one that has the keys."""

    def __init__(self, model: RowsModel[Any], view: QTableView, height: int) -> None:
        super().__init__(view, height)
        self._model = model

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.cell(painter, option, self._model.columns[index.column()], self._model.rows[index.row()])
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(colors().color("accent"))
            painter.drawRect(option.rect.adjusted(0, 0, -1, -1))
