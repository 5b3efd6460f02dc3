"""The service of the sixth exam with this one's third parties behind it."""

from __future__ import annotations

from typing import Any

from tests.exam.calls3.data import ACCOUNT, FILE, Row
from tests.exam.seventh.books import Books
from tests.exam.seventh.shapes_crm import SOURCES, contact
from tests.exam.sixth.service import CREATE, UPDATE, UPSERT, Call, Form, Refused, Service, wrong

NAMES = {"first_name": "firstName", "last_name": "lastName"}
LISTED = {"email": ("emailAddresses", "address"), "phone": ("phoneNumbers", "number")}


class Connection(Service):
    """A connection to one third party."""

    def __init__(self, form: Form, seed: int, lists: dict[str, list[Row]]) -> None:
        super().__init__(form, seed, lists)
        self.books = Books(seed)

    def _filtered(self, call: Call) -> list[Row]:
        if call.key != FILE:
            return super()._filtered(call)
        drive, folder = call.query.pop("drive_id", ""), call.query.pop("folder_id", "")
        rows = super()._filtered(call)
        if drive:
            rows = [row for row in rows if drive_of(row) == drive]
        if folder:
            rows = [row for row in rows if row["raw_data"]["parent"]["id"] == folder]
        call.query |= {"drive_id": drive} if drive else {}
        call.query |= {"folder_id": folder} if folder else {}
        return rows

    def _operation(self, call: Call) -> Any:
        if call.key in (CREATE, UPDATE, UPSERT):
            return {"record": contact(self._contact(call))}
        return super()._operation(call)

    def _batch(self, call: Call) -> list[Row]:
        for name in ("ids", "properties"):
            if not isinstance(call.sent.get(name), list):
                raise wrong(name, "Required")
        wanted = {str(one) for one in call.sent["ids"]}
        found = [row for row in self.lists[ACCOUNT] if str(row["raw_data"]["id"]) in wanted]
        if self.form.heeds_properties:
            named = set(map(str, call.sent["properties"]))
            found = [limited(row, named) for row in found]
        return [self._shown(row) for row in found]

    def _contact(self, call: Call) -> Row:
        record = call.sent.get("record")
        if not isinstance(record, dict):
            raise wrong("record", "Required")
        passed = record.get("passthrough_fields") or {}
        if not isinstance(passed, dict):
            raise wrong("record.passthrough_fields", "Expected object")
        held = self._held(call)
        for ours, theirs in NAMES.items():
            if ours in record:
                held[theirs] = record[ours]
        for ours, (theirs, name) in LISTED.items():
            if ours in record:
                said = record[ours]
                held[theirs] = [] if said is None else [{"id": 77, "type": "Work", name: said}]
        held.update(passed, updatedAt=self.tick("contact"))
        return held

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
            matches = [one for one in self.contacts.values() if contact(one)[on["key"]] in values]
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


def limited(row: Row, properties: set[str]) -> Row:
    """An account as it is when these properties of the third party are asked for."""
    raw = {name: value for name, value in row["raw_data"].items() if name in properties or name == "id"}
    shown = {name: value for name, value in row.items() if SOURCES.get(name, "") in {"", *properties}}
    return {**shown, "raw_data": raw}
