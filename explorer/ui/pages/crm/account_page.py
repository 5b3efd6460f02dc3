"""The page of accounts: reads many by their ids, in one or several calls, and compares returned and requested ids."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QWidget

from explorer import words
from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError, Refused
from explorer.catalog.fields import Field
from explorer.catalog.request import PathFault, Request
from explorer.catalog.spec import ABSENT
from explorer.quality.values.ids import Ids, read_ids
from explorer.ui.call.answer_outcome import of_failure
from explorer.ui.call.call_page import CallPage
from explorer.ui.call.call_pane import CallPane
from explorer.ui.call.page_spec import PageSpec, Tab
from explorer.ui.forms.editor import Editor, Hint, Place, are_texts
from explorer.ui.forms.flow import FlowLayout
from explorer.ui.kit.ask_file import ask_to_open
from explorer.ui.kit.check_buttons import CheckBox
from explorer.ui.kit.layout import push_button
from explorer.ui.kit.notices import notice_of
from explorer.ui.kit.theme import mono
from explorer.ui.pages.crm.account_rows import AccountRows, AskedView, findings_of
from explorer.ui.pages.crm.account_run import BatchRun

LARGEST_FILE = 10_000_000
"""Most bytes of a file that is imported; a list of ids is far smaller."""
_LINES = 3


class IdsEditor(Editor):
    """Text with ids: lines, a list, a CSV or spreadsheet column, JSON. Its value has each id once, in order.

    A value that no text would give back exactly (an id with a comma, or one that appears twice) is refused, and the
    form then shows it as JSON.
    """

    def __init__(self, field: Field, place: Place, parent: QWidget | None = None) -> None:
        super().__init__(field, place, parent)
        self._read: tuple[str, int | None, bool | None] | None = None
        self._found = Ids((), "lines")
        self._bare: Any = ABSENT
        self._said = ""
        self.text = _Text()
        self.load = push_button("Import…", tip="Ids from a text or CSV file", name="Import ids from a file")
        self.column = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.column.setAccessibleName("Which column holds the ids")
        self.header = CheckBox("First line has names")
        below = QWidget()
        row = FlowLayout(below, gap=8, line_gap=4)
        row.setContentsMargins(0, 4, 0, 0)
        for widget in (self.load, self.column, self.header):
            row.addWidget(widget)
        self.hold(self.text)
        self.box.addWidget(below)
        self.text.textChanged.connect(self._edited)
        self.column.activated.connect(lambda _: self._chosen())
        self.header.clicked.connect(lambda _: self._chosen())
        self.load.clicked.connect(lambda _: self.ask())
        self._show()

    def input(self) -> QPlainTextEdit:
        """The field with the text."""
        return self.text

    @property
    def found(self) -> Ids:
        """The ids found in the text."""
        return self._found

    def value(self) -> Any:
        return list(self._found.ids) or self._bare

    def set_value(self, value: Any) -> bool:
        if value is ABSENT or value is None or value == []:
            self._put("")
            self._bare = value
            self._show()
            return True
        if not are_texts(value):
            return False
        if list(self._found.ids) == value:
            return True  # the pasted text gives the same value
        text, before = "\n".join(value), self.text.toPlainText()
        if list(read_ids(text).ids) != value:
            return False
        self._put(text)
        if (
            list(self._found.ids) != value
        ):  # a text field changes some characters, such as a paragraph separator
            self._put(before)
            return False
        return True

    def hint(self) -> Hint | None:
        """How many ids were found, and which appear more than once."""
        if self._said:
            return Hint(self._said, "caution")
        if not self._found.all:
            return None
        return Hint(self._found.sentence, "caution" if self._found.twice else "faint")

    def _put(self, text: str) -> None:
        blocked = self.text.blockSignals(True)
        self.text.setPlainText(text)
        self.text.blockSignals(blocked)
        self._bare = ABSENT
        self._said = ""
        self._look(None, None)

    def _edited(self) -> None:
        self._bare = ABSENT
        self._said = ""
        self._look(None, None)
        self.changed.emit()

    def _chosen(self) -> None:
        """The user chose another column, or whether the first line holds names."""
        self._look(self.column.currentIndex(), self.header.isChecked())
        self.changed.emit()
        self.hint_changed.emit()

    def _look(self, column: int | None, header: bool | None) -> None:
        asked = (self.text.toPlainText(), column, header)
        if asked != self._read:
            self._read = asked
            self._found = read_ids(asked[0], column=column, header=header)
        self._show()

    def _show(self) -> None:
        columns = self._found.columns
        blocked = self.column.blockSignals(True)
        self.column.clear()
        self.column.addItems([f"Ids from {name}" for name in columns])
        self.column.setCurrentIndex(self._found.column or 0)
        self.column.blockSignals(blocked)
        self.header.setChecked(self._found.header)
        table = bool(columns) and self._found.form in ("csv", "tsv")
        self.column.setVisible(bool(columns))
        self.header.setVisible(table)
        bare = {"null": "null", "empty": "[] (empty list)"}.get(self.state, "")
        words = "Paste ids: one per line, a list, or a column of a spreadsheet"
        self.text.setPlaceholderText(bare or words)

    # ---- a file

    def ask(self) -> None:
        """Ask for a file and import its ids."""
        ask_to_open(
            self, "Import ids", "Text and CSV (*.csv *.tsv *.txt *.json *.jsonl);;All files (*)", self.take
        )

    def take(self, path: Path) -> None:
        """Replace the text with that of a file; a file that cannot be read as text is reported below."""
        try:
            if path.stat().st_size > LARGEST_FILE:
                raise ValueError(f"{path.name} is larger than {LARGEST_FILE // 1_000_000} MB")
            text = text_of(path.read_bytes())
        except OSError as error:
            self._set_text(f"{path.name} cannot be read: {error.strerror or 'the system refused'}")
        except ValueError as fault:
            self._set_text(str(fault))
        else:
            self.text.setPlainText(text)

    def _set_text(self, words: str) -> None:
        self._said = words
        self.hint_changed.emit()


def text_of(data: bytes) -> str:
    """The text of a file: UTF-8 or UTF-16 by its byte order mark, else UTF-8, else Windows-1252. Raises ValueError
    with a sentence for a file that is no text.
    """
    if data[:4] == b"PK\x03\x04" or data[:4] == b"\xd0\xcf\x11\xe0":
        raise ValueError("This is a spreadsheet file: save it as CSV, or copy the column and paste it here")
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return data.decode("utf-16", "replace")
    if b"\0" in data[:4096]:
        raise ValueError("This file is not text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


class _Text(QPlainTextEdit):
    """A text field some lines high. Tab moves to the next field, as everywhere in forms."""

    def __init__(self) -> None:
        super().__init__()
        self.setFont(mono())
        self.setProperty("mono", True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)

    def sizeHint(self) -> QSize:
        return QSize(280, self.fontMetrics().lineSpacing() * _LINES + 12)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.fontMetrics().lineSpacing() * _LINES + 12)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Ctrl Enter sends the form; a text field would insert a line break.
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        super().keyPressEvent(event)


ACCOUNT = "crm/account"
_ASKED = "Asked and returned"
_LOW = 440
_LEAST_FORM = 100


class AccountPane(CallPane):
    """The form above, the rows below. Stop keeps the rows received; Continue requests the remaining ids only."""

    rows: AccountRows
    asked: AskedView

    def make_rows(self) -> AccountRows:
        """The tab with the rows that were read."""
        self._run: BatchRun | None = None
        resource = self._context.session.registry.resource(ACCOUNT)
        self.rows = AccountRows(resource, self._context, self._tasks)
        self.rows.size_changed.connect(self._edited)
        self.rows.again.connect(self.start_again)
        self.rows.verdict.wanted.connect(self.show_finding)
        return self.rows

    def make_asked(self) -> AskedView:
        """The tab that compares the ids asked with those returned."""
        self.asked = AskedView()
        return self.asked

    def show_finding(self, name: str) -> None:
        """Show the ids of a finding."""
        self.asked.turn_to(name)
        self.panel.turn_to(_ASKED)

    @property
    def run(self) -> BatchRun | None:
        """The batch that is shown, or None."""
        return self._run

    @property
    def send_words(self) -> str:
        return "Continue" if self._halted() is not None else super().send_words

    def _halted(self) -> BatchRun | None:
        """The stopped batch that Send would continue, if there is one."""
        run = self._run
        if run is None or self.busy or not run.left:
            return None
        try:
            same = run.goes_on_with(self.form.request(), self.rows.a_call.value())
        except (PathFault, ValueError):
            return None
        return run if same else None

    def requests(self) -> list[Request]:
        run = self._halted() or BatchRun(self.form.request(), self.rows.a_call.value())
        return [run.call(number) for number in run.left]

    def start_again(self) -> None:
        """Read from the first id, although the batch could be continued."""
        self._run = None
        self.send()

    async def carry_out(self, request: Request) -> None:
        """Request what is left of a stopped batch with the same form, else all ids, one call after the other."""
        run, size = self._run, self.rows.a_call.value()
        if run is None or not run.goes_on_with(request, size):
            run = BatchRun(request, size)
        self._sent = request
        self.history.begin(self._form_sent)
        for number in run.left:
            if run.done:
                self._show(run, "loading")
            if len(run.calls) > 1:
                self.panel.show_waiting(f"Call {number + 1:,} of {len(run.calls):,}")
            part = run.call(number)
            permit = await self.consent(part)
            if permit is None:
                self._declined(run)
                return
            self._under_way = part
            try:
                answer = await self.transmit(part, permit)
            except ExplorerError as error:
                self._failed(run, number, part, error)
                return
            finally:
                self._under_way = None
            run.take(answer)
            if not run.left:
                self._show(run, "complete")
                await self._ended(run, answer)

    def _declined(self, run: BatchRun) -> None:
        """The user declined a call that counts as a write because of its body."""
        if run.done:
            self.history.end(run.how_far("stopped"), "caution")
            self._show(run, "stopped")
        else:
            self.history.drop()

    async def _ended(self, run: BatchRun, answer: Answer) -> None:
        outcome = await self.read(answer)
        calls = f"{words.count(len(run.calls), 'call')}, " if len(run.calls) > 1 else ""
        rows = words.count(run.rows.rows, "row")
        said = f"{outcome.status}, {calls}{rows}"
        self.history.end(said, outcome.badge, answer.exchange, run.elapsed_ms)
        await self._answered(run.request, answer, outcome)
        self._said = f"{rows}  ·  {run.answered().sentence}" if run.ids else said
        self.panel.turn_to("Rows")

    def _show(self, run: BatchRun, state: str) -> None:
        if self.rows.run is None and self.split is not None and self.split.height() < _LOW:
            # In a low window the form, which is done with, gives room to the first rows.
            self.split.setSizes([_LEAST_FORM, self.split.height() - _LEAST_FORM])
        self._run = run
        run.rows.become(state)
        self.rows.show_run(run)
        found = run.answered()
        findings = findings_of(run, found) if run.done else []
        self.asked.show_findings(findings, found.sentence if run.done and run.ids else "Nothing was read yet")
        self.rows.verdict.show_run(run, found, findings)

    def _failed(self, run: BatchRun, number: int, part: Request, error: ExplorerError) -> None:
        exchange = self._exchange_of(error)
        outcome = of_failure(self.operation, error, exchange)
        if isinstance(error, Refused) and not run.done:
            self.history.drop()
        else:
            self.history.end(error.sentence, outcome.badge, error.exchange, run.elapsed_ms or None)
        self._fail(error, part)
        if len(run.calls) == 1:
            return
        if run.done:
            self._show(run, "failed")
        notice = notice_of(error)
        rows = run.rows.rows
        stay = "is" if rows == 1 else "are"
        kept = f"The {words.count(rows, 'row')} before it {stay} kept." if rows else ""
        text = " ".join(filter(None, (notice.text, kept)))
        title = f"Call {number + 1:,} of {len(run.calls):,} failed: {notice.title}"
        again = "Continue" if run.done else "Try again"
        self._notify(notice.kind, title, text, [*self.ways_on(error), (again, self.send)])
        if run.done:
            self.panel.turn_to("Rows")

    def stop(self) -> None:
        """Stop. The rows received stay, and Continue requests the rest."""
        was_busy = self.busy
        super().stop()
        run = self._run
        if was_busy and run is not None and run.rows.state == "loading":
            self._show(run, "stopped")
            self._said = f"Stopped: {run.how_far('stopped')}"
            self.changed.emit()


class AccountPage(CallPage):
    """A call page whose rows feed the inspector."""

    rows: AccountRows
    """The table."""

    def pane_made(self, pane: AccountPane) -> None:
        self.rows = pane.rows
        self.rows.record_chosen.connect(self.record_chosen)
        self.rows.model.changed.connect(self._count)

    def body(self) -> QWidget | None:
        return self.pane.split

    def activated(self) -> None:
        super().activated()
        self.rows.chosen.again()

    def _count(self) -> None:
        self.rows_changed.emit(self.resource.key, self.rows.model.rowCount())

    async def shutdown(self) -> None:
        self.rows.release()
        await super().shutdown()


PAGE = PageSpec(
    send="Read",
    tabs=(Tab("Rows", AccountPane.make_rows), Tab(_ASKED, AccountPane.make_asked)),
    editors={"ids": IdsEditor},
    pane=AccountPane,
    page=AccountPage,
    stacked=True,
)
