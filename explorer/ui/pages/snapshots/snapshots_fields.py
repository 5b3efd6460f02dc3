"""The tab *How fields are filled* of the page of snapshots: how often each field is filled in both states, whether that
fits its declaration, and what drifted between the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from explorer.api.interface import registry_for
from explorer.quality.compare.rows import Wanted
from explorer.quality.ledger.drift import Drift, drift, side_by_side
from explorer.quality.ledger.ledger import Ledger, ledger_of
from explorer.quality.ledger.report import fill_words, head_words, missing_words, type_words
from explorer.quality.ledger.seen import FieldSeen
from explorer.ui.kit.columns import Column
from explorer.ui.kit.elided_combo import ElidedCombo
from explorer.ui.kit.layout import bar, column, row, search_line
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import RowsModel, RowsTable
from explorer.ui.pages.snapshots.compare_choice import Comparable
from explorer.ui.pages.snapshots.snapshots_work import FIELDS, TabContext
from explorer.work import cancellable

_Counted = tuple[Ledger | None, Ledger, tuple[Drift, ...]]
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
        """Drift first, then where the field disagrees with the contract."""
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


class FieldsTab(QWidget):
    """A line for each field, with counts, range and examples in the tooltips. The fields are counted when the tab is
    first shown, and not again while the choice is the same.
    """

    def __init__(self, ground: TabContext) -> None:
        super().__init__()
        self._ground = ground
        self.ledgers: tuple[Ledger | None, Ledger] | None = None
        self._shown_for: tuple[object, ...] = ()
        self._lines: Sequence[FieldLine] = ()
        self.said = PlainLabel("", role="muted", wrap=True)
        self.which = ElidedCombo("Fields shown")
        self.which.addItems(_SHOWN)
        self.sought = search_line("Find a field")
        self.counted = PlainLabel("", role="muted")
        self.model = RowsModel(_COLUMNS)
        self.table = RowsTable(self.model, "Fields, declared and seen")
        self.detail = PlainLabel("", role="muted", wrap=True, selectable=True)
        self.detail.setContentsMargins(12, 6, 12, 6)
        self.detail.setAccessibleName("The chosen field before and after")
        self._bar = bar(self.which, (self.sought, 1), self.counted, margins=(12, 4, 12, 4))
        said = row(self.said, margins=(12, 8, 12, 8), spacing=-1)
        column(said, self._bar, (self.table, 1), self.detail, (None, 0), of=self)
        self.which.activated.connect(lambda _: self._show())
        self.sought.textChanged.connect(lambda _: self._show())
        self.table.chosen.connect(lambda _: self._say_field())
        self.clear("")

    # ---------------------------------------------------------------- counting

    def count(self, before: Comparable | None, after: Comparable | None) -> None:
        """Count the fields of both states, unless they are shown already."""
        after = after or before
        if after is None:
            self.clear("There is nothing to count yet: open a list first.")
            return
        wanted_for = tuple(one.state for one in (before, after) if one is not None)
        if wanted_for == self._shown_for:
            return
        self._shown_for = wanted_for
        both = before if before is not None and before.key != after.key else None
        if both is not None and both.about.resource != after.about.resource:
            both = None
        self.clear("Counting …")
        ground, say = self._ground, self._ground.paced()

        def ledger(one: Comparable, wanted: Wanted) -> Ledger:
            with one.open(ground.folders, ground.profile, wanted) as rows:
                tell = ground.counter(f"Counting {one.title}", one.about.rows, say)
                return ledger_of(rows, registry_for(ground.profile), one.title, wanted, tell)

        def work(wanted: Wanted) -> _Counted:
            old = ledger(both, wanted) if both is not None else None
            new = ledger(after, wanted)
            return old, new, drift(old, new) if old is not None else ()

        ground.tasks.start(FIELDS, cancellable(work), done=self._show_counted)

    def _show_counted(self, found: _Counted) -> None:
        self.ledgers = found[:2]
        self.show_ledgers(*found)

    def stop(self) -> None:
        """Stop counting; no partial counts are shown."""
        if self._ground.tasks.busy(FIELDS):
            self._forget("Counting was stopped. Choose a state again to count its fields.")
            self._ground.tasks.cancel(FIELDS)

    def failed(self) -> None:
        """The page's work failed: if this was counting, say so."""
        counting = self._ground.tasks.busy(FIELDS) or self.table.isVisibleTo(self)
        if self._shown_for and not counting:
            self._forget("The fields could not be counted. Look again (F5) to try once more.")

    def _forget(self, said: str) -> None:
        self._shown_for = ()
        self.clear(said)

    # ---------------------------------------------------------------- what is shown

    def clear(self, said: str) -> None:
        """Show only a sentence."""
        self._lines = ()
        self.said.setText(said)
        for widget in (self._bar, self.table, self.detail):
            widget.hide()

    def show_ledgers(self, before: Ledger | None, after: Ledger, drifts: Sequence[Drift]) -> None:
        """Show the fields of both states, or of the only one."""
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
        self.counted.setText(f"{len(lines):,} of {len(self._lines):,} fields")
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
    """``Before: Morning: 204 rows, 31 fields``."""
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
