"""The exact request that will be sent, secrets masked: as it goes over the wire, or as a command for the clipboard.

The command is cURL, or the ``unified-explorer call`` line that sends the same. That line names the profile and holds no
key, and no option such as ``--yes`` either: whoever runs it decides whether a write may be sent.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

from PySide6.QtCore import QTimer
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from explorer.api.errors import CannotSend
from explorer.api.redact import MASK, Redactor
from explorer.api.unsent import curl_of, masked_wire
from explorer.catalog.request import Request
from explorer.profiles.profile import Profile
from explorer.ui.forms.json_edit import JsonColors
from explorer.ui.kit.clipboard import variables_words
from explorer.ui.kit.layout import column
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.text_shown import shown_as_text
from explorer.ui.kit.theme import colors
from explorer.ui.kit.visible import shortened

_MOST_SHOWN = 200_000
"""Most bytes of the body that are shown; a note says how much is left out."""
_PIECE = 10_000
"""Characters that are laid out in one turn of the loop, which takes 10 ms."""
_LONGEST_LINE = 20_000
"""Most characters of an address or a header that are shown."""


class RequestPreview(QWidget):
    """Shows the request as it would be sent now. A long one is laid out in pieces, one in each turn of the loop."""

    def __init__(self) -> None:
        super().__init__()
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setProperty("mono", "true")
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        # No colours here. With the focus the style sheet's frame stays, or nobody sees where the focus is.
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
        column(self.note, (self.text, 1), of=self)
        self.note.hide()

    @property
    def whole(self) -> bool:
        """Whether the whole text is laid out."""
        return not self._pace.isActive()

    def show_request(self, profile: Profile, request: Request, note: str = "") -> None:
        """Show ``request`` as ``profile`` would send it, below the line ``note``."""
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
        """Show that the form changed and its request is not shown yet."""
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
        """Insert the next piece; stops after the last one."""
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
    """Highlights the first line, mutes the names of headers, and colours the body as JSON."""

    lines = 0

    def color_line(self, line: int, text: str) -> None:
        if line >= self.lines:
            super().color_line(line, text)
        elif line and ":" in text:
            form: Any = QTextCharFormat()
            form.setForeground(colors().color("muted"))
            self.setFormat(0, text.index(":") + 1, form)


Copy = Callable[[Profile, Sequence[Request]], tuple[str, str]]
"""Makes the text to copy, and the sentence that is shown then. Raises CannotSend."""


def as_curl(profile: Profile, requests: Sequence[Request]) -> tuple[str, str]:
    """One cURL command a line, the key as a variable; and the sentence to show. Raises CannotSend."""
    text = "\n".join(curl_of(profile, request) for request in requests)
    return text, f"Copied as cURL{variables_words(text)}"


def as_command(profile: Profile, requests: Sequence[Request]) -> tuple[str, str]:
    """One ``unified-explorer call`` line for each, secrets masked; and the sentence to show. Raises CannotSend."""
    lines = [command_of(profile, request) for request in requests]
    said = "Copied as a command; the profile's key is not in it"
    if any(line.masked for line in lines):
        said = "Copied as a command; a secret in it is masked: fill it in before you run it"
    return "\n".join(line.text for line in lines), said


def text_or_fault(copy: Copy, profile: Profile, requests: Sequence[Request]) -> tuple[str, str] | CannotSend:
    """What ``copy`` returns, or the CannotSend that it raises, as a value: for a thread."""
    try:
        return copy(profile, requests)
    except CannotSend as fault:
        return fault


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A line for a POSIX shell."""

    text: str
    masked: bool
    """A value that looks like a secret is masked in it, and has to be filled in before the line is run."""


def command_of(profile: Profile, request: Request) -> CommandLine:
    """``request`` as a line for the profile and its connection. Raises CannotSend where no line can express it."""
    before, after = _body(request)
    parts = ["unified-explorer", "call", *_what(request), *_option("--profile", profile.name)]
    if profile.connection and not (request.operation is not None and request.operation.bearer):
        parts += _option("--connection-id", profile.connection)
    text = f"{before}{' '.join([*parts, *_params(request), *after])}"
    if "\0" in text:
        raise CannotSend("No command line can hold a NUL character.", "Use Copy as cURL.")
    return CommandLine(text, MASK in text)


def _what(request: Request) -> list[str]:
    """The endpoint's key; method and path instead where key and parameters would not give the same address."""
    if _by_key(request) and request.operation is not None:
        return [shlex.quote(request.operation.key)]
    query = "&".join(f"{quote(n, safe='')}={quote(v, safe='')}" for n, v in _clean(request.query))
    return [shlex.quote(request.method), shlex.quote(request.path + ("?" + query if query else ""))]


def _by_key(request: Request) -> bool:
    # NAME=VALUE is split at the first equals sign.
    return request.operation is not None and all(name and "=" not in name for name, _ in request.query)


def _params(request: Request) -> list[str]:
    if not _by_key(request):
        return []
    # Path parameters first: of two with the same name, the command line takes the first for the path.
    pairs = (*_path_values(request), *_clean(request.query))
    return [part for name, value in pairs for part in _option("--param", f"{name}={value}")]


def _path_values(request: Request) -> list[tuple[str, str]]:
    if request.operation is None:
        return []
    template = request.operation.path
    names = re.findall(r"\{(\w+)\}", template)
    pattern = "".join(
        "([^/]+)" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{\w+\})", template)
    )
    found = re.fullmatch(pattern, request.path)
    return (
        [(name, unquote(value)) for name, value in zip(names, found.groups(), strict=True)] if found else []
    )


def _clean(pairs: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    redactor = Redactor(())
    return [(name, str(redactor.json({name: value})[name])) for name, value in pairs]


def _body(request: Request) -> tuple[str, list[str]]:
    """What to write before the command and behind it, so that the body comes through a pipe, byte for byte."""
    if request.body is None:
        return "", []
    after = ["--body", "-"]
    if request.content_type != "application/json":
        after += _option("--content-type", request.content_type)
    body = Redactor(()).data(request.body)
    try:
        text = body.decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        return "printf '{}' | ".format("".join(f"\\{byte:03o}" for byte in body)), after
    return f"printf %s {shlex.quote(text)} | ", after


def _option(name: str, value: str) -> list[str]:
    """An option and its value; a value that begins with a dash is joined to the name by an equals sign."""
    return [shlex.quote(f"{name}={value}")] if value.startswith("-") else [name, shlex.quote(value)]
