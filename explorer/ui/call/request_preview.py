"""Exactly what will be sent, secrets masked: method, address, headers and body; and the same as a curl command."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from explorer.api.errors import CannotSend
from explorer.api.exchange import Exchange
from explorer.api.exchanges import as_curl
from explorer.api.http_request import HttpRequest, http_request_of
from explorer.api.redact import Redactor
from explorer.catalog.request import Request
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.ui.forms.json_edit import JsonColors
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.text_shown import shown_as_text
from explorer.ui.kit.theme import colors
from explorer.ui.kit.visible import shortened

# Stands where the key will stand, so that the headers come out as they will be; it is masked before anything is shown.
_STAND_IN = "stand-in-for-the-key"
_MOST_SHOWN = 200_000
"""Bytes of the body that are shown; what is left out is said."""
_PIECE = 10_000
"""Characters that are laid out in one turn of the loop: 10 ms."""
_LONGEST_LINE = 20_000
"""Characters of an address or a header that are shown."""


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
    """Shows the request as it would go out now; it follows the form. What is long is laid out a piece a turn."""

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
        self.text.setUndoRedoEnabled(False)
        self._colors = _RequestColors(self.text.document())
        self._shown, self._laid_out, self._place = "", 0, 0
        self._pace = QTimer(self, interval=0)
        self._pace.timeout.connect(self._lay_out)
        self.note = PlainLabel(role="caution", wrap=True)
        self.note.setContentsMargins(12, 8, 12, 4)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.note)
        box.addWidget(self.text, 1)
        self.note.hide()

    @property
    def whole(self) -> bool:
        """All that is to be shown stands."""
        return not self._pace.isActive()

    def show_request(self, profile: Profile, request: Request, note: str = "") -> None:
        """Show ``request`` as ``profile`` would send it, under a line that says what is to be said of it."""
        try:
            wire = masked_wire(profile, request)
        except CannotSend as error:
            self.show_nothing(request.method, request.path, f"{error.sentence} {error.advice}".strip())
            return
        head = [f"{wire.method} {_line(wire.url)}", ""]
        head += [f"{name}: {_line(value)}" for name, value in wire.headers]
        if wire.body is not None or wire.method in ("POST", "PUT", "PATCH"):
            head.append(f"content-length: {len(wire.body or b'')}")
        self._put("\n".join(head), shown_as_text(wire.body or b"", bound=_MOST_SHOWN))
        self._say(note)

    def show_nothing(self, method: str, path: str, why: str) -> None:
        """Show that there is no request yet, and why."""
        self._put(f"{method} {_line(path)}", "")
        self._say(why)

    def show_pending(self) -> None:
        """Show that the form is another than the request that stood here."""
        self._put("…", "")
        self._say("")

    def _say(self, note: str) -> None:
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def _put(self, head: str, body: str) -> None:
        text = f"{head}\n\n{body}" if body else head
        if text == self._shown:
            return
        bar = self.text.verticalScrollBar()
        if text != "…" and self._shown != "…":
            self._place = bar.value()
        self._colors.lines = head.count("\n") + 1
        self._shown, self._laid_out = text, 0
        self.text.clear()
        self._pace.start()
        self._lay_out()

    def _lay_out(self) -> None:
        """Put in the next piece, and stop after the last one."""
        piece = self._shown[self._laid_out : self._laid_out + _PIECE]
        self._laid_out += len(piece)
        cursor = QTextCursor(self.text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(piece)
        if self._laid_out >= len(self._shown):
            self._pace.stop()
            self.text.verticalScrollBar().setValue(self._place)


def _line(text: str) -> str:
    return visible(shortened(text, _LONGEST_LINE))


class _RequestColors(JsonColors):
    """The first line strong, header names muted, the body as JSON."""

    lines = 0

    def color_line(self, line: int, text: str) -> None:
        if line >= self.lines:
            super().color_line(line, text)
        elif line and ":" in text:
            form: Any = QTextCharFormat()
            form.setForeground(colors().color("muted"))
            self.setFormat(0, text.index(":") + 1, form)
