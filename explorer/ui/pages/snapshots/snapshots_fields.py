"""The tab Fields of the page of snapshots: the fields of both states counted, and what drifted between them."""

from __future__ import annotations

from PySide6.QtCore import QObject

from explorer.api.interface import registry_for
from explorer.quality.compare.rows import Wanted
from explorer.quality.ledger.drift import Drift, drift
from explorer.quality.ledger.ledger import Ledger, ledger_of
from explorer.ui.pages.snapshots.compare_choice import Kept
from explorer.ui.pages.snapshots.ledger_view import LedgerView
from explorer.ui.pages.snapshots.snapshots_work import FIELDS, Ground, called_off_with

_Counted = tuple[Ledger | None, Ledger, tuple[Drift, ...]]


class FieldsTab(QObject):
    """Counts when it is looked at, and not again while the same is chosen."""

    def __init__(self, ground: Ground) -> None:
        super().__init__(ground.page)
        self._ground = ground
        self.view = LedgerView()
        self.ledgers: tuple[Ledger | None, Ledger] | None = None
        self._shown_for: tuple[object, ...] = ()

    def count(self, before: Kept | None, after: Kept | None) -> None:
        """Count the fields of both, unless that is what is shown."""
        after = after or before
        if after is None:
            self.view.clear("There is nothing to count yet: open a list first.")
            return
        wanted_for = tuple(one.state for one in (before, after) if one is not None)
        if wanted_for == self._shown_for:
            return
        self._shown_for = wanted_for
        both = before if before is not None and before.key != after.key else None
        if both is not None and both.about.resource != after.about.resource:
            both = None
        self.view.clear("Counting …")
        ground, say = self._ground, self._ground.paced()

        def ledger(one: Kept, wanted: Wanted) -> Ledger:
            with one.open(ground.folders, ground.profile, wanted) as rows:
                tell = ground.counter(f"Counting {one.title}", one.about.rows, say)
                return ledger_of(rows, registry_for(ground.profile), one.title, wanted, tell)

        def work(wanted: Wanted) -> _Counted:
            old = ledger(both, wanted) if both is not None else None
            new = ledger(after, wanted)
            return old, new, drift(old, new) if old is not None else ()

        ground.tasks.start(FIELDS, called_off_with(work), done=self._show)

    def _show(self, found: _Counted) -> None:
        self.ledgers = found[:2]
        self.view.show_ledgers(*found)

    def stop(self) -> None:
        """Stop counting; nothing of it is shown."""
        if self._ground.tasks.busy(FIELDS):
            self._forget("Counting was stopped. Choose a state again to count its fields.")
            self._ground.tasks.cancel(FIELDS)

    def failed(self) -> None:
        """Say so, where it was counting."""
        counting = self._ground.tasks.busy(FIELDS) or self.view.table.isVisibleTo(self.view)
        if self._shown_for and not counting:
            self._forget("The fields could not be counted. Look again (F5) to try once more.")

    def _forget(self, said: str) -> None:
        self._shown_for = ()
        self.view.clear(said)
