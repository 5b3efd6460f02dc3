"""The table of a report's entries: exact amounts with aligned decimal points, negative and wrong ones marked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QMenu,
    QStyleOptionViewItem,
    QWidget,
)

from explorer import words
from explorer.catalog.spec import Column
from explorer.ui.kit.clipboard import copy_text, put_text
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import colors, mono, tabular
from explorer.ui.pages.reports.entries import EntriesModel, decimals
from explorer.ui.records.cells import Cell
from explorer.ui.records.records_table import RecordsTable
from explorer.ui.records.row_delegate import MARGIN, CellPaint, RowDelegate
from explorer.ui.records.row_output import CELL_TOO_MUCH, CopyForm, TooLarge, cell_text, copied

_WIDEST = 360
_WIDEST_NUMBER = 800
"""Widest column of amounts, in pixels: wider than for text, as an amount without its last digits is another amount."""
_ROOM_FOR_NAME = 160
_TASK = "copy entries"


class EntryPaint(CellPaint):
    """Paints cells as in every table, but with aligned decimal points, negative amounts in red, and a bar at faults."""

    def __init__(self, font: QFont) -> None:
        super().__init__(font)
        self.fails = colors().color("fails")
        self.places = 0
        """The most decimals in the column that is being painted."""
        self.marked = False

    def look(self, cell: Cell, column: str, selected: bool) -> tuple[QFont, QColor]:
        font, color = super().look(cell, column, selected)
        if cell.kind == "number" and cell.text.startswith("-"):
            return self.figures, self.fails
        if column == "number" and cell.kind == "text":
            return font, self.caution
        return (self.figures if cell.kind == "number" else font), color

    def draw(self, painter: QPainter, rect: QRect, cell: Cell, column: str, selected: bool) -> None:
        if self.marked:
            painter.fillRect(QRect(rect.left(), rect.top() + 5, 3, rect.height() - 11), self.fails)
        if cell.kind == "number" and self.places:
            short = self.places - decimals(cell.text)
            metrics = self.metrics[id(self.figures)]
            digit = metrics.horizontalAdvance("0")
            point = metrics.horizontalAdvance(".") if "." not in cell.text else 0
            room = rect.width() - 2 * MARGIN - metrics.horizontalAdvance(cell.text)
            rect = rect.adjusted(0, 0, -max(0, min(short * digit + point, room)), 0)
        super().draw(painter, rect, cell, column, selected)


class EntryDelegate(RowDelegate):
    """Paints an `EntriesModel`."""

    def __init__(self, model: EntriesModel, parent: QObject | None = None) -> None:
        super().__init__(model, parent)
        self._entries = model

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        look = self._paint
        if not isinstance(look, EntryPaint):
            look = self._paint = EntryPaint(QFont(option.font))
        look.places = self._entries.places(index.column()) if index.column() else 0
        look.marked = bool(self._entries.marked(index.row(), index.column()))
        super().paint(painter, option, index)


class EntriesTable(RecordsTable):
    """The table of entries. Ctrl C copies the cell, or the rows if several are chosen."""

    said = Signal(str)
    """One short sentence: ``Copied 3 rows``."""

    def __init__(self, tasks: Tasks, parent: QWidget | None = None) -> None:
        self.entries = EntriesModel()
        super().__init__(self.entries, parent)
        self.entries.setParent(self)
        self._tasks = tasks
        self._wide = -1
        self.setItemDelegate(EntryDelegate(self.entries, self))
        self.setColumnHidden(0, True)
        self.horizontalHeader().setSectionsMovable(False)
        self._none = PlainLabel("No entries", self.viewport(), role="muted")
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._none.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.copy_wanted.connect(self.copy_chosen)
        self.menu_wanted.connect(self._popup)
        self.setAccessibleName("Entries")

    def show_entries(self, records: Sequence[bytes], columns: Sequence[Column]) -> None:
        """Show ``records`` in ``columns``, each as wide as its content."""
        self.entries.show(records, columns)
        self.setColumnHidden(0, True)
        self._none.setVisible(not records)
        self._wide = next((i for i, c in enumerate(columns, 1) if c.kind == "text"), -1)
        for place, column in enumerate(columns, 1):
            self.setColumnWidth(place, self._width(place, column))
        self._widen()
        if records:
            self.setCurrentIndex(self.entries.index(0, 1))
            self.clearSelection()

    def _width(self, place: int, column: Column) -> int:
        number = column.kind == "number"
        metrics = QFontMetrics(
            mono() if column.kind == "id" else tabular(self.font()) if number else self.font()
        )
        widest = max((metrics.horizontalAdvance(cell.text) for cell in self.entries.cells(place)), default=0)
        head = QFontMetrics(self.horizontalHeader().font()).horizontalAdvance(column.field) + 24
        least = column.width if number else 90
        return min(max(widest + 2 * MARGIN + 8, head, least), _WIDEST_NUMBER if number else _WIDEST)

    def _widen(self) -> None:
        """Give the column of names the width that the amounts leave."""
        if self._wide < 0:
            return
        others = sum(self.columnWidth(c) for c in range(1, len(self.entries.columns) + 1) if c != self._wide)
        room = self.viewport().width() - others
        self.setColumnWidth(self._wide, max(room, _ROOM_FOR_NAME))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._widen()
        self._none.setGeometry(self.viewport().rect())

    # ---- copying

    def copy_chosen(self) -> None:
        """Copy the current cell's value as received, or several chosen rows as tab-separated text."""
        index = self.currentIndex()
        if self.selected_count() > 1:
            self.copy_rows("tsv")
        elif index.isValid() and index.column() > 0:
            raw, field = self.entries.raw(index.row()), self.entries.columns[index.column() - 1].field
            self._tasks.give(_TASK, len(raw), cell_text, raw, field, done=self._copied_cell)

    def _copied_cell(self, text: str | None) -> None:
        if text is None:
            self.said.emit(CELL_TOO_MUCH)
        else:
            copy_text(text, "cell")

    def copy_rows(self, form: CopyForm) -> None:
        """Copy the chosen rows."""
        self._tasks.start(_TASK, self._copy(form))

    async def _copy(self, form: CopyForm) -> None:
        count = self.selected_count()
        fields = [column.field for column in self.entries.columns]
        try:
            text = await copied(form, self.selected_raws(), fields)
        except TooLarge:
            self.said.emit(f"{words.count(count, 'row')} are too many for the clipboard: export them")
            return
        put_text(text, words.count(count, "row"))
        self.said.emit(f"Copied {words.count(count, 'row')}")

    def _popup(self, at: QPoint) -> None:
        count = self.selected_count()
        if not count:
            return
        which = "row" if count == 1 else words.count(count, "row")
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.currentIndex().column() > 0 and count == 1:
            menu.addAction("Copy cell", self.copy_chosen)
        menu.addAction(f"Copy {which} as TSV", lambda: self.copy_rows("tsv"))
        menu.addAction(f"Copy {which} as JSON", lambda: self.copy_rows("json"))
        menu.popup(at)
