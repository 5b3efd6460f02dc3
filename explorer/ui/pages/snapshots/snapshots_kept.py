"""The tab Kept of the page of snapshots: keep the rows of a list under a name, give it another, delete it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialogButtonBox, QInputDialog, QLineEdit, QMenu, QMessageBox, QPushButton

from explorer.quality.compare.names import AtHand, at_hand
from explorer.quality.compare.rows import Wanted
from explorer.quality.compare.snapshot_file import Snapshot
from explorer.quality.compare.snapshots import NAME_LENGTH, free_name
from explorer.ui.kit.plain import visible
from explorer.ui.pages.snapshots.compare_choice import Kept, list_title
from explorer.ui.pages.snapshots.snapshot_list import SnapshotList
from explorer.ui.pages.snapshots.snapshots_work import KEEP, Ground, called_off_with
from explorer.work import in_thread

_NAME_WIDTH = 360
"""Pixels at 100 %: a name as it is proposed is seen whole."""
Look = tuple[Sequence[Snapshot], Sequence[str], Sequence[AtHand]]
"""What is kept, a sentence for each file that cannot be read, what is at hand."""


class KeptTab(QObject):
    """The list of what is kept, and what is asked before it changes."""

    changed = Signal(str)
    """Look again; with the key of what was kept just now, or nothing."""

    def __init__(self, ground: Ground) -> None:
        super().__init__(ground.page)
        self._ground = ground
        self.view = SnapshotList()
        self.known: Sequence[Snapshot] = ()
        self.pulls: Sequence[AtHand] = ()
        self.button = QPushButton("Keep a list…")
        self.button.setAccessibleName("Keep a list as a snapshot")
        self._menu = QMenu("Keep as a snapshot", ground.page)
        self.button.setMenu(self._menu)
        self.view.rename_wanted.connect(self.ask_rename)
        self.view.delete_wanted.connect(self.ask_delete)

    def read(self) -> Look:
        """What is kept and at hand by now; in a worker thread."""
        kept, wrong = self._ground.snapshots.all()
        return kept, wrong, at_hand(self._ground.folders, self._ground.profile)

    def show(self, found: Look) -> None:
        """Show what `read` found."""
        self.known, wrong, self.pulls = found
        self.view.show_all(self.known, wrong)
        self._menu.clear()
        for one in self.pulls:
            words = f"{Kept(one).title}: {one.info.rows:,} rows"
            self._menu.addAction(visible(words).replace("&", "&&"), partial(self.ask_keep, one))
        self.button.setEnabled(bool(self.pulls))

    # ---------------------------------------------------------------- keeping

    def ask_keep_list(self, resource: str, connection: str) -> None:
        """Ask for a name for the newest rows at hand of that list on that connection."""
        for one in self.pulls:
            if (one.info.key.resource, one.info.key.connection) == (resource, connection):
                self.ask_keep(one)
                return
        self._ground.notices.tell("caution", "Nothing to keep", "The list has no loaded rows yet.")

    def ask_keep(self, one: AtHand) -> QInputDialog:
        """Ask for a name, then keep those rows."""
        proposed = f"{list_title(Kept(one).about)} {datetime.now().astimezone():%Y-%m-%d %H:%M}"
        name = free_name(proposed, {snapshot.name for snapshot in self.known})
        return self._ask_name("Keep as a snapshot", "Keep", name, partial(self.keep, one))

    def keep(self, one: AtHand, name: str) -> None:
        """Keep the rows of ``one`` under ``name``."""
        ground = self._ground

        def work(wanted: Wanted) -> Snapshot:
            with one.open(ground.folders, ground.profile, wanted) as rows:
                return ground.snapshots.keep(name, rows, wanted, ground.counter("Keeping", one.info.rows))

        def done(made: Snapshot) -> None:
            ground.notices.tell("holds", "The snapshot is kept", f"{made.name}: {made.about.rows:,} rows")
            self.changed.emit(Kept(made).key)

        ground.tasks.start(KEEP, called_off_with(work), done=done)

    # ---------------------------------------------------------------- another name, none at all

    def ask_rename(self, one: Snapshot) -> QInputDialog:
        """Ask for another name."""

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
        box.setInformativeText(f"Its {one.about.rows:,} rows cannot be restored.")
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
