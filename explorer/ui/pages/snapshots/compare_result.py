"""What a comparison found: counts, any number of differences with a filter, and one of them side by side."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from explorer.jsontext.read import read_exact
from explorer.quality.compare.changes import Change, differences
from explorer.quality.compare.compare import Comparison
from explorer.quality.compare.found import KINDS, Difference, What
from explorer.quality.compare.report import counts_words, mask_words, oddities
from explorer.ui.call.answer_changes import Kind
from explorer.ui.call.changes_view import ChangesView
from explorer.ui.kit.elided_combo import ElidedCombo
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.table_rows import by_rows
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import mono, theme
from explorer.ui.pages.snapshots.compare_lines import AFTER, BEFORE, FIELD, ID, WHAT, CompareLines
from explorer.ui.pages.snapshots.explained_list import ExplainedList
from explorer.work import in_thread

_WORDS: dict[Kind, str] = {
    "changed": "changed",
    "dropped": "gone",
    "not sent": "new",
    "new": "new",
    "not answered": "gone",
    "kept": "the same",
}
_CHOOSE = "Choose a difference to see its record before and after."
_PAUSE_MS = 200
"""After the last key, until the lines are looked through."""
_FIELDS = 200
_LOOKED_AT = 40
"""Lines whose ids say how wide their column is."""
_ODD = 7
"""Sentences about what makes two states hard to compare: one about both, three about each."""
_ROOM = 300
"""Pixels for lines and record, below which there are lines alone."""
_COMBO = 220
"""Pixels at 100 %: a field's name may be long."""


class CompareResult(QWidget):
    """Shows one `Comparison`, which stays the page's; nothing while there is none."""

    save_wanted = Signal(str)
    """``json`` or ``csv``: the lines that are shown, to a file."""

    def __init__(self, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self.made: Comparison | None = None
        self._patterns: tuple[str, ...] = ()
        self.counts = PlainLabel("Nothing was compared yet.", role="heading", wrap=True)
        self.odd = [PlainLabel("", role="caution", elide=True) for _ in range(_ODD)]
        self.masked = PlainLabel("", role="muted", elide=True)
        self.volatile = PlainLabel("", role="muted", elide=True)
        self.explained = ExplainedList()
        self.what, self.field = ElidedCombo("Kinds of differences shown"), ElidedCombo("Field shown")
        for combo in (self.what, self.field):
            combo.setSizeAdjustPolicy(ElidedCombo.SizeAdjustPolicy.AdjustToContents)
            combo.setMaximumWidth(_COMBO)
        self.sought = QLineEdit()
        self.sought.setAccessibleName("Find in ids, fields and values")
        self.sought.setPlaceholderText("Find in ids, fields, values")
        self.sought.setClearButtonEnabled(True)
        self.shown = PlainLabel("", role="muted")
        self.save = QPushButton("Save…")
        self.save.setAccessibleName("Save the differences shown")
        menu = QMenu("Save the differences shown", self)
        for form, title in (("json", "As JSON…"), ("csv", "As CSV…")):
            menu.addAction(title, partial(self.save_wanted.emit, form))
        self.save.setMenu(menu)
        self.lines = CompareLines(self)
        self.table = LinesTable(self.lines)
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
        self.explained.chosen.connect(lambda _: self._select())
        self.table.chosen.connect(self._open)
        theme().changed.connect(self.table.viewport().update)
        self.show_made(None)

    def _build(self) -> None:
        self._bar = QFrame()
        self._bar.setProperty("bar", "tools")
        row = QHBoxLayout(self._bar)
        row.setContentsMargins(12, 4, 12, 4)
        row.setSpacing(8)
        row.addWidget(self.what)
        row.addWidget(self.field)
        row.addWidget(self.sought, 1)
        row.addWidget(self.shown)
        row.addWidget(self.save)
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        lines = QWidget()
        below = QVBoxLayout(lines)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(0)
        below.addWidget(self._bar)
        below.addWidget(self.table, 1)
        for widget in (self.explained, lines, self.detail):
            self._split.addWidget(widget)
        self._split.setStretchFactor(1, 1)
        words = QVBoxLayout()
        words.setContentsMargins(12, 8, 12, 8)
        words.setSpacing(2)
        for label in (self.counts, *self.odd, self.masked, self.volatile):
            words.addWidget(label)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(words)
        column.addWidget(self._split, 1)
        column.addStretch(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Where there is little room, the lines come first: they hold the values of a changed field too.
        self.detail.setVisible(self._split.height() >= _ROOM)

    def show_made(self, made: Comparison | None) -> None:
        """Show what was found; None: nothing was compared yet."""
        self.made = made
        self.lines.show(array("q"), lambda _: ())
        self.detail.show_changes((), _CHOOSE)
        self._split.setVisible(made is not None and made.counts.different)
        self.explained.show_made(made)
        told = made.explained.left_out_words if made is not None else ""
        self.volatile.setText(told)
        self.volatile.setVisible(bool(told))
        odd = oddities(made) if made is not None else ()
        for place, label in enumerate(self.odd):
            label.setText(odd[place] if place < len(odd) else "")
            label.setVisible(place < len(odd))
        self.say_mask(self._patterns)
        if made is None:
            self.counts.setText("Nothing was compared yet. Choose two above, then Compare.")
            return
        self.counts.setText(("" if made.counts.different else "Nothing differs: ") + counts_words(made))
        self.masked.setText(f"Compared with other choices than now. {mask_words(made)}")
        self.what.clear()
        self.what.addItem("All differences", ())
        counts = made.counts
        for kind, count in zip(KINDS, (counts.added, counts.gone, counts.changed), strict=True):
            if count:
                self.what.addItem(f"{kind.capitalize()} ({count:,})", (kind,))
        self.field.clear()
        self.field.addItem("All fields", "")
        for name, count in list(made.fields.items())[:_FIELDS]:
            self.field.addItem(visible(f"{name or '(whole record)'} ({count:,})"), name)
        self.sought.clear()
        self._split.setSizes([self.explained.wanted_height, 400, 180])
        self._select()

    def say_mask(self, patterns: Sequence[str]) -> None:
        """Say which fields were left out, unless ``patterns`` (what is chosen by now) say the same."""
        self._patterns = tuple(patterns)
        self.masked.setVisible(self.made is not None and self._patterns != tuple(self.made.mask.patterns))

    def _select(self) -> None:
        made = self.made
        if made is None:
            return
        self._pause.stop()
        what: tuple[What, ...] = tuple(self.what.currentData() or ())
        field, text = self.field.currentData() or "", self.sought.text().strip()
        told = self.explained.told
        claims = None
        if told is not None and not told.all:
            what, claims = what or told.what, told.claims

        def show(numbers: array[int]) -> None:
            if self.made is made:
                self.lines.show(numbers, made.found.lines)
                self.shown.setText(f"{len(numbers):,} lines")
                self.detail.show_changes((), _CHOOSE if numbers else "No difference fits.")
                if numbers:
                    self.table.setCurrentIndex(self.lines.index(0, 0))

        self._tasks.start("select", in_thread(made.found.select, what, field, text, claims), done=show)

    def _open(self, row: int) -> None:
        made, line = self.made, self.lines.line(row)
        if made is None or line is None:
            return
        self._tasks.start("open", in_thread(_changes, made, line), done=self._show_detail)

    def _show_detail(self, found: tuple[str, list[Change]]) -> None:
        said, changes = found
        self.detail.show_changes(changes, said)


def _changes(made: Comparison, line: Difference) -> tuple[str, list[Change]]:
    """The fields of a line's record: those that differ, or all of one that was added or is gone."""
    old, new = made.records(line)
    if old is not None and new is not None:
        return "", list(made.changes(line))
    try:
        values = [{} if raw is None else read_exact(raw) for raw in (old, new)]
    except (ValueError, RecursionError):
        return "This record cannot be read.", []
    return "This record has no fields.", differences(*values)


class LinesTable(QTableView):
    """The lines; the arrows walk, and the row that the user is on is told."""

    chosen = Signal(int)

    def __init__(self, model: CompareLines, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines = model
        self.setModel(model)
        model.modelReset.connect(self._share)
        self.setAccessibleName("Differences")
        by_rows(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        rows, head = self.verticalHeader(), self.horizontalHeader()
        rows.setSectionResizeMode(rows.ResizeMode.Fixed)
        head.setSectionsClickable(False)
        head.setAccessibleName("Columns")
        self.selectionModel().currentRowChanged.connect(self._notify)

    def _notify(self, now: QModelIndex, _: QModelIndex) -> None:
        if now.isValid():
            self.chosen.emit(now.row())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        left = self.viewport().width()
        # Ids are seen whole where there is room for the values as well: those of the first lines speak for all.
        first = (self._lines.line(row) for row in range(min(_LOOKED_AT, self._lines.rowCount())))
        longest = max((len(line.id) for line in first if line is not None), default=0)
        whole = QFontMetrics(mono()).horizontalAdvance("0" * longest) + 24
        widths = {WHAT: max(left // 14, 72), ID: max(left // 10, min(whole, left // 3))}
        rest = left - sum(widths.values())
        for column, share in ((FIELD, 5), (BEFORE, 6), (AFTER, 6)):
            widths[column] = rest * share // 17
        for column, width in widths.items():
            self.setColumnWidth(column, width)
