"""The page *Interface*: what was read out of a document of a service, corrected, tried and saved as a pack.

Documents are strangers' text: it is shown as plain text, nothing in it is followed, and its addresses are proposals.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QPlainTextEdit, QSizePolicy, QTabBar, QWidget

from explorer.catalog import interfaces
from explorer.catalog.spec import Listing, Resource
from explorer.openapi.interface import listing_of
from explorer.openapi.kept import KeptInterfaces
from explorer.openapi.load import DocumentFault
from explorer.ui.kit.actions import Command
from explorer.ui.kit.ask_file import ask_to_open
from explorer.ui.kit.banner import Banner
from explorer.ui.kit.check_buttons import CheckBox
from explorer.ui.kit.clipboard import copy_text
from explorer.ui.kit.columns import Column
from explorer.ui.kit.folding_bar import FoldingBar
from explorer.ui.kit.layout import STRETCH, Part, bar, column, push_button, row, scrolled, split
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.rows_tree import RowsTree, RowsTreeModel
from explorer.ui.page import Page, PageContext
from explorer.ui.pages.interface.first_page import Tried, not_there, try_list
from explorer.ui.pages.interface.interface_state import (
    SERVICE,
    Draft,
    Line,
    draft_of_file,
    draft_of_kept,
    saved,
    without_place,
)
from explorer.ui.pages.interface.list_panels import FirstPageCard, SettingsGrid, fill_card
from explorer.words import count
from explorer.work import in_thread

_FILES = "OpenAPI documents (*.json *.yaml *.yml);;All files (*)"
_ADDRESS = re.compile(r"https?://[^\s{}@]+")
"""What can be proposed as a profile's address: whole, without a variable or a password in it."""
_NARROW = 1000
"""Pixels of the page below which the pack stands behind the first page, as a tab."""
_LOW = 540
"""Pixels of the page below which settings, first page and pack are tabs, each with all of the height."""
_LEAST_ORIGIN = 180
"""Pixels of the document's name that buttons move into the menu to keep."""
_LIST = 330
"""Pixels of the lists, of which a title has what the badges leave."""
_SETTINGS, _FIRST, _PACK = range(3)
"""The places of the tabs."""
_COLUMNS = (
    Column[Line](
        "List",
        lambda one: one.title,
        lambda one: "text" if one.included else "muted",
        spoken=lambda one: one.spoken,
    ),
    Column[Line]("Guessed", lambda one: "guessed" if one.guessed else "", "caution", width=78),
    Column[Line]("Paging", lambda one: one.kind, "plain", width=64),
)


class InterfacePage(Page):
    """Shows one document at a time: that of the profile's interface, or one that was chosen or dropped here."""

    def __init__(self, resource: Resource, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(resource, context, parent)
        self.kept = KeptInterfaces(self.session.folders.config)
        self.draft: Draft | None = None
        self.chosen = SERVICE
        self.tried: dict[str, Tried] = {}
        self._placed: tuple[bool, bool] | None = None
        """Whether it is narrow, and low."""
        self._sure: Path | None = None
        """The document that takes the place of what was not saved, if it is chosen once more."""
        self.setAcceptDrops(True)
        self._make_head()
        self._make_list()
        self._make_panels()
        self.banner = Banner("fails", closable=True)
        self.banner.hide()
        left = QWidget()
        column(bar(self.search), (self.tree, 1), of=left)
        right = QWidget()
        self._right = column(self.list_head, (self.area, 2), self.which, (self.panels, 1), of=right)
        self.body_ = split(Qt.Orientation.Horizontal, (left, _LIST), (right, 860), shares=(0, 1))
        column(self.head, self.counts, self.banner, (self.body_, 1), (self.empty, 1), of=self)
        self._show()
        name, unsaved = self.session.profile.interface, context.drafts.get(resource.key)
        if unsaved is not None:
            self._take(unsaved)
        elif name and self.kept.get(name) is not None:
            self._read(partial(draft_of_kept, self.kept, name))

    def _make_head(self) -> None:
        self.title_, self.origin = (
            PlainLabel("Interface", role="title"),
            PlainLabel("", role="path", elide=True),
        )
        self.other = push_button("Import another…")
        self.builtin = push_button("Use the built-in one…")
        self.builtin.setToolTip(
            tooltip("Its calls are those of the built-in interface, which knows more of them")
        )
        self.use = push_button("Use in a new profile…")
        self.save = push_button("Save pack", kind="primary")
        self.head = FoldingBar()
        self.head.folds += [self.other, self.builtin, self.use]
        in_head: list[Part] = [self.title_, (self.origin, 1), *self.head.folds, self.head.more, self.save]
        self.head.fill(*in_head, label=self.origin, least=_LEAST_ORIGIN, margins=(12, 6, 12, 6))
        self.found, self.paged = PlainLabel("", role="heading"), PlainLabel("", role="muted", elide=True)
        self.guessed = PlainLabel("", role="caution")
        self.next = push_button("Next guessed one  F8", kind="link", name="Next guessed one")
        self.next.setFocusPolicy(
            Qt.FocusPolicy.TabFocus
        )  # a click must not take the place that it goes on from
        self.counts = bar(self.found, (self.paged, 1), self.guessed, self.next)
        self.other.clicked.connect(self.choose_file)
        self.builtin.clicked.connect(self.use_builtin)
        self.use.clicked.connect(self.use_in_profile)
        self.save.clicked.connect(self.save_pack)
        self.next.clicked.connect(self.next_guess)
        choose = push_button("Choose a file…", kind="primary")
        choose.clicked.connect(self.choose_file)
        built_in = interfaces.registry_of().interface.title
        self.reading = PlainLabel("", role="muted")
        words = (
            PlainLabel("Drop an OpenAPI document here, or choose one", role="title"),
            PlainLabel(
                "OpenAPI 3.0 or 3.1, as JSON or YAML. It is read here, and nothing is sent.", role="muted"
            ),
            PlainLabel(f"This profile uses {self.session.registry.interface.title}.", role="muted"),
            PlainLabel(f"Built in: {built_in}", role="faint"),
        )
        middle = Qt.AlignmentFlag.AlignHCenter
        self.empty = QFrame()
        parts = [
            STRETCH,
            *((one, middle) for one in words),
            (choose, middle),
            (self.reading, middle),
            STRETCH,
        ]
        column(*parts, of=self.empty, margins=24, spacing=8)

    def _make_list(self) -> None:
        self.search = QLineEdit()
        self.search.setAccessibleName("Find a list")
        self.search.textChanged.connect(lambda _: self._show_list())
        self.model = RowsTreeModel[Line](_COLUMNS)
        self.tree = RowsTree(self.model, "Lists of the document")
        self.tree.chosen.connect(self._chosen)
        self.list_title, self.list_path = (
            PlainLabel("", role="heading"),
            PlainLabel("", role="path", elide=True),
        )
        self.included = CheckBox("Include this list")
        self.included.clicked.connect(lambda on: self._change(lambda draft: draft.include(self.chosen, on)))
        self.try_ = push_button("Try first page")
        self.try_.clicked.connect(self.try_first_page)
        self.list_head = bar(self.list_title, (self.list_path, 1), self.included, self.try_)
        self.settings = SettingsGrid(self._odd)
        self.settings.edited.connect(self._edited)
        self.settings.kept.connect(lambda topic: self._change(lambda draft: draft.keep(self.chosen, topic)))
        self.settings.put_back.connect(
            lambda topic: self._change(lambda draft: draft.put_back(self.chosen, topic))
        )
        self.area = scrolled(self.settings)
        self.area.setFrameShape(QFrame.Shape.NoFrame)

    def _make_panels(self) -> None:
        self.first = FirstPageCard()
        self.pack_said = PlainLabel("", role="muted", wrap=True)
        self.pack_text = QPlainTextEdit(readOnly=True)
        self.pack_text.setProperty("mono", True)
        self.pack_text.setAccessibleName("Pack")
        # Its own wish would take the room of the settings.
        self.pack_text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        copy = push_button("Copy", kind="link", name="Copy the pack")
        copy.clicked.connect(lambda: copy_text(self.pack_text.toPlainText(), "pack"))
        heading = row(PlainLabel("Pack", role="heading"), STRETCH, copy)
        self.pack_card = QFrame()
        fill_card(self.pack_card, heading, (self.pack_text, 1), self.pack_said)
        self.which = QTabBar(expanding=False, drawBase=False)
        self.which.setAccessibleName("Settings, first page or pack")
        for words in ("Settings", "First page", "Pack"):
            self.which.addTab(words)
        self.which.setCurrentIndex(_SETTINGS)
        self.which.currentChanged.connect(lambda _: self._place())
        self.panels = QFrame()
        self.panels.setProperty("ground", "window")
        beside = row((self.first, 3), (self.pack_card, 2), spacing=12)
        column((beside, 1), of=self.panels, margins=12)

    # ---------------------------------------------------------------- the window's side

    @property
    def status_text(self) -> str:
        if self.draft is None:
            return ""
        said = [
            self.draft.summary[0],
            self.draft.guessed_words,
            "pack not saved" if self.draft.is_changed else "",
        ]
        return "  ·  ".join(filter(None, said))

    @property
    def unfinished(self) -> str:
        draft = self.draft
        return (
            "The pack is not saved." if draft is not None and dict(draft.lines) != dict(draft.saved) else ""
        )

    def commands(self) -> list[tuple[Command, Callable[[], object]]]:
        return [
            (Command("interface.next", "Next guessed setting", "F8", group="Request"), self.next_guess),
            (Command("interface.try", "Try first page", group="Request"), self.try_first_page),
            (Command("interface.save", "Save pack", group="Request"), self.save_pack),
        ]

    def report(self, error: BaseException) -> None:
        """A document that cannot be read is said here; anything else as a notice."""
        self.reading.setText("")
        if not isinstance(error, DocumentFault | OSError):
            super().report(error)
            return
        said = error.strerror or "it cannot be read" if isinstance(error, OSError) else str(error)
        self.banner.show_("fails", "Not read", said)
        self.banner.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        narrow, low = self.width() < _NARROW, self.height() < _LOW
        if (narrow, low) != self._placed:
            if self._placed is None or narrow != self._placed[0]:
                self.body_.setSizes([320 if narrow else _LIST, max(self.width() - _LIST, 1)])
            self._placed = narrow, low
            self.which.setVisible(narrow or low)
            self.which.setTabVisible(_SETTINGS, low)
            self._right.removeWidget(self.which)
            self._right.insertWidget(1 if low else 2, self.which)
        front = self.which.currentIndex() if narrow or low else None
        self.area.setVisible(not low or front == _SETTINGS)
        self.panels.setVisible(not low or front != _SETTINGS)
        self.first.setVisible(front in (None, _FIRST))
        self.pack_card.setVisible(front in (None, _PACK))

    def _turn_to(self, place: int) -> None:
        """Bring what is wanted to the front, where it is a tab."""
        if place != _SETTINGS or self.which.isTabVisible(_SETTINGS):
            self.which.setCurrentIndex(place)

    # ---------------------------------------------------------------- the document

    def choose_file(self) -> None:
        """Ask for a document and read it."""
        ask_to_open(self, "Import an interface", _FILES, self.read_file)

    def read_file(self, path: Path) -> None:
        """Read a document; what is shown stays until it is read. What was not saved is asked about once."""
        if self.unfinished and self._sure != path:
            self._sure = path
            said = "Save it, or choose the document again to discard what was set."
            self.banner.show_("caution", "The pack is not saved", said)
            self.banner.show()
            return
        self._read(partial(draft_of_file, path))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = _dropped(event)
        if path is not None:
            event.acceptProposedAction()
            self.read_file(path)

    def _read(self, reader: Callable[[], Draft]) -> None:
        self.banner.hide()
        self.reading.setText("Reading…")
        self.tasks.start("read", in_thread(reader), done=self._take)

    def _take(self, draft: Draft) -> None:
        self.reading.setText("")
        self.draft, self.tried = draft, {}
        lists = [line for group in draft.groups() for line in group.lines]
        self.chosen = next((line.key for line in lists if line.key), SERVICE)
        self._show()
        self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    # ---------------------------------------------------------------- settings

    def _change(self, how: Callable[[Draft], Draft]) -> None:
        if self.draft is not None:
            self.draft = how(self.draft)
            self._show()

    def _edited(self, name: str, text: str) -> None:
        try:
            self._change(lambda draft: draft.changed(self.chosen, name, text))
        except DocumentFault as fault:
            self.settings.show_fault(name, without_place(fault))

    def _odd(self, name: str, text: str) -> str:
        """That a path is not in the answer that was tried, while it is being typed."""
        tried = self.tried.get(self.chosen)
        if tried is None or name not in ("rows", "next"):
            return ""
        return not_there(text.strip(), tried.arrays if name == "rows" else tried.paths)

    def next_guess(self) -> None:
        """Go to the next setting that nothing in the document says."""
        if self.draft is None:
            return
        focus = next((n for n, line in self.settings.lines.items() if line.editor.hasFocus()), "")
        found = self.draft.next_guess(self.chosen, focus)
        if found is not None:
            self.search.clear()
            self.tree.choose(self.model.first(lambda line: line.key == found[0]))
            self._turn_to(_SETTINGS)
            self.settings.focus_on(found[1])
            # Not now: another list's settings have no place before the loop has laid them out.
            field = self.settings.lines[found[1]].box
            QTimer.singleShot(0, self, partial(self.area.ensureWidgetVisible, field))

    def _chosen(self, line: Line | None) -> None:
        if line is not None and line.key != self.chosen:
            self.chosen = line.key
            self._show_settings()

    # ---------------------------------------------------------------- trying

    def try_first_page(self) -> None:
        """Read the list as it is set, three times at most; pressed again, stop."""
        if self.tasks.busy("try"):
            self.tasks.cancel("try")
            self._show_settings()
        elif self.draft is not None and not self._why_not_tried():
            self.tasks.start("try", self._try(self.draft, self.chosen), done=self._has_tried)
            self._turn_to(_FIRST)
            self._show_settings()

    async def _try(self, draft: Draft, key: str) -> tuple[Draft, str, Tried]:
        listing: Listing | None = await in_thread(listing_of, draft.proposal, key)
        if listing is None:
            why = "Its rows or its next page are not known: say where they are."
            return draft, key, Tried(fault=("Not tried", why))
        return draft, key, await try_list(listing, self.session.send)

    def _has_tried(self, found: tuple[Draft, str, Tried]) -> None:
        draft, key, tried = found
        if self.draft is not None and draft.base is self.draft.base:
            self.tried[key] = tried
        self._show_settings()

    def _why_not_tried(self) -> str:
        draft = self.draft
        if draft is None or self.chosen == SERVICE:
            return "Choose a list"
        if not draft.name or draft.name != self.session.profile.interface:
            return "Open a profile of this interface to try it"
        if draft.sends_otherwise:
            return "Save the pack first: key and connection are sent as it was last saved"
        return "" if draft.includes(self.chosen) else "This list is left out"

    # ---------------------------------------------------------------- saving

    def save_pack(self) -> None:
        """Write the pack; the profile's sidebar then shows these lists. A document that is new here is added."""
        if self.draft is not None and not self.draft.lacks and self.draft.is_changed:
            self.tasks.start(
                "save", in_thread(saved, self.kept, self.draft, with_pack=True), done=self._saved
            )

    def _saved(self, draft: Draft) -> None:
        self.draft = draft
        self._show()
        elsewhere = self.context.elsewhere
        if draft.name == self.session.profile.interface and elsewhere is not None:
            elsewhere.switch_connection(self.session.connection)  # which opens it again, with these lists

    def use_in_profile(self) -> None:
        """Add the document as it is, and open the form of a new profile for it."""
        if self.draft is not None:
            work = in_thread(saved, self.kept, self.draft, with_pack=not self.draft.lacks)
            self.tasks.start("save", work, done=self._use)

    def _use(self, draft: Draft) -> None:
        self.draft = draft
        self._show()
        self._propose(draft.name)

    def use_builtin(self) -> None:
        """Open the form of a new profile of the built-in interface, at the address that the document proposes."""
        self._propose("")

    def _propose(self, interface: str) -> None:
        if self.context.elsewhere is not None and self.draft is not None:
            proposal = self.draft.proposal
            whole = (one for one in proposal.servers if _ADDRESS.fullmatch(one))
            self.context.elsewhere.new_profile(interface, next(whole, ""), proposal.title)

    # ---------------------------------------------------------------- what is shown

    def _show(self) -> None:
        draft = self.draft
        for part in (self.counts, self.body_, self.save):
            part.setVisible(draft is not None)
        self.empty.setVisible(draft is None)
        for button in (self.other, self.use):
            self.head.offer(button, draft is not None)
        self.head.offer(self.builtin, draft is not None and draft.is_builtin)
        if draft is None:
            return
        self.context.drafts[self.resource.key] = draft if draft.is_changed else None
        self.origin.setText(f"{draft.base.title} {draft.base.version} · {Path(draft.origin).name}")
        self.found.setText(draft.summary[0])
        self.paged.setText(draft.summary[1])
        self.guessed.setText(draft.summary[2])
        self.next.setVisible(bool(draft.summary[2]))
        self.save.setEnabled(draft.is_changed and not draft.lacks)
        self.save.setToolTip(tooltip(draft.lacks or ("" if draft.is_changed else "The pack is saved")))
        self.search.setPlaceholderText(f"Find in {draft.summary[0].removesuffix(' found')}…")
        pack = draft.pack
        self.pack_text.setPlainText(pack or "# Everything as the document says")
        self.pack_said.setText(draft.lacks or _pack_words(draft))
        self.status.emit(self.status_text)
        self._show_list()
        self._show_settings()

    def _show_list(self) -> None:
        if self.draft is not None:
            blocked = self.tree.blockSignals(True)
            self.tree.show_headings(self.draft.groups(self.search.text()))
            found = self.model.first(lambda line: line.key == self.chosen)
            if found.isValid():
                self.tree.choose(found)
            self.tree.blockSignals(blocked)

    def _show_settings(self) -> None:
        draft, key = self.draft, self.chosen
        if draft is None:
            return
        line = next((one for group in draft.groups() for one in group.lines if one.key == key), None)
        self.list_title.setText(line.title if line is not None else "")
        self.list_path.setText(key)
        for part in (self.included, self.try_):
            part.setVisible(key != SERVICE)
        self.included.setChecked(draft.includes(key))
        busy, why = self.tasks.busy("try"), self._why_not_tried()
        self.try_.setText("Stop" if busy else "Try first page")
        self.try_.setEnabled(busy or not why)
        self.try_.setToolTip(tooltip(why))
        self.settings.show_settings(draft.settings(key))
        self.first.show_tried(self.tried.get(key), "Trying…" if busy else "", why)


def _pack_words(draft: Draft) -> str:
    said = f"{count(len(draft.pack.splitlines()), 'line')}, no keys inside."
    if draft.is_changed:
        return f"{said} Not saved yet. Save pack writes it to the profiles' folder; the sidebar then shows these lists."
    return f"{said} Saved."


def _dropped(event: QDropEvent) -> Path | None:
    """The one file that is dropped; None for anything else."""
    urls = event.mimeData().urls()
    return Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None
