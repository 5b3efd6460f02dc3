"""The five lists and the batch read of a correct service."""

from __future__ import annotations

import base64
import json
from typing import Any

from tests.exam.calls.web import Request, issue, refused
from tests.exam.calls.world import Row, World

JOB, FILE, DRIVE, MAILBOX, STATE = "job_list", "file_list", "drive_list", "mailbox_list", "state_list"
SIZES = {JOB: 100, FILE: 40, DRIVE: 50, MAILBOX: 25, STATE: 50}
MODES = ("full", "incremental")
CHANGED = {
    JOB: "modified_at",
    FILE: "updated_at",
    DRIVE: "updated_at",
    MAILBOX: "updated_at",
    STATE: "updated_at",
}


class Lists:
    """The lists. What a defect changes has a method of its own."""

    world: World

    def held(self, name: str) -> list[Row]:
        """All rows that the third party holds of a list."""
        every = {
            JOB: self.world.jobs,
            FILE: self.world.files,
            DRIVE: self.world.drives,
            MAILBOX: self.world.mailboxes,
            STATE: self.world.states,
        }
        return every[name]

    def rows(self, name: str, request: Request) -> list[Row]:
        """The rows of a list under the parameters of a call, in their order."""
        rows = list(self.held(name))
        query = request.query
        if name == FILE:
            for parameter, inside in (("drive_id", "driveId"), ("folder_id", "id")):
                if query.get(parameter):
                    rows = [
                        one for one in rows if one["raw_data"]["parentReference"][inside] == query[parameter]
                    ]
        if query.get("sync_mode") == "incremental":
            rows.sort(key=lambda one: (one[CHANGED[name]], one["id"]))
        return rows

    def size(self, name: str, request: Request) -> int:
        """How many rows a page of this call has."""
        asked = request.query.get("page_size")
        if not asked or name in (MAILBOX, STATE):
            return SIZES[name]
        try:
            size = int(float(asked))
        except (ValueError, OverflowError):
            size = 0
        if size < 1:
            raise _bad("Expected a positive number", "page_size")
        return size

    def page(
        self, name: str, rows: list[Row], start: int, size: int, request: Request
    ) -> tuple[list[Row], int | None]:
        """The rows of a page, and where the next one starts."""
        following = start + size
        return rows[start:following], following if following < len(rows) else None

    def cursor(self, name: str, position: int, request: Request) -> str:
        return base64.urlsafe_b64encode(json.dumps({"list": name, "at": position}).encode()).decode()

    def position(self, name: str, cursor: str) -> int:
        try:
            read = json.loads(base64.urlsafe_b64decode(cursor.encode()))
            if read["list"] == name:
                return int(read["at"])
        except (ValueError, KeyError, TypeError):
            pass
        raise _bad("Not a cursor of this list", "cursor")

    def envelope(self, name: str, items: list[Row], cursor: str | None) -> Row:
        if name in (MAILBOX, STATE):
            return {"items": items, "next_page_cursor": cursor}
        return {"items": items, "has_next_page": cursor is not None, "next_cursor": cursor}

    def listed(self, name: str, request: Request) -> Any:
        """One page of a list."""
        mode = request.query.get("sync_mode") or "full"
        if mode not in MODES:
            raise _bad("Invalid enum value. Expected 'full' | 'incremental'", "sync_mode")
        size = self.size(name, request)
        given = request.query.get("cursor")
        start = self.position(name, given) if given else 0
        items, following = self.page(name, self.rows(name, request), start, size, request)
        return self.envelope(
            name, items, None if following is None else self.cursor(name, following, request)
        )

    def job_list(self, request: Request, _: str) -> Any:
        return self.listed(JOB, request)

    def file_list(self, request: Request, _: str) -> Any:
        return self.listed(FILE, request)

    def drive_list(self, request: Request, _: str) -> Any:
        return self.listed(DRIVE, request)

    def mailbox_list(self, request: Request, _: str) -> Any:
        return self.listed(MAILBOX, request)

    def state_list(self, request: Request, _: str) -> Any:
        return self.listed(STATE, request)

    # ------------------------------------------------------------ batch read

    def account_batch(self, request: Request, _: str) -> Any:
        body = request.body()
        wanted, properties = body.get("ids"), body.get("properties")
        for name, value in (("ids", wanted), ("properties", properties)):
            if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                raise _bad("Expected array of string", name)
        assert isinstance(wanted, list)
        assert isinstance(properties, list)
        return self.batch(wanted, properties)

    def batch(self, ids: list[str], properties: list[str]) -> Any:
        """The accounts that there are, in an order of their own."""
        return [self.account(one, properties) for one in self.world.accounts if one["id"] in ids]

    def account(self, company: Row, properties: list[str]) -> Row:
        """A company with the properties that were asked for."""
        always = ("createdate", "hs_lastmodifieddate")
        got = {
            name: value
            for name, value in company["properties"].items()
            if name in properties or name in always
        }
        row: Row = {
            "id": company["id"],
            "updated_at": company["updatedAt"],
            "is_deleted": company["archived"],
            "created_at": company["createdAt"],
            "last_modified_at": company["updatedAt"],
            "raw_data": {**company, "properties": got},
        }
        plain = {
            "name": "name",
            "website": "website",
            "industry": "industry",
            "hubspot_owner_id": "owner_id",
            "description": "description",
            "lifecyclestage": "lifecycle_stage",
        }
        row.update({field: got[name] for name, field in plain.items() if name in got})
        if "numberofemployees" in got:
            row["number_of_employees"] = int(got["numberofemployees"])
        if "phone" in got:
            row["phone_numbers"] = [{"phone_number": got["phone"], "phone_number_type": "primary"}]
        parts = {"address": "street_1", "city": "city", "zip": "postal_code", "country": "country"}
        address = {field: got[name] for name, field in parts.items() if name in got}
        if address:
            row["addresses"] = [{"address_type": "primary", **address}]
        return row


def _bad(message: str, *path: str) -> Exception:
    return refused(400, "BAD_REQUEST", "Input validation failed", issues=[issue("custom", message, *path)])
