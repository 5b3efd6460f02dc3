"""The request log: every call of the session, newest first. A double click shows a call in full."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QMenu,
    QPushButton,
    QWidget,
)

from explorer.api.exchanges import Exchange, as_curl, as_har
from explorer.files import write_whole
from explorer.jsontext.escape import lenient_text
from explorer.ui.kit.ask_file import FileAsk
from explorer.ui.kit.layout import STRETCH, bar, column
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import RowsTable
from explorer.ui.kit.text_shown import shown_as_text
from explorer.ui.log.exchange_detail import ExchangeDialog
from explorer.ui.log.exchanges import ExchangesModel, Log


class RequestLog(QWidget):
    """The list of calls, below a bar with filter and summary."""

    opened = Signal(object)
    """Carries the `Exchange` that was opened in full."""
    unfold_wanted = Signal()

    def __init__(self, exchanges: Log | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("request-log")
        self.setAccessibleName("Request log")
        self.model = ExchangesModel(self)
        self.table = RowsTable(self.model, "Calls, newest first", control=True)
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
        self.model.changed.connect(self._refresh)
        self.table.selectionModel().currentRowChanged.connect(self._refresh)
        self.set_exchanges(exchanges)

    def _bar(self) -> QWidget:
        title = PlainLabel("Requests", role="heading")
        self.filter = QLineEdit(placeholderText="Filter by path, status…", clearButtonEnabled=True)
        self.filter.setAccessibleName("Filter requests by path or status")
        self.filter.setMaximumWidth(220)
        self.filter.setMinimumWidth(110)
        self.filter.textChanged.connect(lambda _: self._typing.start())
        self.summary = PlainLabel("", role="muted")
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
        parts = (title, (self.filter, 1), STRETCH, self.summary, self._unfold, self._curl, self._har)
        made = bar(*parts, kind="log", margins=(12, 2, 8, 2))
        self._unfold.hide()  # not before it has a parent: it would be a window of its own until then
        return made

    def fold(self, folded: bool) -> None:
        """Show the bar alone, with a way to the rows, or the whole."""
        self.table.setVisible(not folded)
        self._unfold.setVisible(folded)

    def set_exchanges(self, exchanges: Log | None) -> None:
        """Show the calls of another session, or none."""
        self.model.set_log(exchanges)
        self._refresh()

    def _refresh(self) -> None:
        self.summary.setText(self.model.summary())
        none_shown = self.model.rowCount() == 0
        self._curl.setEnabled(not none_shown)
        self._har.setEnabled(not none_shown)
        self.table.say_empty("No request matches the filter" if self.model.filtered else "No requests yet")

    # ---- one call

    def current(self) -> Exchange | None:
        """The chosen call, else the newest one shown; None when none is."""
        row = self.table.currentIndex().row()
        if row < 0:
            row = 0
        return self.model.exchange(row) if row < self.model.rowCount() else None

    def open_detail(self, exchange: Exchange | None = None) -> ExchangeDialog | None:
        """Show a call in full, in a window of its own."""
        exchange = exchange or self.current()
        if exchange is None:
            return None
        dialog = ExchangeDialog(exchange, self.window())
        dialog.show()
        self.opened.emit(exchange)
        return dialog

    def choose(self, exchange_id: int) -> bool:
        """Select a call; False when it is not shown."""
        self.model.flush()
        row = self.model.row_of(exchange_id)
        if row >= 0:
            self.table.selectRow(row)
            self.table.scrollTo(self.model.index(row, 0))
        return row >= 0

    def copy_curl(self) -> None:
        """Copy the chosen call as a cURL command, with a variable in place of the key."""
        exchange = self.current()
        if exchange is not None:
            QGuiApplication.clipboard().setText(as_curl(exchange))

    def copy_url(self) -> None:
        """Copy the chosen call's address, as logged."""
        exchange = self.current()
        if exchange is not None:
            QGuiApplication.clipboard().setText(exchange.url)

    def copy_body(self) -> None:
        """Copy the body of the chosen call's answer, as logged."""
        exchange = self.current()
        if exchange is not None:
            body = exchange.response_body
            text = shown_as_text(body) if b"\0" in body else lenient_text(body)
            QGuiApplication.clipboard().setText(text.encode("utf-8", "backslashreplace").decode())

    def _menu(self, at: QPoint) -> None:
        if self.current() is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Open", self.open_detail)
        menu.addSeparator()
        menu.addAction("Copy as cURL", self.copy_curl)
        menu.addAction("Copy URL", self.copy_url)
        menu.addAction("Copy response body", self.copy_body)
        menu.popup(self.table.viewport().mapToGlobal(at))

    # ---- all shown calls

    def export_har(self) -> None:
        """Ask for a file and write the shown calls to it."""
        FileAsk(self, "Export HAR", "HTTP archive (*.har)", "unified-explorer.har", self.write_har).open()

    def write_har(self, path: Path) -> None:
        """Write the shown calls, oldest first, as an HTTP archive. The log is redacted already."""
        self.model.flush()
        try:
            write_whole(path, as_har(self.model.shown()))
        except OSError as error:
            self.summary.setText(f"Not written: {error.strerror}")
            return
        self.summary.setText(f"Written to {path.name}")
