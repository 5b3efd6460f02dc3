"""The request log: every call of the session, the newest first, with its answer a double click away."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from explorer.api.exchanges import Exchange, as_curl, as_har
from explorer.files import write_whole
from explorer.jsontext.escape import lenient_text
from explorer.ui.kit.ask_file import FileAsk
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.table_rows import by_rows
from explorer.ui.kit.text_shown import shown_as_text
from explorer.ui.log.exchange_detail import ExchangeDialog
from explorer.ui.log.exchanges import (
    METHOD,
    SIZE,
    STATUS,
    SUMMARY,
    TAKEN,
    TARGET,
    TIME,
    ExchangesModel,
    Log,
)
from explorer.ui.log.log_delegate import LogDelegate

_WIDTHS = {STATUS: 84, METHOD: 64, TAKEN: 84, SIZE: 80, TIME: 90}


class RequestLog(QWidget):
    """A bar with filter and summary over the list of calls."""

    opened = Signal(object)
    """The `Exchange` whose detail was opened."""

    def __init__(self, exchanges: Log | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("request-log")
        self.setAccessibleName("Request log")
        self.model = ExchangesModel(self)
        self.table = _LogTable(self.model)
        self.table.asked.connect(self.open_detail)
        self.table.customContextMenuRequested.connect(self._menu)
        self._empty = PlainLabel("", self.table.viewport(), role="muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._bar())
        column.addWidget(self.table, 1)
        self._typing = QTimer(self, singleShot=True, interval=120)
        self._typing.timeout.connect(lambda: self.model.set_filter(self.filter.text()))
        self.model.changed.connect(self._refresh)
        self.table.selectionModel().currentRowChanged.connect(self._refresh)
        self.set_exchanges(exchanges)

    def _bar(self) -> QWidget:
        bar = QFrame()
        bar.setProperty("bar", "log")
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
        for button, run in ((self._curl, self.copy_curl), (self._har, self.export_har)):
            button.setProperty("kind", "quiet")
            button.setAccessibleName(button.text())
            button.clicked.connect(run)
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 2, 8, 2)
        row.setSpacing(8)
        row.addWidget(title)
        row.addWidget(self.filter, 1)
        row.addStretch(1)
        row.addWidget(self.summary)
        row.addWidget(self._curl)
        row.addWidget(self._har)
        return bar

    def set_exchanges(self, exchanges: Log | None) -> None:
        """Show the calls of another session, or none."""
        self.model.set_log(exchanges)
        self._refresh()

    def _refresh(self) -> None:
        self.summary.setText(self.model.summary())
        none_shown = self.model.rowCount() == 0
        self._curl.setEnabled(not none_shown)
        self._har.setEnabled(not none_shown)
        self._empty.setVisible(none_shown)
        self._empty.setText("No request matches the filter" if self.model.filtered else "No requests yet")
        self._empty.setGeometry(self.table.viewport().rect())

    # ---- one call

    def current(self) -> Exchange | None:
        """The chosen call, else the newest one in view."""
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
        """Go to a call; False when it is not in view."""
        self.model.flush()
        row = self.model.row_of(exchange_id)
        if row >= 0:
            self.table.selectRow(row)
            self.table.scrollTo(self.model.index(row, 0))
        return row >= 0

    def copy_curl(self) -> None:
        """The chosen call as a cURL command, its key as the name of a variable."""
        exchange = self.current()
        if exchange is not None:
            QGuiApplication.clipboard().setText(as_curl(exchange))

    def copy_url(self) -> None:
        """The chosen call's address, as logged."""
        exchange = self.current()
        if exchange is not None:
            QGuiApplication.clipboard().setText(exchange.url)

    def copy_body(self) -> None:
        """The body of the chosen call's answer, as logged."""
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

    # ---- all in view

    def export_har(self) -> None:
        """Ask for a file and write the calls in view to it."""
        FileAsk(self, "Export HAR", "HTTP archive (*.har)", "unified-explorer.har", self.write_har).open()

    def write_har(self, path: Path) -> None:
        """Write the calls in view, oldest first, as a HTTP archive. What is logged is redacted already."""
        self.model.flush()
        try:
            write_whole(path, as_har(self.model.shown()))
        except OSError as error:
            self.summary.setText(f"Not written: {error.strerror}")
            return
        self.summary.setText(f"Written to {path.name}")


class _LogTable(QTableView):
    """The list of calls. Enter or a double click asks for the detail."""

    asked = Signal()

    def __init__(self, model: ExchangesModel) -> None:
        super().__init__()
        self.setObjectName("calls")
        self.setAccessibleName("Calls, newest first")
        self.setModel(model)
        self.setItemDelegate(LogDelegate(self))
        by_rows(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        rows = self.verticalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head = self.horizontalHeader()
        head.hide()
        head.setMinimumSectionSize(30)
        for column, width in _WIDTHS.items():
            self.setColumnWidth(column, width)
        head.setSectionResizeMode(TARGET, QHeaderView.ResizeMode.Stretch)
        self.doubleClicked.connect(self._asked)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The target needs its room first: the result gets a share of what there is."""
        super().resizeEvent(event)
        self.setColumnWidth(SUMMARY, max(90, min(self.viewport().width() // 5, 240)))

    def _asked(self, _index: QModelIndex) -> None:
        self.asked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.asked.emit()
            event.accept()
            return
        super().keyPressEvent(event)
