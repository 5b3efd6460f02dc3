"""What every tab is: a page about one resource of one session, with what the window needs to know about it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from explorer.catalog.request import Request
from explorer.catalog.spec import Resource
from explorer.listeners import Listeners
from explorer.ui.kit.actions import Command, Commands
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import Theme

if TYPE_CHECKING:
    from explorer.api.guard import Permit
    from explorer.profiles.secrets import Secrets
    from explorer.quality.engine.check import Run
    from explorer.session import Session
    from explorer.session.connection_facts import Learning


class Settings(Protocol):
    """What is kept of the layout, by key; values are anything JSON can hold."""

    def get(self, key: str, default: Any = None) -> Any:
        """What was kept under ``key``."""

    def set(self, key: str, value: Any) -> None:
        """Keep ``value``; it reaches the disk in a moment."""


@dataclass(frozen=True, slots=True)
class Navigator:
    """Ways from a page to the rest of the window."""

    open_page: Callable[[str], Page | None]
    """Brings the page of a resource to the front, by its key; None when there is none."""
    show_request: Callable[[int], bool]
    """Goes to a call in the request log, by its number; False when it is not there any more."""
    switch_connection: Callable[[str], object]
    """Goes to another connection of the profile; every page ends."""
    edit_profile: Callable[[], object]
    """Opens the profiles dialog on the profile in use."""
    say_connected: Callable[[], object]
    """The connection answers, whatever calls that were meant to be refused left in the status bar."""
    new_profile: Callable[[str, str, str], object]
    """Opens the form of a new profile for an interface, by its name, with a proposed address and the profile's name."""


@dataclass(frozen=True, slots=True)
class FoundIn:
    """What a quality run found in one list."""

    begun: datetime
    findings: int
    """How many of its checks fail there or are suspect."""
    ids: tuple[str, ...]
    """The records that they name."""


class FoundRows:
    """The rows that the findings of quality runs name, for the lists of one connection to mark."""

    def __init__(self) -> None:
        self.listeners = Listeners[[]]()
        """Told when another run has named rows."""
        self._found: dict[str, tuple[datetime, dict[str, str]]] = {}
        self._told: dict[str, FoundIn] = {}

    def tell(self, run: Run) -> None:
        """Take the rows that ``run`` names, in place of those that an earlier one named in the lists it looked at."""
        _, ended = run.span
        named: dict[str, dict[str, list[str]]] = {resource: {} for resource in run.looked_at}
        wrong = Counter(result.resource for result in run.results if result.is_bad)
        for result in run.results:
            for finding in result.findings if result.is_bad else ():
                examples = (example.id for example in finding.examples if example.id)
                for row in dict.fromkeys((*finding.ids, *examples)):
                    named.setdefault(result.resource, {}).setdefault(row, []).append(finding.sentence)
        for resource, rows in named.items():
            if resource in self._found and ended < self._found[resource][0]:
                continue  # a saved one, read after a run that ended meanwhile
            self._found[resource] = ended, {row: "; ".join(said) for row, said in rows.items()}
            self._told[resource] = FoundIn(run.started_at, wrong[resource], tuple(rows))
        self.listeners.tell()

    def of(self, resource: str, pulled_at: datetime) -> Mapping[str, str]:
        """What findings say of rows, by their id; nothing for a list that was pulled after the run (``pulled_at``)."""
        ended, rows = self._found.get(resource, (pulled_at, {}))
        return rows if pulled_at <= ended else {}

    def told(self, resource: str, pulled_at: datetime) -> FoundIn | None:
        """What the last run found in a list; None where it found nothing, or the list was pulled since."""
        found = self._told.get(resource)
        return (
            found if found is not None and found.findings and pulled_at <= self._found[resource][0] else None
        )

    def run_after(self, resource: str, pulled_at: datetime) -> datetime | None:
        """When the run began that names rows of a list, where the list was pulled before it; else None."""
        found = self._told.get(resource)
        return found.begun if found is not None and pulled_at < found.begun and found.ids else None


@dataclass(frozen=True, slots=True)
class PageContext:
    """What a page may use of the window around it."""

    session: Session
    notices: Notices
    commands: Commands
    theme: Theme
    settings: Settings
    """Layout kept per resource: use keys such as ``ats/job/columns``."""
    confirm_write: Callable[[Request], Awaitable[Permit | None]]
    """Asks the user before a write where the profile wants it; None: the user said no."""
    secrets: Secrets | None = None
    """Where the user may have a page keep something secret; None: nowhere. It blocks: use a worker thread."""
    elsewhere: Navigator | None = None
    """None where the page stands alone."""
    found: FoundRows = field(default_factory=FoundRows)
    learning: Learning | None = None
    """Learns from the session's answers what its connection has; None where the page stands alone."""
    drafts: dict[str, Any] = field(default_factory=dict)
    """What is unsaved and of no profile, by the page's key: it is there again in the page of the next profile."""


class Page(QWidget):
    """Base of every tab. Its work (`tasks`) ends with it; failures become notices unless it shows them itself."""

    record_chosen = Signal(object)
    """A RecordView for the inspector, or None."""
    status = Signal(str)
    """One short sentence for the status bar: "1,200 rows · 12 pages"."""
    busy_changed = Signal(bool)
    commands_changed = Signal()
    """`commands` would answer differently now."""
    rows_changed = Signal(str, int)
    """Resource key and rows at hand, for the count in the sidebar."""
    restored = False
    """It is in front because it was, for another connection: it sends nothing before the user asks."""

    def __init__(self, resource: Resource, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.resource = resource
        self.context = context
        self.tab = resource.key
        """The key of its tab: the resource's, with # and a number behind it for a further tab of the same list."""
        self.setObjectName(f"page:{resource.key}")
        self.setAccessibleName(resource.title)
        self.tasks = Tasks(self, self.report)

    @property
    def title(self) -> str:
        """What the tab says."""
        return self.resource.title

    @property
    def session(self) -> Session:
        """The session it shows; a page never outlives it."""
        return self.context.session

    @property
    def status_text(self) -> str:
        """What the status bar says while this page is in front."""
        return ""

    def report(self, error: BaseException) -> None:
        """Where failed work of this page goes; a page that has a banner shows it there."""
        self.context.notices.report(error)

    def commands(self) -> list[tuple[Command, Callable[[], object]]]:
        """What this page can do; ids of the window's own commands (``request.send``) bind those."""
        return []

    def body(self) -> QWidget | None:
        """The part under the page's head beside which the window puts the inspector; None: this page has none.

        It must stand in a layout (it is replaced there by a splitter that holds both).
        """
        return None

    @property
    def unfinished(self) -> str:
        """What would be lost if it were closed now, in a sentence; empty when nothing would."""
        return ""

    def show_unfit(self) -> None:
        """Show only the records that do not fit the contract, where the page is a list."""

    def show_finding(self, report: str, check: str, resource: str) -> None:
        """Open what a check found in a list, in the saved run of that name, where the page is that of runs."""

    def run_quick(self) -> None:
        """Begin a quick run with nothing set up, where the page is that of runs."""

    def reconnect(self, connection: str) -> None:
        """Fill in a link that leads to that connection, where the page makes magic links. Nothing is sent."""

    def show_only(self, ids: Sequence[str]) -> None:
        """Show only the records with these ids, where the page is a list."""

    def show_place(
        self,
        row: int | None,
        page: int | None,
        *,
        ident: str = "",
        run_at: datetime | None = None,
        field: str = "",
    ) -> None:
        """Go to that row, or to the first of that page, both counted from 1; nothing where there are no rows.

        ``ident``: the id of the record that is meant, which may stand in another row now; ``run_at``: when the run
        began that found it there, UTC; ``field``: what is meant of it, as ``departments[].child_ids``.
        """

    def explain(self) -> bool:
        """Open what the guides say of what is chosen here; False where nothing is: then F1 opens the page's guide."""
        return False

    def ask_again(self) -> None:
        """The user chose it again though it is in front: what `restored` held back may be sent."""
        self.restored = False

    def activated(self) -> None:
        """The page came to the front."""

    def save_state(self) -> dict[str, Any]:
        """What is kept of it for the next start: JSON values only, and no secret."""
        return {}

    def restore_state(self, state: dict[str, Any]) -> None:
        """Take what `save_state` gave at another time; what is not understood is left."""

    async def shutdown(self) -> None:
        """End everything it has going on; afterwards it may be deleted."""
        await self.tasks.close()


async def end_pages(pages: list[Page]) -> None:
    """End what each page has going on, then delete it and take it out of ``pages``.

    When this is cancelled, those that have not ended are still there: whoever goes on with them ends them.
    """
    while pages:
        try:
            await pages[0].shutdown()
        except asyncio.CancelledError:
            raise
        except BaseException:
            pages.pop(0).deleteLater()
            raise
        pages.pop(0).deleteLater()
