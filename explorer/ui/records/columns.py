"""The column layout of a table: which columns, in which order, how wide, and the time zone of dates.

The user changes it by the Columns menu or by dragging, and it is saved for each resource. Until then widths follow the
width of the view: as many columns as fit are shown whole and fill it, measured by the first rows that arrived.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from explorer.ui.page import Settings
from explorer.ui.records.cells import Reading
from explorer.ui.records.records import RecordsModel
from explorer.ui.records.records_table import RecordsTable

ZONES = {
    "local": "Dates in this computer's time zone",
    "utc": "Dates in UTC",
    "received": "Dates as received",
}


_WIDEST_ID = 170
_WIDEST = 300
_WHOLE = ("id", "date", "number", "boolean")
"""Kinds whose values are useless when cut, so that their column is as wide as the widest value in view."""


def zone_of(name: str) -> tzinfo | None:
    """The zone that dates are shown in; None: as received."""
    if name == "received":
        return None
    return UTC if name == "utc" else datetime.now(UTC).astimezone().tzinfo


@dataclass(frozen=True, slots=True)
class ColumnWidths:
    """The widths that one column asks for, in pixels."""

    least: int
    """The minimum."""
    best: int
    """Wide enough for its values, or for a reasonable part of them."""
    grows: bool = False
    """Whether it may get the width that is left when every column has its best."""


def share_widths(wants: Sequence[ColumnWidths], room: int) -> list[int]:
    """Distribute ``room`` pixels: a width for each column, from left to right. Arithmetic only; touches no widget.

    As many columns as fit at their minimum fill the room. The rest of it is shared equally until each column has its
    best width, and what is left then goes to the last one that grows. Columns that do not fit get their best width
    and are scrolled to; the first column always counts as fitting.
    """
    whole, taken = 0, 0
    for want in wants:
        if whole and taken + want.least > room:
            break
        whole, taken = whole + 1, taken + want.least
    inside = wants[:whole]
    over = max(room - taken, 0)
    given = [want.least for want in inside]
    lacking = sorted(range(whole), key=lambda at: inside[at].best - inside[at].least)
    for done, at in enumerate(lacking):
        part = min(inside[at].best - inside[at].least, over // (whole - done))
        given[at] += part
        over -= part
    growing = [at for at, want in enumerate(inside) if want.grows]
    if growing and (left := room - sum(given)) > 0:
        given[growing[-1]] += left
    return given + [want.best for want in wants[whole:]]


class ColumnChoice(QObject):
    """The layout of one table. What the user changes is saved in the settings under ``RESOURCE/columns``."""

    changed = Signal()
    reading_changed = Signal(object)
    """Carries the `Reading` by which values are displayed from now on."""

    def __init__(self, resource: str, model: RecordsModel, table: RecordsTable, settings: Settings) -> None:
        """``resource``: the key of the layout, that of the resource whose records the table shows."""
        super().__init__(table)
        self._model = model
        self._table = table
        self._settings = settings
        self._key = f"{resource}/columns"
        self._zone = "local"
        self._restoring = False
        self._wants: dict[int, ColumnWidths] = {}
        self.hide_empty: Callable[[], object] | None = None
        """Hides the columns without a value, for a page that can tell which these are."""
        self._soon = QTimer(self, singleShot=True, interval=250)
        self._soon.timeout.connect(self._write)
        self._restore()
        head = table.horizontalHeader()
        head.sectionResized.connect(self._resized)
        head.sectionMoved.connect(self._keep_soon)
        table.viewport().installEventFilter(self)

    @property
    def chosen(self) -> bool:
        """Whether the user chose a layout for this table; without one, widths follow the width of the view."""
        return self._settings.get(self._key) is not None or self._soon.isActive()

    @property
    def reading(self) -> Reading:
        """How values are shown."""
        return Reading(zone_of(self._zone))

    def hidden(self) -> list[str]:
        """The fields whose columns are hidden."""
        return [c.field for i, c in enumerate(self._model.columns) if self._table.isColumnHidden(i + 1)]

    def shown(self) -> list[str]:
        """The fields whose columns are shown, from left to right."""
        head = self._table.horizontalHeader()
        order = sorted(range(1, len(self._model.columns) + 1), key=head.visualIndex)
        return [self._model.columns[i - 1].field for i in order if not self._table.isColumnHidden(i)]

    def show(self, field: str, visible: bool) -> None:
        """Show or hide one column; the last visible one cannot be hidden."""
        if not visible and self.shown() == [field]:
            return
        self._table.setColumnHidden(self._number(field), not visible)
        self._changed()

    def show_all(self) -> None:
        """Show every column."""
        for number in range(1, len(self._model.columns) + 1):
            self._table.setColumnHidden(number, False)
        self._changed()

    def as_declared(self) -> None:
        """Back to the order, widths and hidden columns that the resource declares."""
        head = self._table.horizontalHeader()
        self._restoring = True
        for number, column in enumerate(self._model.columns, start=1):
            head.moveSection(head.visualIndex(number), number)
            self._table.setColumnHidden(number, column.hidden)
            self._table.setColumnWidth(number, column.width)
        self._restoring = False
        self._soon.stop()
        self._settings.set(self._key, None)
        self.fit_once()
        self.changed.emit()

    def fit(self) -> None:
        """Make each column as wide as the rows in view need."""
        for number in range(1, len(self._model.columns) + 1):
            if not self._table.isColumnHidden(number):
                self._table.fit_column(number)

    def fit_once(self) -> None:
        """Set the widths from the rows in view so that the first columns fill the view, unless the user chose some."""
        if self.chosen:
            return
        self._wants = {
            number: self._want(number, column.kind, column.width)
            for number, column in enumerate(self._model.columns, start=1)
        }
        self._fill_room()

    def make_room(self, field: str) -> None:
        """Widen that column where its name needs more, as it does with the mark of the sort order."""
        number = self._number(field)
        name = self._table.name_width(number)
        if self._wants and not self.chosen:
            want = self._wants[number]
            self._wants[number] = ColumnWidths(max(want.least, name), max(want.best, name), want.grows)
            self._fill_room()
        elif self._table.columnWidth(number) < name and not self._table.isColumnHidden(number):
            self._restoring = True
            self._table.setColumnWidth(number, name)
            self._restoring = False

    def _want(self, number: int, kind: str, declared: int) -> ColumnWidths:
        name = self._table.name_width(number)
        if not self._model.rowCount():
            return ColumnWidths(max(name, declared), max(name, declared), kind == "text")
        seen = self._table.sizeHintForColumn(number)
        if kind in _WHOLE:
            # Read whole, or not at all; the record's own id also where it is longer, as long as others have room.
            most = max(_WIDEST_ID, self._table.viewport().width() * 2 // 5) if number == 1 else _WIDEST_ID
            whole = max(name, seen if seen <= most else declared)
            return ColumnWidths(whole, whole, False)
        best = max(name, min(seen, _WIDEST))
        return ColumnWidths(min(best, max(name, declared * 7 // 10)), best, kind == "text")

    def _fill_room(self) -> None:
        """Distribute the view's width among the visible columns. Such widths are not saved as the user's choice."""
        head = self._table.horizontalHeader()
        order = sorted(self._wants, key=head.visualIndex)
        shown = [number for number in order if not self._table.isColumnHidden(number)]
        room = self._table.viewport().width() - self._table.columnWidth(0)
        self._restoring = True
        for number, width in zip(shown, share_widths([self._wants[n] for n in shown], room), strict=True):
            self._table.setColumnWidth(number, width)
        self._restoring = False

    def _resized(self, section: int, _old: int, _new: int) -> None:
        if section:
            self._keep_soon()
        elif self._wants and not self.chosen:  # the row numbers took another digit
            self._fill_room()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self._wants and not self.chosen:
            self._fill_room()
        elif event.type() == QEvent.Type.Show and self._wants and not self._model.rowCount():
            self.fit_once()  # the names are as wide as the window's style sheet makes them, in a window only
        return False

    def set_zone(self, name: str) -> None:
        """Show dates in another zone: ``local``, ``utc`` or ``received``."""
        self._zone = name
        self._model.set_reading(self.reading)
        self.reading_changed.emit(self.reading)
        self._write()

    def fill(self, menu: QMenu) -> None:
        """Add the choices to ``menu``, with their present state."""
        menu.clear()
        for number, column in enumerate(self._model.columns, start=1):
            action = menu.addAction(column.field)
            action.setCheckable(True)
            action.setChecked(not self._table.isColumnHidden(number))
            action.toggled.connect(lambda on, field=column.field: self.show(field, on))
        menu.addSeparator()
        menu.addAction("Show all", self.show_all)
        if self.hide_empty is not None:
            menu.addAction("Hide columns that are empty", self.hide_empty)
        menu.addAction("Fit widths to the rows in view", self.fit)
        menu.addAction("Reset columns", self.as_declared)
        menu.addSeparator()
        group = QActionGroup(menu)
        for name, text in ZONES.items():
            action = QAction(text, menu, checkable=True, checked=name == self._zone)
            action.triggered.connect(lambda _=False, name=name: self.set_zone(name))
            group.addAction(action)
            menu.addAction(action)

    def keep(self) -> None:
        """Save changes of the user that are not saved yet. Widths that follow the view are not saved."""
        if self._soon.isActive():
            self._write()

    def _write(self) -> None:
        self._soon.stop()
        widths = {c.field: self._width(i, c.field) for i, c in enumerate(self._model.columns, start=1)}
        head = self._table.horizontalHeader()
        order = sorted(range(1, len(self._model.columns) + 1), key=head.visualIndex)
        self._settings.set(
            self._key,
            {
                "order": [self._model.columns[i - 1].field for i in order],
                "widths": widths,
                "hidden": self.hidden(),
                "zone": self._zone,
            },
        )

    def _width(self, number: int, field: str) -> int:
        if self._table.isColumnHidden(number):  # Qt says 0 then
            kept = self._settings.get(self._key, {}) or {}
            declared = self._model.columns[number - 1].width
            return int(kept.get("widths", {}).get(field, declared))
        return self._table.columnWidth(number)

    def _restore(self) -> None:
        kept: Any = self._settings.get(self._key, {})
        kept = kept if isinstance(kept, dict) else {}
        widths, hidden, order = kept.get("widths", {}), kept.get("hidden"), kept.get("order", [])
        for number, column in enumerate(self._model.columns, start=1):
            width = widths.get(column.field, column.width) if isinstance(widths, dict) else column.width
            self._table.setColumnWidth(number, max(40, min(int(width), 1200)))
            hide = column.field in hidden if isinstance(hidden, list) else column.hidden
            self._table.setColumnHidden(number, hide)
        head = self._table.horizontalHeader()
        known = [c.field for c in self._model.columns]
        for place, field in enumerate([f for f in order if f in known], start=1):
            head.moveSection(head.visualIndex(self._number(field)), place)
        if not self.shown() and known:
            self._table.setColumnHidden(1, False)
        self._zone = kept.get("zone") if kept.get("zone") in ZONES else "local"
        self._model.set_reading(self.reading)

    def _number(self, field: str) -> int:
        return next(i for i, c in enumerate(self._model.columns, start=1) if c.field == field)

    def _keep_soon(self) -> None:
        if not self._restoring:
            self._soon.start()

    def _changed(self) -> None:
        self._write()
        self.changed.emit()


def columns_menu(choice: ColumnChoice, parent: QWidget) -> QMenu:
    """The Columns… menu, filled each time it opens."""
    menu = QMenu("Columns", parent)
    menu.setAccessibleName("Columns")
    menu.aboutToShow.connect(lambda: choice.fill(menu))
    return menu
