"""One call in full: headers and bodies of request and answer, redacted as they are in the log."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPushButton, QSplitter, QTabWidget, QWidget

from explorer import words
from explorer.api.exchanges import Exchange, as_curl
from explorer.ui.kit.clipboard import CopiedLabel, copy_curl
from explorer.ui.kit.dialogs import resize_within
from explorer.ui.kit.json_view import JsonView
from explorer.ui.kit.layout import column, row
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.rows_table import Column, RowsModel, RowsTable
from explorer.ui.log.exchanges import BADGES

_Header = tuple[str, str]


class ExchangeDetail(QWidget):
    """The request and the answer of one exchange, each with headers and body."""

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
        self._tabs = QTabWidget(documentMode=True)
        self._tabs.setAccessibleName("Request and answer")
        self._tabs.addTab(self.answer, "Answer")
        self._tabs.addTab(self.request, "Request")
        top = row(self._badge, (self._head, 1), CopiedLabel(), self._curl, spacing=8)
        column(top, self._facts, (self._tabs, 1), of=self, margins=(12, 12, 12, 8), spacing=8)

    def show_exchange(self, exchange: Exchange) -> None:
        """Show one call, or the same one after it changed."""
        self.exchange = exchange
        status = " ".join(filter(None, (exchange.status_words, exchange.reason)))
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
        """Switch to the request."""
        self._tabs.setCurrentWidget(self.request)

    def copy_curl(self) -> None:
        """Copy the call as a cURL command, with a variable in place of the key."""
        if self.exchange is not None:
            copy_curl(as_curl(self.exchange))


class ExchangeDialog(QDialog):
    """`ExchangeDetail` in a window of its own."""

    def __init__(self, exchange: Exchange, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Call {exchange.id}: {exchange.method} {visible(exchange.path[:120])}")
        resize_within(self, 860, 620)
        self.detail = ExchangeDetail(self)
        self.detail.show_exchange(exchange)
        column(self.detail, of=self)


class _Side(QWidget):
    """Headers above, body below."""

    def __init__(self, name: str) -> None:
        super().__init__()
        columns = (
            Column[_Header]("Header", lambda header: header[0], "mono", width=190),
            Column[_Header]("Value", lambda header: header[1][:4000], "mono", lambda header: header[1]),
        )
        self.headers = RowsTable(RowsModel(columns), f"{name}: headers")
        self.note = PlainLabel("", role="muted", wrap=True)
        self.body = JsonView(name=f"{name}: body")
        below = QWidget()
        column(self.note, (self.body, 1), of=below)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(self.headers)
        splitter.addWidget(below)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([150, 350])
        splitter.setChildrenCollapsible(False)
        column(splitter, of=self)

    def show_side(
        self, headers: Sequence[_Header], body: bytes, *, truncated: bool, size: int | None = None
    ) -> None:
        self.headers.show_rows(headers)
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
