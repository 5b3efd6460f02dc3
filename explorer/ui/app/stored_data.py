"""The dialog "Stored data": the disk space of stored rows by profile and by list, its limit, and clearing."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QDoubleSpinBox, QProgressBar, QPushButton

from explorer import words
from explorer.session import KEPT_PULLS
from explorer.session.stored import StoredProfile, folder_of, stored
from explorer.ui.app.stored_room import LEAST, StoredRoom, room_of, title_of
from explorer.ui.app.window import Window
from explorer.ui.kit.banner import Banner
from explorer.ui.kit.layout import column, push_button, row
from explorer.ui.kit.notices import notice_of
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import Column, RowsModel, RowsTable
from explorer.ui.kit.tasks import Tasks
from explorer.work import in_thread

if TYPE_CHECKING:
    from pathlib import Path

    from explorer.session import PullInfo
from PySide6.QtWidgets import QWidget

from explorer.api.errors import ExplorerError
from explorer.session.request_archive import RequestArchive, Usage

_MEGA = 10**6


class LogSpace(QWidget):
    """One line. What is set counts for every window and command of the profile."""

    def __init__(self, archive: RequestArchive, profile: str) -> None:
        """``profile`` is the name of the log's profile."""
        super().__init__()
        self._archive, self._profile = archive, profile
        self._granted = 0
        self._tasks = Tasks(self, self._failed)
        self.budget = QDoubleSpinBox(minimum=0, maximum=1_000_000, decimals=0, singleStep=50, suffix=" MB")
        self.budget.setAccessibleName("Space for the request log, in MB")
        self.budget.setKeyboardTracking(False)
        self.budget.setFixedWidth(120)
        self.budget.setEnabled(False)
        self.budget.lineEdit().setTextMargins(6, 0, 0, 0)  # the style's padding ends at the frame
        self.budget.editingFinished.connect(self._grant)
        self.said = PlainLabel("", role="muted", wrap=True)
        label = PlainLabel("Request log")
        label.setBuddy(self.budget)
        row(label, self.budget, (self.said, 1), of=self, spacing=8)
        self._tasks.start("look", archive.usage(), done=self._show)

    def _show(self, usage: Usage) -> None:
        self._granted = usage.budget
        self.budget.setValue(usage.budget / _MEGA)
        self.budget.setEnabled(True)
        since = f" since {words.day_and_time(usage.since)}" if usage.since else ""
        taken = f"{words.count(usage.calls, 'call')}{since}, {words.size(usage.bytes)}"
        rule = "Beyond that the oldest calls are deleted first." if usage.budget else "No call is saved."
        self.said.setText(f"{self._profile}: {taken}. {rule}")

    def _grant(self) -> None:
        budget = round(self.budget.value() * _MEGA)
        if budget != self._granted:
            self._tasks.start("grant", self._change(budget), done=self._show)

    async def _change(self, budget: int) -> Usage:
        await self._archive.grant(budget)
        return await self._archive.usage()

    def _failed(self, error: BaseException) -> None:
        self.said.setText(error.sentence if isinstance(error, ExplorerError) else str(error))


_GIGA = 10**9
_LEAST = (560, 320)


@dataclass(frozen=True, slots=True)
class Line:
    """One line: a whole profile, or one of its pulls."""

    profile: str
    name: str
    """The profile's."""
    rows: int
    bytes: int
    info: PullInfo | None = None
    note: str = ""
    """A remark on a whole profile, or on a pull that is not the current one."""
    snapshots: tuple[str, ...] = ()
    """The snapshots of the pull, which stay when its list is cleared."""
    in_list: bool = True
    """False: the pull is there for its snapshots alone."""


class StoredData(QDialog):
    """Lists what is stored. Clearing asks first, in the dialog, and names what will be removed."""

    def __init__(self, window: Window, room: StoredRoom, folder: Path) -> None:
        super().__init__(window)
        self.setWindowTitle("Stored data")
        self._window, self._room, self._folder = window, room, folder
        self._tasks = Tasks(self, self._failed)
        self._lines: list[Line] = []
        self.said = PlainLabel("Looking…", wrap=True)
        self.used = QProgressBar(maximum=1000, textVisible=False)
        self.used.setAccessibleName("Share of the space that is used")
        self.budget = QDoubleSpinBox(minimum=LEAST / _GIGA, maximum=10_000, decimals=1, singleStep=0.5)
        self.budget.setSuffix(" GB")
        self.budget.setAccessibleName("Space for saved rows, in GB")
        self.budget.setValue(room.budget / _GIGA)
        self.budget.setKeyboardTracking(False)
        self.budget.setFixedWidth(120)
        self.budget.lineEdit().setTextMargins(6, 0, 0, 0)  # the style's padding ends at the frame
        self.budget.editingFinished.connect(self._grant)
        self.question = Banner("caution")
        self.question.hide()
        self.table = RowsTable(RowsModel(_COLUMNS), "What is kept")
        self.table.chosen.connect(lambda _: self._chosen())
        self.clear_button = push_button("Clear…", kind="danger")
        self.clear_button.setAutoDefault(False)
        self.clear_button.clicked.connect(self.ask)
        self.close_button = QPushButton("Close")
        self.close_button.setAutoDefault(False)
        self.close_button.clicked.connect(self.accept)
        self.setMinimumSize(*_LEAST)
        self._build()
        room.changed.connect(self.look)
        self._chosen()
        self.look()

    def _build(self) -> None:
        label = PlainLabel("Keep at most")
        label.setBuddy(self.budget)
        told = (
            f"Of each list the {KEPT_PULLS} newest complete pulls are kept. Beyond this space the oldest "
            "earlier pulls are deleted first, then the lists unchanged longest; never a snapshot, an open "
            "list, nor a profile's newest."
        )
        grant = row(label, self.budget, (PlainLabel(told, role="muted", wrap=True), 1), spacing=8)
        session = self._window.session
        archive = session.archive if session is not None else None
        log = [LogSpace(archive, session.profile.name)] if session is not None and archive is not None else []
        head = column(self.said, self.used, grant, *log, margins=(16, 12, 16, 12), spacing=8)
        self.foot = PlainLabel("", role="muted", elide=True)
        buttons = (self.close_button, self.clear_button)
        foot = row((self.foot, 1), *buttons, margins=(16, 12, 16, 12), spacing=8)
        column(head, self.question, (self.table, 1), foot, of=self)

    def sizeHint(self) -> QSize:
        return QSize(760, 480)

    # ---- what is kept

    def look(self) -> None:
        """Reads again what is stored."""
        self._tasks.start("look", in_thread(stored, self._folder), done=self._show)

    def _show(self, found: list[StoredProfile]) -> None:
        names = {p.id: p.name for p in self._window.desk.profiles.all()}
        lines: list[Line] = []
        for one in found:
            name = names.get(one.id, f"{one.id} (removed)")
            rows = sum(each.info.rows for each in one.pulls)
            lines.append(Line(one.id, name, rows, one.bytes + one.aside_bytes, None, _note(one)))
            newest_first = reversed(one.pulls)
            lines += [
                Line(
                    *(one.id, name, each.info.rows, each.bytes, each.info, one.standing(each.info)),
                    *(each.snapshots, each.in_list),
                )
                for each in newest_first
            ]
        before, self._lines = self.table.row(), lines
        self.table.show_rows(lines, _same)
        if self.table.row() is None and lines:
            self.table.selectRow(0)
        total = sum(line.bytes for line in lines if line.info is None)
        lists = sum(line.info is not None and not line.note for line in lines)
        budget = self._room.budget
        self.said.setText(
            f"{words.size(total)} of {words.size(budget)} are used: {words.count(lists, 'list')}"
            f" of {words.count(len(found), 'profile')}, in {self._folder}."
        )
        self.used.setValue(min(total * 1000 // budget, 1000) if total else 0)
        if before is None and not self.question.isVisible():
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self._chosen()

    def _chosen(self) -> None:
        line = self.table.row()
        self.question.hide()
        self.clear_button.setEnabled(line is not None and line.in_list)
        what = "profile" if line is None or line.info is None else "pull" if line.note else "list"
        self.clear_button.setText("Clear…" if line is None else f"Clear this {what}…")
        self.foot.setText(_foot(line) if line is not None else "")

    def _grant(self) -> None:
        self._room.grant(round(self.budget.value() * _GIGA))
        self.look()

    # ---- clearing

    def ask(self) -> None:
        """Names what would be removed, and asks."""
        line = self.table.row()
        if line is None:
            return
        what = f"{words.count(line.rows, 'row')}, {words.size(line.bytes)}"
        if line.info is not None:
            title = f"Clear {_title(line)} of {line.name}?"
            text = f"{what}, {_asked(line.info)}. The service still has the data: you can load it again."
            if not line.note and any(
                each.info and each.note and each.in_list and _same_list(each, line) for each in self._lines
            ):
                text += " The other saved pull of this list then takes its place."
            if line.snapshots:
                text += f" Its rows stay on the disk for the snapshot {', '.join(line.snapshots)}."
        else:
            title = f"Clear all saved rows of {line.name}?"
            text = f"{what}, and what was set aside. Snapshots, the profile, its key and its history of calls stay."
        verb = f"Clear {words.count(line.rows, 'row')}" if line.rows else "Clear"
        self.question.show_("caution", title, text, [("Keep", self._keep), (verb, lambda: self._clear(line))])
        self.question.show()
        self.question.buttons()[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def _keep(self) -> None:
        self.question.hide()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _clear(self, line: Line) -> None:
        self._keep()
        self.clear_button.setEnabled(False)
        self.said.setText("Clearing…")
        self._room.clear(self._folder, line.profile, None if line.info is None else {line.info.id})

    def reject(self) -> None:
        """Esc first closes an open question."""
        if self.question.isVisible():
            self._keep()
        else:
            super().reject()

    def done(self, result: int) -> None:
        self._tasks.cancel_all()
        super().done(result)

    def _failed(self, error: BaseException) -> None:
        notice = notice_of(error)
        self.question.show_(notice.kind, notice.title, notice.text)
        self.question.show()


def open_stored_data(window: Window) -> None:
    """Show the dialog for ``window``, which has a session."""
    if window.session is not None:
        window.open_dialog(StoredData(window, room_of(window), folder_of(window.session)))


def _same(one: Line, other: Line) -> bool:
    ids = [line.info.id if line.info is not None else None for line in (one, other)]
    return one.profile == other.profile and ids[0] == ids[1]


def _same_list(one: Line, other: Line) -> bool:
    keys = [line.info.key if line.info is not None else None for line in (one, other)]
    return one.profile == other.profile and keys[0] == keys[1]


def _note(one: StoredProfile) -> str:
    if one.fault:
        return f"{one.path.name} cannot be read: {one.fault}"
    if one.aside:
        return f"{words.size(one.aside_bytes)} of it set aside: {', '.join(path.name for path in one.aside)}"
    return ""


def _foot(line: Line) -> str:
    """What is said of the chosen line."""
    return line.note if line.in_list else f"The {line.note} is deleted on the page Snapshots."


def _asked(info: PullInfo) -> str:
    """The parameters of a pull, such as ``conn_1, page_size 50``."""
    asked = json.loads(info.key.params)
    pairs = [f"{name} {value}" for name, value in [*asked["query"], *asked["extra"]]]
    return ", ".join([info.key.connection or "no connection", *pairs])


def _title(line: Line) -> str:
    if line.info is None:
        return "all of it"
    return f"{title_of(line.info)}, {line.note}" if line.note else title_of(line.info)


def _when(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d %H:%M}"


_COLUMNS: tuple[Column[Line], ...] = (
    Column("Profile", lambda line: line.name if line.info is None else "", share=3),
    Column("List", _title, share=4),
    Column("Asked with", lambda line: _asked(line.info) if line.info else "", "mono", share=5, spare=True),
    Column("Rows", lambda line: words.count(line.rows), "number", share=2),
    Column("On disk", lambda line: words.size(line.bytes), "number", share=2),
    Column(
        "Last added",
        lambda line: _when(line.info.updated_at) if line.info else "",
        "muted",
        lambda line: words.relative(line.info.updated_at) if line.info else "",
        share=4,
    ),
)
