"""The records of a connection's lists, as bytes ready to be sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from explorer.sandbox.connections import Connection
from explorer.sandbox.defects import BY_ID
from explorer.sandbox.draw import Draw
from explorer.sandbox.mapping import MAPPINGS, mapped
from explorer.sandbox.messy_rows import OF_BEFORE, shows_in, spoiled
from explorer.sandbox.thirdparty.ats import JOBS
from explorer.sandbox.thirdparty.crm import ACCOUNTS
from explorer.sandbox.thirdparty.file_storage import DRIVE_SHAPES, FILES
from explorer.sandbox.thirdparty.sales_engagement import MAILBOX_SHAPES, STATE_SHAPES
from explorer.sandbox.thirdparty.shape import Shape

Json = dict[str, Any]

SHAPES: dict[str, dict[str, Shape]] = {
    "job": JOBS,
    "file": FILES,
    "drive": DRIVE_SHAPES,
    "mailbox": MAILBOX_SHAPES,
    "sequence_state": STATE_SHAPES,
    "account": ACCOUNTS,
}
VERTICAL = {
    "job": "ats",
    "file": "file-storage",
    "drive": "file-storage",
    "mailbox": "sales-engagement",
    "sequence_state": "sales-engagement",
    "account": "crm",
    "contact": "crm",
}
_TEMPLATES = 250
"""A multiple of the folder step, so that a folder's template is used for folders only."""


def unified(resource: str, party: str, raw: Json) -> Json:
    """The unified record of a raw one, the raw one included."""
    return {**mapped(raw, MAPPINGS[resource, party]), "raw_data": raw}


class Records:
    """Makes records for a seed. Templates are kept; records are not."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._templates: dict[tuple[str, str, int], tuple[bytes, tuple[bytes, ...]]] = {}

    def raw(self, resource: str, party: str, number: int) -> Json:
        """The raw record with a number."""
        return SHAPES[resource][party].raw(Draw(self._seed, party, resource, number), number)

    def rows(self, connection: Connection, resource: str, numbers: Sequence[int]) -> list[bytes]:
        """The records with these numbers, each as the bytes of its JSON."""
        party = connection.parties[VERTICAL[resource]]
        if connection.templated:
            return [self._refilled(resource, party, number) for number in numbers]
        if not connection.defects:
            encode = msgspec.json.encode
            return [encode(unified(resource, party, self.raw(resource, party, number))) for number in numbers]
        return [self._spoiled(connection, resource, party, number) for number in numbers]

    def _spoiled(self, connection: Connection, resource: str, party: str, number: int) -> bytes:
        record = unified(resource, party, self.raw(resource, party, number))
        for defect, field in OF_BEFORE.items():
            if (
                defect in connection.defects
                and BY_ID[defect].resource == resource
                and shows_in(defect, number)
            ):
                before = unified(resource, party, self.raw(resource, party, number - 1))
                record[field] = before[field]
        return spoiled(connection.defects, resource, number, record)

    def _refilled(self, resource: str, party: str, number: int) -> bytes:
        key = (resource, party, number % _TEMPLATES)
        texts = SHAPES[resource][party].texts
        found = self._templates.get(key)
        if found is None:
            record = unified(resource, party, self.raw(resource, party, key[2]))
            found = msgspec.json.encode(record), tuple(text.encode() for text in texts(key[2]))
            self._templates[key] = found
        row, before = found
        for old, new in zip(before, texts(number), strict=True):
            row = row.replace(old, new.encode())
        return row
