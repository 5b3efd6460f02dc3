"""Exactly what will be sent, secrets masked: method, address, headers and body; and the same as a curl command."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from explorer.api.errors import CannotSend
from explorer.api.exchange import Exchange
from explorer.api.exchanges import as_curl
from explorer.api.http_request import HttpRequest, http_request_of
from explorer.api.redact import Redactor
from explorer.catalog.request import Request
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.ui.forms.json_edit import json_spans
from explorer.ui.forms.operation_form import shown_body
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.theme import colors, theme

# Stands where the key will stand, so that the headers come out as they will be; it is masked before anything is shown.
_STAND_IN = "stand-in-for-the-key"
_MOST_SHOWN = 200_000


def masked_wire(profile: Profile, request: Request) -> HttpRequest:
    """What will go out for ``request``, with a stand-in for the key, masked in the headers. Raises CannotSend."""
    kind = Auth.BEARER if request.operation is not None and request.operation.bearer else profile.auth
    wire = http_request_of(profile, Credential(kind, _STAND_IN), request)
    return HttpRequest(
        wire.method, wire.origin, wire.target, Redactor((_STAND_IN,)).headers(wire.headers), wire.body
    )


def curl_of(profile: Profile, request: Request) -> str:
    """``request`` as a curl command, the key as a variable, whatever else looks secret masked. Raises CannotSend."""
    wire = masked_wire(profile, request)
    redactor = Redactor((_STAND_IN,))
    return as_curl(
        Exchange(
            started_at=datetime.now(UTC),
            method=wire.method,
            url=redactor.url(wire.url),
            path=wire.target,
            request_headers=wire.headers,
            request_body=None if wire.body is None else redactor.data(wire.body),
        )
    )


class RequestPreview(QWidget):
    """Shows the request as it would go out now; it follows the form."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setProperty("mono", "true")
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        # Shape alone, no colour; with the focus the style sheet's frame stays, or nobody sees where it is.
        self.text.setStyleSheet(
            "QPlainTextEdit { border-radius: 0; } QPlainTextEdit:!focus { border: none; }"
        )
        self.text.setAccessibleName("The request as it will be sent")
        self.text.setTabChangesFocus(True)
        self.text.document().setDocumentMargin(12)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self._colors = _RequestColors(self.text.document())
        self.note = PlainLabel(role="caution", wrap=True)
        self.note.setContentsMargins(12, 8, 12, 4)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.note)
        box.addWidget(self.text, 1)
        self.note.hide()

    def show_request(self, profile: Profile, request: Request, note: str = "") -> None:
        """Show ``request`` as ``profile`` would send it, under a line that says what is to be said of it."""
        try:
            wire = masked_wire(profile, request)
        except CannotSend as error:
            self.show_nothing(request.method, request.path, f"{error.sentence} {error.advice}".strip())
            return
        head = [f"{wire.method} {visible(wire.url)}", ""]
        head += [f"{name}: {visible(value)}" for name, value in wire.headers]
        if wire.body is not None or wire.method in ("POST", "PUT", "PATCH"):
            head.append(f"content-length: {len(wire.body or b'')}")
        self._put("\n".join(head), _body(wire.body))
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def show_nothing(self, method: str, path: str, why: str) -> None:
        """Show that there is no request yet, and why."""
        self._put(f"{method} {visible(path)}", "")
        self.note.setText(why)
        self.note.show()

    def _put(self, head: str, body: str) -> None:
        bar = self.text.verticalScrollBar()
        place = bar.value()
        self._colors.lines = head.count("\n") + 1
        text = f"{head}\n\n{body}" if body else head
        if text != self.text.toPlainText():
            self.text.setPlainText(text)
        bar.setValue(place)


def _body(body: bytes | None) -> str:
    if body is None:
        return ""
    text = visible(shown_body(body), keep_lines=True)
    if len(text) <= _MOST_SHOWN:
        return text
    return text[:_MOST_SHOWN] + f"\n… {len(text) - _MOST_SHOWN:,} characters more are sent and not shown here"


class _RequestColors(QSyntaxHighlighter):
    """The first line strong, header names muted, the body as JSON."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self.lines = 0
        theme().changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        line = self.currentBlock().blockNumber()
        if line >= self.lines:
            for start, length, color in json_spans(text):
                self.setFormat(start, length, QColor(color))
        elif line and ":" in text:
            form: Any = QTextCharFormat()
            form.setForeground(colors().color("muted"))
            self.setFormat(0, text.index(":") + 1, form)
