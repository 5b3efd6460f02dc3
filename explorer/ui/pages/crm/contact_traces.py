"""What raw_data shows of the passthrough fields that were sent: for each one where it turned up, path by path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QSizePolicy,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer import words
from explorer.quality.compare.changes import Trace
from explorer.ui.call.answer_changes import shown
from explorer.ui.call.changes_view import ChangesTable, Grounds
from explorer.ui.kit.plain import PlainLabel, tooltip, visible
from explorer.ui.kit.table_rows import by_rows
from explorer.ui.kit.theme import HEADER, ROW, colors, mono, theme

How = Literal["same", "other value", "other name", "nowhere"]

HOW_WORDS: dict[How, str] = {
    "same": "there, same value",
    "other value": "there with another value",
    "other name": "its value, under another name",
    "nowhere": "nowhere in raw_data",
}
_GROUNDS: dict[How, tuple[str, str]] = {
    "other value": ("caution_ground", "on_caution"),
    "other name": ("info_ground", "on_info"),
    "nowhere": ("caution_ground", "on_caution"),
}
_HEADS = ("passthrough_fields", "Sent", "In raw_data", "Result")
_COMPACT = ("passthrough_fields", "Sent → in raw_data")
_MOST_PLACES = 3
_MOST_ROWS = 8
"""That many are in sight under the fields; the rest is scrolled to."""


class TracesView(QWidget):
    """Passthrough fields against raw_data; ``compact`` says it in two columns. Hidden while there are none."""

    def __init__(self, parent: QWidget | None = None, *, compact: bool = False) -> None:
        super().__init__(parent)
        self.traces: Sequence[Trace] = ()
        self._compact = compact
        heads = _COMPACT if compact else _HEADS
        self.said = PlainLabel(role="muted", wrap=True)
        self.table = ChangesTable(0, len(heads))
        self.table.setHorizontalHeaderLabels(list(heads))
        self.table.setAccessibleName("Passthrough fields in raw_data")
        by_rows(self.table, several=True)
        self.table.setItemDelegate(Grounds(self.table))
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        line = QHBoxLayout()
        line.setContentsMargins(12, 0, 12, 0)
        line.addWidget(self.said)
        box.addLayout(line)
        box.addWidget(self.table)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        theme().changed.connect(self._paint)
        self.show_traces(())

    def show_traces(self, traces: Sequence[Trace], why: str = "") -> None:
        """Show ``traces``; with none, ``why`` in their place, or nothing at all."""
        self.traces = traces
        self.said.setText(summary(traces) if traces else why)
        self.table.setVisible(bool(traces))
        self.setVisible(bool(traces or why))
        self._paint()
        if traces:
            self._fit()

    def _fit(self) -> None:
        rows = min(self.table.rowCount(), _MOST_ROWS)
        self.table.setFixedHeight(HEADER + ROW * rows + 16)
        self.table.resizeColumnsToContents()
        room = self.width()
        for column, (most, share) in enumerate(
            ((160, 0.45),) if self._compact else ((180, 0.25), (220, 0.25), (300, 0.3))
        ):
            wanted = min(max(self.table.columnWidth(column) + 8, 90), most)
            self.table.setColumnWidth(column, max(min(wanted, int(room * share)), 60))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.traces and event.size().width() != event.oldSize().width():
            self._fit()

    def _paint(self) -> None:
        tokens = colors()
        self.table.setRowCount(len(self.traces))
        for row, trace in enumerate(self.traces):
            ground = _GROUNDS.get(trace.how)
            for column, text in enumerate(self._cells(trace)):
                item = QTableWidgetItem(visible(text))
                item.setToolTip(tooltip(text))
                if column < 3:
                    item.setFont(mono())
                if ground is not None and column > 0:
                    item.setBackground(tokens.color(ground[0]))
                    item.setForeground(tokens.color(ground[1]))
                elif column == 0:
                    item.setForeground(tokens.color("json_key"))
                self.table.setItem(row, column, item)

    def _cells(self, trace: Trace) -> tuple[str, ...]:
        places = trace.places[:_MOST_PLACES]
        where = ", ".join(
            place.field if place.how == "same" else f"{place.field} = {shown(place.value)}"
            for place in places
        )
        more = len(trace.places) - len(places)
        where += f" and {words.count(more, 'more place', 'more places')}" if more > 0 else ""
        if self._compact:
            return trace.field, f"{shown(trace.sent)} → {where or HOW_WORDS['nowhere']}"
        return trace.field, shown(trace.sent), where or "—", HOW_WORDS[trace.how]


def summary(traces: Sequence[Trace]) -> str:
    """``2 of 3 passthrough fields stand in raw_data as they were sent``."""
    same = sum(trace.how == "same" for trace in traces)
    count = words.count(len(traces), "passthrough field")
    return f"{same:,} of {count} {'stands' if same == 1 else 'stand'} in raw_data as sent"
