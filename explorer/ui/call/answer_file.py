"""An answer that is no text: what it is and how much, a way to keep it, and a way to see it in the system's viewer.

The service names neither file nor program: the ending follows from the bytes themselves, or from the few types that
are known. Nothing is opened but by the user's click.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer import words
from explorer.files import write_whole
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.kit.ask_file import FileAsk
from explorer.ui.kit.plain import PlainLabel

# How the bytes begin, the ending they are kept under, and the type they ought to be called.
_MAGIC = (
    (b"%PDF-", "pdf", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "png", "image/png"),
    (b"\xff\xd8\xff", "jpg", "image/jpeg"),
    (b"GIF8", "gif", "image/gif"),
    (b"PK\x03\x04", "zip", "application/zip"),
)
_ENDINGS = {kind: ending for _, ending, kind in _MAGIC}
_NAMES = {"pdf": "PDF", "png": "PNG image", "jpg": "JPEG image", "gif": "GIF image", "zip": "ZIP archive"}


def _forget(folders: list[tempfile.TemporaryDirectory[str]]) -> None:
    while folders:
        folders.pop().cleanup()


class AnswerFile(QWidget):
    """The bytes of an answer, to be saved exactly as received or opened in the system's viewer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._body = b""
        self._ending = "bin"
        self._folders: list[tempfile.TemporaryDirectory[str]] = []
        folders = self._folders
        # By the time `destroyed` is sent self is half gone: only the plain list is touched.
        self.destroyed.connect(lambda: _forget(folders))
        self.what = PlainLabel(role="heading")
        self.odd = PlainLabel(role="caution", wrap=True)
        self.save = QPushButton("Save…")
        self.open_ = QPushButton("Open")
        self.open_.setToolTip("In the system's own viewer, as a file that only you can read")
        self.said = PlainLabel(role="muted", wrap=True)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.save, self.open_):
            buttons.addWidget(button)
        buttons.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 12, 12, 12)
        box.setSpacing(8)
        box.addWidget(self.what, 0, Qt.AlignmentFlag.AlignLeft)
        box.addWidget(self.odd)
        box.addLayout(buttons)
        box.addWidget(self.said)
        box.addStretch(1)
        self.save.clicked.connect(self._ask)
        self.open_.clicked.connect(lambda _: self.open())

    def show_bytes(self, outcome: Outcome) -> None:
        """Take the bytes of an answer."""
        self._body = outcome.body
        found = next((one for one in _MAGIC if outcome.body.startswith(one[0])), None)
        called = outcome.content_type
        self._ending = found[1] if found else _ENDINGS.get(called, "bin")
        name = _NAMES[found[1]] if found else called or "Bytes without a type"
        self.what.setText(f"{name}, {words.size(len(outcome.body))}")
        differs = found is not None and called != found[2]
        self.odd.setText(
            f"The response calls it {called or 'nothing'}, but it is {found[2]}." if found else ""
        )
        self.odd.setVisible(differs)
        self.said.setText("")

    def _ask(self) -> None:
        FileAsk(self, "Save the answer", "All files (*)", f"answer.{self._ending}", self.write).open()

    def write(self, path: Path) -> None:
        """Write the answer's bytes to ``path``, exactly as received: whole, or not at all."""
        try:
            write_whole(path, self._body)
        except OSError as error:
            self.said.setText(f"It could not be saved: {error.strerror or 'the system refused'}")
        else:
            self.said.setText(f"Saved as {path.name}")

    def open(self) -> None:
        """Show it in the system's viewer, from a folder of this user's own that goes with the page."""
        try:
            # One folder an opening: a viewer may still hold the file of the one before.
            folder = tempfile.TemporaryDirectory(prefix="unified-explorer-", ignore_cleanup_errors=True)
            self._folders.append(folder)
            path = Path(folder.name) / f"answer.{self._ending}"
            write_whole(path, self._body)
        except OSError as error:
            self.said.setText(f"It could not be opened: {error.strerror or 'the system refused'}")
            return
        if QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            self.said.setText("Opened in the system's viewer")
        else:
            self.said.setText("The system has no viewer for it. Save it instead.")
