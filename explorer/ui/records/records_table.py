"""The table of records: a QTableView with rows of one height, which fetches the next page only when it is scrolled."""

from __future__ import annotations

from collections.abc import AsyncIterator

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPoint,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QFrame,
    QHeaderView,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from explorer.catalog.spec import Column
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import choose_by_rows
from explorer.ui.kit.theme import HEADER, ROW, colors
from explorer.ui.records.misfit_card import MisfitCard
from explorer.ui.records.records import Index, RecordsModel
from explorer.ui.records.row_delegate import MARGIN, RowDelegate

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
        choose_by_rows(self, several=True)
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


_SCROLL_DOWN = {
    QAbstractSlider.SliderAction.SliderSingleStepAdd.value,
    QAbstractSlider.SliderAction.SliderPageStepAdd.value,
    QAbstractSlider.SliderAction.SliderToMaximum.value,
    QAbstractSlider.SliderAction.SliderMove.value,
}
_NUMBERS = 9_999
"""Room is reserved for row numbers up to this, so that columns do not move while the first pages arrive."""


class RecordsTable(QTableView):
    """Shows a `RecordsModel`. Wheel, scroll bar, Page Down and Down fetch the next page; nothing else does."""

    row_chosen = Signal(int)
    """The row that the user is on, or -1."""
    copy_wanted = Signal()
    stop_wanted = Signal()
    """Esc was pressed: stop copying, exporting or searching."""
    explain_wanted = Signal(int, str)
    """The row, and the field whose value does not fit: the inspector is to say why."""
    opened = Signal()
    """A row was double-clicked: its record is wanted beside the rows."""
    column_menu_wanted = Signal(int)
    """Alt Down was pressed in that column: its menu is wanted."""
    menu_wanted = Signal(object)
    """Where on the screen (QPoint) the menu for the selected rows is to open."""

    def __init__(self, model: RecordsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._records = model
        self.frozen = FrozenColumns(self)
        self._first_new: int | None = None
        """The first row that was inserted since the last layout."""
        self._all_new = True
        """Something else than appended rows changed, so that Qt has to do the layout."""
        self.setObjectName("records")
        self.setModel(model)
        self.setItemDelegate(RowDelegate(model, self))
        choose_by_rows(self, several=True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAlternatingRowColors(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        # The background is painted here, so that Qt can scroll by moving pixels and only rows that come into view are
        # painted: 3 ms a frame in place of 13 (measured). With a style sheet's background it repaints everything.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._set_headers()
        self.verticalScrollBar().actionTriggered.connect(self._slider_acted)
        self.empty = PlainLabel("", self.viewport(), role="muted", wrap=True)
        """What is said in place of rows."""
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.say_empty("")
        model.modelReset.connect(self._reset)
        model.rowsInserted.connect(self._inserted)
        self.selectionModel().currentRowChanged.connect(self._current_changed)
        self.doubleClicked.connect(lambda _: self.opened.emit())
        self.card = MisfitCard(self, model)
        self.card.explain.connect(
            lambda index: self.explain_wanted.emit(index.row(), self.columns[index.column() - 1].field)
        )

    def _set_headers(self) -> None:
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(ROW)
        rows.setDefaultSectionSize(ROW)
        head = self.horizontalHeader()
        head.setFixedHeight(HEADER)
        head.setMinimumSectionSize(40)
        head.setSectionsMovable(True)
        head.setFirstSectionMovable(False)
        head.setSectionsClickable(
            False
        )  # a page that can sort makes them clickable: elsewhere a click must not look as if it did something
        head.setHighlightSections(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
        head.setAccessibleName("Columns")
        for header in (head, rows):
            # To paint a section, a header asks of each cell below it whether it is selected: 16 s with a million
            # selected rows. It shows no selection anyway, so it gets an empty selection model of its own.
            header.setSelectionModel(QItemSelectionModel(self._records, header))

    # ---- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        delegate, ground = self.itemDelegate(), colors().color("surface")
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), ground)
        if type(delegate) is RowDelegate:
            self._paint_rows(painter, event.rect(), delegate)
        painter.end()
        if type(delegate) is not RowDelegate:
            super().paintEvent(event)

    def _paint_rows(self, painter: QPainter, seen: QRect, delegate: RowDelegate) -> None:
        """Paint the rows in ``seen``, a row at a time. Qt's way, a cell at a time with an index, options and the style
        sheet's background for each, takes three times as long.
        """
        first, last = self.rowAt(seen.top()), self.rowAt(seen.bottom())
        if first < 0:
            return
        stop = (last if last >= 0 else self._records.rowCount() - 1) + 1
        columns = [
            (column, left, width)
            for column in range(self._records.columnCount())
            if (width := self.columnWidth(column))
            and (left := self.columnViewportPosition(column)) <= seen.right()
            and left + width > seen.left()
        ]
        look, chosen = delegate.look(self.font()), self.selectionModel()
        any_chosen, height = chosen.hasSelection(), self.rowHeight(first)
        top = self.rowViewportPosition(first)
        for row in range(first, stop):
            selected = any_chosen and chosen.isSelected(self._records.index(row, 0))
            delegate.row(look, painter, row, (top, height), columns, selected=selected)
            top += height
        current = self.currentIndex()
        if current.isValid() and self.hasFocus():
            delegate.frame(painter, self.visualRect(current))

    def doItemsLayout(self) -> None:
        """Where rows were only appended, adjust the scroll bar and paint those in view. Qt's own layout would repaint
        every row, several times a second while a list is being loaded.
        """
        first, whole = self._first_new, self._all_new
        self._first_new, self._all_new = None, False
        if first is None or whole:
            super().doItemsLayout()
            return
        self.updateGeometries()
        self.verticalHeader().setUpdatesEnabled(True)  # Qt switched that off until now
        view = self.viewport().rect()
        view.setTop(self.rowViewportPosition(first))
        if view.isValid():
            self.viewport().update(view)

    def say_empty(self, words: str) -> None:
        """Show ``words`` in the middle, where there are no rows; empty: show none."""
        self.empty.setText(words)
        self.empty.setVisible(bool(words))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.empty.setGeometry(self.viewport().rect().adjusted(16, 0, -16, 0))

    def changeEvent(self, event: QEvent) -> None:
        self._all_new = True
        super().changeEvent(event)

    def _inserted(self, _parent: QModelIndex, first: int, _last: int) -> None:
        self._first_new = first if self._first_new is None else min(first, self._first_new)
        self._fit_numbers()

    # ---- fetching the next page

    def wheelEvent(self, event: QWheelEvent) -> None:
        super().wheelEvent(event)
        if event.angleDelta().y() < 0 or event.pixelDelta().y() < 0:
            self.reach()

    def _slider_acted(self, action: int) -> None:
        if action in _SCROLL_DOWN:
            bar = self.verticalScrollBar()
            self._reach_at(bar.sliderPosition())

    def rows_in_sight(self) -> int:
        """How many rows there is room for."""
        return self.viewport().height() // self.verticalHeader().defaultSectionSize()

    def reach(self) -> None:
        """The user is scrolling down: fetch the next page when less than one view's height is left below."""
        self._reach_at(self.verticalScrollBar().value())

    def _reach_at(self, position: int) -> None:
        bar = self.verticalScrollBar()
        if bar.maximum() - position <= self.viewport().height():
            self._records.scrolled_to_end()

    # ---- keyboard

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Choose nothing: Qt makes the first row current here, which the inspector would show and nobody chose."""
        if self.currentIndex().isValid():
            super().focusInEvent(event)
        else:
            QAbstractScrollArea.focusInEvent(self, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
            event.accept()
            return
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self.selectAll()
            event.accept()
            return
        if event.key() == Qt.Key.Key_Down and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.column_menu_wanted.emit(max(self.currentIndex().column(), 1))
            event.accept()
            return
        if event.key() == Qt.Key.Key_Escape:
            self.stop_wanted.emit()
        if event.key() in (Qt.Key.Key_End, Qt.Key.Key_PageDown) and not self.currentIndex().isValid():
            # From no row Qt would go to the first one, whatever the key.
            top, stay = self.model().index(0, 0), QItemSelectionModel.SelectionFlag.NoUpdate
            self.selectionModel().setCurrentIndex(top, stay)
        super().keyPressEvent(event)
        plain = not event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier
        )
        if plain and event.key() in (Qt.Key.Key_Down, Qt.Key.Key_PageDown):
            self.reach()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            place = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).bottomLeft())
            self.menu_wanted.emit(place)
            return
        self.menu_at(self.indexAt(self.viewport().mapFromGlobal(event.globalPos())), event.globalPos())

    def menu_at(self, index: QModelIndex, place: QPoint) -> None:
        """Have the menu opened at ``place`` of the screen for the cell there, whose row becomes the chosen one."""
        if index.isValid():
            if not self.selectionModel().isSelected(index):
                self.setCurrentIndex(index)
            else:
                self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.menu_wanted.emit(place)

    def scrollTo(
        self,
        index: Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Scroll a cell into sight: out from under the columns that stay, and sideways never for one of these."""
        bar, before = self.horizontalScrollBar(), self.horizontalScrollBar().value()
        frozen = self.frozen.isVisible()
        super().scrollTo(index, hint)
        if frozen and index.column() in self.frozen.columns:
            bar.setValue(before)
        elif frozen and (hidden := self.frozen.width() - self.columnViewportPosition(index.column())) > 0:
            bar.setValue(bar.value() - hidden)

    # ---- selection, by ranges: a million rows are one range

    def setCurrentIndex(self, index: Index) -> None:
        """Choose that row alone. Qt would toggle it while Control is held, as after the keys of a command."""
        alone = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(index, alone)

    def selectAll(self) -> None:
        """Select all loaded rows as one range. QTableView's own way takes 15 s for a million rows (measured)."""
        rows, columns = self._records.rowCount(), self._records.columnCount()
        if not rows:
            return
        whole = QItemSelection(self._records.index(0, 0), self._records.index(rows - 1, columns - 1))
        self.selectionModel().select(whole, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def ranges(self) -> list[tuple[int, int]]:
        """The selected rows as [start, stop) ranges, in order and merged where they touch."""
        spans = sorted((r.top(), r.bottom() + 1) for r in self.selectionModel().selection().toList())
        merged: list[tuple[int, int]] = []
        for start, stop in spans:
            if merged and start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
            else:
                merged.append((start, stop))
        return merged

    def selected_count(self) -> int:
        """How many rows are selected."""
        return sum(stop - start for start, stop in self.ranges())

    def selected_raws(self) -> AsyncIterator[list[bytes]]:
        """The selected records as received, in pieces. Raises as `RecordsModel.pieces` does."""
        return self._records.pieces(self.ranges())

    # ---- columns

    @property
    def columns(self) -> tuple[Column, ...]:
        """The fields, from the second column of the view on."""
        return self._records.columns

    def show_sorted(self, by: tuple[str, bool] | None) -> None:
        """Mark the column that the rows are sorted by: its field, and whether it is descending."""
        self._records.set_sorted(by)

    def fit_column(self, column: int) -> None:
        """Set a column's width from its name and the rows in view; other rows are not read."""
        self.setColumnWidth(column, min(max(self.name_width(column), self.sizeHintForColumn(column)), 480))

    def name_width(self, column: int) -> int:
        """The width of a column's name, in pixels."""
        return self.horizontalHeader().sectionSizeFromContents(column).width()

    def sizeHintForColumn(self, column: int) -> int:
        """The width that the rows in view need, in pixels: no record outside the view is decoded for it."""
        first, last = self.rowAt(0), self.rowAt(self.viewport().height() - 1)
        rows = self._records.rowCount()
        if first < 0:
            return 40
        option = self._option()
        delegate = self.itemDelegate()
        stop = rows if last < 0 else last + 1
        return max(
            delegate.sizeHint(option, self._records.index(r, column)).width() for r in range(first, stop)
        )

    def _option(self) -> QStyleOptionViewItem:
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        return option

    def _fit_numbers(self) -> None:
        digits = len(f"{max(self._records.highest, self._records.rowCount(), _NUMBERS):,}")
        width = max(46, QFontMetrics(self.font()).horizontalAdvance("0" * digits) + MARGIN + 6)
        if self.columnWidth(0) != width:
            self.setColumnWidth(0, width)

    def _reset(self) -> None:
        self._all_new = True
        self._fit_numbers()
        self.row_chosen.emit(-1)

    def _current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self.row_chosen.emit(current.row() if current.isValid() else -1)
