"""The tab Saved of the page of snapshots: keep a pull under a name, rename or delete a snapshot, hand on its file."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QFrame,
    QInputDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPushButton,
    QWidget,
)

from explorer import words
from explorer.profiles.profile import Profile
from explorer.quality.compare.names import AtHand, at_hand, of_others
from explorer.quality.compare.rows import Wanted
from explorer.quality.compare.snapshot_file import SUFFIX
from explorer.quality.compare.snapshots import NAME_LENGTH, free_name
from explorer.session import Snapshot
from explorer.ui.kit.ask_file import FileAsk, ask_to_open
from explorer.ui.kit.columns import Column
from explorer.ui.kit.layout import column, push_button, row
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.rows_table import RowsModel, RowsTable
from explorer.ui.pages.snapshots.compare_choice import Comparable, list_title
from explorer.ui.pages.snapshots.snapshots_work import KEEP, TabContext
from explorer.work import cancellable, in_thread, to_end

_NONE = (
    "No snapshot is kept yet. A snapshot is the state of a list under a name: it stays when the list "
    "is reloaded, so that later states can be compared with it. Load a list, then choose Keep a "
    "list…, above on the right."
)
_NAME_WIDTH = 360
"""Pixels at 100 %: wide enough to show a proposed name whole."""
Others = Sequence[tuple[Profile, Snapshot | AtHand]]
Look = tuple[Sequence[Snapshot], Sequence[str], Sequence[AtHand], Others]
"""The snapshots, a sentence for each file that cannot be read, the stored pulls, and both of other profiles."""
_FORMS = f"Snapshots (*{SUFFIX})"


def _state(one: Snapshot) -> str:
    return "complete" if one.info.state == "complete" else "not to its end"


def _exactly(one: Snapshot) -> str:
    return one.kept_at.astimezone().strftime("%Y-%m-%d %H:%M:%S")


_COLUMNS: tuple[Column[Snapshot], ...] = (
    Column("Name", lambda s: s.name, share=6),
    Column("List", lambda s: list_title(Comparable(s).about), share=3),
    Column("Connection", lambda s: s.info.key.connection, "mono", share=4),
    Column("Rows", lambda s: f"{s.info.rows:,}", "number", share=2),
    Column("State", _state, "muted", share=4),
    Column("Saved", lambda s: words.relative(s.kept_at), "muted", _exactly, share=4),
    Column("On disk", lambda s: words.size(s.size), "number", share=2, spare=True),
)


class SavedTab(QWidget):
    """The list of snapshots, with the dialogs to keep, rename and delete one. Enter or a double click chooses a
    snapshot as Before.
    """

    taken = Signal(object)
    changed = Signal(str)
    """The snapshots changed. Carries the key of one that was kept just now, or an empty text."""

    def __init__(self, ground: TabContext) -> None:
        super().__init__()
        self._ground = ground
        self.known: Sequence[Snapshot] = ()
        self.pulls: Sequence[AtHand] = ()
        self.others: Others = ()
        self.button = push_button("Keep a list…", name="Keep a list as a snapshot")
        self._menu = QMenu("Keep as a snapshot", ground.page)
        self.button.setMenu(self._menu)
        self.model = RowsModel(_COLUMNS)
        self.table = RowsTable(self.model, "Snapshots, newest first")
        self.empty = PlainLabel(_NONE, role="muted", wrap=True)
        self.empty.setContentsMargins(12, 16, 12, 16)
        self.said = PlainLabel("", role="caution", wrap=True)
        self.add, self.export = QPushButton("Add from a file…"), QPushButton("Save to a file…")
        self.add.setAccessibleName("Add a snapshot from a file")
        self.add.clicked.connect(lambda _: self.ask_add())
        self.export.setAccessibleName("Save the chosen snapshot to a file")
        self.export.clicked.connect(partial(self._ask, self.ask_export))
        self.rename, self.delete = QPushButton("Rename…"), QPushButton("Delete…")
        self.rename.setAccessibleName("Rename the chosen snapshot")
        self.delete.setAccessibleName("Delete the chosen snapshot")
        self.delete.setProperty("kind", "danger")
        foot = QFrame()
        buttons = (self.add, self.export, self.rename, self.delete)
        row((self.said, 1), *buttons, of=foot, margins=(12, 6, 12, 6), spacing=-1)
        column(self.empty, (self.table, 1), foot, (None, 0), of=self)
        self.table.taken.connect(lambda place: self.taken.emit(self.model.rows[place]))
        self.table.chosen.connect(lambda _: self._say_buttons())
        for button, key, ask in ((self.rename, "F2", self.ask_rename), (self.delete, "Del", self.ask_delete)):
            button.clicked.connect(partial(self._ask, ask))
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(partial(self._ask, ask))
        self._show(())

    def read(self) -> Look:
        """Read which snapshots and pulls there are. For a worker thread."""
        kept, wrong = self._ground.snapshots.all()
        folders, profile = self._ground.folders, self._ground.profile
        return kept, wrong, at_hand(folders, profile), of_others(folders, profile)

    def show_found(self, found: Look) -> None:
        """Show what `read` returned."""
        self.known, wrong, self.pulls, self.others = found
        self._show(wrong)
        self._menu.clear()
        for one in self.pulls:
            title = f"{Comparable(one).title}: {words.count(one.info.rows, 'row')}"
            self._menu.addAction(visible(title).replace("&", "&&"), partial(self.ask_keep, one))
        self.button.setEnabled(bool(self.pulls))

    def _show(self, wrong: Sequence[str]) -> None:
        self.table.show_rows(self.known, lambda one, other: one.id == other.id)
        self.empty.setVisible(not self.known)
        self.table.setVisible(bool(self.known))
        self.said.setText(" ".join(wrong))
        self._say_buttons()

    def choose(self, key: str) -> None:
        """Select the snapshot of that key, if there is one."""
        place = self.model.first(lambda one: Comparable(one).key == key)
        if place >= 0:
            self.table.setCurrentIndex(self.model.index(place, 0))

    def _say_buttons(self) -> None:
        for button in (self.export, self.rename, self.delete):
            button.setVisible(bool(self.model.rows))
            button.setEnabled(self.table.row() is not None)

    def _ask(self, ask: Callable[[Snapshot], object], *_: object) -> None:
        chosen: Snapshot | None = self.table.row()
        if chosen is not None:
            ask(chosen)

    # ---------------------------------------------------------------- keeping

    def ask_keep_list(self, resource: str, connection: str) -> None:
        """Ask for a name, then keep the newest stored rows of that list and connection."""
        for one in self.pulls:
            if (one.info.key.resource, one.info.key.connection) == (resource, connection):
                self.ask_keep(one)
                return
        self._ground.notices.tell("caution", "Nothing to keep", "The list has no loaded rows yet.")

    def ask_keep(self, one: AtHand) -> QInputDialog:
        """Ask for a name, then keep those rows."""
        about = Comparable(one).about
        proposed = f"{list_title(about)} {about.updated_at.astimezone():%Y-%m-%d %H:%M}"
        name = free_name(proposed, {snapshot.name for snapshot in self.known})
        return self._ask_name("Keep as a snapshot", "Keep", name, partial(self.keep, one))

    def keep(self, one: AtHand, name: str) -> None:
        """Keep the rows of ``one`` under ``name``."""
        self._keep(in_thread(self._ground.snapshots.keep, name, one.info))

    def _keep(self, work: Coroutine[Any, Any, Snapshot]) -> None:
        def done(made: Snapshot) -> None:
            kept = f"{made.name}: {words.count(made.info.rows, 'row')}"
            self._ground.notices.tell("holds", "The snapshot is kept", kept)
            self.changed.emit(Comparable(made).key)

        self._ground.tasks.start(KEEP, work, done=done)

    # ---------------------------------------------------------------- files

    def ask_add(self) -> QFileDialog:
        """Ask for a file with a snapshot, then add it."""
        return ask_to_open(self._ground.page, "Add a snapshot", _FORMS, self.add_file)

    def add_file(self, path: Path) -> None:
        """Add the snapshot in a file."""
        self._keep(to_end(self._ground.snapshots.add, path))

    def ask_export(self, one: Snapshot) -> None:
        """Ask for a file, then write the snapshot to it."""
        name = re.sub(r"[^\w .-]", "-", one.name) + SUFFIX
        FileAsk(self._ground.page, "Save the snapshot", _FORMS, name, partial(self.export_to, one)).open()

    def export_to(self, one: Snapshot, path: Path) -> None:
        """Write the snapshot to a file, to hand it on."""
        ground = self._ground

        def work(wanted: Wanted) -> Snapshot:
            tell = ground.counter(f"Saving {one.name}", one.info.rows)
            return ground.snapshots.export(one.name, path, wanted, tell)

        def done(made: Snapshot) -> None:
            ground.notices.tell("holds", "The snapshot was saved", f"{made.name} to {path.name}")

        ground.tasks.start(KEEP, cancellable(work), done=done)

    # ---------------------------------------------------------------- renaming and deleting

    def ask_rename(self, one: Snapshot) -> QInputDialog:
        """Ask for another name, then rename the snapshot."""

        def rename(name: str) -> None:
            work = in_thread(self._ground.snapshots.rename, one.name, name)
            self._ground.tasks.start("rename", work, done=lambda _: self.changed.emit(""))

        return self._ask_name("Rename the snapshot", "Rename", one.name, rename)

    def ask_delete(self, one: Snapshot) -> QMessageBox:
        """Ask before a snapshot is deleted for good."""
        box = QMessageBox(self._ground.page)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle("Delete the snapshot")
        box.setIcon(QMessageBox.Icon.Warning)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(f"Delete {visible(one.name)}?")
        box.setInformativeText(f"{words.count(one.info.rows, 'row')} cannot be restored.")
        yes = box.addButton("Delete", QMessageBox.ButtonRole.DestructiveRole)
        no = box.addButton("Keep it", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(no)
        box.setEscapeButton(no)

        def delete() -> None:
            work = in_thread(self._ground.snapshots.delete, one.name)
            self._ground.tasks.start("delete", work, done=lambda _: self.changed.emit(""))

        yes.clicked.connect(delete)
        box.open()
        return box

    def _ask_name(self, title: str, do: str, name: str, then: Callable[[str], object]) -> QInputDialog:
        dialog = QInputDialog(self._ground.page)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(title)
        dialog.setLabelText(f"Name, at most {NAME_LENGTH} characters")
        dialog.setTextValue(name)
        dialog.setOkButtonText(do)
        for line in dialog.findChildren(QLineEdit):
            line.setMaxLength(NAME_LENGTH)
            line.setMinimumWidth(_NAME_WIDTH)
            line.setAccessibleName("Name")
        dialog.textValueSelected.connect(then)
        dialog.open()
        for box in dialog.findChildren(QDialogButtonBox):  # made when it opens
            yes = box.button(QDialogButtonBox.StandardButton.Ok)
            dialog.textValueChanged.connect(lambda text, yes=yes: yes.setEnabled(bool(text.strip())))
        return dialog
