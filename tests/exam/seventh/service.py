"""The service of the sixth exam with this one's third parties behind it."""

from __future__ import annotations

from typing import Any

from tests.exam.calls3.data import Row
from tests.exam.seventh.books import Books
from tests.exam.seventh.shapes_crm import SOURCES, contact
from tests.exam.sixth.books import Ledger
from tests.exam.sixth.service import CREATE, UPDATE, UPSERT, Call, Refused, Service, wrong

NAMES = {"first_name": "firstName", "last_name": "lastName"}
LISTED = {"email": ("emailAddresses", "address"), "phone": ("phoneNumbers", "number")}


class Connection(Service):
    """A connection to one third party."""

    ledger: type[Ledger] = Books

    def within(self, row: Row) -> tuple[str, str]:
        return drive_of(row), row["raw_data"]["parent"]["id"]

    def _operation(self, call: Call) -> Any:
        if call.key in (CREATE, UPDATE, UPSERT):
            return {"record": self.contact(self._contact(call))}
        return super()._operation(call)

    def limited(self, row: Row, properties: set[str]) -> Row:
        raw = {name: value for name, value in row["raw_data"].items() if name in properties or name == "id"}
        shown = {name: value for name, value in row.items() if SOURCES.get(name, "") in {"", *properties}}
        return {**shown, "raw_data": raw}

    def contact(self, raw: Row) -> Row:
        """The unified contact of the third party's."""
        return contact(raw)

    def _contact(self, call: Call) -> Row:
        record = call.sent.get("record")
        if not isinstance(record, dict):
            raise wrong("record", "Required")
        passed = record.get("passthrough_fields") or {}
        if not isinstance(passed, dict):
            raise wrong("record.passthrough_fields", "Expected object")
        held = self._held(call)
        self.write(held, record, passed)
        return held

    def write(self, held: Row, record: Row, passed: Row) -> None:
        """Writes to the third party's contact."""
        for ours, theirs in NAMES.items():
            if ours in record:
                held[theirs] = record[ours]
        for ours, (theirs, name) in LISTED.items():
            if ours in record:
                said = record[ours]
                held[theirs] = [] if said is None else [{"id": 77, "type": "Work", name: said}]
        held.update(passed, updatedAt=self.tick("contact"))

    def _held(self, call: Call) -> Row:
        """The contact that is written to."""
        if call.key == UPDATE:
            if call.id not in self.contacts:
                raise Refused(404, f"[404 Not Found] PUT /api/v2/parties/{call.id}")
            return self.contacts[call.id]
        if call.key == UPSERT:
            on = call.sent.get("upsert_on")
            if not isinstance(on, dict) or on.get("key") not in (*NAMES, *LISTED):
                raise wrong("upsert_on", "Required")
            values = on.get("values", [])
            matches = [one for one in self.contacts.values() if self.contact(one)[on["key"]] in values]
            if len(matches) > 1:
                raise Refused(400, "several contacts match")
            if matches:
                return matches[0]
        return self._new_contact()

    def _new_contact(self) -> Row:
        number = 240_771_003 + len(self.contacts) * 19
        made: Row = {
            "id": number,
            "type": "person",
            "title": None,
            "firstName": None,
            "lastName": None,
            "jobTitle": None,
            "organisation": None,
            "owner": {"id": 61_105, "username": "anna0"},
            "emailAddresses": [],
            "phoneNumbers": [],
            "tags": [],
            "fields": [],
            "createdAt": self.tick("contact"),
        }
        self.contacts[str(number)] = made
        return made


def drive_of(row: Row) -> str:
    """The id of the folder below the root that an item is in."""
    return str(row["raw_data"]["path_collection"]["entries"][1]["id"])
