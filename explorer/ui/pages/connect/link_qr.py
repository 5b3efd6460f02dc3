"""A link as a QR code: drawn dot by dot on whole pixels, and written to a file.

The code *is* the credential: it is made only when the link is to be seen, and forgotten when it is hidden again.
"""

from __future__ import annotations

import io
from pathlib import Path

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from explorer.files import write_whole
from explorer.ui.kit.theme import RADIUS, colors, theme

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

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        for line, row in enumerate(self._matrix):
            for place, on in enumerate(row):
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
