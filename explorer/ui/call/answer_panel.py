"""The right side of a call page: the request that will be sent, the response, and what became of each field.

A response is shown as a JSON tree, as a masked link, or as a file that can be saved; secrets are hidden at first. The
service decides neither the name of a file nor which program opens it: the extension follows from the bytes, or from a
few known types. Nothing is opened unless the user clicks.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QResizeEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QPushButton, QSplitter, QStackedWidget, QTabBar, QWidget

from explorer import words
from explorer.catalog.spec import Operation
from explorer.files import write_whole
from explorer.ui.call.answer_changes import Change, can_compare
from explorer.ui.call.answer_outcome import Outcome, masked_link
from explorer.ui.call.changes_view import ChangesView
from explorer.ui.call.page_spec import Tab
from explorer.ui.call.request_preview import RequestPreview
from explorer.ui.kit.ask_file import FileAsk
from explorer.ui.kit.clipboard import copy_text
from explorer.ui.kit.json_view import JsonView
from explorer.ui.kit.layout import STRETCH, bar, column, dressed, push_button, row
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.theme import set_look

_ROOM_FOR_BOTH = 600  # pixels at 100 %: below that the changes are shown in their own tab only


class AnswerPanel(QWidget):
    """The tabs Request, Response and, where the answer holds sent fields, Changes; beside them status and figures."""

    shown = Signal(object)
    """Carries the `Outcome` that is shown now."""

    def __init__(self, operation: Operation) -> None:
        super().__init__()
        self._compares = can_compare(operation)
        self.preview = RequestPreview()
        self.answer = AnswerView()
        self.changes = ChangesView()
        self.beside = ChangesView(compact=True)
        self.tabs = QTabBar()
        self.badge = PlainLabel()
        self.said = PlainLabel(wrap=True, selectable=True)
        self.said.setContentsMargins(12, 8, 12, 8)
        self.figures = PlainLabel(role="muted", elide=True)
        self._figures = ""
        self._stack = QStackedWidget()
        self._turns: dict[str, str] = {}
        self._both = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        for side in (self.beside, self.answer):
            self._both.addWidget(side)
            self._both.setStretchFactor(self._both.count() - 1, 1)
        for name, page in (("Request", self.preview), ("Response", self._both), ("Changes", self.changes)):
            if name != "Changes" or self._compares:
                self.tabs.addTab(name)
                self._stack.addWidget(page)
        self.tabs.setAccessibleName("Request, response and changes")
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.currentChanged.connect(self._turned)
        self._build()
        self.beside.hide()
        self.badge.hide()

    def _build(self) -> None:
        self.figures.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        badge = (self.badge, Qt.AlignmentFlag.AlignVCenter)
        head = bar(self.tabs, (self.figures, 1), badge, margins=(6, 4, 12, 0))
        column(head, self.said, (self._stack, 1), of=self)
        self.said.hide()

    def add_tab(self, tab: Tab, page: QWidget, place: int) -> None:
        """Add a page's own tab at ``place``. The first tab of all is the visible one at first."""
        place = self.tabs.count() if tab.behind else place
        self._stack.insertWidget(place, page)
        self.tabs.insertTab(place, tab.name)
        self._turns[tab.name] = tab.turn
        self.tabs.setCurrentIndex(0)
        self._stack.setCurrentIndex(0)

    def _turned(self, place: int) -> None:
        self._stack.setCurrentIndex(place)
        self.said.setVisible(bool(self.said.whole()) and self.front == "Response")

    def say(self, words: str) -> None:
        """Show a sentence above the response that says what it means."""
        self.said.setText(words)
        self._turned(self.tabs.currentIndex())

    def turn_to(self, name: str) -> None:
        """Switch to the tab of that name."""
        for place in range(self.tabs.count()):
            if self.tabs.tabText(place) == name:
                self.tabs.setCurrentIndex(place)

    def show_tab(self, name: str, shown: bool) -> None:
        """Show or hide the tab of that name."""
        for place in range(self.tabs.count()):
            if self.tabs.tabText(place) == name:
                self.tabs.setTabVisible(place, shown)
        self.tabs.updateGeometry()  # which Qt leaves as it was: a tab that came would have no room

    @property
    def front(self) -> str:
        """The name of the visible tab."""
        return self.tabs.tabText(self.tabs.currentIndex())

    def show_outcome(self, outcome: Outcome, changes: Sequence[Change]) -> None:
        """Show an outcome, and switch to it."""
        self.answer.show_outcome(outcome)
        said = "" if outcome.badge == "holds" else "No record was returned"
        self.changes.show_changes(changes, said or "The response holds nothing to compare")
        self.beside.show_changes(changes)
        self._badge(outcome.status, outcome.badge)
        self._figures = outcome.figures
        self.mark_older(False)
        self._share()
        self.say("")
        self.turn_to("Response")
        for name, when in self._turns.items():
            if when == "answer" or (when and outcome.badge == "holds"):
                self.turn_to(name)
        self.shown.emit(outcome)

    def show_waiting(self, words: str) -> None:
        """Show that an answer is awaited; the last outcome stays visible until then."""
        self._badge(words, "info")
        self.figures.setText("")

    def show_outcome_again(self) -> None:
        """Go back to the last outcome, as a call was not sent after all."""
        outcome = self.answer.outcome
        if outcome is None:
            self.badge.hide()
            self.figures.setText("")
        else:
            self._badge(outcome.status, outcome.badge)
            self.mark_older(False)

    def mark_older(self, older: bool) -> None:
        """Show whether the form was edited since the answer came."""
        words = self._figures.split(" · ") if self._figures else []
        if older:
            words.insert(
                2, "before the last edit"
            )  # in front of the connection, which may be cut off where room is short
        self.figures.setText(" · ".join(words))

    def _badge(self, text: str, kind: str) -> None:
        self.badge.setText(text)
        set_look(self.badge, badge=kind)
        self.badge.show()

    def _share(self) -> None:
        room = self.width() >= _ROOM_FOR_BOTH
        shown = bool(self.beside.changes) and room
        if shown == self.beside.isHidden():
            self.beside.setVisible(shown)
            if shown:
                self._both.setSizes([self.width() // 2, self.width() - self.width() // 2])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()


# How a file of each kind begins, its extension, and its media type.
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


class AnswerView(QWidget):
    """Shows the last outcome of a call, or says that there is none yet."""

    def __init__(self) -> None:
        super().__init__()
        self.outcome: Outcome | None = None
        self._body: bytes | None = None
        self._mode: Literal["tree", "text"] = "tree"
        self.json = JsonView(name="The answer")
        self.empty = PlainLabel("", role="muted", wrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.empty.setContentsMargins(12, 12, 12, 12)
        self.file = AnswerFile()
        self.link = _Link()
        self.hidden = _Hidden()
        self._stack = QStackedWidget()
        for widget in (self.empty, self.json, self.file):
            self._stack.addWidget(widget)
        column(self.link, self.hidden, (self._stack, 1), of=self)
        self.hidden.button.toggled.connect(self._reveal)
        self.clear()

    def clear(self, words_: str = "Nothing was sent yet. The response will appear here.") -> None:
        """Show a sentence and no answer."""
        self.outcome = None
        self.link.hide()
        self.hidden.hide()
        self._set_text(words_)

    def show_outcome(self, outcome: Outcome) -> None:
        """Show an outcome, with its secrets hidden."""
        self.outcome = outcome
        self.link.setVisible(bool(outcome.link))
        self.link.show_link(outcome.link)
        self.hidden.setVisible(outcome.hides)
        self.hidden.button.setChecked(False)
        if outcome.cut:
            self.hidden.show_cut()
        if not outcome.answered:
            self._set_text("No answer came.")
        elif not outcome.body:
            self._set_text("The response has no body.")
        elif outcome.is_bytes:
            self.file.show_bytes(outcome)
            self._stack.setCurrentWidget(self.file)
        else:
            self._show(outcome.masked)

    def _show(self, body: bytes) -> None:
        if (
            self._body is None
        ):  # a body that was not JSON was shown as text: go back to what the user had chosen
            self.json.show_as(self._mode)
        self._body = body
        self.json.show_bytes(body, self.outcome.operation.title if self.outcome else "")
        self._stack.setCurrentWidget(self.json)

    def _set_text(self, text: str) -> None:
        if self._body is not None:
            self._mode = self.json.mode
        self._body = None
        self.json.clear()
        self.empty.setText(text)
        self._stack.setCurrentWidget(self.empty)

    @property
    def shown(self) -> bytes | None:
        """The body as it is shown, masked or not; None when none is shown."""
        return self._body

    def _reveal(self, on: bool) -> None:
        outcome = self.outcome
        self.hidden.say(on)
        if outcome is not None and outcome.hides and not outcome.is_bytes:
            self._show(outcome.body if on else outcome.masked)


class AnswerFile(QWidget):
    """An answer that is a file: it can be saved exactly as received, or opened in the system's viewer."""

    def __init__(self) -> None:
        super().__init__()
        self._body = b""
        self._ending = "bin"
        self._folders: list[tempfile.TemporaryDirectory[str]] = []
        folders = self._folders
        # When `destroyed` is emitted, self is half destroyed: use only the plain list.
        self.destroyed.connect(lambda: _forget(folders))
        self.what = PlainLabel(role="heading")
        self.odd = PlainLabel(role="caution", wrap=True)
        self.save = QPushButton("Save…")
        self.open_ = push_button("Open", tip="In the system's own viewer, as a file that only you can read")
        self.said = PlainLabel(role="muted", wrap=True)
        what = (self.what, Qt.AlignmentFlag.AlignLeft)
        buttons = row(self.save, self.open_, STRETCH, spacing=8)
        column(what, self.odd, buttons, self.said, STRETCH, of=self, margins=12, spacing=8)
        self.save.clicked.connect(self._ask)
        self.open_.clicked.connect(lambda _: self.open())

    def show_bytes(self, outcome: Outcome) -> None:
        """Show an answer's bytes: their kind and size, and a note where the service names another type."""
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
        """Write the answer's bytes to ``path``, exactly as received; on failure no file is left."""
        try:
            write_whole(path, self._body)
        except OSError as error:
            self.said.setText(f"It could not be saved: {error.strerror or 'the system refused'}")
        else:
            self.said.setText(f"Saved as {path.name}")

    def open(self) -> None:
        """Open it in the system's viewer, from a private temporary folder that is removed with the page."""
        try:
            # A new folder each time: a viewer may still hold the file that was opened before.
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


class _Hidden(QFrame):
    """One line: that secrets are hidden, and the button that shows them."""

    def __init__(self) -> None:
        super().__init__()
        dressed(self, bar="tools")
        self._label = PlainLabel(elide=True, role="muted")
        self.button = push_button("Show secrets", kind="link", checkable=True)
        row((self._label, 1), self.button, of=self, margins=(12, 4, 8, 4), spacing=-1)
        self.say(False)

    def say(self, shown: bool) -> None:
        """Show whether secrets are visible."""
        self._label.setText(
            "Secrets of the response are shown" if shown else "Secrets of the response are hidden"
        )
        self.button.setText("Hide secrets" if shown else "Show secrets")
        self.button.show()

    def show_cut(self) -> None:
        """Show that the log has only the beginning of the body."""
        self._label.setText("Only the beginning of the response was kept")
        self.button.hide()
        self.show()


class _Link(QFrame):
    """A link that is a credential: masked at first. It can be copied unseen, or shown."""

    def __init__(self) -> None:
        super().__init__()
        dressed(self, bar="tools")
        self._url = ""
        self.line = QLineEdit(readOnly=True)
        self.line.setProperty("mono", "true")
        self.line.setAccessibleName("The link")
        self.copy = QPushButton("Copy link")
        self.reveal = push_button("Reveal", checkable=True)
        row((self.line, 1), self.reveal, self.copy, of=self, margins=(12, 8, 12, 8), spacing=8)
        self.copy.clicked.connect(lambda _: copy_text(self._url, "link"))
        self.reveal.toggled.connect(self._show)

    def show_link(self, url: str) -> None:
        """Show a link, masked."""
        self._url = url
        self.reveal.setChecked(False)
        self._show(False)

    def _show(self, on: bool) -> None:
        self.line.setText(visible(self._url) if on else masked_link(self._url) if self._url else "")
        self.line.setCursorPosition(0)
        self.reveal.setText("Hide" if on else "Reveal")
