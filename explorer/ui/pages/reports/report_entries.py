"""A report's entries: a table of exact amounts with aligned decimal points, negative and wrong ones marked, and bars.

Bars are for comparing at a glance: a group for each entry, a bar for each series, negative ones to the left of zero.
The exact amounts are beside them, in the tooltip, in the accessible description and in the table below.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal, InvalidOperation

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QStyleOptionViewItem, QToolTip, QWidget

from explorer import words
from explorer.catalog.spec import Column
from explorer.ui.kit.clipboard import copy_text, put_text
from explorer.ui.kit.plain import PlainLabel, tooltip, visible
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import colors, mono, small, tabular, theme
from explorer.ui.pages.reports.entries import ChartRow, EntriesModel, decimals
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

    def __init__(self, tasks: Tasks) -> None:
        self.entries = EntriesModel()
        super().__init__(self.entries)
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


MOST_AT_FIRST = 12
"""Entries that are shown until the user asks for all."""
_BAR, _BETWEEN, _GAP = 12, 3, 17
_HEAD = 26
_SPOKEN = 60
_LONGEST = 400
"""Most characters of a number that is drawn; no amount of money is that long."""
_RATIO = Context(prec=17, Emin=-999_999, Emax=999_999)
_SERIES = ("accent", "control")


class BarChart(QWidget):
    """Horizontal bars of up to two series. The height follows from the number of entries."""

    chosen = Signal(int)
    """The entry that the user is on, counted from 0."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[ChartRow] = []
        self._lengths: list[tuple[float | None, ...]] = []
        self._series: tuple[str, ...] = ()
        self._lowest = 0.0
        self.current = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.update)

    def show_rows(self, rows: Sequence[ChartRow], series: Sequence[str], unit: str) -> None:
        """Show ``rows``, which have a number for each of ``series``; ``unit`` is the currency or empty."""
        self._rows, self._series, self.current = list(rows), tuple(series), 0
        self._measure()
        said = f"Bar chart of {' and '.join(self._series)}" + (f" in {unit}" if unit else "")
        self.setAccessibleName(f"{said}, {len(self._rows)} {'entry' if len(self._rows) == 1 else 'entries'}")
        lines = [self.words(number) for number in range(min(len(self._rows), _SPOKEN))]
        if len(self._rows) > _SPOKEN:
            lines.append(f"{len(self._rows) - _SPOKEN:,} more in the table")
        self.setAccessibleDescription("; ".join(lines))
        self.updateGeometry()
        self.update()

    def words(self, number: int) -> str:
        """One entry in words: ``Globex: totalIncome 98,700.00, totalExpenses 40,210.00``."""
        row = self._rows[number]
        pairs = zip(self._series, row.said, strict=True)
        return f"{row.label}: " + ", ".join(f"{name} {said}" for name, said in pairs)

    def _measure(self) -> None:
        """Each number as a share of the largest amount on either side of zero, between -1 and 1."""
        read = [tuple(_decimal(token) for token in row.tokens) for row in self._rows]
        most = max((abs(value) for row in read for value in row if value is not None), default=Decimal(0))
        self._lengths = [tuple(_share(value, most) for value in row) for row in read]
        self._lowest = min(
            (share for row in self._lengths for share in row if share is not None), default=0.0
        )
        self._lowest = min(self._lowest, 0.0)

    # ---- room

    @property
    def _pitch(self) -> int:
        bars = max(1, len(self._series))
        return bars * _BAR + (bars - 1) * _BETWEEN + _GAP

    def sizeHint(self) -> QSize:
        return QSize(400, _HEAD + len(self._rows) * self._pitch)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.sizeHint().height())

    def _row_rect(self, number: int) -> QRect:
        return QRect(0, _HEAD + number * self._pitch, self.width(), self._pitch)

    def _plot(self, metrics: QFontMetrics) -> QRectF:
        """The area for bars: right of the labels, with room for an amount at each end that needs it."""
        labels = max((metrics.horizontalAdvance(visible(row.label)) for row in self._rows), default=0)
        left = min(labels, int(self.width() * 0.3)) + 32
        amounts = [row.said[i] for row in self._rows for i, token in enumerate(row.tokens) if token]
        widest = max((metrics.horizontalAdvance(text) for text in amounts), default=0)
        widest = min(widest, int(self.width() * 0.3)) + 10
        before = widest if self._lowest < 0 else 0
        return QRectF(left + before, 0, max(20, self.width() - left - before - widest), self.height())

    # ---- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        figures = tabular(small())
        painter.setFont(figures)
        metrics = QFontMetrics(figures)
        self._paint_legend(painter, metrics)
        plot = self._plot(QFontMetrics(self.font()))
        exposed = event.rect()
        first = max(0, (exposed.top() - _HEAD) // self._pitch)
        last = min(len(self._rows), (exposed.bottom() - _HEAD) // self._pitch + 1)
        if self._lowest < 0 and self._rows:
            zero = int(self._at(0.0, plot))
            painter.setPen(colors().color("control"))
            painter.drawLine(zero, _HEAD - 4, zero, self.height() - _GAP // 2)
        for number in range(first, last):
            self._paint_row(painter, number, plot, metrics)

    def _at(self, share: float, plot: QRectF) -> float:
        span = 1.0 - self._lowest
        return plot.left() + plot.width() * (share - self._lowest) / span

    def _paint_legend(self, painter: QPainter, metrics: QFontMetrics) -> None:
        at = 8
        for name, token in zip(self._series, _SERIES, strict=False):
            painter.fillRect(QRect(at, 4, 10, 10), colors().color(token))
            painter.setPen(colors().color("muted"))
            text = visible(name)
            painter.drawText(at + 16, 4 + 10, text)
            at += 16 + metrics.horizontalAdvance(text) + 20

    def _paint_row(self, painter: QPainter, number: int, plot: QRectF, metrics: QFontMetrics) -> None:
        tokens, row, rect = colors(), self._rows[number], self._row_rect(number)
        bars = rect.height() - _GAP
        painter.setFont(self.font())
        painter.setPen(tokens.color("text"))
        if number == self.current and self.hasFocus():
            painter.fillRect(rect.adjusted(0, -_GAP // 2, 0, -_GAP // 2), tokens.color("selection"))
            painter.setPen(tokens.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0, -_GAP // 2, -1, -_GAP // 2))
            painter.setPen(tokens.color("text"))
        room = min(int(self.width() * 0.3), int(plot.left()) - 24)
        label = QFontMetrics(self.font()).elidedText(visible(row.label), Qt.TextElideMode.ElideRight, room)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRect(8, rect.top() - 4, room, bars + 8), flags, label)
        painter.setFont(tabular(small()))
        for place, (share, said) in enumerate(zip(self._lengths[number], row.said, strict=True)):
            top = rect.top() + place * (_BAR + _BETWEEN)
            bar = self._paint_bar(painter, share, plot, top, tokens.color(_SERIES[place]))
            negative = share is not None and share < 0
            if place == 0 or negative or share is None:
                color = "fails" if negative else "caution" if share is None else "muted_strong"
                painter.setPen(tokens.color(color))
                self._paint_amount(painter, metrics, said, bar, left=negative)

    def _paint_bar(
        self, painter: QPainter, share: float | None, plot: QRectF, top: int, color: QColor
    ) -> QRectF:
        zero = self._at(0.0, plot)
        end = self._at(share or 0.0, plot)
        bar = QRectF(min(zero, end), top, abs(end - zero), _BAR)
        if share:
            # A bar that is not zero stays visible, however small it is beside the largest.
            bar.setWidth(max(bar.width(), 1.0))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.drawRoundedRect(bar, 2, 2)
        return bar

    def _paint_amount(
        self, painter: QPainter, metrics: QFontMetrics, said: str, bar: QRectF, *, left: bool
    ) -> None:
        middle = int(bar.center().y())
        text = metrics.elidedText(said, Qt.TextElideMode.ElideRight, int(self.width() * 0.3))
        width = metrics.horizontalAdvance(text) + 2
        x = int(bar.left()) - 8 - width if left else int(bar.right()) + 8
        painter.drawText(QRect(x, middle - 9, width, 18), Qt.AlignmentFlag.AlignVCenter, text)

    # ---- mouse and keyboard

    def choose(self, number: int) -> None:
        """Make that entry the current one, as a click or an arrow key does."""
        if self._rows:
            self.current = min(max(number, 0), len(self._rows) - 1)
            self.update()
            self.chosen.emit(self.current)
            said = self.words(self.current)
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, said))

    def rect_of(self, number: int) -> QRect:
        """Where an entry is drawn."""
        return self._row_rect(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
        key = Qt.Key(event.key())
        # macOS calls the arrows part of the keypad.
        if key in steps and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.choose(self.current + steps[key])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.choose(0 if key == Qt.Key.Key_Home else len(self._rows) - 1)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        number = (int(event.position().y()) - _HEAD) // self._pitch
        if 0 <= number < len(self._rows):
            self.choose(number)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            number = (event.pos().y() - _HEAD) // self._pitch
            if 0 <= number < len(self._rows):
                QToolTip.showText(event.globalPos(), tooltip(self.words(number)), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)


def _decimal(token: str) -> Decimal | None:
    if not token or len(token) > _LONGEST:
        return None
    try:
        return Decimal(token)
    except InvalidOperation:
        return None


def _share(value: Decimal | None, most: Decimal) -> float | None:
    if value is None:
        return None
    return float(_RATIO.divide(value, most)) if most else 0.0
