"""The inspector: the chosen record's fields checked against the contract, its JSON as received, and its mapping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QMenu,
    QStackedWidget,
    QStyleOptionViewItem,
    QTabBar,
    QWidget,
)

from explorer import words
from explorer.jsontext.members import Member
from explorer.jsontext.pieces import AT_ONCE
from explorer.ui.inspector.mapping_view import MappingView
from explorer.ui.inspector.value_cell import ValuePaint
from explorer.ui.kit.clipboard import Copying, copy_text
from explorer.ui.kit.columns import Column
from explorer.ui.kit.json_view import JsonView
from explorer.ui.kit.layout import STRETCH, column, dressed, push_button, row
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.rows_table import RowsModel, RowsTable
from explorer.ui.kit.theme import ROW, colors, mono, small
from explorer.ui.kit.visible import COPY_BOUND, encodable, encodable_octets, shown_octets
from explorer.ui.records.cells import ABSENT_CELL, Cell, tooltip_text
from explorer.ui.records.misfit_card import MisfitWords
from explorer.ui.records.misfits import CHECK_BOUND
from explorer.ui.records.record_view import FieldRow, Fields, RecordView, field_rows
from explorer.ui.records.row_delegate import MARGIN

_SHORT, _BEFORE = 16, 6
"""Characters that a cell has room for, and those shown before the place where longer values differ."""
_LOOKED_AT, _LONGEST = 20_000, 400
"""Bytes in which that place is searched, and the most characters of a cell."""
_NAMES = 0.34
"""Most of the width that the names take."""


@dataclass(frozen=True, slots=True)
class ComparedField:
    """One field of all the records."""

    name: str
    cells: tuple[Cell, ...]
    """In the order of the records."""
    differs: bool
    """Its bytes as received are not the same in all; absent is not null."""


def compared(views: Sequence[RecordView]) -> list[ComparedField]:
    """The fields of ``views``: the declared ones in their order, then the others. Each record is read whole."""
    found = [{row.name: row for row in field_rows(view)} for view in views]
    made = []
    for name in dict.fromkeys(name for rows in found for name in rows):
        rows = [one.get(name) for one in found]
        values = {_bytes(view, row) for view, row in zip(views, rows, strict=True)}
        cells = tuple(row.cell if row is not None else ABSENT_CELL for row in rows)
        if len(values) > 1:
            texts = [_bytes(view, row) for view, row in zip(views, rows, strict=True)]
            cells = tuple(map(_as_received, cells, _around(texts)))
        made.append(ComparedField(name, cells, len(values) > 1))
    return made


def _as_received(cell: Cell, text: str) -> Cell:
    """The cell with its value's own text, which shows what a date or a count of items does not."""
    if cell.kind in ("null", "absent") or not text:
        return cell
    return cell._replace(text=text, kind="text", more="", at=None, received=cell.received or cell.text)


def _around(values: Sequence[bytes | None]) -> list[str]:
    """The values as received, without most of a beginning that all have; empty for one that is not there."""
    texts = [encodable(visible((value or b"")[:_LOOKED_AT].decode(errors="replace"))) for value in values]
    there = [text for text in texts if text]
    same = next((at for at, found in enumerate(zip(*there, strict=False)) if len(set(found)) > 1), None)
    if same is None:
        same = min(map(len, there), default=0)
    start = max(same - _BEFORE, 0) if max(map(len, texts)) > _SHORT else 0
    return [f"…{text[start:][:_LONGEST]}" if start and text else text[:_LONGEST] for text in texts]


def _bytes(view: RecordView, row: FieldRow | None) -> bytes | None:
    place = row.place if row is not None else None
    return view.raw[place.start : place.end] if place is not None else None


class ComparedView(QWidget):
    """A table of the fields of several records."""

    def __init__(self) -> None:
        super().__init__()
        self.model = RowsModel[ComparedField](())
        self._paint = ValuePaint(self)
        self.said = PlainLabel("", role="muted", wrap=True)
        self.said.setContentsMargins(12, 8, 12, 8)
        self.table = RowsTable(self.model, "Fields of the chosen records")
        self.table.setObjectName("fields")
        column(self.said, (self.table, 1), of=self)

    def show_records(self, views: Sequence[RecordView]) -> None:
        """Show the fields of other records."""
        large = [view for view in views if len(view.raw) > AT_ONCE]
        if large:
            self.model.show_columns(self._columns(()), ())
            self.said.setText(
                f"{_title(large[0])} is too large to be compared: {words.size(len(large[0].raw))}"
            )
            return
        rows = compared(views)
        self.model.show_columns(self._columns(views), rows)
        differ = sum(row.differs for row in rows)
        fields = words.count(len(rows), "field")
        verb = "differs" if differ == 1 else "differ"
        self.said.setText(f"{differ} of {fields} {verb}" if differ else f"All {fields} are the same")
        self.table.share()

    def _columns(self, views: Sequence[RecordView]) -> tuple[Column[ComparedField], ...]:
        names = Column[ComparedField](
            "Unified field",
            lambda row: f"≠ {row.name}" if row.differs else row.name,
            lambda row: "mono" if row.differs else "faint",
            lambda row: f"{row.name}\n{'not the same in all' if row.differs else 'the same in all'}",
            width=self._name_width,
            spoken=lambda row: f"{row.name}, {'differs' if row.differs else 'the same'}",
        )
        return names, *(self._column(place, view) for place, view in enumerate(views))

    def _column(self, place: int, view: RecordView) -> Column[ComparedField]:
        return Column(
            _title(view),
            lambda row: f"{row.cells[place].text} {row.cells[place].more}".strip(),
            tip=lambda row: tooltip_text(row.cells[place]),
            spoken=lambda row: row.cells[place].spoken,
            paint=partial(self._paint_cell, place),
        )

    def _paint_cell(
        self, place: int, painter: QPainter, option: QStyleOptionViewItem, row: ComparedField
    ) -> None:
        self._paint.draw(painter, option, row.cells[place], "id" if row.name == "id" else "text")

    def _name_width(self, room: int) -> int:
        metrics = QFontMetrics(mono())
        widest = max((metrics.horizontalAdvance(f"≠ {row.name[:40]}") for row in self.model.rows), default=0)
        return min(max(widest + 2 * MARGIN + 2, 96), max(int(room * _NAMES), 96))


def _title(view: RecordView) -> str:
    return view.title or (f"Row {view.row + 1:,}" if view.row is not None else view.label)


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_NOTE_HEIGHT = 18


def note_of(row: FieldRow) -> str:
    """The note beside a field that is not as declared; empty for one that is."""
    if row.finding:
        return row.finding
    if row.cell.observed:
        return f"observed: {row.cell.observed}"
    return "not in the contract" if row.state == "undeclared" else ""


class FieldsView(QWidget):
    """A table of a record's fields, with findings in words below the values."""

    def __init__(self) -> None:
        super().__init__()
        self.model = RowsModel[FieldRow](self._columns())
        self._paint = ValuePaint(self)
        self._fields: Fields | None = None
        self._copying = Copying(self)
        self._pace = QTimer(self, interval=0)
        self._pace.timeout.connect(self._go_on)
        self.said = PlainLabel("", role="muted", wrap=True)
        self.said.setContentsMargins(12, 8, 12, 8)
        self.table = RowsTable(self.model, "Fields of the record", copy=self.copy_value)
        self.table.setObjectName("fields")
        self.table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._menu)
        self.table.chosen.connect(lambda _: self._say_reason())
        self.reason = MisfitWords()
        self.reason.hide()
        self._below = column(self.reason, margins=(12, 0, 12, 12))
        column(self.said, (self.table, 1), self._below, of=self)

    def _columns(self) -> tuple[Column[FieldRow], ...]:
        return (
            Column(
                "Unified field",
                lambda row: row.name,
                lambda row: "mono" if row.state == "declared" else "faint",
                lambda row: f"{row.name}\n{row.declared or 'not in the contract'}",
                width=self._name_width,
                spoken=lambda row: ", ".join(filter(None, (row.name, note_of(row)))),
            ),
            Column(
                "Value",
                lambda row: f"{row.cell.text} {row.cell.more}".strip(),
                tip=lambda row: "\n".join(filter(None, (tooltip_text(row.cell), row.finding))),
                spoken=lambda row: ", ".join(filter(None, (row.cell.spoken, row.finding))),
                paint=self._paint_value,
            ),
        )

    def _name_width(self, room: int) -> int:
        """The width of the names, in pixels: what they need, but at most the smaller half of ``room``."""
        metrics = QFontMetrics(mono())
        widest = max((metrics.horizontalAdvance(row.name[:80]) for row in self.model.rows), default=0)
        return min(max(widest + 2 * MARGIN + 2, 96), room * 45 // 100 if room > 200 else 150)

    def _paint_value(self, painter: QPainter, option: QStyleOptionViewItem, row: FieldRow) -> None:
        """Paint the value as in the table of records, and below it what is wrong with it."""
        rect, note = option.rect, note_of(row)
        kind = "id" if row.name == "id" or row.name.endswith("_id") else "text"
        self._paint.draw(painter, option, row.cell, kind)
        if note:
            below = QRect(rect.left() + MARGIN, rect.top() + ROW - 4, rect.width() - 2 * MARGIN, _NOTE_HEIGHT)
            font = small()
            painter.setFont(font)
            ink = "on_fails" if row.finding else "muted" if row.cell.observed else "on_caution"
            painter.setPen(colors().color(ink))
            cut = QFontMetrics(font).elidedText(note, Qt.TextElideMode.ElideRight, below.width())
            painter.drawText(below, _LEFT, cut)

    def show_record(self, view: RecordView | None) -> None:
        """Show the fields of another record, or none. A large record is read in pieces, one a turn of the loop."""
        self._pace.stop()
        self._fields = Fields(view) if view is not None else None
        if self._fields is None:
            self._show()
            return
        self._fields.go_on()
        if self._fields.complete:
            self._show()
            return
        self.table.show_rows(())
        self.said.setText(f"Reading the fields of {words.size(len(self._fields.view.raw))}…")
        self._pace.start()

    @property
    def reading(self) -> bool:
        """Whether a large record is still being read."""
        return self._pace.isActive()

    def _go_on(self) -> None:
        if self._fields is not None:
            self._fields.go_on()
        if self._fields is None or self._fields.complete:
            self._pace.stop()
            self._show()

    def _show(self) -> None:
        rows = self._fields.rows if self._fields is not None else []
        self.table.show_rows(rows)
        for number, each in enumerate(rows):
            self.table.setRowHeight(number, ROW + (_NOTE_HEIGHT if note_of(each) else 0))
        self.said.setText(_summary(self._fields) if self._fields is not None else "")
        self.table.share()
        wanted = self._fields.view.explain if self._fields is not None else ""
        place = self.model.first(lambda row: bool(wanted) and row.name == wanted)
        if place >= 0:
            self.table.selectRow(place)
            self.table.scrollTo(self.model.index(place, 0))
        self._say_reason()

    def _say_reason(self) -> None:
        """Show why the chosen field's value does not fit, below the fields."""
        row: FieldRow | None = self.table.row()
        misfit = row.misfit if row is not None else None
        if misfit is not None:
            self.reason.say(misfit)
        self.reason.setVisible(misfit is not None)

    def copy_value(self) -> None:
        """Copy the chosen field's value as received."""
        place = self._place()
        if self._fields is None or place is None:
            return
        size = place.end - place.start
        if size <= COPY_BOUND:
            self._copying.start(shown_octets(self._fields.view.raw[place.start : place.end]), "value")
        else:
            self.said.setText(f"{words.size(size)} is too much for the clipboard: save it under JSON")

    def copy_name(self) -> None:
        """Copy the chosen field's name."""
        row: FieldRow | None = self.table.row()
        if row is not None:
            copy_text(row.name, "name of the field")

    def _place(self) -> Member | None:
        row: FieldRow | None = self.table.row()
        return row.place if row is not None else None

    def _menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy value", self.copy_value)
        menu.addAction("Copy name", self.copy_name)
        menu.popup(self.table.viewport().mapToGlobal(at))


def _summary(fields: Fields) -> str:
    rows = fields.rows
    if not rows:
        return ""
    declared = [r for r in rows if r.state != "undeclared"]
    absent = sum(1 for r in rows if r.state == "absent")
    findings = sum(1 for r in rows if r.finding)
    said = [f"{len(declared) - absent} of {len(declared)} fields present"]
    if len(rows) > len(declared):
        said.append(f"{len(rows) - len(declared) + fields.more:,} not in the contract")
    if fields.more:
        said.append(f"{fields.more:,} of them are shown only under JSON")
    if fields.unlisted:
        said.append(fields.unlisted)
    elif findings:
        said.append(f"{findings} {'does' if findings == 1 else 'do'} not fit")
    elif len(fields.view.raw) > CHECK_BOUND:
        said.append(f"too large to check against the contract: {words.size(len(fields.view.raw))}")
    else:
        said.append("all fit the contract’s types")
    observed = sum(1 for r in rows if r.cell.observed)
    said += [words.count(observed, "usual null")] if observed else []
    return "  ·  ".join(said)


_TABS = ("Fields", "JSON", "Mapping")
_MAPPING = 2


class Inspector(QWidget):
    """Shows the record of the row that the user is on."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("inspector")
        self.setAccessibleName("Record inspector")
        dressed(self, ground="surface")
        self._view: RecordView | None = None
        self._stale = self._untraced = False
        self._copying = Copying(self)
        self.label = PlainLabel("", role="title", elide=True)
        self.place = PlainLabel("", role="path", elide=True)
        self.tabs = QTabBar(expanding=False, drawBase=False)
        self.tabs.setObjectName("facets")
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setAccessibleName("Fields, JSON or mapping")
        for name in _TABS:
            self.tabs.addTab(name)
        self.tabs.currentChanged.connect(self._tab_changed)
        self._copy = push_button("Copy", kind="quiet", name="Copy the record's JSON as received")
        self._copy.clicked.connect(self.copy_record)
        self.fields = FieldsView()
        self.compared = ComparedView()
        self._first = QStackedWidget()
        self._first.addWidget(self.fields)
        self._first.addWidget(self.compared)
        self.json = JsonView(name="JSON of the record")
        self.mapping: MappingView | None = None
        self._body = QStackedWidget()
        self._body.addWidget(self._first)
        self._body.addWidget(self.json)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(_nothing())
        self._pages.addWidget(self._record())
        column(self._pages, of=self)
        self.setMinimumWidth(220)

    def _record(self) -> QWidget:
        page = QWidget()
        tabs = row(self.tabs, STRETCH, self._copy, margins=(0, 6, 0, 0), spacing=-1)
        head = column(self.label, self.place, tabs, margins=(12, 10, 8, 0), spacing=2)
        line = QFrame(frameShape=QFrame.Shape.HLine)
        line.setFixedHeight(1)
        column(head, line, (self._body, 1), of=page)
        return page

    @property
    def view(self) -> RecordView | None:
        """The record that is shown, or None."""
        return self._view

    def show_record(self, view: RecordView | None) -> None:
        """Show another record; None shows that no row is chosen."""
        self._view = view
        self._pages.setCurrentIndex(0 if view is None else 1)
        if view is None:
            self.fields.show_record(None)
            self.json.clear()
            if self.mapping is not None:
                self.mapping.show_record(None)
            return
        self.label.setText(view.label)
        self.place.setText(view.place)
        if view.among:
            self.label.setText(f"{words.count(len(view.among), 'record')} compared")
            self.place.setText(f"{view.label}  ·  {view.place}")
            self.compared.show_records(view.among)
        self._first.setCurrentIndex(1 if view.among else 0)
        self._stale = True
        if view.explain:
            self.show_tab("Fields")
        self._fill()

    def show_tab(self, name: str) -> None:
        """Switch to the tab ``Fields``, ``JSON`` or ``Mapping``."""
        self.tabs.setCurrentIndex(_TABS.index(name) if name in _TABS else 0)

    def copy_record(self) -> None:
        """Copy the record's JSON, exactly as received."""
        if self._view is None:
            return
        if len(self._view.raw) > COPY_BOUND:
            self.place.setText(f"{words.size(len(self._view.raw))} is too much for the clipboard")
            return
        self._copying.start(encodable_octets(self._view.raw), "record")

    def _tab_changed(self, number: int) -> None:
        if number == _MAPPING and self.mapping is None:
            # Made when it is first looked at, so that it costs nothing at the start.
            self.mapping = MappingView()
            self._body.addWidget(self.mapping)
        self._body.setCurrentIndex(number)
        self._fill()

    def _fill(self) -> None:
        """Fill the fields, and the JSON tree and the mapping only while they are visible."""
        if self._view is None:
            return
        if self._stale:
            self.fields.show_record(self._view)
            self.json.model.set_bytes(b"")
            self._stale, self._untraced = False, True
        if self.tabs.currentIndex() == 1 and self.json.model.data_bytes is not self._view.raw:
            self.json.show_bytes(self._view.raw, self._view.label)
        if self.tabs.currentIndex() == _MAPPING and self.mapping is not None and self._untraced:
            self._untraced = False
            self.mapping.show_record(self._view)


def _nothing() -> QWidget:
    page = QWidget()
    labels = (
        PlainLabel("No row chosen", role="heading"),
        PlainLabel(
            "Choose a row to see its fields, its JSON as received, and its mapping", role="muted", wrap=True
        ),
    )
    for label in labels:
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    column(STRETCH, *labels, STRETCH, of=page, margins=12, spacing=8)
    return page
