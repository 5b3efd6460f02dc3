"""The service of the seventh exam with this one's third parties behind it."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.exam import words
from tests.exam.calls3.data import Row
from tests.exam.eighth.books import Books
from tests.exam.eighth.shapes_crm import PHONES, PLACES, SOURCES, account, contact, current, identity
from tests.exam.seventh.service import Connection as Seventh

TYPES = {**PLACES, **PHONES}
"""The type of address or phone number that an attribute gives."""
ATTRIBUTES = {
    "first_name": ("name", "first_name"),
    "last_name": ("name", "last_name"),
    "email": ("email_addresses", "original_email_address"),
    "phone": ("phone_numbers", "original_phone_number"),
}


class Connection(Seventh):
    """A connection to one third party."""

    ledger = Books

    def within(self, row: Row) -> tuple[str, str]:
        said = row["raw_data"]["attributes"]
        return said["library_id"], said["parent_id"]

    def number(self, raw: Row) -> str:
        return str(raw["id"]["record_id"])

    def limited(self, row: Row, properties: set[str]) -> Row:
        whole = row["raw_data"]
        raw = {**whole, "values": {name: of for name, of in whole["values"].items() if name in properties}}
        made, full = account(raw), account(whole)
        shown: Row = {}
        for name, value in row.items():
            sources = SOURCES.get(name, ())
            asked = properties & set(sources)
            if sources and not asked:
                continue
            if TYPES.keys() & asked and asked < set(sources):
                types = {TYPES[one] for one in asked}
                value = [one for one in value if types & set(one.values())]
            elif sources and value == full[name]:
                value = made[name]
            shown[name] = value
        return {**shown, "raw_data": raw}

    def contact(self, raw: Row) -> Row:
        return contact(raw)

    def write(self, held: Row, record: Row, passed: Row) -> None:
        now = self.tick("contact").replace("Z", ".000000000Z")
        for ours, (slug, member) in ATTRIBUTES.items():
            if ours in record:
                before = current(held, slug) or dict.fromkeys(("first_name", "last_name"))
                whole = before if slug == "name" else {}
                self._set(held, slug, now, {**whole, member: record[ours]})
        for slug, value in passed.items():
            self._set(held, slug, now, {"value": value})

    def _set(self, held: Row, slug: str, now: str, value: Row) -> None:
        """A value takes the place of the one before; null leaves none."""
        kept = any(one is not None for name, one in value.items() if not name.startswith("active_"))
        one = {**value, "active_from": now, "active_until": None}
        held["values"][slug] = [one] if kept else []

    def _new_contact(self) -> Row:
        record = words.guid(Random(f"person:{len(self.contacts)}"))
        values: dict[str, Any] = {"name": [], "email_addresses": [], "phone_numbers": [], "job_title": []}
        created = self.tick("contact").replace("Z", ".000000000Z")
        made = {"id": identity("people", record), "created_at": created, "values": values}
        self.contacts[record] = made
        return made
