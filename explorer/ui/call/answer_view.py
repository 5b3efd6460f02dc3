"""What came back: JSON as a tree, a link masked, bytes by their size and to be saved. Secrets are hidden at first."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.ui.call.answer_file import AnswerFile
from explorer.ui.call.answer_outcome import Outcome, masked_link
from explorer.ui.kit.json_view import JsonView
from explorer.ui.kit.plain import PlainLabel, visible


class AnswerView(QWidget):
    """Shows the last outcome of a call, or says that there is none yet."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.link)
        box.addWidget(self.hidden)
        box.addWidget(self._stack, 1)
        self.hidden.button.toggled.connect(self._reveal)
        self.clear()

    def clear(self, words_: str = "Nothing was sent yet. The response will appear here.") -> None:
        """Show no answer, and say so."""
        self.outcome = None
        self.link.hide()
        self.hidden.hide()
        self._set_text(words_)

    def show_outcome(self, outcome: Outcome) -> None:
        """Show what came back; whatever was revealed before is hidden again."""
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
        if self._body is None:  # what is no JSON turned it to text: back to what the user had chosen
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
        """The body as it is shown now, masked or not; None when none is shown."""
        return self._body

    def _reveal(self, on: bool) -> None:
        outcome = self.outcome
        self.hidden.say(on)
        if outcome is not None and outcome.hides and not outcome.is_bytes:
            self._show(outcome.body if on else outcome.masked)


class _Hidden(QFrame):
    """One line: that secrets are hidden, and the button that shows them."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("bar", "tools")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._label = PlainLabel(elide=True, role="muted")
        self.button = QPushButton("Show secrets")
        self.button.setCheckable(True)
        self.button.setProperty("kind", "link")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 8, 4)
        row.addWidget(self._label, 1)
        row.addWidget(self.button)
        self.say(False)

    def say(self, shown: bool) -> None:
        """Say whether secrets are on the screen."""
        self._label.setText(
            "Secrets of the response are shown" if shown else "Secrets of the response are hidden"
        )
        self.button.setText("Hide secrets" if shown else "Show secrets")
        self.button.show()

    def show_cut(self) -> None:
        """Say that the log kept only a part."""
        self._label.setText("Only the beginning of the response was kept")
        self.button.hide()
        self.show()


class _Link(QFrame):
    """A link that is a credential: masked, to be copied without being seen, or shown on wish."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("bar", "tools")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._url = ""
        self.line = QLineEdit(readOnly=True)
        self.line.setProperty("mono", "true")
        self.line.setAccessibleName("The link")
        self.copy = QPushButton("Copy link")
        self.reveal = QPushButton("Reveal")
        self.reveal.setCheckable(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(8)
        row.addWidget(self.line, 1)
        row.addWidget(self.reveal)
        row.addWidget(self.copy)
        self.copy.clicked.connect(lambda _: QApplication.clipboard().setText(self._url))
        self.reveal.toggled.connect(self._show)

    def show_link(self, url: str) -> None:
        """Take a link, masked."""
        self._url = url
        self.reveal.setChecked(False)
        self._show(False)

    def _show(self, on: bool) -> None:
        self.line.setText(visible(self._url) if on else masked_link(self._url) if self._url else "")
        self.line.setCursorPosition(0)
        self.reveal.setText("Hide" if on else "Reveal")
