"""A table of fields sent and returned, side by side, with what became of each in words and in colour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.ui.call.answer_changes import WORDS, Change, Kind, kind_of, shown
from explorer.ui.kit.columns import Column, Ground
from explorer.ui.kit.layout import column, row
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import RowsModel, RowsTable
from explorer.ui.kit.theme import HEADER, ROW

RowColors = Ground | None
"""The colours of a row's result; None for the usual ones."""
FieldRow = tuple[Sequence[str], RowColors]
"""The cells of a row, and the colours of its result."""

_HEADS = ("Field", "Sent", "Returned", "Result")
_COMPACT = ("Field", "Sent → returned")
_GROUNDS: dict[Kind, RowColors] = {
    "changed": ("caution_ground", "on_caution"),
    "dropped": ("caution_ground", "on_caution"),
    "not sent": ("info_ground", "on_info"),
    "new": ("holds_ground", "on_holds"),
}
_COUNTED: dict[Kind, str] = {"not sent": "added", "new": "added", "not answered": WORDS["not answered"]}


class FieldsTable(QWidget):
    """A sentence above a table with a row for each field: name, values, and what became of it."""

    def __init__(self, heads: Sequence[str], name: str, *, top: int = 0, wrap: bool = False) -> None:
        super().__init__()
        self.said = PlainLabel(role="muted", wrap=wrap)
        columns = [_column(place, head, len(heads) - 1) for place, head in enumerate(heads)]
        self.table = RowsTable(RowsModel(columns), name, several=True)
        # The margins are the layout's: the label's own are lost when the colour scheme changes.
        line = row(self.said, margins=(12, 0, 12, 0))
        column(line, (self.table, 1), of=self, margins=(0, top, 0, 0), spacing=8)

    def show_fields(self, rows: Sequence[FieldRow], said: str) -> None:
        """Shows ``rows`` below the sentence ``said``."""
        self.said.setText(said)
        self.table.setVisible(bool(rows))
        self.table.show_rows(rows)


def _column(place: int, head: str, last: int) -> Column[FieldRow]:
    """The first column names the field, the others have the colours of the row's result. Names and results are as wide
    as they need to be, within bounds; the values have the rest.
    """
    edge = not place or place == last > 1
    share = 0.45 if last == 1 else 0.25 if not place else 0.3
    return Column(
        head,
        lambda row: row[0][place],
        "key" if not place else "mono" if place < 3 else "text",
        fit=edge,
        least=60,
        most=lambda room: int(room * share) if edge else room,
        ground=(lambda row: row[1]) if place else None,
    )


class ChangesView(FieldsTable):
    """The fields of the last answer compared with those sent; ``compact`` shows it in two columns.

    It can show the comparison of any two records: ``heads`` names the columns, ``words`` the kinds of change.
    """

    def __init__(
        self,
        *,
        compact: bool = False,
        heads: Sequence[str] = (),
        words: Mapping[Kind, str] = WORDS,
        name: str = "Sent and returned, field by field",
    ) -> None:
        heads = heads or (_COMPACT if compact else _HEADS)
        super().__init__(heads, name, top=8)
        self.changes: Sequence[Change] = ()
        """The changes that are shown."""
        self._compact = compact
        self._tight = False
        """Whether the table is no higher than its rows, as another widget is below it."""
        self._words = words
        self.show_changes(())

    def add_below(self, widget: QWidget) -> None:
        """Add a page's own widget right below the fields."""
        layout = self.layout()
        if isinstance(layout, QVBoxLayout):
            layout.addWidget(widget)
            if not self._tight:
                layout.addStretch(0)
        self._tight = True
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("ground", "surface")

    def show_changes(self, changes: Sequence[Change], said: str = "") -> None:
        """Show ``changes``; without any, the sentence ``said`` in their place."""
        self.changes = changes
        rows = [(self._cells(change), _GROUNDS.get(kind_of(change))) for change in changes]
        self.show_fields(rows, summary(changes, self._words) if changes else said or "Nothing was sent yet")
        if self._tight:
            self.table.setMaximumHeight(HEADER + ROW * len(changes) + 16)

    def _cells(self, change: Change) -> tuple[str, ...]:
        if self._compact:
            return change.field, in_words(change)
        return change.field, shown(change.sent), shown(change.returned), self._words[kind_of(change)]


def summary(changes: Sequence[Change], words: Mapping[Kind, str] = WORDS) -> str:
    """How many fields of each kind, in words: ``3 kept · 1 changed``."""
    if words is not WORDS:
        counted = Counter(words[kind_of(change)] for change in changes)
        return " · ".join(f"{count} {word}" for word in words.values() if (count := counted.pop(word, 0)))
    counts = Counter(_COUNTED.get(kind_of(change), kind_of(change)) for change in changes)
    order = ("kept", "changed", "dropped", "added", WORDS["not answered"])
    return " · ".join(f"{counts[word]} {word}" for word in order if counts[word])


def in_words(change: Change) -> str:
    """A change in one line: ``not sent → "+44 20"``."""
    sent, returned = shown(change.sent), shown(change.returned)
    return {
        "kept": returned,
        "changed": f"{sent} → {returned}",
        "dropped": f"{sent} → not returned",
        "not sent": f"not sent → {returned}",
        "new": f"new → {returned}",
        "not answered": f"{sent} → not part of responses",
    }[kind_of(change)]
