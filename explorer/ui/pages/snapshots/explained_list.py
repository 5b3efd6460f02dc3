"""What happened between two states, as a short list of sentences; choosing one shows its lines alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from explorer.quality.compare.claims import Meaning, shown
from explorer.quality.compare.compare import Comparison
from explorer.quality.compare.explained import Example
from explorer.quality.compare.found import What
from explorer.ui.kit.badge import paint_badge
from explorer.ui.kit.rows_table import Column, RowsModel, RowsTable

_LOOKS: dict[str, str] = {"Suspect": "caution", "Unexplained": "fails", "Edited": "info", "Harmless": "holds"}
_UNEXPLAINED_FIELDS = 12
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Told:
    """A row: a sentence, and which lines it is about."""

    meaning: str
    count: int
    words: str
    example: str = ""
    claims: frozenset[int] | None = None
    """Under one of which the lines fall; None: they are not told apart by that."""
    what: tuple[What, ...] = ()
    all: bool = False


def told_rows(made: Comparison) -> list[Told]:
    """The rows for a comparison: all differences, then what happened, the worst first."""
    explained, counts = made.explained, made.counts
    rows = [
        Told(
            one.meaning.capitalize(),
            one.count,
            one.words,
            _example(one.examples),
            None if one.what else one.claims,
            what=_whats(one.what),
        )
        for one in explained.sentences
    ]
    unexplained = [
        Told("Unexplained", one.count, one.words, _example(one.examples), one.claims)
        for one in explained.unexplained[:_UNEXPLAINED_FIELDS]
    ]
    if len(explained.unexplained) > _UNEXPLAINED_FIELDS:
        count = explained.changed - explained.claimed
        every = frozenset().union(*(one.claims for one in explained.unexplained))
        words = f"{len(explained.unexplained):,} fields: {count:,} changes unexplained"
        unexplained = [Told("Unexplained", count, words, "", every)]
    if not rows and not unexplained:
        return []
    worst: Meaning = "suspect"
    place = sum(one.meaning == worst.capitalize() for one in rows)
    rows[place:place] = unexplained
    everything = counts.added + counts.gone + sum(made.fields.values())
    return [Told("", everything, "All differences", all=True), *rows]


def _whats(what: str) -> tuple[What, ...]:
    return ("added",) if what == "added" else ("gone",) if what == "gone" else ()


def _example(examples: Iterable[Example]) -> str:
    first = next(iter(examples), None)
    return "" if first is None else f"{shown(first.before)} → {shown(first.now)}"


class ExplainedList(QWidget):
    """Up and Down choose; the lines follow."""

    chosen = Signal(object)
    """The `Told` that the user is on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = RowsModel[Told](
            (
                Column("Meaning", lambda one: one.meaning, fit=True),
                Column("Values", lambda one: f"{one.count:,}", "number", fit=True),
                Column("What differs", lambda one: one.words, share=5),
                Column("Example, before → now", lambda one: one.example, "mono", share=3, spare=True),
            )
        )
        self.table = RowsTable(self.model, "What happened between the two states")
        self.table.setItemDelegateForColumn(0, _Badges(self.table))
        self.table.setMinimumHeight(84)
        self.table.chosen.connect(self._notify)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table)

    def show_made(self, made: Comparison | None) -> None:
        """Show what happened; all differences are chosen."""
        rows = told_rows(made) if made is not None else []
        blocked = self.table.blockSignals(True)
        self.table.show_rows(rows)
        if rows:
            self.table.setCurrentIndex(self.model.index(0, 0))
        self.table.blockSignals(blocked)
        self.setVisible(bool(rows))

    @property
    def told(self) -> Told | None:
        """What is chosen; None without anything."""
        found: Told | None = self.table.row()
        return found

    @property
    def wanted_height(self) -> int:
        """Pixels for all rows, or for six of them."""
        rows = min(len(self.model.rows), 6)
        return (
            self.table.horizontalHeader().height()
            + rows * self.table.verticalHeader().defaultSectionSize()
            + 2
        )

    def _notify(self, row: int) -> None:
        if row >= 0:
            self.chosen.emit(self.told)


class _Badges(QStyledItemDelegate):
    """Paints the word for a meaning on its ground."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:
        super().initStyleOption(option, index)
        option.text = ""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        super().paint(painter, option, index)
        text = str(index.data() or "")
        if text:
            paint_badge(painter, option.rect, text, _LOOKS[text])
