"""Checks that end in a fault of the program: each ends alone, reports it, and the run goes on."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.api.errors import ExplorerError, place_of
from explorer.quality.engine.check import UNDONE, Check, Result, Verdict
from explorer.quality.engine.record_check import RecordCheck, SeenPage, Walked
from explorer.quality.engine.row import Row
from explorer.quality.engine.rows import Rows, tell


def undone(checks: Iterable[Check], resource: str, error: Exception) -> list[Result]:
    """The results of checks that ended in ``error``."""
    return [Result(check, resource, Verdict.SKIPPED, f"{UNDONE}{why_of(error)}") for check in checks]


def why_of(error: Exception) -> str:
    """The reason in a few words. For a fault of the program its kind and place, and no text that might quote data."""
    if isinstance(error, ExplorerError):
        return error.sentence
    return f"an error in the program itself ({place_of(error)}), please report it"


class Guarded:
    """A watcher whose faults end only itself."""

    def __init__(self, watcher: RecordCheck) -> None:
        self.watcher = watcher
        self._fault: Exception | None = None

    @property
    def checks(self) -> tuple[Check, ...]:
        """The checks that it makes."""
        return self.watcher.checks

    def page(self, seen: SeenPage) -> None:
        """A page was received, or failed."""
        if self._fault is None:
            try:
                self.watcher.page(seen)
            except Exception as error:  # noqa: BLE001 - reported in its results
                self._fault = error

    def row(self, row: Row) -> None:
        """One record of the page passed last."""
        if self._fault is None:
            try:
                self.watcher.row(row)
            except Exception as error:  # noqa: BLE001 - reported in its results
                self._fault = error

    def passes(self, rows: Rows) -> bool:
        """Several records at once, as far as the watcher can; True where nothing is left to do one by one."""
        if self._fault is None:
            try:
                tell(self.watcher, rows)
            except Exception as error:  # noqa: BLE001 - reported in its results
                self._fault = error
        return True

    def end(self, walked: Walked) -> list[Result]:
        """One result for each of `checks`, fault or not."""
        if self._fault is None:
            try:
                return list(self.watcher.end(walked))
            except Exception as error:  # noqa: BLE001 - reported in its results
                self._fault = error
        return undone(self.checks, walked.key, self._fault)
