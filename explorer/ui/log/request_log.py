"""The request log: every call of the session, newest first. A double click shows a call in full."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QMenu, QPushButton, QStyleOptionViewItem, QWidget

from explorer import words
from explorer.api.curl_and_har import OWN_SHELL, SHELLS, Shell
from explorer.api.errors import ExplorerError
from explorer.api.exchanges import Exchange, as_curl, as_har
from explorer.files import write_whole
from explorer.jsontext.escape import lenient_text
from explorer.jsontext.pieces import AT_ONCE
from explorer.ui.handover import HandOver
from explorer.ui.kit.ask_file import FileAsk
from explorer.ui.kit.clipboard import copy_curl, copy_text
from explorer.ui.kit.columns import Index, paint_heading
from explorer.ui.kit.layout import bar, column, search_line
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import RowsDelegate, RowsTable
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.text_shown import shown_as_text
from explorer.ui.kit.theme import ROW
from explorer.ui.log.exchange_detail import ExchangeDialog
from explorer.ui.log.exchanges import CONNECTION, ExchangesModel, Log
from explorer.ui.log.log_rows import Day

_PAST = "past"
"""The name of the task that looks for the calls on the disk."""
_CALL_BYTES = 4096
"""About what a call takes in an archive: many are read and written in a thread."""


class RequestLog(QWidget):
    """The list of calls, below a bar with filter and summary."""

    opened = Signal(object)
    """Carries the `Exchange` that was opened in full."""
    unfold_wanted = Signal()

    def __init__(
        self,
        exchanges: Log | None = None,
        *,
        notices: Notices | None = None,
    ) -> None:
        """``notices``: where it says that a file is there."""
        super().__init__()
        self._notices = notices
        self.setObjectName("request-log")
        self.setAccessibleName("Request log")
        self.model = ExchangesModel(self)
        self.table = RowsTable(self.model, "Calls, newest first", control=True)
        self.table.setItemDelegate(_LogDelegate(self.model, self.table))
        self.table.setObjectName("calls")
        self.table.horizontalHeader().hide()
        self.table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.taken.connect(lambda _: self.open_detail())
        self.table.customContextMenuRequested.connect(self._menu)
        self.bar = self._bar()
        column(self.bar, (self.table, 1), of=self)
        self._typing = QTimer(self, singleShot=True, interval=120)
        self._typing.timeout.connect(lambda: self.model.set_filter(self.filter.text()))
        self._tasks = Tasks(self, self._failed)
        self._chosen = 0
        """The number of the call to choose as soon as it is there."""
        self.model.changed.connect(self._refresh)
        self.model.past_wanted.connect(self._look_past)
        self.model.modelAboutToBeReset.connect(self._note_chosen)
        self.model.modelReset.connect(self._arrange)
        self.table.selectionModel().currentRowChanged.connect(self._refresh)
        self.set_exchanges(exchanges)

    def _bar(self) -> QWidget:
        title = PlainLabel("Requests", role="heading")
        self.filter = search_line("Filter by path, status…", "Filter requests by path or status")
        self.filter.setMaximumWidth(220)
        self.filter.setMinimumWidth(110)
        self.filter.textChanged.connect(lambda _: self._typing.start())
        self.summary = PlainLabel("", role="muted", elide=True)
        self.summary.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.summary.setAccessibleDescription("Requests in this log")
        self._curl = QPushButton("Copy as cURL")
        self._har = QPushButton("Export HAR…")
        self._unfold = QPushButton("Show")
        runs = (
            (self._unfold, self.unfold_wanted.emit),
            (self._curl, self.copy_curl),
            (self._har, self.export_har),
        )
        for button, run in runs:
            button.setProperty("kind", "quiet")
            button.setAccessibleName(button.text())
            button.clicked.connect(run)
        self._unfold.setAccessibleName("Show the requests")
        parts = (title, (self.filter, 2), (self.summary, 3), self._unfold, self._curl, self._har)
        made = bar(*parts, kind="log", margins=(12, 2, 8, 2))
        self._unfold.hide()  # not before it has a parent: it would be a window of its own until then
        return made

    def fold(self, folded: bool) -> None:
        """Show the bar alone, with a way to the rows, or the whole."""
        self.table.setVisible(not folded)
        self._unfold.setVisible(folded)

    def set_exchanges(self, exchanges: Log | None) -> None:
        """Show the calls of another session, or none, without the filter of the one before."""
        self._tasks.cancel(_PAST)
        self._chosen = 0
        self.filter.clear()
        self.model.set_filter("")
        self.model.set_log(exchanges)
        self._refresh()

    # ---- the calls on the disk, and the days

    def _look_past(self) -> None:
        self._tasks.start(_PAST, self.model.find_past(), done=self.model.show_past)

    def _failed(self, error: BaseException) -> None:
        said = error.sentence if isinstance(error, ExplorerError) else str(error)
        self.summary.setText(f"Earlier requests cannot be read: {said}")

    def _note_chosen(self) -> None:
        row = self.table.currentIndex().row()
        if row >= 0:
            self._chosen = self.model.lines.number(row)

    def _arrange(self) -> None:
        """Headings stand over the whole width; the call that was chosen is so again."""
        self.table.clearSpans()
        for row in self.model.lines.headings():
            self.table.setSpan(row, 0, 1, len(self.model.columns))
        if self._chosen:
            self._choose_row(self.model.row_of(self._chosen))

    def _choose_row(self, row: int) -> None:
        if row >= 0:
            self._chosen = 0
            self.table.selectRow(row)
            self.table.scrollTo(self.model.index(row, 0))

    def _refresh(self) -> None:
        self.summary.setText(self.model.summary())
        self.table.leave_out(CONNECTION, not self.model.several_connections)
        none_shown = self.model.rowCount() == 0
        self._curl.setEnabled(not none_shown)
        self._har.setEnabled(not none_shown)
        empty = "No request matches the filter" if self.model.filtered else "No requests yet"
        self.table.say_empty("Looking…" if self._tasks.busy(_PAST) else empty)

    # ---- one call

    def current(self) -> Exchange | None:
        """The chosen call, else the newest one shown; None when none is."""
        row = self.table.currentIndex().row()
        if row < 0:
            row = 0
        return self.model.exchange(row) if row < self.model.rowCount() else None

    def open_detail(self) -> ExchangeDialog | None:
        """Show the current call in full, in a window of its own."""
        exchange = self.current()
        if exchange is None:
            return None
        dialog = ExchangeDialog(exchange, self.window())
        dialog.show()
        self.opened.emit(exchange)
        return dialog

    def choose(self, exchange_id: int) -> bool:
        """Select a call, as soon as it is read from the disk if need be; False when it is not shown."""
        self.model.flush()
        row = self.model.row_of(exchange_id)
        self._choose_row(row)
        if row < 0 and self._tasks.busy(_PAST) and not self.model.filtered:
            self._chosen = exchange_id
        return row >= 0 or self._chosen == exchange_id

    def copy_curl(self) -> None:
        """Copy the chosen call as a cURL command, with a variable in place of the key."""
        self.copy_curl_for(OWN_SHELL)

    def copy_curl_for(self, shell: Shell) -> None:
        """Copy it as a command for that shell."""
        exchange = self.current()
        if exchange is not None:
            copy_curl(as_curl(exchange, shell=shell))

    def copy_url(self) -> None:
        """Copy the chosen call's address, as logged."""
        exchange = self.current()
        if exchange is not None:
            copy_text(exchange.url, "URL")

    def copy_body(self) -> None:
        """Copy the body of the chosen call's answer, as logged."""
        exchange = self.current()
        if exchange is not None:
            body = exchange.response_body
            text = shown_as_text(body) if b"\0" in body else lenient_text(body)
            copy_text(text, "response body")

    def hand_over(self) -> HandOver | None:
        """Show the chosen call as the text of an issue."""
        exchange = self.current()
        if exchange is None:
            return None
        from explorer.quality.reports.issue import (
            Subject,
        )  # with the first dialog, not at the program's start

        # The log is without secrets.
        dialog = HandOver(Subject(call=exchange), (), self.window(), notices=self._notices)
        dialog.open()
        return dialog

    def _menu(self, at: QPoint) -> None:
        if self.current() is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Open", self.open_detail)
        menu.addSeparator()
        menu.addAction("Copy as cURL", self.copy_curl)
        for shell, name in SHELLS.items():
            menu.addAction(f"Copy as cURL for {name}", partial(self.copy_curl_for, shell))
        menu.addAction("Copy URL", self.copy_url)
        menu.addAction("Copy response body", self.copy_body)
        menu.addSeparator()
        menu.addAction("Hand this over…", self.hand_over)
        menu.popup(self.table.viewport().mapToGlobal(at))

    # ---- all shown calls

    def export_har(self) -> None:
        """Ask for a file and write the shown calls to it."""
        FileAsk(self, "Export HAR", "HTTP archive (*.har)", "unified-explorer.har", self.write_har).open()

    def write_har(self, path: Path) -> None:
        """Write the shown calls, oldest first, as an HTTP archive. The log is redacted already."""
        self.model.flush()
        read, calls = self.model.whole(), self.model.lines.calls

        def write() -> str:
            try:
                write_whole(path, as_har(read()))
            except OSError as error:
                return f"Not written: {error.strerror}"
            return f"Written to {path.name}"

        if calls * _CALL_BYTES > AT_ONCE:
            self.summary.setText(f"Writing {words.count(calls, 'request')}…")
        self._tasks.give("har", calls * _CALL_BYTES, write, done=self.summary.setText)


class _LogDelegate(RowsDelegate):
    """Calls, and the headings of days."""

    def __init__(self, model: ExchangesModel, view: RowsTable) -> None:
        super().__init__(model, view, ROW)
        self._calls = model

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = self._calls.rows[index.row()]
        if isinstance(row, Day):
            title = row.title(self._calls.lines.today())
            option.rect.adjust(4, 0, 0, 0)  # in line with the badges
            paint_heading(painter, option, title, words.count(row.calls, "request"))
        else:
            super().paint(painter, option, index)
