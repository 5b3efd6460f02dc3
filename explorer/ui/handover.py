"""Handing over a call, a finding or rows: the text of an issue as it will be, what was masked, and where it goes."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QCheckBox, QDialog, QPlainTextEdit, QPushButton, QWidget

from explorer.files import write_whole
from explorer.ui.kit.actions import Command
from explorer.ui.kit.ask_file import FileAsk
from explorer.ui.kit.clipboard import copy_text
from explorer.ui.kit.dialogs import press_on_enter, resize_within
from explorer.ui.kit.layout import STRETCH, column, push_button, row
from explorer.ui.kit.notices import Action, Notices
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import mono
from explorer.ui.page import PageContext
from explorer.words import count, listed

if TYPE_CHECKING:
    from explorer.quality.bundle.masking_kinds import Mask
    from explorer.quality.reports.issue import IssueText, Subject
    from explorer.session import Pull

HAND_OVER = Command("request.hand_over", "Hand this over…", "Ctrl+Shift+G", group="Request", section="copy")
"""Of whatever is in front: the chosen call, finding or rows."""
_WORDS = {"emails": "E-mail addresses", "phones": "Phone numbers", "names": "Names of people"}
Bundle = Callable[["Subject", Path, Sequence["Mask"]], object]


_ROWS = 200
"""The most rows that are read for a text, which quotes some of them."""


async def hand_over_rows(
    pieces: AsyncIterator[list[bytes]],
    of: int,
    pull: Pull,
    context: PageContext,
    parent: QWidget,
    field: str = "",
    among: str = "",
) -> HandOver:
    """Show the first of the chosen rows, ``of`` in all, as the text of an issue; ``field`` and ``among`` as of a
    `Subject`.
    """
    from explorer.quality.reports.issue import Subject
    from explorer.session.connection_client import secrets_of

    rows: list[bytes] = []
    async for piece in pieces:
        rows += piece
        if len(rows) >= _ROWS:
            break
    profile = context.session.profile
    params = [f"--param={name}={value}" for name, value in (*pull.query.items(), *pull.extra)]
    whom = (
        "--profile",
        profile.name,
        *(("--connection-id", profile.connection) if profile.connection else ()),
    )
    if at := profile.address_for_others:
        whom = ("--base-url", at, *whom[2:])
    command = ("unified-explorer", "pull", pull.listing.key, *whom, *params)
    where = ", ".join(filter(None, (pull.listing.key, profile.connection)))
    subject = Subject(rows=rows[:_ROWS], of=of, field=field, among=among, where=where, command=command)
    dialog = HandOver(subject, secrets_of(context.session), parent, notices=context.notices)
    dialog.open()
    return dialog


def show_in_folder(path: Path, notices: Notices) -> None:
    """Show the folder of a file in the system's file browser, or say where it is."""
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent))):
        notices.tell("info", f"The folder of {path.name}", str(path.parent))


def in_folder(path: Path, notices: Notices) -> Action:
    """The button of a notice that leads to the file."""
    return "Show in folder", lambda: show_in_folder(path, notices)


class MaskChoice(QWidget):
    """What to mask beside secrets: a box for each kind."""

    def __init__(self, ticked: object = None) -> None:
        """``ticked`` is a saved list of kinds; all are ticked where it is no list."""
        from explorer.quality.bundle.masking_kinds import Mask  # with the dialog, not at the program's start

        super().__init__()
        self.kinds = {mask: QCheckBox(_WORDS[mask]) for mask in Mask}
        for mask, box in self.kinds.items():
            box.setChecked(not isinstance(ticked, list) or mask in ticked)
            box.setAccessibleName(f"Mask {_WORDS[mask].lower()}")

    @property
    def masks(self) -> tuple[Mask, ...]:
        """The kinds that are ticked."""
        return tuple(mask for mask, box in self.kinds.items() if box.isChecked())


class HandOver(QDialog):
    """Shows the text, masked as chosen. It goes to the clipboard, to a file, or with its calls into a bundle."""

    def __init__(
        self,
        subject: Subject,
        secrets: Iterable[str],
        parent: QWidget | None = None,
        *,
        bundle: Bundle | None = None,
        whole: Subject | None = None,
        others: int = 0,
        notices: Notices | None = None,
    ) -> None:
        """``secrets``: the values known to be secret. ``bundle``: writes the subject's evidence; see `save_bundle`.

        ``notices``: where it says that a file is there.

        ``whole``: the subject with ``others``, the number of further findings of its result, which go out if ticked.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Hand this over")
        self._alone, self._whole = subject, whole
        self._secrets, self._bundle, self._notices = tuple(secrets), bundle, notices
        self.others = QCheckBox(f"With {count(others, 'other finding')} of the same check")
        self.others.setVisible(whole is not None)
        self.others.toggled.connect(lambda _: self._make())
        self._tasks = Tasks(self, lambda error: self.said.setText(f"The text could not be made: {error}"))
        self.made: IssueText | None = None
        """The text that is shown."""
        self.choice = MaskChoice()
        for box in self.choice.kinds.values():
            box.toggled.connect(self._make)
        self.hides = PlainLabel("", role="caution", wrap=True)
        self.show_hidden = push_button("Show it", kind="link", name="Show what this is about")
        self.show_hidden.clicked.connect(self._show_hidden)
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setFont(mono())
        self.text.setAccessibleName("The text as it will be handed over")
        self.text.setTabChangesFocus(True)
        self.said = PlainLabel("", role="muted", wrap=True)
        self.said.setAccessibleName("What was masked")
        self.copy = self._button("Copy", self.copy_text, primary=True)
        self.save = self._button("Save…", self.ask_file)
        self.zip = self._button("Save bundle…", self.ask_bundle)
        self.zip.setVisible(bundle is not None)
        self._build()
        resize_within(self, 760, 560)
        self._make()

    def _button(self, words: str, run: Callable[[], object], *, primary: bool = False) -> QPushButton:
        button = push_button(words, name=words)
        if primary:
            button.setProperty("kind", "primary")
        else:
            button.setAutoDefault(False)
        button.clicked.connect(lambda *_: run())
        return button

    def _build(self) -> None:
        boxes = row(PlainLabel("Mask also"), *self.choice.kinds.values(), STRETCH, spacing=12)
        close = self._button("Close", self.reject)
        foot = row((self.said, 1), close, self.zip, self.save, self.copy, spacing=8)
        hides = row((self.hides, 1), self.show_hidden, spacing=12)
        column(self.others, boxes, hides, (self.text, 1), foot, of=self, margins=16, spacing=10)
        press_on_enter(self.copy)

    # ---- the text

    @property
    def _subject(self) -> Subject:
        return self._whole if self._whole is not None and self.others.isChecked() else self._alone

    def _make(self) -> None:
        from explorer.quality.reports.issue import issue_text  # masking is imported with the first dialog

        subject = self._subject
        size = sum(map(len, subject.rows)) + (len(subject.call.response_body) if subject.call else 0)
        if subject.find_rows is not None:
            size = sys.maxsize  # the pages of the records are read again
        for button in (self.copy, self.save):
            button.setEnabled(False)
        given = (subject, self._secrets, self.choice.masks)
        self._tasks.give("text", size, issue_text, *given, done=self._show)

    def _show(self, made: IssueText) -> None:
        self.made = made
        self.text.setPlainText(made.text)
        self.said.setText(made.masked_words)
        kinds = listed([_WORDS[mask][:1].lower() + _WORDS[mask][1:] for mask in made.about])
        self.hides.setText(
            f"What this is about is masked: {kinds}. Whoever reads it does not see the defect."
        )
        for part in (self.hides, self.show_hidden):
            part.setVisible(bool(made.about))
        for button in (self.copy, self.save):
            button.setEnabled(True)

    def _show_hidden(self) -> None:
        """Mask no longer what hides the value that this is about."""
        for mask in self.made.about if self.made is not None else ():
            self.choice.kinds[mask].setChecked(False)

    # ---- where it goes

    def copy_text(self) -> None:
        """Put the text into the clipboard."""
        if self.made is not None:
            copy_text(self.made.text, "text of an issue")
            self.said.setText(f"Copied. {self.made.masked_words}")

    def ask_file(self) -> None:
        """Ask for a file for the text."""
        if self.made is not None:
            FileAsk(self, "Save the text", "Markdown (*.md)", f"{self.made.name}.md", self.write).open()

    def write(self, path: Path) -> None:
        """Write the text to ``path``, and close."""
        if self.made is None:
            return
        try:
            write_whole(path, self.made.text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            self.said.setText(f"Not saved: {error.strerror}")
            return
        if self._notices is not None:
            title = f"{path.name} was saved"
            said = f"in {path.parent}. {self.made.masked_words}"
            self._notices.tell("holds", title, said, in_folder(path, self._notices), stays=True)
        self.accept()

    def ask_bundle(self) -> None:
        """Ask for a file for the bundle, and close when one is chosen."""
        if self.made is None or self._bundle is None:
            return
        bundle, masks, subject = self._bundle, self.choice.masks, self._subject

        def save(path: Path) -> None:
            bundle(subject, path, masks)
            self.accept()

        FileAsk(self, "Save bundle", "Evidence bundle (*.zip)", f"{self.made.name}.zip", save).open()
