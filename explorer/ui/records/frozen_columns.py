"""The row's number and the first column, which stay in sight while the others are scrolled to the side.

They are a second view of the same rows with the same selection, above the left edge of the table. It has rows only
while the table is scrolled sideways: without that it costs nothing, and the table is painted as ever.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView

from explorer.ui.kit.theme import HEADER, ROW
from explorer.ui.records.records import Index

_EDGE = 1
"""Pixels of the line at their right, in the style sheet."""


class FrozenColumns(QTableView):
    """Shows the first two columns of ``table``; what is done in it is done in the table."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        self.setObjectName("frozen")
        self.setAccessibleName("Columns that stay in sight")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for policy in (self.setVerticalScrollBarPolicy, self.setHorizontalScrollBarPolicy):
            policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        rows, head, other = self.verticalHeader(), self.horizontalHeader(), table.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(ROW)
        rows.setDefaultSectionSize(ROW)
        head.setAccessibleName("Columns that stay in sight")
        head.setFixedHeight(HEADER)
        head.setHighlightSections(False)
        head.setSectionsClickable(True)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        head.customContextMenuRequested.connect(other.customContextMenuRequested)
        head.sectionClicked.connect(other.sectionClicked)
        self.doubleClicked.connect(table.doubleClicked)
        self.hide()
        bar, mine = table.verticalScrollBar(), self.verticalScrollBar()
        bar.valueChanged.connect(mine.setValue)
        mine.valueChanged.connect(bar.setValue)
        for told in (table.horizontalScrollBar().valueChanged, other.sectionResized, other.sectionMoved):
            told.connect(self.place)
        table.viewport().installEventFilter(self)

    @property
    def columns(self) -> tuple[int, int]:
        """The columns that stay: the row's number, and the first of the fields that are shown."""
        head = self._table.horizontalHeader()
        order = (head.logicalIndex(place) for place in range(1, head.count()))
        return 0, next((one for one in order if not self._table.isColumnHidden(one)), 0)

    def place(self, *_: object) -> None:
        """Show them where the table is scrolled sideways and more than they fits into it; else not."""
        number, first = self.columns
        width = self._table.columnWidth(number) + self._table.columnWidth(first)
        scrolled = self._table.horizontalScrollBar().value() > 0
        if not (
            first and scrolled and self._table.isVisible() and width * 2 <= self._table.viewport().width()
        ):
            self.hide()
            self.setModel(None)  # rows that come must cost nothing here
            return
        if self.model() is None:
            self._follow()
        for column in range(self.model().columnCount()):
            self.setColumnHidden(column, column not in (number, first))
            if column in (number, first):
                self.setColumnWidth(column, self._table.columnWidth(column))
        frame = self._table.viewport().geometry()
        self.setGeometry(frame.left(), frame.top() - HEADER, width + _EDGE, frame.height() + HEADER)
        self.show()
        self.raise_()
        self.verticalScrollBar().setValue(self._table.verticalScrollBar().value())

    def _follow(self) -> None:
        """Show the table's rows and selection, as the table shows them."""
        self.setModel(self._table.model())
        own = self.selectionModel()
        self.setSelectionModel(self._table.selectionModel())
        own.deleteLater()
        self.setItemDelegate(self._table.itemDelegate())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self.place()
        return False

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu is the table's, for the row and column under the pointer."""
        index = self.indexAt(self.viewport().mapFromGlobal(event.globalPos()))
        self._table.menu_at(index, event.globalPos())  # type: ignore[attr-defined]  # RecordsTable, which makes this
        event.accept()

    def scrollTo(
        self,
        index: Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Nothing: the table scrolls, and this follows it."""
