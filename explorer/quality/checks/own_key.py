"""Whether records contain the key or token they were requested with: who receives the rows receives the key."""

from __future__ import annotations

import json

from explorer.api.redact import Redactor
from explorer.quality.engine.check import Check, Result
from explorer.quality.engine.finding_collector import FindingCollector, skipped
from explorer.quality.engine.record_check import RecordCheck, Walked
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

    def row(self, row: Row) -> None:
        self._tally.look()
        if self._own is None or not self._own.holds(row.raw):
            return
        # The place without the value, because examples are shown and passed on.
        for field in self._fields(row) or [""]:
            self._tally.add("echo", field, "This holds the profile's own key or token", row.example(None))

    def passes(self, rows: Rows) -> bool:
        """Handles several records at once if none of them contains it."""
        if self._own is not None and any(self._own.holds(row.raw) for row in rows.rows):
            return False
        self._tally.look(len(rows))
        return True

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
