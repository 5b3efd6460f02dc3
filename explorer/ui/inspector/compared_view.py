"""Several chosen records field by field: a column each, and a mark at every field that is not the same in all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from explorer import words
from explorer.jsontext.pieces import AT_ONCE
from explorer.ui.inspector.value_cell import ValuePaint
from explorer.ui.kit.columns import Column
from explorer.ui.kit.layout import column
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import RowsModel, RowsTable
from explorer.ui.kit.theme import mono
from explorer.ui.records.cells import ABSENT_CELL, Cell, tooltip_text
from explorer.ui.records.record_view import FieldRow, RecordView, field_rows
from explorer.ui.records.row_delegate import MARGIN

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
        made.append(ComparedField(name, cells, len(values) > 1))
    return made


def _bytes(view: RecordView, row: FieldRow | None) -> bytes | None:
    place = row.place if row is not None else None
    return view.raw[place.start : place.end] if place is not None else None


class ComparedView(QWidget):
    """A table of the fields of several records."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
