"""One call in full: what was sent and what came back, headers and bodies. All of it was redacted when it was logged."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from explorer import words
from explorer.api.exchanges import Exchange, as_curl
from explorer.ui.kit.json_view import JsonView
from explorer.ui.kit.plain import PlainLabel, tooltip, visible
from explorer.ui.kit.table_rows import by_rows
from explorer.ui.kit.theme import mono
from explorer.ui.log.exchanges import status_words

BADGES = {"ok": "holds", "caution": "caution", "fails": "fails", "none": "plain"}


class ExchangeDetail(QWidget):
    """Request and answer of one exchange, each with headers and body."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("exchange")
        self.exchange: Exchange | None = None
        self._badge = PlainLabel("")
        self._badge.setProperty("badge", "plain")
        self._head = PlainLabel("", role="mono", elide=True, selectable=True)
        self._facts = PlainLabel("", role="muted", wrap=True)
        self._curl = QPushButton("Copy as cURL")
        self._curl.clicked.connect(self.copy_curl)
        self.request = _Side("Request")
        self.answer = _Side("Answer")
        self._tabs = QTabWidget()
        self._tabs.setDocumentMode(True)
        self._tabs.setAccessibleName("Request and answer")
        self._tabs.addTab(self.answer, "Answer")
        self._tabs.addTab(self.request, "Request")
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self._badge)
        top.addWidget(self._head, 1)
        top.addWidget(self._curl)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 8)
        column.setSpacing(8)
        column.addLayout(top)
        column.addWidget(self._facts)
        column.addWidget(self._tabs, 1)

    def show_exchange(self, exchange: Exchange) -> None:
        """Show one call, or the same one after it changed."""
        self.exchange = exchange
        status = " ".join(filter(None, (status_words(exchange), exchange.reason)))
        self._badge.setText(status)
        self._badge.setProperty("badge", BADGES.get(exchange.verdict, "plain"))
        self._badge.setAccessibleName(f"Status {status}")
        self._head.setText(f"{exchange.method} {exchange.url}")
        self._facts.setText(_facts(exchange))
        self.request.show_side(
            exchange.request_headers, exchange.request_body or b"", truncated=exchange.request_truncated
        )
        self.answer.show_side(
            exchange.response_headers,
            exchange.response_body,
            truncated=exchange.body_truncated,
            size=exchange.size,
        )

    def show_request(self) -> None:
        """Bring the request to the front."""
        self._tabs.setCurrentWidget(self.request)

    def copy_curl(self) -> None:
        """The call as a cURL command; the key stands in it by the name of a variable."""
        if self.exchange is not None:
            QGuiApplication.clipboard().setText(as_curl(self.exchange))


class ExchangeDialog(QDialog):
    """`ExchangeDetail` in a window of its own, beside the program's."""

    def __init__(self, exchange: Exchange, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Call {exchange.id}: {exchange.method} {visible(exchange.path[:120])}")
        self.resize(860, 620)
        self.detail = ExchangeDetail(self)
        self.detail.show_exchange(exchange)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.detail)


class _Side(QWidget):
    """Headers above, body below."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.headers = QTableWidget(0, 2)
        self.headers.setAccessibleName(f"{name}: headers")
        self.headers.setHorizontalHeaderLabels(["Header", "Value"])
        self.headers.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        by_rows(self.headers, several=True)
        self.headers.setColumnWidth(0, 190)
        self.note = PlainLabel("", role="muted", wrap=True)
        self.body = JsonView(name=f"{name}: body")
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.note)
        column.addWidget(self.body, 1)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(self.headers)
        splitter.addWidget(below)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([150, 350])
        splitter.setChildrenCollapsible(False)
        own = QVBoxLayout(self)
        own.setContentsMargins(0, 0, 0, 0)
        own.addWidget(splitter)

    def show_side(
        self, headers: Sequence[tuple[str, str]], body: bytes, *, truncated: bool, size: int | None = None
    ) -> None:
        self.headers.setRowCount(len(headers))
        font = mono()
        for row, pair in enumerate(headers):
            for column, text in enumerate(pair):
                item = QTableWidgetItem(visible(text[:4000]))
                item.setFont(font)
                item.setToolTip(tooltip(text))
                self.headers.setItem(row, column, item)
        whole = f" of {words.size(size)}" if size else ""
        self.note.setText(
            f"The log keeps the first {words.size(len(body))}{whole} of this body." if truncated else ""
        )
        self.note.setVisible(truncated)
        self.body.show_bytes(body)


def _facts(exchange: Exchange) -> str:
    said = [exchange.started_at.astimezone().strftime("%Y-%m-%d %H:%M:%S")]
    if exchange.elapsed_ms is not None:
        said.append(words.duration(exchange.elapsed_ms))
    if exchange.state == "answered":
        said.append(words.size(exchange.size))
    if exchange.attempt > 1:
        said.append(f"attempt {exchange.attempt}")
    if exchange.page:
        said.append(f"page {exchange.page}")
    if exchange.connection:
        said.append(exchange.connection)
    if exchange.summary:
        said.append(exchange.summary)
    return "  ·  ".join(said)
