"""The clean data that defects are put into: slices of the sandbox's own lists, of several third parties."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

from explorer.sandbox.process import SandboxProcess
from tests.flow.runs import rows_as_sent

JOB, FILE, DRIVE = "ats/job", "file-storage/file", "file-storage/drive"
MAILBOX, STATE = "sales-engagement/mailbox", "sales-engagement/sequence_state"
ENVELOPE_A, ENVELOPE_B = (JOB, FILE, DRIVE), (MAILBOX, STATE)
LISTS = (*ENVELOPE_A, *ENVELOPE_B)

SOURCES = {
    JOB: ("clean", "slow", "ashby"),
    FILE: ("clean", "slow", "box"),
    DRIVE: ("clean", "slow"),
    MAILBOX: ("clean", "slow"),
    STATE: ("clean", "slow"),
}
"""Connections of the sandbox whose data is clean, for each list; they reach different third parties."""
FEWEST, MOST = 60, 240


@dataclass(slots=True)
class Slice:
    """Some rows of one list, as one connection of the sandbox has them, cut into pages of one size."""

    key: str
    source: str
    rows: list[bytes]
    size: int
    beside: dict[str, list[bytes]] = field(default_factory=dict)
    """Other lists of the same connection that these rows name records of."""

    @property
    def pages(self) -> int:
        """How many pages the rows make."""
        return -(-len(self.rows) // self.size)

    def record(self, at: int) -> dict[str, Any]:
        """One row, read."""
        made: dict[str, Any] = json.loads(self.rows[at])
        return made

    def put(self, at: int, record: Any) -> None:
        """Another value in the place of one row."""
        self.rows[at] = written(record)


class Material:
    """Every list that was asked for once, fetched from the sandbox without any of the program's own client."""

    def __init__(self, sandbox: SandboxProcess) -> None:
        self._sandbox = sandbox
        self._whole: dict[tuple[str, str], list[bytes]] = {}

    def whole(self, key: str, source: str) -> list[bytes]:
        """All rows of a list."""
        found = self._whole.get((key, source))
        if found is None:
            found = rows_as_sent(self._sandbox, key, f"conn_sandbox_{source}")
            self._whole[key, source] = found
        return found

    def slice(self, rng: Random, key: str, source: str = "") -> Slice:
        """A random stretch of a random connection's list, in at least three pages."""
        source = source or rng.choice(SOURCES[key])
        whole = self.whole(key, source)
        count = min(len(whole), rng.randint(FEWEST, MOST))
        start = rng.randint(0, len(whole) - count)
        rows = whole[start : start + count]
        if key == JOB:
            rows = _closed(rows)
        size = rng.randint(max(8, len(rows) // 8), max(9, len(rows) // 3))
        beside = {MAILBOX: list(self.whole(MAILBOX, source))} if key == STATE else {}
        return Slice(key, source, list(rows), size, beside)


def written(record: Any) -> bytes:
    """A value as the sandbox writes it."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def _closed(rows: list[bytes]) -> list[bytes]:
    """Jobs without those whose departments name a parent that only a job outside of the slice has."""
    read = [json.loads(row) for row in rows]
    there = {one["id"] for record in read for one in record.get("departments", ())}
    return [
        row
        for row, record in zip(rows, read, strict=True)
        if all(one.get("parent_id") in (None, *there) for one in record.get("departments", ()))
    ]
