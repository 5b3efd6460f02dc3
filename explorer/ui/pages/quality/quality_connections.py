"""Several connections side by side as a grid of verdicts."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from explorer.ui.kit.table_rows import by_rows
from explorer.ui.kit.theme import colors, small, theme
from explorer.ui.pages.quality.quality_grid import BADGE, PARTS, GridModel
from explorer.ui.pages.quality.quality_table import LEFT, LINE_HEIGHT, MARGIN, draw_badge

Index = QModelIndex | QPersistentModelIndex


class ConnectionsGrid(QTableView):
    """The verdicts of several connections. Enter or a click on a cell goes to that connection's run."""

    taken = Signal(int, str)
    """The place of a run, counted from 0, and the group or the check's sentence of the row."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.grid = GridModel(self)
        self.setModel(self.grid)
        self.setAccessibleName("Verdicts by connection")
        self.setItemDelegate(_GridPaint(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        by_rows(self)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows, head = self.verticalHeader(), self.horizontalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(LINE_HEIGHT)
        head.setSectionsClickable(False)
        head.setAccessibleName("Connections")
        head.setMinimumSectionSize(60)
        self.clicked.connect(self._take)
        self.grid.modelReset.connect(self._share)
        theme().changed.connect(self.viewport().update)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self._take(self.currentIndex())
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        room, columns = self.viewport().width(), max(self.grid.columnCount() - 1, 1)
        first = min(260 if self.grid.by_check else 160, room // 3)
        self.setColumnWidth(0, first)
        for column in range(1, columns + 1):
            self.setColumnWidth(column, max((room - first) // columns, 170))

    def _take(self, index: QModelIndex) -> None:
        if index.isValid() and index.column() > 0:
            self.taken.emit(index.column() - 1, str(index.siblingAtColumn(0).data()))


class _GridPaint(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect: QRect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colors().color("selection"))
        painter.setPen(colors().color("line"))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        room = rect.adjusted(MARGIN, 0, -MARGIN, 0)
        text, badge = str(index.data() or ""), index.data(BADGE)
        if badge is not None:
            text, rest = index.data(PARTS)
            room.setLeft(room.left() + draw_badge(painter, room, text, badge) + 8)
            painter.setFont(small())
            painter.setPen(colors().color("muted_strong"))
            shown = QFontMetrics(small()).elidedText(rest, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, LEFT, shown)
        else:
            font = QApplication.font()
            painter.setFont(font)
            painter.setPen(colors().color("text" if index.column() == 0 else "muted"))
            shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, LEFT, shown)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(colors().color("accent"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.restore()
