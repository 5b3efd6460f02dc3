"""The table of the accounts that were read, with columns, copying and export as in a list, and the batch's progress.

The returned ids are compared with those asked: missing, not asked for, more than once, in another order. The ids of
each difference can be copied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QPlainTextEdit, QPushButton, QSpinBox, QWidget

from explorer import words
from explorer.catalog.spec import Resource
from explorer.quality.values.ids import IdComparison
from explorer.ui.kit.clipboard import copy_text
from explorer.ui.kit.layout import STRETCH, bar, column, dressed, push_button, row
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import set_look
from explorer.ui.page import PageContext
from explorer.ui.pages.crm.account_run import LARGEST, BatchRun
from explorer.ui.records.chosen_rows import ChosenRows
from explorer.ui.records.columns import ColumnChoice, columns_menu
from explorer.ui.records.pull_line import PullLine
from explorer.ui.records.records import RecordsModel
from explorer.ui.records.records_table import RecordsTable
from explorer.ui.records.row_menu import RowMenu

MOST_A_CALL = 10_000
_EMPTY = "No accounts yet. Paste ids and name the properties above, then read them."
_MOST_PLACES = 2_000
"""Ids in another order that are shown with both positions; of more, only the ids are shown."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of difference: its name, the ids that it is about, and a line for each."""

    name: str
    ids: tuple[str, ...]
    lines: tuple[str, ...]
    what: str
    """A sentence that says what it means."""

    @property
    def label(self) -> str:
        """``3 missing``."""
        return f"{len(self.ids):,} {self.name}"


def findings_of(run: BatchRun, found: IdComparison) -> list[Finding]:
    """The differences of a batch; kinds without ids are left out."""
    moved = found.moved
    places = _places(run, moved) if len(moved) <= _MOST_PLACES else moved
    made = [
        Finding("missing", found.missing, found.missing, "Requested, but not returned."),
        Finding("not asked for", found.extra, found.extra, "Returned, but not requested."),
        Finding(
            "more than once",
            tuple(ident for ident, _ in found.twice),
            tuple(f"{ident}\t{count} times" for ident, count in found.twice),
            "Returned more than once.",
        ),
        Finding(
            "in another order",
            moved,
            places,
            "Returned in another order than requested. The contract gives no order.",
        ),
    ]
    return [one for one in made if one.ids]


def _places(run: BatchRun, moved: Sequence[str]) -> tuple[str, ...]:
    made = []
    for ident in moved:
        asked, came = run.order_of(ident)
        made.append(f"{ident}\trequested at position {asked:,}, returned at position {came:,}")
    return tuple(made)


class Verdict(QFrame):
    """A line above the table with the result of the comparison; a click on a difference shows its ids."""

    wanted = Signal(str)
    """The name of the finding that was clicked."""

    def __init__(self) -> None:
        super().__init__()
        dressed(self, bar="tools")
        self.badge = PlainLabel()
        self.said = PlainLabel(role="muted", elide=True)
        self.buttons: list[QPushButton] = []
        self._row = row(self.badge, (self.said, 1), of=self, margins=(12, 4, 12, 4), spacing=8)
        self.hide()

    def add(self, widget: QWidget) -> None:
        """Add a widget at its end."""
        self._row.addWidget(widget)

    def show_run(self, run: BatchRun, found: IdComparison, findings: Sequence[Finding]) -> None:
        """Show the result of a batch so far."""
        for button in self.buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = []
        odd = [one for one in findings if one.name != "in another order"]
        counted = bool(run.ids)
        fine = counted and not odd and not run.notes and not found.without_id
        self.badge.setText("As asked" if fine else "Differs")
        set_look(self.badge, badge="holds" if fine else "caution")
        self.badge.setVisible(counted or bool(run.notes))
        self.said.setText(" ".join([*run.notes[:2], *self._plain(run, found, fine)]))
        for place, one in enumerate(findings):
            button = push_button(one.label, kind="link", name=f"{one.label}: show them")
            button.clicked.connect(lambda _=False, name=one.name: self.wanted.emit(name))
            self._row.insertWidget(1 + place, button)
            self.buttons.append(button)
        self.show()

    @staticmethod
    def _plain(run: BatchRun, found: IdComparison, fine: bool) -> list[str]:
        made = []
        if fine and not found.moved and not run.left:
            made.append("Each requested id was returned once, in the same order.")
        if found.without_id:
            made.append(f"{words.count(found.without_id, 'record')} without an id.")
        if found.as_number:
            made.append(f"{words.count(found.as_number, 'id')} received as a number.")
        return made


class AskedView(QWidget):
    """The ids of one finding at a time, one a line, and a button that copies them."""

    def __init__(self) -> None:
        super().__init__()
        self._findings: list[Finding] = []
        self._buttons = QButtonGroup(self)
        self._row = row(spacing=4)
        self.copy = QPushButton("Copy")
        self.said = PlainLabel(role="muted", wrap=True)
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setProperty("mono", "true")
        self.text.setAccessibleName("Ids")
        self.text.setTabChangesFocus(True)
        above = row(self._row, STRETCH, self.copy, spacing=8)
        column(above, self.said, (self.text, 1), of=self, margins=(12, 8, 12, 12), spacing=8)
        self.copy.clicked.connect(lambda _: self.copy_ids())
        self._buttons.idClicked.connect(self._show)
        self.show_findings([], "Nothing was read yet")

    def show_findings(self, findings: Sequence[Finding], otherwise: str) -> None:
        """Show the first of ``findings``; without any, the sentence ``otherwise``."""
        before = self.front
        for button in self._buttons.buttons():
            self._buttons.removeButton(button)
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._findings = list(findings)
        for place, one in enumerate(self._findings):
            button = push_button(one.label, kind="quiet", checkable=True)
            self._buttons.addButton(button, place)
            self._row.addWidget(button)
        names = [one.name for one in self._findings]
        if not names:
            self.said.setText(otherwise)
            self.text.clear()
        else:
            self.turn_to(before if before in names else names[0])
        for widget in (self.copy, self.text):
            widget.setVisible(bool(names))

    @property
    def front(self) -> str:
        """The name of the finding that is shown, or an empty text."""
        place = self._buttons.checkedId()
        return self._findings[place].name if 0 <= place < len(self._findings) else ""

    def turn_to(self, name: str) -> None:
        """Show the finding of that name."""
        for place, one in enumerate(self._findings):
            if one.name == name:
                self._buttons.button(place).setChecked(True)
                self._show(place)

    def copy_ids(self) -> None:
        """Copy the shown ids, one a line."""
        place = self._buttons.checkedId()
        if 0 <= place < len(self._findings):
            copy_text("\n".join(self._findings[place].ids), "ids")
            self.said.setText(f"Copied {words.count(len(self._findings[place].ids), 'id')}")

    def _show(self, place: int) -> None:
        one = self._findings[place]
        self.said.setText(one.what)
        self.text.setPlainText("\n".join(visible(line, keep_lines=True) for line in one.lines))
        self.copy.setText(f"Copy {words.count(len(one.ids), 'id')}")


class AccountRows(QWidget):
    """Tools, verdict and table of a `BatchRun`."""

    record_chosen = Signal(object)
    """A RecordView, or None."""
    size_changed = Signal()
    """The user changed how many ids go into one call."""
    again = Signal()
    """Start again, although the batch could be continued."""

    def __init__(self, resource: Resource, context: PageContext, tasks: Tasks) -> None:
        super().__init__()
        self.resource, self.context, self.tasks = resource, context, tasks
        self.run: BatchRun | None = None
        self.model = RecordsModel(resource.columns, lambda: None, record=resource.record, parent=self)
        self.table = RecordsTable(self.model)
        self.table.setAccessibleName(f"{resource.title}: rows read")
        self.columns = ColumnChoice(resource.key, self.model, self.table, context.settings)
        self.chosen = ChosenRows(
            resource, self.table, self.model, self.columns, lambda: self.run.rows if self.run else None
        )
        self.menu = RowMenu(self)
        self.verdict = Verdict()
        self.line = PullLine()
        self.count = PlainLabel("")
        self.hint = PlainLabel("", role="muted", elide=True)
        self.a_call = QSpinBox()
        self.a_call.setRange(1, MOST_A_CALL)
        self.a_call.setAccessibleName("Ids a call")
        self.a_call.setFixedWidth(84)
        self.a_call.lineEdit().setTextMargins(6, 0, 0, 0)  # the style's padding ends at the frame
        self.a_call.setToolTip("A longer list is sent in several calls, one after the other")
        self.again_button = push_button("Start again", tip="From the first id, instead of continuing")
        self._build()
        kept = context.settings.get(self._key, LARGEST)
        self.a_call.setValue(kept if isinstance(kept, int) else LARGEST)
        self._wire()
        self.columns.fit_once()  # without rows, by the names
        self.show_state()

    @property
    def _key(self) -> str:
        return f"{self.resource.key}/ids_a_call"

    def _build(self) -> None:
        columns = QPushButton("Columns…")
        columns.setMenu(columns_menu(self.columns, self))
        self.export_button = push_button("Export…", name="Export the rows read")
        self.export_button.setMenu(self.menu.export_menu())
        for button in (columns, self.export_button, self.again_button):
            button.setProperty("kind", "quiet")
        label = PlainLabel("Ids a call", role="muted")
        label.setBuddy(self.a_call)
        tools = bar(label, self.a_call, (self.hint, 1), self.again_button, columns, self.export_button)
        self.verdict.add(self.line)
        self.verdict.add(self.count)
        column(tools, self.verdict, (self.table, 1), of=self)

    def _wire(self) -> None:
        self.chosen.changed.connect(self.record_chosen)
        self.table.explain_wanted.connect(self.chosen.choose)
        self.a_call.valueChanged.connect(self._resized)
        self.again_button.clicked.connect(lambda _: self.again.emit())
        self.model.changed.connect(self.show_state)
        self.tasks.changed.connect(self._task_changed)

    def _task_changed(self, name: str, _busy: bool) -> None:
        if name == "export":
            self.show_state()

    def _resized(self, size: int) -> None:
        self.context.settings.set(self._key, size)
        self.size_changed.emit()

    # ---- showing

    def show_run(self, run: BatchRun) -> None:
        """Show the rows of ``run``. Those of the batch before stay until it has some, or ends without any."""
        first = self.run is not run
        self.run = run
        if first:
            self.model.set_pull(run.rows)
            self.columns.fit_once()
        self.show_state()

    def show_state(self) -> None:
        """Show the progress of the batch."""
        run, rows = self.run, self.model.rowCount()
        state = self.model.state
        self.line.show_state(state, bool(rows))
        # The count already says that it is complete, and needs the room.
        self.line.setVisible(run is not None and state != "complete")
        if not self.tasks.busy("export"):
            self.count.setText(run.how_far(state) if run is not None else "")
        self.again_button.setVisible(run is not None and bool(run.left) and state != "loading")
        none = _EMPTY if run is None else "No rows: none of the responses held any"
        self.table.say_empty("" if rows else none)
        self.export_button.setEnabled(bool(rows) or self.tasks.busy("export"))

    def release(self) -> None:
        """Save the column layout and end the subscription to the rows."""
        self.columns.keep()
        self.model.release()
