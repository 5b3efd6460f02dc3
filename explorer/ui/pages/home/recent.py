"""What was done last on a connection: its newest requests and snapshots, each with the way to it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.api.exchange import Exchange
from explorer.session import Session
from explorer.ui.kit.columns import Column
from explorer.ui.kit.layout import column
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_tree import RowsTree, RowsTreeModel
from explorer.ui.kit.theme import HEADER, ROW
from explorer.work import in_thread

_MOST = 3
"""The most of each kind."""
_LOOKED_AT = 60
"""The newest calls of the log on the disk among which those of the connection are looked for."""


@dataclass(frozen=True, slots=True)
class Recent:
    """One line."""

    text: str
    detail: str
    request: int = 0
    """The number of the call; 0: a snapshot."""


@dataclass(frozen=True, slots=True)
class RecentGroup:
    """Lines below one heading, as `RowsTree` takes it."""

    title: str
    lines: tuple[Recent, ...]
    words: str = ""
    open: bool = True


async def earlier_calls(session: Session) -> list[Exchange]:
    """The newest calls on this connection in the log on the disk, the newest first; none where it cannot be read."""
    archive = session.exchanges.archive
    if archive is None:
        return []
    with contextlib.suppress(ExplorerError):
        past = await archive.find()
        found = archive.heads(past.numbers[-_LOOKED_AT:])
        return sorted(_own(session, found), key=lambda call: -call.id)[:_MOST]
    return []


async def snapshots_of(session: Session) -> tuple[Recent, ...]:
    """The newest snapshots of this connection; none where they cannot be read."""

    def read() -> tuple[Recent, ...]:
        # Not at the top: Home may be the first page that a window shows.
        from explorer.quality.compare.snapshots import Snapshots

        kept, _ = Snapshots.of_profile(session.folders, session.profile.id).all()
        own = [one for one in kept if one.info.key.connection == session.connection][:_MOST]
        return tuple(Recent(one.name, f"{one.info.rows:,} · {_when(one.kept_at)}") for one in own)

    with contextlib.suppress(ExplorerError):
        return await in_thread(read)
    return ()


def requests_of(session: Session, earlier: Sequence[Exchange]) -> tuple[Recent, ...]:
    """The newest requests of this session, and of ``earlier`` ones."""
    calls = {call.id: call for call in (*earlier, *_own(session, session.exchanges.all()[-_LOOKED_AT:]))}
    newest = sorted(calls.values(), key=lambda call: -call.id)[:_MOST]
    return tuple(
        Recent(
            f"{call.method} …/{call.path.partition('?')[0].rpartition('/')[2]}",
            f"{call.status_words} · {_when(call.started_at)}",
            call.id,
        )
        for call in newest
    )


def _when(at: datetime) -> str:
    """The time of today, else the day as well."""
    return words.near_time(at).removeprefix("today ")


def _own(session: Session, calls: Iterable[Exchange]) -> list[Exchange]:
    return [call for call in calls if call.connection == session.connection]


class RecentCard(QFrame):
    """The newest requests and snapshots; hidden while there is none."""

    wanted = Signal(object)
    """A `Recent`: go there."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", "true")
        self.setAccessibleName("Recent")
        columns = (
            Column[Recent]("What", lambda one: one.text),
            Column[Recent]("When", lambda one: one.detail, "muted", fit=True),
        )
        self.model = RowsTreeModel[Recent](columns)
        self.tree = RowsTree(self.model, "Recent requests and snapshots", height=ROW)
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(0)
        self.tree.setItemsExpandable(False)
        self.tree.taken.connect(self.wanted)
        column(PlainLabel("Recent", role="heading"), self.tree, of=self, margins=(12, 8, 8, 8), spacing=4)
        self.hide()

    def show_recent(self, requests: Sequence[Recent], snapshots: Sequence[Recent]) -> None:
        """Show these, the newest first."""
        parts = (RecentGroup("Requests", tuple(requests)), RecentGroup("Snapshots", tuple(snapshots)))
        groups = [part for part in parts if part.lines]
        if groups == self.model.headings:
            return
        self.tree.show_headings(groups)
        self.tree.setFixedHeight(sum(HEADER + ROW * len(group.lines) for group in groups))
