"""The card of one magic link: who it is for, how long it holds, and what can be done with it. Hidden until asked.

Whoever holds the link acts as that customer: it stands in no tooltip, title or name, and it is hidden again as soon as
the page goes to the back. Its QR code *is* the credential: it is made only when the link is to be seen, and forgotten
when it is hidden again.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from PySide6.QtCore import QRect, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QHideEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QLineEdit, QMessageBox, QPushButton, QWidget

from explorer.api.links import Link, read_link
from explorer.files import write_whole
from explorer.ui.call.answer_outcome import masked_link
from explorer.ui.forms.flow import FlowLayout
from explorer.ui.kit.ask_file import FileAsk
from explorer.ui.kit.check_buttons import CheckBox
from explorer.ui.kit.clipboard import copy_text
from explorer.ui.kit.layout import STRETCH, column, dressed, push_button, row
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.theme import RADIUS, colors, set_look, theme
from explorer.ui.pages.connect.link_words import addressee, end_line, opens_words, valid_words

_TICK_MS = 10_000
_KEEP = "Save this link in the secret store"
_ROOM_FOR_BOTH = 470  # pixels: below, the code stands under the words
_BLANK = "The QR code is the link itself. Reveal shows both."


_SIDE = 188
"""Pixels; a long link makes a larger code."""
_DOT = 2  # pixels at least: smaller ones are not read off a screen
_QUIET = 4  # dots of white around the code: readers need them (ISO/IEC 18004)
_FILE_SCALE = 8

Matrix = tuple[bytearray, ...]


class NoCode(ValueError):
    """The link makes no QR code. The text is one plain sentence."""


def matrix_of(link: str) -> Matrix:
    """The dots of ``link``, row by row, without the quiet zone. Raises NoCode when it is too long for one."""
    return tuple(_code(link).matrix)


def write_code(path: Path, link: str) -> None:
    """Write ``link`` as a picture, for this user alone: SVG by its ending, else PNG. Raises NoCode and OSError."""
    code = _code(link)
    data = io.BytesIO()
    kind = "svg" if path.suffix.lower() == ".svg" else "png"
    code.save(data, kind=kind, scale=_FILE_SCALE, border=_QUIET, light="#fff", dark="#000")
    write_whole(path, data.getvalue())


def _code(link: str):  # type: ignore[no-untyped-def]  # noqa: ANN202 - segno is imported when it is needed
    import segno

    for level in ("m", "l"):
        try:
            return segno.make_qr(link, error=level, boost_error=False)
        except segno.DataOverflowError:
            continue
    raise NoCode("The link is too long for a QR code")


class QrCode(QWidget):
    """Shows a code, or a blank where it will stand. Black on white in both schemes: readers want it so."""

    def __init__(self) -> None:
        super().__init__()
        self._matrix: Matrix | None = None
        self._words = ""
        theme().changed.connect(self.update)
        self.hide_code("")

    @property
    def matrix(self) -> Matrix | None:
        """What is drawn, or None."""
        return self._matrix

    def show_link(self, link: str) -> None:
        """Draw ``link``, or say that it is too long."""
        try:
            self._matrix = matrix_of(link)
        except NoCode as fault:
            self.hide_code(str(fault))
            return
        count = len(self._matrix) + 2 * _QUIET
        side = max(_SIDE, count * _DOT)
        self.setFixedSize(side, side)
        self.setAccessibleName("QR code of the link")
        self.update()

    def hide_code(self, words: str) -> None:
        """Forget the code; ``words`` stand in its place."""
        self._matrix = None
        self._words = words
        self.setFixedSize(_SIDE, _SIDE)
        self.setAccessibleName(words or "No QR code")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(_SIDE, _SIDE)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._matrix is None:
            self._paint_blank(painter)
            return
        painter.fillRect(self.rect(), Qt.GlobalColor.white)
        # Dots of whole device pixels: a fraction would blur their edges.
        ratio = self.devicePixelRatioF()
        count = len(self._matrix) + 2 * _QUIET
        room = int(min(self.width(), self.height()) * ratio)
        dot = max(room // count, 1)
        start = (room - dot * len(self._matrix)) // 2
        painter.scale(1 / ratio, 1 / ratio)
        for line, dots in enumerate(self._matrix):
            for place, on in enumerate(dots):
                if on:
                    square = QRect(start + place * dot, start + line * dot, dot, dot)
                    painter.fillRect(square, Qt.GlobalColor.black)

    def _paint_blank(self, painter: QPainter) -> None:
        tokens = colors()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(tokens.color("line"), 1, Qt.PenStyle.DashLine))
        painter.setBrush(tokens.color("header"))
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.setPen(tokens.color("muted"))
        flags = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
        painter.drawText(self.rect().adjusted(12, 12, -12, -12), flags, self._words)


class LinkCard(QFrame):
    """Shows the link that was made last. The clipboard, a file or the browser get it by the user's hand alone."""

    keep_wanted = Signal(bool)
    """The user wants the link kept, or no longer kept."""
    said = Signal(str)
    """What was done, for the status bar."""

    def __init__(self) -> None:
        super().__init__()
        dressed(self, card="true")
        self.setAccessibleName("The link")
        self._url = ""
        self._body: Mapping[str, Any] = {}
        self._link: Link | None = None
        self.qr = QrCode()
        self.title = PlainLabel(role="heading", wrap=True)
        self.line = QLineEdit(readOnly=True)
        self.line.setProperty("mono", "true")
        self.line.setAccessibleName("The link")
        self.copy = push_button("Copy link", kind="primary")
        self.reveal = push_button("Reveal", checkable=True)
        self.browse = QPushButton("Open in browser")
        self.save = QPushButton("Save QR…")
        self.badge = PlainLabel()
        self.valid = PlainLabel(role="muted", wrap=True)
        self.ends = PlainLabel(role="faint", wrap=True)
        self.keep = CheckBox(_KEEP)
        self.place = PlainLabel(role="faint", wrap=True)
        self.told = PlainLabel(role="faint", wrap=True)
        self._whole = QWidget()
        self.empty = PlainLabel(
            "Fill in the form and create a link: it will appear here, hidden until you reveal it.",
            role="muted",
            wrap=True,
        )
        self._build()
        self._wire()
        self._clock = QTimer(self, interval=_TICK_MS)
        self._clock.timeout.connect(self.refresh)
        self.clear()

    def _build(self) -> None:
        buttons = QWidget()
        flow = FlowLayout(buttons, gap=8, line_gap=8)
        for button in (self.copy, self.reveal, self.browse, self.save):
            flow.addWidget(button)
        valid = row((self.badge, Qt.AlignmentFlag.AlignTop), (self.valid, 1), spacing=8)
        above = (self.title, self.line, buttons, valid)
        side = column(*above, self.ends, self.keep, self.place, self.told, STRETCH, spacing=8)
        corner = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
        self._sides = row((self.qr, corner), (side, 1), of=self._whole, spacing=20)
        column(self.empty, self._whole, of=self, margins=(18, 16, 18, 16), spacing=-1)

    def _wire(self) -> None:
        self.copy.clicked.connect(lambda _: self.copy_link())
        self.reveal.toggled.connect(self._show)
        self.browse.clicked.connect(lambda _: self.open_link())
        self.save.clicked.connect(lambda _: self._ask())
        self.keep.clicked.connect(self.keep_wanted)

    @property
    def url(self) -> str:
        """The link, for what the user does with it; empty when there is none."""
        return self._url

    @property
    def revealed(self) -> bool:
        """The link stands on the screen."""
        return self.reveal.isChecked()

    def clear(self) -> None:
        """Forget the link."""
        self._url, self._link, self._body = "", None, {}
        self._clock.stop()
        self._conceal()
        self._whole.hide()
        self.empty.show()

    def show_link(self, url: str, body: Mapping[str, Any]) -> None:
        """Take a link, hidden, and the body of the request that asked for it."""
        self._url, self._body, self._link = url, body, read_link(url)
        self._conceal()
        self.title.setText(f"Link for {addressee(body)}")
        self.keep.setChecked(False)
        self.told.setText("")
        self.told.hide()
        self.place.hide()
        self.empty.hide()
        self._whole.show()
        self.refresh()
        self._clock.start()

    def refresh(self) -> None:
        """Say how long it still holds."""
        link = self._link
        if link is None:
            return
        now = datetime.now(UTC)
        ended = link.has_ended(now)
        words = valid_words(link, now)
        self.valid.setText(f"{words} · {opens_words(self._body)}")
        self.ends.setText(end_line(link))
        self.badge.setText("Expired" if ended else "End not known")
        set_look(self.badge, badge="fails" if ended else "plain")
        self.badge.setVisible(ended is not False)

    def show_place(self, words: str, *, kept: bool) -> None:
        """Say where it is kept, or why it is not."""
        self.keep.setChecked(kept)
        self.place.setText(words)
        self.place.setVisible(bool(words))

    def _notify(self, words: str, role: str = "faint") -> None:
        set_look(self.told, role=role)
        self.told.setText(words)
        self.told.show()
        self.said.emit(words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        directions = QBoxLayout.Direction
        self._sides.setDirection(directions.LeftToRight if self._has_room else directions.BottomToTop)
        self.qr.setVisible(self._has_room or self.revealed)

    @property
    def _has_room(self) -> bool:
        return self.width() >= _ROOM_FOR_BOTH

    # ---- seeing it

    def _show(self, on: bool) -> None:
        self.line.setText(visible(self._url) if on else masked_link(self._url) if self._url else "")
        self.line.setCursorPosition(0)
        self.reveal.setText("Hide" if on else "Reveal")
        if on:
            self.qr.show_link(self._url)
        else:
            self.qr.hide_code(_BLANK)
        self.qr.setVisible(on or self._has_room)  # below the words a blank would only push the list away

    def _conceal(self) -> None:
        self.reveal.setChecked(False)
        self._show(False)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():  # another tab, and not a window that is only minimised
            self._conceal()

    # ---- taking it along

    def copy_link(self) -> None:
        """The link to the clipboard."""
        if self._url:
            copy_text(self._url, "link")
            self._notify("Copied. Whoever has the link acts as this customer.")

    def open_link(self) -> QMessageBox | None:
        """The link in the browser: https at once, http after a question, which is given back; nothing else."""
        try:
            parts = urlsplit(self._url)
            scheme, host = parts.scheme.lower(), parts.hostname or ""
        except ValueError:
            scheme, host = "", ""
        if scheme == "https" and host:
            self._browse()
        elif scheme == "http" and host:
            return self._question(host)
        elif self._url:
            self._notify("Not opened: the link is not a web address (https or http).", "error")
        return None

    def _question(self, host: str) -> QMessageBox:
        box = QMessageBox(self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle("Open an unencrypted link?")
        box.setText(f"The link to {visible(host)} is plain http.")
        box.setInformativeText(
            "It is sent unencrypted: others on the network can read it and act as this customer."
        )
        go = box.addButton("Open it", QMessageBox.ButtonRole.AcceptRole)
        stay = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(stay)
        url = self._url
        box.finished.connect(lambda _: self._browse(url) if box.clickedButton() is go else None)
        box.open()
        return box

    def _browse(self, url: str = "") -> None:
        if QDesktopServices.openUrl(QUrl(url or self._url, QUrl.ParsingMode.StrictMode)):
            self._notify("Opened in the browser, which keeps it in its history.")
        else:
            self._notify("The system has no browser that can open it. Copy the link instead.", "error")

    def _ask(self) -> None:
        forms = "PNG picture (*.png);;SVG drawing (*.svg)"
        dialog = FileAsk(self, "Save the QR code", forms, "magic-link.png", self.write_qr)
        dialog.filterSelected.connect(lambda kind: dialog.setDefaultSuffix("svg" if "svg" in kind else "png"))
        dialog.open()

    def write_qr(self, path: Path) -> None:
        """Write the QR code to ``path``, PNG or SVG by its ending."""
        try:
            write_code(path, self._url)
        except NoCode as fault:
            self._notify(str(fault), "error")
        except OSError as error:
            self._notify(f"It could not be saved: {error.strerror or 'the system refused'}", "error")
        else:
            self._notify(f"Saved as {path.name}. The picture is the link: protect it like a key.")
