"""The runs that were kept of a profile, for its page: listed, opened, and found for a comparison."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from PySide6.QtWidgets import QComboBox, QMenu

from explorer.api.errors import ExplorerError
from explorer.quality.engine.check import Run
from explorer.quality.reports.read import NoReport, read_runs
from explorer.session.kept_runs import KeptRun, KeptRuns
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.plain import visible
from explorer.ui.pages.quality.quality_words import short_moment
from explorer.work import in_thread


class Earlier:
    """The kept runs, newest first, and the one that is shown."""

    def __init__(self, kept: KeptRuns, connection: str, notices: Notices) -> None:
        """``connection`` is the one in use."""
        self._kept, self._here, self._notices = kept, connection, notices
        self.shown: KeptRun | None = None
        self.listed: Sequence[KeptRun] = ()

    def list_in(self, combo: QComboBox) -> None:
        """Look again, and offer what is there."""
        self.listed = self._kept.all()
        combo.clear()
        combo.addItems([words_of(run, self._here) for run in self.listed])
        self.mark_in(combo)

    def mark_in(self, combo: QComboBox) -> None:
        """Choose the one that is shown."""
        combo.setCurrentIndex(self._place())

    def named(self, name: str) -> KeptRun | None:
        """The one of that name, else the newest; None when none is kept."""
        return next((run for run in self.listed if run.name == name), next(iter(self.listed), None))

    async def read(self, run: KeptRun) -> tuple[Run, ...]:
        """What it found; nothing, and a word to the user, when it cannot be read."""
        try:
            document = await self._kept.read(run)
            return tuple(await in_thread(read_runs, document))
        except (ExplorerError, NoReport) as error:
            said = error.sentence if isinstance(error, ExplorerError) else str(error)
            self._notices.tell("caution", "A saved run cannot be shown", said)
            return ()

    async def before(self, run: Run) -> Run | None:
        """The run before the one that is shown, on the same connection."""
        place = self._place()
        if place < 0:
            return None
        for kept in self.listed[place + 1 :]:
            if (found := await self.of_connection(kept, run)) is not None:
                return found
        return None

    async def of_connection(self, kept: KeptRun, run: Run) -> Run | None:
        """What ``kept`` holds of the connection of ``run``."""
        if not _holds(kept, run):
            return None
        return next((one for one in await self.read(kept) if one.connection == run.connection), None)

    def fill(self, menu: QMenu, run: Run | None, compare: Callable[[KeptRun], object]) -> None:
        """Offer the other runs of the connection of ``run``."""
        menu.clear()
        for kept in self.listed:
            shown = self.shown is not None and kept.name == self.shown.name
            if run is not None and not shown and _holds(kept, run):
                menu.addAction(words_of(kept, run.connection), partial(compare, kept))
        if menu.isEmpty():
            menu.addAction("No other run of this connection is saved").setEnabled(False)

    def _place(self) -> int:
        names = [kept.name for kept in self.listed]
        return names.index(self.shown.name) if self.shown is not None and self.shown.name in names else -1


def _holds(kept: KeptRun, run: Run) -> bool:
    connections = kept.about.get("connections")
    return isinstance(connections, list) and run.connection in connections


def _begun(kept: KeptRun) -> datetime:
    """When it began, as the head of its page says; where that is not known, when it was kept."""
    try:
        begun = datetime.fromisoformat(str(kept.about.get("started_at", "")))
    except ValueError:
        return kept.at
    return begun if begun.tzinfo is not None else kept.at


def words_of(kept: KeptRun, here: str = "") -> str:
    """``20 Nov 12:04 · 2 fail · conn_1``; the connection only where it is not the one in use."""
    connections = kept.about.get("connections")
    known = connections if isinstance(connections, list) else []
    where = str(known[0]) if len(known) == 1 else f"{len(known)} connections"
    said = (short_moment(_begun(kept)), str(kept.about.get("words", "")), "" if known == [here] else where)
    return visible(" · ".join(filter(None, said)))
