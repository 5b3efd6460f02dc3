"""The accounts that were read, as a table like any other: columns, copying, export, and how far the reading came."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QPushButton, QSpinBox, QWidget

from explorer.catalog.spec import Resource
from explorer.ui.kit.layout import bar, column
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.tasks import Tasks
from explorer.ui.page import PageContext
from explorer.ui.pages.crm.account_check import Verdict
from explorer.ui.pages.crm.account_run import LARGEST, BatchRun
from explorer.ui.records.columns import ColumnChoice, columns_menu
from explorer.ui.records.pull_line import PullLine
from explorer.ui.records.record_view import RecordView, sample_of
from explorer.ui.records.records import RecordsModel
from explorer.ui.records.records_table import RecordsTable
from explorer.ui.records.row_menu import RowMenu

MOST_A_CALL = 10_000
_EMPTY = "No accounts yet. Paste ids and name the properties above, then read them."


class AccountRows(QWidget):
    """Tools, verdict and table of a `BatchRun`."""

    record_chosen = Signal(object)
    """A RecordView, or None."""
    size_changed = Signal()
    """How many ids go into one call is another."""
    again = Signal()
    """Begin anew, though the reading could go on."""

    def __init__(self, resource: Resource, context: PageContext, tasks: Tasks) -> None:
        super().__init__()
        self.resource, self.context, self.tasks = resource, context, tasks
        self.run: BatchRun | None = None
        self.model = RecordsModel(resource.columns, lambda: None, parent=self)
        self.table = RecordsTable(self.model)
        self.table.setAccessibleName(f"{resource.title}: rows read")
        self.columns = ColumnChoice(resource, self.model, self.table, context.settings)
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
        self.again_button = QPushButton("Start again")
        self.again_button.setToolTip("From the first id, instead of continuing")
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
        self.export_button = QPushButton("Export…")
        self.export_button.setAccessibleName("Export the rows read")
        self.export_button.setMenu(self.menu.export_menu())
        for button in (columns, self.export_button, self.again_button):
            button.setProperty("kind", "quiet")
        label = PlainLabel("Ids a call", role="muted")
        label.setBuddy(self.a_call)
        tools = bar(label, self.a_call, (self.hint, 1), self.again_button, columns, self.export_button)
        self.verdict.add(self.line)
        self.verdict.add(self.count)
        self._empty = PlainLabel(_EMPTY, self.table.viewport(), role="muted", wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.table.viewport().installEventFilter(self)
        column(tools, self.verdict, (self.table, 1), of=self)

    def _wire(self) -> None:
        self.table.row_chosen.connect(self.choose)
        self.columns.reading_changed.connect(lambda _: self.choose_again())
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
        """Show the rows of ``run``; those of the reading before go when it has some, or has ended without any."""
        first = self.run is not run
        self.run = run
        if first:
            self.model.set_pull(run.rows)
            self.columns.fit_once()
        self.show_state()

    def show_state(self) -> None:
        """Say how far the reading is."""
        run, rows = self.run, self.model.rowCount()
        state = self.model.state
        self.line.show_state(state, bool(rows))
        # Complete is said by the count; its room is for that.
        self.line.setVisible(run is not None and state != "complete")
        if not self.tasks.busy("export"):
            self.count.setText(run.how_far(state) if run is not None else "")
        self.again_button.setVisible(run is not None and bool(run.left) and state != "loading")
        self._empty.setVisible(not rows)
        self._empty.setText(_EMPTY if run is None else "No rows: none of the responses held any")
        self.export_button.setEnabled(bool(rows) or self.tasks.busy("export"))

    def choose(self, row: int) -> None:
        """Tell which record the user is on."""
        if not 0 <= row < self.model.rowCount() or self.run is None:
            self.record_chosen.emit(None)
            return
        page = self.run.rows.page_at(row)
        rows = self.run.rows
        view = RecordView(
            self.model.raw(row), self.resource, row, page, self.columns.reading, *sample_of(rows)
        )
        self.record_chosen.emit(view)

    def choose_again(self) -> None:
        """Tell it once more."""
        self.choose(self.table.currentIndex().row())

    def release(self) -> None:
        """Keep the columns and let go of the rows."""
        self.columns.keep()
        self.model.release()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.table.viewport() and event.type() == QEvent.Type.Resize:
            self._empty.setGeometry(self.table.viewport().rect().adjusted(16, 0, -16, 0))
        return super().eventFilter(watched, event)
