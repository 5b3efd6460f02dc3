"""The tab Differences of the page of snapshots: a summary of what changed between two states, the list of differences
with filters, and one record before and after, side by side.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QMenu, QSplitter, QWidget

from explorer.api.interface import registry_for
from explorer.api.sensitive import without_secrets
from explorer.export.beside import Beside
from explorer.files import rename
from explorer.quality.compare.changes import Change
from explorer.quality.compare.compare import Comparison, compare
from explorer.quality.compare.found import KINDS, Difference, What
from explorer.quality.compare.ignored_fields import Mask, raw_fields
from explorer.quality.compare.report import as_csv, as_json, counts_words, mask_words, oddities
from explorer.quality.compare.rows import Wanted
from explorer.ui.call.answer_changes import Kind
from explorer.ui.call.changes_view import ChangesView
from explorer.ui.kit.ask_file import FileAsk
from explorer.ui.kit.columns import Column, Tone
from explorer.ui.kit.elided_combo import ElidedCombo
from explorer.ui.kit.layout import Part, bar, column, push_button, row, search_line
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.rows_table import RowsModel, RowsTable
from explorer.ui.kit.theme import mono
from explorer.ui.pages.snapshots.compare_choice import Comparable
from explorer.ui.pages.snapshots.difference_rows import (
    Lines,
    SummaryRow,
    field_words,
    file_stem,
    how_many,
    id_words,
    record_changes,
    summary_rows,
    value_words,
)
from explorer.ui.pages.snapshots.snapshots_work import COMPARE, TabContext
from explorer.words import count, listed
from explorer.work import cancellable, in_thread, to_end

_WORDS: dict[Kind, str] = {
    "changed": "changed",
    "dropped": "gone",
    "not sent": "new",
    "new": "new",
    "not answered": "gone",
    "kept": "the same",
}
_MEANINGS: dict[str, Tone] = {
    "Suspect": "caution",
    "Unexplained": "fails",
    "Edited": "info",
    "Harmless": "holds",
}
_MEANT = {
    "Gone": "Gone: records that are not there any more.",
    "Added": "Added: records that were not there before.",
    "Suspect": "Suspect: something was lost or damaged, or a value became another one from the same raw data. "
    "Most likely a fault of the mapping.",
    "Unexplained": "Unexplained: no rule was found that makes the new values from the old ones. Look at them.",
    "Edited": "Edited: values are others now, as after an edit in the source.",
    "Harmless": "Harmless: the same content in another notation.",
}
_KINDS: dict[What, Tone] = {"added": "good", "gone": "bad", "changed": "odd"}
_CHOOSE = "Choose a difference to see its record before and after."
_PAUSE_MS = 200
"""Milliseconds after the last key press until the lines are searched."""
RAW = 3
"""The place of the column of the summary that says what became of raw data."""
NAME = 2
"""The place of the column that says what a record is called; left out where none has a name."""
_FIELDS = 200
_LOOKED_AT = 40
"""Lines by whose ids the width of their column is measured."""
_ODD = 10
"""Most sentences about what makes the two states hard to compare, one about both and three about each; and three
about fields that were left out.
"""
_ROOM = 200
"""Least height in pixels for the lines, and with the record as much again: else only the lines are shown."""
_SENTENCES = 10
_OF_HEIGHT = 0.62
"""The most sentences that have room without scrolling, and their share of the height."""
_LEAST = 180
"""Least height in pixels for the summary and the lines."""
_EXAMPLE = "Example, before → now"
_ROOM_FOR_EXAMPLES = 1000
"""Pixels of the summary below which its sentences have the room of the examples."""
_COMBO = 220
"""Pixels at 100 %: a field's name may be long."""


Choice = tuple[object, object, tuple[str, ...]]
"""Both sides as `Comparable.state` has them, and the fields that are left out."""
_NO_CHOICE: Choice = (None, None, ())


def _with_example(one: SummaryRow) -> str:
    said = [f"{one.words}; {one.raw}" if one.raw else one.words]
    return "\n".join([*said, f"{_EXAMPLE}: {one.example}"] if one.example else said)


class ExplainedList(RowsTable):
    """What changed between two states, as a short list of sentences. Choosing one shows its differences below."""

    def __init__(self) -> None:
        self.told = RowsModel[SummaryRow](
            (
                Column(
                    "Meaning",
                    lambda one: one.meaning,
                    lambda one: _MEANINGS.get(one.meaning, "text"),
                    tip=lambda one: _MEANT.get(one.meaning, ""),
                    fit=True,
                ),
                Column("How many", lambda one: one.how_many, "number", fit=True),
                Column("What differs", lambda one: one.words, tip=_with_example, share=5),
                Column(
                    "Raw data", lambda one: one.raw.removeprefix("raw data "), tip=_with_example, fit=True
                ),
                Column(_EXAMPLE, lambda one: one.example, "mono", share=3, spare=_ROOM_FOR_EXAMPLES),
            )
        )
        super().__init__(self.told, "What happened between the two states")
        self.setMinimumHeight(84)

    def show_made(self, made: Comparison | None) -> None:
        """Show the summary, with all differences chosen, without emitting `chosen`."""
        rows = summary_rows(made) if made is not None else []
        blocked = self.blockSignals(True)
        self.show_rows(rows)
        self.leave_out(RAW, not any(one.raw for one in rows))
        self.leave_out(len(self.told.columns) - 1, not any(one.example for one in rows))
        if rows:
            self.setCurrentIndex(self.told.index(0, 0))
        self.blockSignals(blocked)
        self.setVisible(bool(rows))


class DifferencesTab(QWidget):
    """Owns the shown comparison, which keeps files open until it is dropped."""

    counted = Signal(int)
    """How many differences are shown; -1 while there is no comparison."""
    row_wanted = Signal()
    """The chosen difference is to be shown in its list."""
    hand_over_wanted = Signal()
    """The chosen difference is to be shown as the text of an issue."""
    whole_wanted = Signal()
    """The whole comparison is to be shown as the text of an issue, with the ids of all its records."""
    unmasked_wanted = Signal(object)
    """The states are to be compared again with these fields, which were left out and were changed by one rule."""
    fields_wanted = Signal()
    """How each field is filled in both states is to be shown."""

    def __init__(self, ground: TabContext) -> None:
        super().__init__()
        self._ground, self._tasks = ground, ground.tasks
        self.made: Comparison | None = None
        self._chosen: dict[str, object] = {}
        """By what the lines that are shown were chosen; empty where they are all."""
        self._asked: tuple[Choice, Choice] = (_NO_CHOICE, _NO_CHOICE)
        """What is chosen now, and what was chosen for the comparison."""
        self.counts = PlainLabel("Nothing was compared yet.", role="heading", wrap=True)
        self.odd = [PlainLabel("", role="caution", wrap=True) for _ in range(_ODD)]
        self.outdated = PlainLabel("", role="caution", wrap=True)
        self.masked = PlainLabel("", role="muted", wrap=True)
        self.volatile = PlainLabel("", role="muted", wrap=True)
        self.ledger = push_button("How each field is filled →", kind="link", name="How each field is filled")
        self.ledger.clicked.connect(lambda _: self.fields_wanted.emit())
        self.explained = ExplainedList()
        self.what, self.field = ElidedCombo("Kinds of differences shown"), ElidedCombo("Field shown")
        for combo in (self.what, self.field):
            combo.setSizeAdjustPolicy(ElidedCombo.SizeAdjustPolicy.AdjustToContents)
            combo.setMaximumWidth(_COMBO)
        self.sought = search_line("Find in ids, fields, values", "Find in ids, fields and values")
        self.shown = PlainLabel("", role="muted")
        self.save_button = push_button("Save…", name="Save the differences shown")
        menu = QMenu("Save the differences shown", self)
        for form, title in (("json", "As JSON…"), ("csv", "As CSV…")):
            menu.addAction(title, partial(self._ask_file, form))
        self.save_button.setMenu(menu)
        self.row_button = push_button(
            "Open row", tip="Shows the record in its list", name="Open row in its list"
        )
        self.row_button.clicked.connect(lambda _: self.row_wanted.emit())
        self.hand_button = push_button("Copy…", tip="As the text of an issue", name="Copy as an issue")
        hand = QMenu("Copy as an issue", self)
        hand.addAction("The chosen difference…", self.hand_over_wanted.emit)
        hand.addAction("The whole comparison, with all ids…", self.whole_wanted.emit)
        self.hand_button.setMenu(hand)
        self.unmask = push_button("", kind="link")
        self.unmask.clicked.connect(lambda _: self.unmasked_wanted.emit(self._ruled()))
        self.compared: tuple[Comparable, Comparable] | None = None
        """Both sides of the comparison."""
        self._shown = Lines()
        self._moved = False
        """Whether the user gave the parts their heights."""
        self.lines = RowsModel[Difference](self._columns())
        self.table = RowsTable(self.lines, "Differences")
        self.detail = ChangesView(
            heads=("Field", "Before", "After", "Result"),
            words=_WORDS,
            name="The chosen record before and after, field by field",
        )
        self._build()
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._select)
        self.sought.textChanged.connect(lambda _: self._pause.start())
        self.what.activated.connect(lambda _: self._select())
        self.field.activated.connect(lambda _: self._select())
        self.explained.chosen.connect(lambda row: self._select() if row >= 0 else None)
        self.table.chosen.connect(self._open)
        self.show_made(None)

    def _columns(self) -> tuple[Column[Difference], ...]:
        def before(one: Difference) -> Tone:
            return "faint" if one.what == "changed" and one.old is None else "mono"

        def after(one: Difference) -> Tone:
            return "faint" if one.what == "changed" and one.new is None else "mono"

        return (
            Column(
                "What",
                lambda one: one.what,
                lambda one: _KINDS[one.what],
                width=lambda room: max(room // 14, 72),
            ),
            Column("Id", id_words, "mono", width=self._id_width),
            Column("Name", lambda one: one.name, share=5),
            Column("Field", field_words, "mono", share=5),
            Column("Before", lambda one: value_words(one)[0], before, share=6),
            Column("After", lambda one: value_words(one)[1], after, share=6),
        )

    def _id_width(self, room: int) -> int:
        """The width of the ids, in pixels: what those of the first lines need, as long as the values have room too."""
        longest = max((len(line.id) for line in self._first()), default=0)
        whole = QFontMetrics(mono()).horizontalAdvance("0" * longest) + 24
        return max(room // 10, min(whole, room // 3))

    def _first(self) -> list[Difference]:
        return [self._shown[row] for row in range(min(_LOOKED_AT, len(self._shown)))]

    def _build(self) -> None:
        chosen = (self.row_button, self.hand_button, self.save_button)
        tools = bar(self.what, self.field, (self.sought, 1), self.shown, *chosen, margins=(12, 4, 12, 4))
        lines = QWidget()
        column(tools, (self.table, 1), of=lines)
        self._split = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        for widget in (self.explained, lines, self.detail):
            self._split.addWidget(widget)
        self._split.setStretchFactor(1, 1)
        self._split.setMinimumHeight(_LEAST)
        self._split.splitterMoved.connect(self._keep_sizes)
        top = Qt.AlignmentFlag.AlignTop
        head = row((self.counts, 1), (self.ledger, top), spacing=8)
        left = Qt.AlignmentFlag.AlignLeft
        said: tuple[Part, ...] = (
            head,
            self.outdated,
            *self.odd,
            (self.unmask, left),
            self.masked,
            self.volatile,
        )
        told = column(*said, margins=(12, 8, 12, 8), spacing=2)
        column(told, (self._split, 1), (None, 0), of=self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Where there is little room, show only the lines, as they have the values of a changed field too.
        self._share_height()

    def _keep_sizes(self, *_: object) -> None:
        self._moved = True

    def _share_height(self) -> None:
        """The sentences come first: then the lines, and the record in what is left."""
        height = self._split.height()
        if self._moved:
            return
        told = self.explained.height_of(min(len(self.explained.told.rows), _SENTENCES)) + 2
        told = min(told, int(height * _OF_HEIGHT))
        detail = height - told >= 2 * _ROOM
        self.detail.setVisible(detail)
        self._split.setSizes([told, height - told - (_ROOM if detail else 0), _ROOM if detail else 0])

    # ---------------------------------------------------------------- comparing

    def compare(self, one: Comparable, other: Comparable, mask: Mask) -> None:
        """Compare ``other`` with ``one``. The comparison that was shown is dropped at once."""
        self.drop()
        self._asked = self._asked[0], (one.state, other.state, tuple(mask.patterns))
        self.compared = one, other
        folders, profile, say = self._ground.folders, self._ground.profile, self._ground.paced()
        known = registry_for(profile).listed(one.about.resource)
        label = known.label if known is not None else ("name",)
        raw = raw_fields(known.record) if known is not None else ()

        def work(wanted: Wanted) -> Comparison:
            a = one.open(folders, profile, wanted)
            try:
                b = other.open(folders, profile, wanted)
            except BaseException:
                a.close()
                raise
            return compare(a, b, mask, say, wanted, label=label, raw=raw)

        self._tasks.start(COMPARE, cancellable(work, drop=Comparison.close), done=self._compared)

    def _compared(self, made: Comparison) -> None:
        self.show_made(made)
        counts = made.counts
        self.counted.emit(counts.added + counts.gone + counts.changed)

    def drop(self) -> None:
        """Close the comparison and show none."""
        made = self.made
        self._tasks.cancel("select")
        self._tasks.cancel("open")
        self.show_made(None)
        self.counted.emit(-1)
        if made is not None:
            made.close()

    # ---------------------------------------------------------------- what is shown

    def show_made(self, made: Comparison | None) -> None:
        """Show a comparison; None: nothing was compared yet."""
        self.made = made
        self._show_lines(Lines())
        self.detail.show_changes((), _CHOOSE)
        self._split.setVisible(made is not None and made.counts.different)
        self.ledger.setVisible(made is not None)
        self.explained.show_made(made)
        odd = oddities(made) if made is not None else ()
        for place, label in enumerate(self.odd):
            label.setText(odd[place] if place < len(odd) else "")
            label.setVisible(place < len(odd))
        ruled = self._ruled()
        self.unmask.setText(f"Compare with {listed(ruled)}, to see the rows")
        self.unmask.setVisible(bool(ruled))
        self._say_choice()
        if made is None:
            self.counts.setText("Nothing was compared yet. Choose two above, then Compare.")
            return
        same = "Nothing differs in what was compared: " if made.mask.patterns else "Nothing differs: "
        self.counts.setText(("" if made.counts.different else same) + counts_words(made))
        self._offer(made)
        self.sought.clear()
        QTimer.singleShot(0, self, self._share_height)  # when the parts have their places
        self._select()

    def _ruled(self) -> list[str]:
        """The fields that were left out and were changed by one rule."""
        rules = self.made.left_out_by_rule if self.made is not None else ()
        return list(dict.fromkeys(name for one in rules for name in one.fields))

    def _offer(self, made: Comparison) -> None:
        """Offer the kinds and the fields of the differences in the filters."""
        counts = made.counts
        self.what.clear()
        self.what.addItem("All differences", ())
        for kind, number in zip(KINDS, (counts.added, counts.gone, counts.changed), strict=True):
            if number:
                self.what.addItem(f"{kind.capitalize()} ({number:,})", (kind,))
        self.field.clear()
        self.field.addItem("All fields", "")
        for name, number in list(made.fields.items())[:_FIELDS]:
            self.field.addItem(visible(f"{name or '(whole record)'} ({number:,})"), name)

    def say_choice(self, one: Comparable | None, other: Comparable | None, patterns: Sequence[str]) -> None:
        """Say where the comparison is not of ``one`` and ``other``, or left out other fields than ``patterns``."""
        now = (
            one.state if one is not None else None,
            other.state if other is not None else None,
            tuple(patterns),
        )
        self._asked = now, self._asked[1]
        self._say_choice()

    def _say_choice(self) -> None:
        made, ((one, other, patterns), then) = self.made, self._asked
        outdated = made is not None and (one, other) != then[:2]
        otherwise = made is not None and patterns != then[2]
        masked = made is not None and (otherwise or not made.counts.different)
        left_out = made.explained.left_out_words if made is not None else ""
        if made is not None:
            names = " and ".join(visible(side.name) for side in made.sides)
            self.outdated.setText(f"Outdated, not of what is chosen above: {names}. Compare again.")
            before = "Compared with other choices than now. " if otherwise else ""
            self.masked.setText(before + mask_words(made))
        self.volatile.setText(left_out)
        self.outdated.setVisible(outdated)
        self.masked.setVisible(masked)
        self.volatile.setVisible(bool(left_out) and not masked)

    def _show_lines(self, lines: Lines) -> None:
        self._shown = lines
        self.table.show_rows(lines)
        self.table.leave_out(NAME, not any(line.name for line in self._first()))
        self.table.share()

    def _select(self) -> None:
        made = self.made
        if made is None:
            return
        self._pause.stop()
        what: tuple[What, ...] = tuple(self.what.currentData() or ())
        field, text = self.field.currentData() or "", self.sought.text().strip()
        told: SummaryRow | None = self.explained.row()
        claims = None
        if told is not None and not told.all:
            what, claims = what or told.what, told.claims
        sentence = told.words if told is not None and not told.all else ""
        chosen = {"sentence": sentence, "what": list(what), "field": field, "text": text}

        def show(numbers: array[int]) -> None:
            if self.made is made:
                self._chosen = {name: value for name, value in chosen.items() if value}
                self._show_lines(Lines(numbers, made.found.lines))
                self.shown.setText(count(len(numbers), "difference"))
                self.detail.show_changes((), _CHOOSE if numbers else "No difference fits.")
                if numbers:
                    self.table.setCurrentIndex(self.lines.index(0, 0))

        self._tasks.start("select", in_thread(made.found.select, what, field, text, claims), done=show)

    @property
    def line(self) -> Difference | None:
        """The chosen difference."""
        row = self.table.currentIndex().row()
        return self._shown[row] if 0 <= row < len(self._shown) else None

    def _open(self, row: int) -> None:
        if self.made is not None and row >= 0:
            work = in_thread(record_changes, self.made, self._shown[row])
            self._tasks.start("open", work, done=self._show_detail)

    def _show_detail(self, found: tuple[str, list[Change]]) -> None:
        said, changes = found
        self.detail.show_changes(changes, said)
        if said:
            self.detail.said.setText(said)

    # ---------------------------------------------------------------- to a file

    def _ask_file(self, form: str) -> None:
        if self.made is None:
            return
        part = len(self._shown) if self._chosen else None
        forms, name = f"{form.upper()} (*.{form})", f"{file_stem(self.made, part)}.{form}"
        FileAsk(
            self._ground.page, "Save the differences shown", forms, name, lambda path: self.save(path, form)
        ).open()

    def save(self, path: Path, form: str) -> None:
        """Write the lines that are shown to a file."""
        if self.made is None:
            return
        shown, said = self._shown.numbers, "The differences were saved"
        chosen = dict(self._chosen)
        if chosen:
            said = f"{len(shown):,} of {count(how_many(self.made), 'difference')} saved, as chosen"
            chosen |= {"differences": len(shown), "of": how_many(self.made)}
        pieces = as_json(self.made, shown, chosen) if form == "json" else as_csv(self.made, shown)
        self._tasks.start("save", self._save(path, pieces, said))

    async def _save(self, path: Path, pieces: Iterable[str], title: str) -> None:
        def write() -> None:
            beside = Beside(path)  # for this user alone, as it has people's data
            try:
                with os.fdopen(beside.file(path.name), "w", encoding="utf-8", newline="") as file:
                    file.writelines(map(without_secrets, pieces))
                rename(beside.folder / path.name, path)
            finally:
                beside.close()

        try:
            await to_end(write)
        except OSError as error:
            self._ground.notices.tell("fails", "The differences were not saved", error.strerror or "")
            return
        said = f"to {path.name}, with names and addresses as they are, readable for you alone"
        self._ground.notices.tell("holds", title, said)
