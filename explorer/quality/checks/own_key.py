"""Whether records contain the key or token they were requested with: who receives the rows receives the key."""

from __future__ import annotations

import json

from explorer.api.redact import Redactor
from explorer.quality.engine.check import Check, Result
from explorer.quality.engine.finding_collector import FindingCollector, skipped
from explorer.quality.engine.record_check import RecordCheck, SeenPage, Walked
from explorer.quality.engine.row import Row
from explorer.quality.engine.rows import Rows

OWN_KEY = Check(
    "records.echo",
    "records",
    "No record contains the key used to request it",
    "record",
    needs="the profile's key",
)


class OwnKey(RecordCheck):
    """Watches the records of one list."""

    checks = (OWN_KEY,)

    def __init__(self, own: Redactor | None) -> None:
        """``own`` knows the profile's key or token; None: there is none."""
        self._own, self._tally = own, FindingCollector(OWN_KEY)
        self._maybe = own is not None

    def page(self, seen: SeenPage) -> None:
        """Decides for a whole page whether its rows must be read: hardly any page contains the key."""
        if self._own is not None:
            self._maybe = seen.answer is None or self._own.holds(seen.answer.body)

    def row(self, row: Row) -> None:
        self._tally.look()
        if not self._maybe or self._own is None or not self._own.holds(row.raw):
            return
        # The place without the value, because examples are shown and passed on.
        for field in self._fields(row) or [""]:
            self._tally.add("echo", field, "This holds the profile's own key or token", row.example(None))

    def passes(self, rows: Rows) -> bool:
        """Handles several records at once, on a page that does not contain it."""
        if not self._maybe:
            self._tally.look(len(rows))
        return not self._maybe

    def _fields(self, row: Row) -> list[str]:
        members = row.record.items() if row.record is not None else ()
        own = self._own
        return [
            name
            for name, value in members
            if own is not None and own.holds(json.dumps({name: value}).encode("utf-8", "surrogatepass"))
        ]

    def end(self, walked: Walked) -> list[Result]:
        if self._own is None:
            return [skipped(OWN_KEY, walked.key, "it needs the profile's own key")]
        return [self._tally.result(walked.key, empty="no record came")]
