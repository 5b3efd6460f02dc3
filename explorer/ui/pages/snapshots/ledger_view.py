"""The field ledger in the window: each field of both states, declared against seen, and what drifted between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from explorer.quality.ledger.drift import Drift, side_by_side
from explorer.quality.ledger.ledger import Ledger
from explorer.quality.ledger.report import fill_words, head_words, missing_words, type_words
from explorer.quality.ledger.seen import FieldSeen
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import Column, RowsModel, RowsTable

_SHOWN = ("All fields", "With a note or drift", "Declared, never seen", "Not declared")


@dataclass(frozen=True, slots=True)
class FieldLine:
    """One field of both states."""

    path: str
    before: FieldSeen | None
    after: FieldSeen | None
    drifts: tuple[Drift, ...]

    @property
    def declared(self) -> str:
        """What the contract says."""
        one = self.after or self.before
        if one is None:
            return ""
        return one.declared.words if one.declared is not None else "open" if one.free else "not declared"

    @property
    def said(self) -> str:
        """Drift first, then what does not agree with the contract."""
        notes = self.after.notes if self.after is not None else self.before.notes if self.before else ()
        return "; ".join([*(one.sentence for one in self.drifts), *notes])


_COLUMNS: tuple[Column[FieldLine], ...] = (
    Column("Field", lambda f: f.path, "mono", share=6),
    Column("Declared", lambda f: f.declared, "muted", fit=True),
    Column(
        "Filled before",
        lambda f: fill_words(f.before),
        "number",
        lambda f: _tip(f.before),
        fit=True,
    ),
    Column(
        "Types before",
        lambda f: type_words(f.before),
        tip=lambda f: _tip(f.before),
        share=5,
        spare=True,
    ),
    Column("Filled", lambda f: fill_words(f.after), "number", lambda f: _tip(f.after), fit=True),
    Column("Types", lambda f: type_words(f.after), tip=lambda f: _tip(f.after), share=4),
    Column(
        "Distinct",
        lambda f: f.after.distinct_words if f.after else "",
        "number",
        spare=True,
        fit=True,
    ),
    Column("Drift and notes", lambda f: f.said, share=7),
)


class LedgerView(QWidget):
    """A line a field. The pointer over a cell gives counts, range and examples."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: Sequence[FieldLine] = ()
        self.said = PlainLabel("", role="muted", wrap=True)
        self.which = QComboBox()
        self.which.setAccessibleName("Fields shown")
        self.which.addItems(_SHOWN)
        self.sought = QLineEdit()
        self.sought.setAccessibleName("Find a field")
        self.sought.setPlaceholderText("Find a field")
        self.sought.setClearButtonEnabled(True)
        self.count = PlainLabel("", role="muted")
        self.model = RowsModel[FieldLine](_COLUMNS)
        self.table = RowsTable(self.model, "Fields, declared and seen")
        self.detail = PlainLabel("", role="muted", wrap=True, selectable=True)
        self.detail.setContentsMargins(12, 6, 12, 6)
        self.detail.setAccessibleName("The chosen field before and after")
        self._bar = QFrame()
        self._build()
        self.which.activated.connect(lambda _: self._show())
        self.sought.textChanged.connect(lambda _: self._show())
        self.table.chosen.connect(lambda _: self._say_field())
        self.clear("")

    def _build(self) -> None:
        self._bar.setProperty("bar", "tools")
        row = QHBoxLayout(self._bar)
        row.setContentsMargins(12, 4, 12, 4)
        row.setSpacing(8)
        row.addWidget(self.which)
        row.addWidget(self.sought, 1)
        row.addWidget(self.count)
        words = QHBoxLayout()
        words.setContentsMargins(12, 8, 12, 8)
        words.addWidget(self.said)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(words)
        column.addWidget(self._bar)
        column.addWidget(self.table, 1)
        column.addWidget(self.detail)
        column.addStretch(0)

    def clear(self, said: str) -> None:
        """Nothing is shown but a sentence."""
        self._lines = ()
        self.said.setText(said)
        for widget in (self._bar, self.table, self.detail):
            widget.hide()

    def show_ledgers(self, before: Ledger | None, after: Ledger, drifts: Sequence[Drift]) -> None:
        """Both states, or the one that there is."""
        both = [one for one in (before, after) if one is not None]
        names = ("Before", "After") if before is not None else ("",)
        self.said.setText("\n".join(_head(name, one) for name, one in zip(names, both, strict=True)))
        by_path: dict[str, list[Drift]] = {}
        for one in drifts:
            by_path.setdefault(one.path, []).append(one)
        self._lines = [
            FieldLine(path, seen[0] if before else None, seen[-1], tuple(by_path.get(path, ())))
            for path, seen in side_by_side(both)
        ]
        for place in (2, 3):
            self.table.leave_out(place, before is None)
        for widget in (self._bar, self.table, self.detail):
            widget.show()
        self._show()

    def _show(self) -> None:
        sought, which = self.sought.text().strip().casefold(), self.which.currentIndex()
        lines = [one for one in self._lines if sought in one.path.casefold() and _fits(one, which)]
        self.table.show_rows(lines, lambda one, other: one.path == other.path)
        self.count.setText(f"{len(lines):,} of {len(self._lines):,} fields")
        self._say_field()

    def _say_field(self) -> None:
        line = self.table.row()
        if line is None:
            self.detail.setText("Choose a field to see its counts, range and examples.")
            return
        sides = [
            (name, one) for name, one in (("Before", line.before), ("After", line.after)) if one is not None
        ]
        texts = [f"{name}: {_tip(one)}" if len(sides) > 1 else _tip(one) for name, one in sides]
        self.detail.setText("\n".join(texts))


def _head(side: str, ledger: Ledger) -> str:
    """``Before: Morning: 204 rows, 31 fields``; a list's name stands in what it was counted from."""
    said = head_words(ledger).removeprefix(f"{ledger.resource} of ")
    return f"{side}: {said}" if side else said


def _fits(line: FieldLine, which: int) -> bool:
    if which == 1:
        return bool(line.said)
    notes = "; ".join(line.after.notes if line.after else ())
    return {2: "never seen" in notes, 3: "not declared" in notes}.get(which, True)


def _tip(field: FieldSeen | None) -> str:
    """Counts, range and examples in one line."""
    if field is None:
        return "no such field"
    parts = [f"filled in {field.filled:,} of {field.of:,}", missing_words(field)]
    if field.distinct:
        parts.append(f"{field.distinct_words} different")
    parts += [field.range_words, " ".join(field.examples)]
    return " · ".join(part for part in parts if part)
