"""Rows below headings that fold: a tree of two levels, in the same columns as every other table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStyleOptionViewItem, QTreeView

from explorer.ui.kit.columns import (
    CellDelegate,
    Column,
    Index,
    Row,
    follow_selection,
    paint_heading,
    share_room,
)
from explorer.ui.kit.rows_table import is_enter
from explorer.ui.kit.theme import HEADER, colors, theme
from explorer.ui.kit.two_levels import TwoLevels

_INDENT = 14
_HEIGHT = 30
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)


class Heading(Protocol):
    """A heading with its rows."""

    @property
    def title(self) -> str: ...
    @property
    def words(self) -> str:
        """A small text after the title."""

    @property
    def lines(self) -> Sequence[Any]:
        """Its rows."""

    @property
    def open(self) -> bool:
        """Whether it is unfolded at first."""


class RowsTreeModel(TwoLevels, Generic[Row]):
    """Headings and their rows; replaced as a whole."""

    def __init__(self, columns: Sequence[Column[Row]]) -> None:
        super().__init__()
        self.columns = columns
        self.headings: Sequence[Heading] = ()

    def show(self, headings: Sequence[Heading]) -> None:
        """Show ``headings`` in place of what was there."""
        self.beginResetModel()
        self.headings = tuple(headings)
        self.endResetModel()

    def row_at(self, index: Index) -> Row | None:
        """The row of ``index``; None for a heading."""
        place = self.place(index)
        found: Row | None = self.headings[place[0]].lines[place[1]] if place is not None else None
        return found

    def first(self, fits: Callable[[Row], bool]) -> QModelIndex:
        """The index of the first row that matches; an invalid index when none does."""
        for head, heading in enumerate(self.headings):
            for place, row in enumerate(heading.lines):
                if fits(row):
                    return self.index(place, 0, self.index(head, 0))
        return QModelIndex()

    # ---- Qt

    def heads(self) -> int:
        return len(self.headings)

    def below(self, head: int) -> int:
        return len(self.headings[head].lines)

    def columnCount(self, parent: Index | None = None) -> int:
        return len(self.columns)

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        if not index.isValid():
            return None
        row = self.row_at(index)
        if row is not None:
            return self.columns[index.column()].data(row, role)
        heading = self.headings[index.row()]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{heading.title}: {heading.words}"
        return heading.title if role == _DISPLAY and index.column() == 0 else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        return self.columns[section].head(role) if orientation == Qt.Orientation.Horizontal else None


class _WholeRows(QItemSelectionModel):
    """Selects rows, whatever is asked for."""

    def select(self, what: Any, command: QItemSelectionModel.SelectionFlag) -> None:
        super().select(what, command | QItemSelectionModel.SelectionFlag.Rows)


class RowsTree(QTreeView):
    """The arrows walk and fold. Enter, a double click or a click on a link takes a row; on a heading it folds."""

    chosen = Signal(object)
    """Sent with the current row, or None."""
    taken = Signal(object)

    def __init__(
        self,
        model: RowsTreeModel[Any],
        name: str,
        *,
        height: int = _HEIGHT,
        links: Callable[[Any, int], object] | None = None,
    ) -> None:
        """``height``: pixels of a row at 100 %. ``links``: what a click on a link does with its row and the place of
        its column, in place of taking the row.
        """
        super().__init__()
        self._rows, self._links = model, links
        model.setParent(self)
        self.setModel(model)
        self.setAccessibleName(name)
        self.setItemDelegate(_TreeDelegate(model, self, height))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setIndentation(_INDENT)
        self.setSelectionModel(_WholeRows(model, self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        head = self.header()
        head.setAccessibleName("Columns")
        head.setFixedHeight(HEADER)
        head.setSectionsMovable(False)
        head.setSectionsClickable(False)
        head.setHighlightSections(False)
        head.setStretchLastSection(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setMinimumSectionSize(30)
        self._held = self._put_off = False
        """A mouse button is down; what was chosen with it was not told yet."""
        self.selectionModel().currentRowChanged.connect(lambda *_: self._notify())
        follow_selection(self, self._toggled)
        self.clicked.connect(self._clicked)
        self.doubleClicked.connect(self._take)
        theme().changed.connect(self.viewport().update)

    def show_headings(self, headings: Sequence[Heading]) -> None:
        """Show ``headings``; of those that were there before, one that was unfolded stays so."""
        before = enumerate(self._rows.headings)
        folds = {one.title: self.isExpanded(self._rows.index(place, 0)) for place, one in before}
        self._rows.show(headings)
        for place, one in enumerate(headings):
            self.setFirstColumnSpanned(place, QModelIndex(), True)
            unfolded = one.open or (folds.get(one.title, False) and bool(one.lines))
            self.setExpanded(self._rows.index(place, 0), unfolded)
        self._share()

    def choose(self, index: QModelIndex) -> None:
        """Makes a row the current one and unfolds its heading."""
        self.expand(index.parent())
        self.setCurrentIndex(index)
        self.scrollTo(index)

    @property
    def is_held(self) -> bool:
        """Whether a mouse button is down on it: what lies under the pointer must not move away then."""
        return self._held

    def row(self) -> Any:
        """The current row; None on a heading or when there is none."""
        return self._rows.row_at(self.currentIndex())

    # ---- what is done with a row

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_enter(event):
            self._take(self.currentIndex(), fold=True)
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right) and not event.modifiers():
            self._step_aside(event.key() == Qt.Key.Key_Right)
        else:
            super().keyPressEvent(event)

    def _step_aside(self, right: bool) -> None:
        """Right unfolds, then goes to the first line below; left goes to the heading, then folds it."""
        head = self.currentIndex().siblingAtColumn(0)
        if head.parent().isValid():
            if not right:
                self.setCurrentIndex(head.parent())
        elif right and self.isExpanded(head):
            if self._rows.rowCount(head):
                self.setCurrentIndex(self._rows.index(0, 0, head))
        else:
            self.setExpanded(head, right)

    def _take(self, index: QModelIndex, *, fold: bool = False) -> None:
        row = self._rows.row_at(index)
        if row is not None:
            self.taken.emit(row)
        elif fold and index.isValid():
            head = index.siblingAtColumn(0)
            self.setExpanded(head, not self.isExpanded(head))

    def _toggled(self, index: QModelIndex) -> None:
        """Assistive technology toggled that row: a heading folds, as for Enter."""
        if not self._held and self._rows.row_at(index) is None:
            self._take(index, fold=True)
            # Of a row that is selected the next Toggle would say nothing.
            chosen = self.selectionModel()
            blocked = chosen.blockSignals(True)
            chosen.clearSelection()
            chosen.blockSignals(blocked)
            self.viewport().update()

    def _clicked(self, index: QModelIndex) -> None:
        row = self._rows.row_at(index)
        if row is not None and self._links is not None and self._is_link(index):
            self._links(row, index.column())
        elif row is None or self._is_link(index):
            self._take(index, fold=True)
        else:
            self.chosen.emit(row)  # once more, where what it opened was closed

    def _is_link(self, index: QModelIndex) -> bool:
        return index.isValid() and self._rows.columns[index.column()].tone == "link" and bool(index.data())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._held = True
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._held = False
        super().mouseReleaseEvent(event)
        if self._put_off:
            self._notify()

    def _notify(self) -> None:
        # What opens beside the tree takes room: it would move a link away between press and release.
        self._put_off = self._held
        if not self._held:
            self.chosen.emit(self.row())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        link = self._is_link(self.indexAt(event.position().toPoint()))
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if link else Qt.CursorShape.ArrowCursor)
        super().mouseMoveEvent(event)

    # ---- room and lines

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        columns, now = self._rows.columns, self.currentIndex()
        sharing = next(place for place, column in enumerate(columns) if not (column.fit or column.width))
        if now.column() > sharing:  # a hidden column takes the current place with it
            only = QItemSelectionModel.SelectionFlag.NoUpdate
            self.selectionModel().setCurrentIndex(now.siblingAtColumn(sharing), only)
        rows = [row for heading in self._rows.headings for row in heading.lines]
        share_room(self, self.header(), columns, rows)

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().drawRow(painter, option, index)
        rect: QRect = option.rect
        painter.setPen(colors().color("line"))
        painter.drawLine(0, rect.bottom(), rect.right(), rect.bottom())
        now = self.currentIndex()
        if self.hasFocus() and now.isValid() and now.siblingAtColumn(0) == index.sibling(index.row(), 0):
            painter.setPen(QPen(colors().color("accent"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(0, rect.top(), self.viewport().width() - 1, rect.height() - 2)


class _TreeDelegate(CellDelegate):
    """Paints a heading over the whole width."""

    def __init__(self, model: RowsTreeModel[Any], view: QTreeView, height: int) -> None:
        super().__init__(view, height=height, badge_at=-4)
        self._model = model

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = self._model.row_at(index)
        if row is not None:
            self.cell(painter, option, self._model.columns[index.column()], row)
            return
        heading = self._model.headings[index.row()]
        paint_heading(painter, option, heading.title, heading.words)
