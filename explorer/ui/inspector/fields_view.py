"""The Fields tab: each unified field with its value, its declared type, and what does not fit in words."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QMenu, QStyleOptionViewItem, QWidget

from explorer import words
from explorer.jsontext.members import Member
from explorer.ui.inspector.value_cell import ValuePaint
from explorer.ui.kit.clipboard import Copying, copy_text
from explorer.ui.kit.columns import Column
from explorer.ui.kit.layout import column
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import RowsModel, RowsTable
from explorer.ui.kit.theme import ROW, colors, mono, small
from explorer.ui.kit.visible import COPY_BOUND, shown_octets
from explorer.ui.records.cells import tooltip_text
from explorer.ui.records.misfit_card import MisfitWords
from explorer.ui.records.misfits import CHECK_BOUND
from explorer.ui.records.record_view import FieldRow, Fields, RecordView
from explorer.ui.records.row_delegate import MARGIN

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_NOTE_HEIGHT = 18


def note_of(row: FieldRow) -> str:
    """The note beside a field that is not as declared; empty for one that is."""
    if row.finding:
        return row.finding
    return "not in the contract" if row.state == "undeclared" else ""


class FieldsView(QWidget):
    """A table of a record's fields, with findings in words below the values."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
            painter.setPen(colors().color("on_fails" if row.finding else "on_caution"))
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
        for number, row in enumerate(rows):
            self.table.setRowHeight(number, ROW + (_NOTE_HEIGHT if note_of(row) else 0))
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
        said.append("all fit the contract")
    return "  ·  ".join(said)
