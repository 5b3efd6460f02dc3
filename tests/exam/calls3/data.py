"""What the services of this exam hold: three bases that differ in nearly all that the interface leaves open."""

from __future__ import annotations

import base64
import json
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

Row = dict[str, Any]

JOB, FILE, DRIVE = "ats/job", "file-storage/file", "file-storage/drive"
MAILBOX, STATE = "sales-engagement/mailbox", "sales-engagement/sequence_state"
CONTACT, ACCOUNT = "crm/contact", "crm/account"
BALANCE, INCOME = "accounting/customer-balance", "accounting/customer-income"
RECEIPT = "accounting/payment-receipt"
PIPELINE, CHECK, CUSTOMER, LINK, WEBHOOK = (
    "core/pipeline",
    "core/connection",
    "core/customer",
    "connect/magic-link",
    "webhook",
)
SIZED = (JOB, FILE, DRIVE)
LISTS = (*SIZED, MAILBOX, STATE)
REPORTS = (BALANCE, INCOME)
CORE = (PIPELINE, CHECK, CUSTOMER, LINK, WEBHOOK)

NAMES = [
    "Ada",
    "Bruno",
    "Chloé",
    "Dmitri",
    "Elif",
    "Farid",
    "Greta",
    "Hanako",
    "Ines",
    "Jørgen",
    "Kofi",
    "Lucía",
    "Maren",
    "Noor",
    "Oskar",
    "Priya",
]
SURNAMES = [
    "Albrecht",
    "Bergström",
    "Castillo",
    "Dubois",
    "Eriksen",
    "Fontana",
    "Grünwald",
    "Hoang",
    "Ibáñez",
    "Janssen",
    "Kowalski",
]
TRADES = [
    "Engineer",
    "Analyst",
    "Nurse",
    "Designer",
    "Buyer",
    "Controller",
    "Recruiter",
    "Welder",
    "Architect",
    "Planner",
    "Editor",
]
PLACES = ["Lisbon", "Oslo", "Nairobi", "Kraków", "Toronto", "Osaka", "Lima", "Graz", "Cork", "Perth"]
COMPANIES = [
    "Northwind",
    "Bluepeak",
    "Ferrum",
    "Oakline",
    "Quillon",
    "Sandbar",
    "Tidewell",
    "Umbra",
    "Verdant",
    "Westgate",
]
FORMATS = (("pdf", "application/pdf"), ("csv", "text/csv"), ("png", "image/png"), ("txt", "text/plain"))


@dataclass(frozen=True, slots=True)
class Base:
    """How one third party and its connector are."""

    name: str
    keys: tuple[str, ...]
    counts: dict[str, int]
    usual: int
    """Rows on a page when no size is asked for."""
    most: int
    new_id: Callable[[Random, int], str]
    end: dict[str, Any]
    """What stands in the last page for the cursor."""
    absent: tuple[int, str]
    """Status and code of a vertical that the connector does not have."""
    seconds: float = 0.0
    """How long an answer takes."""

    def cursor(self, rows: list[Row], offset: int, size: int) -> str:
        """The text that leads to the row with that number."""
        if self.name == "sales":
            return "after_" + (rows[min(offset, len(rows)) - 1]["id"] if offset > 0 and rows else "0")
        if self.name == "store":
            return f"$skip={offset}&$top={size}&t=/+ {offset * 7919 % 997:x}%41=;ü"
        text = json.dumps({"o": offset, "s": size, "v": 2})
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    def position(self, cursor: str, rows: list[Row]) -> tuple[int, int | None]:
        """Number of the row that a cursor leads to, and the size that it holds. Raises ValueError."""
        if self.name == "sales":
            if not cursor.startswith("after_"):
                raise ValueError(cursor)
            last = int(cursor.removeprefix("after_"))
            return next((at for at, row in enumerate(rows) if int(row["id"]) > last), len(rows)), None
        if self.name == "store":
            found = re.fullmatch(r"\$skip=(\d+)&\$top=(\d+)&t=/\+ [0-9a-f]+%41=;ü", cursor)
            if not found:
                raise ValueError(cursor)
            return int(found[1]), int(found[2])
        state = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        return int(state["o"]), None


def _ulid(rng: Random, _: int) -> str:
    return "01" + "".join(rng.choices("ABCDEFGHJKMNPQRSTVWXYZ234567", k=18))


BASES = {
    one.name: one
    for one in (
        Base(
            "wide",
            (*LISTS, CONTACT, ACCOUNT, *REPORTS, RECEIPT, *CORE),
            {JOB: 301, FILE: 401, DRIVE: 130, MAILBOX: 330, STATE: 301, ACCOUNT: 60},
            100,
            200,
            lambda rng, _: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
            {"next_cursor": None},
            (501, "NOT_IMPLEMENTED"),
        ),
        Base(
            "sales",
            (JOB, MAILBOX, STATE, CONTACT, ACCOUNT, *CORE),
            {JOB: 121, MAILBOX: 131, STATE: 441, ACCOUNT: 45},
            40,
            100,
            lambda _, number: str(48_000_000 + number * 17),
            {},
            (400, "BAD_REQUEST"),
            0.002,
        ),
        Base(
            "store",
            (JOB, FILE, DRIVE, CONTACT, *REPORTS, RECEIPT, *CORE),
            {JOB: 101, FILE: 451, DRIVE: 41},
            25,
            50,
            _ulid,
            {"next_cursor": ""},
            (501, "NOT_IMPLEMENTED"),
        ),
    )
}


class World:
    """The records of one base."""

    def __init__(self, base: Base, seed: int) -> None:
        self.base, self.rng = base, Random(f"{base.name} {seed}")
        self.made = 0
        self.lists: dict[str, list[Row]] = {}
        makers = {JOB: self._jobs, DRIVE: self._drives, FILE: self._files, ACCOUNT: self._accounts}
        for key, make in {**makers, MAILBOX: self._mailboxes, STATE: self._states}.items():
            if key in base.counts:
                self.lists[key] = make(base.counts[key])

    def new_id(self) -> str:
        self.made += 1
        return self.base.new_id(self.rng, self.made)

    def dates(self) -> tuple[str, str]:
        """Two dates in order: made and changed."""
        made = datetime(2023, 2, 1, tzinfo=UTC) + timedelta(seconds=self.rng.randrange(60_000_000))
        changed = made + timedelta(seconds=self.rng.randrange(1, 20_000_000))
        return stamp(made), stamp(changed)

    def person(self) -> str:
        return f"{self.rng.choice(NAMES)} {self.rng.choice(SURNAMES)}"

    def _department(self, raw: Row) -> Row:
        return {
            "id": raw["id"],
            "name": raw["name"],
            "created_at": raw["created_at"],
            "modified_at": raw["updated_at"],
            "parent_id": raw["parent_id"],
            "parent_department_external_id": None,
            "child_ids": raw["child_ids"],
            "child_department_external_ids": [],
            "raw_data": raw,
        }

    def _jobs(self, count: int) -> list[Row]:
        departments: list[Row] = []
        for name in ("Sales", "Finance", "Field service", "Research", "People", "Legal"):
            made, changed = self.dates()
            one = {"id": self.new_id(), "name": name, "created_at": made, "updated_at": changed}
            departments.append({**one, "parent_id": None, "child_ids": list[str]()})
        for child in departments[3:]:
            child["parent_id"] = departments[0]["id"]
        departments[0]["child_ids"] = [child["id"] for child in departments[3:]]
        offices = [{"id": self.new_id(), "name": place} for place in PLACES]
        people = [{"id": self.new_id(), "name": self.person()} for _ in range(14)]
        rows = []
        for number in range(count):
            made, changed = self.dates()
            raw: Row = {
                "id": self.new_id(),
                "title": f"{self.rng.choice(TRADES)} {self.rng.choice(PLACES)} {number + 1}",
                "confidential": self.rng.random() < 0.2,
                "status": self.rng.choice(("open", "closed", "draft")),
                "created_at": made,
                "updated_at": changed,
                "departments": self.rng.sample(departments, self.rng.choice((1, 1, 2, 3))),
                "offices": self.rng.sample(offices, self.rng.choice((1, 2, 3, 4))),
                "hiring_managers": self.rng.sample(people, self.rng.choice((1, 2))),
                "recruiters": self.rng.sample(people, self.rng.choice((1, 2, 3))),
            }
            same = {name: raw[name] for name in ("offices", "hiring_managers", "recruiters", "confidential")}
            given = {
                "id": raw["id"],
                "created_at": made,
                "modified_at": changed,
                "name": raw["title"],
                **same,
            }
            rows.append(
                {
                    **given,
                    "departments": [self._department(one) for one in raw["departments"]],
                    "raw_data": raw,
                }
            )
        return rows

    def _drives(self, count: int) -> list[Row]:
        groups = [self.new_id() for _ in range(4)]
        rows = []
        for number in range(count):
            made, changed = self.dates()
            raw = {
                "id": self.new_id(),
                "name": f"{self.rng.choice(COMPANIES)} {number + 1}",
                "description": f"Shared papers of {self.rng.choice(PLACES)}",
                "createdDateTime": made,
                "lastModifiedDateTime": changed,
                "owner": {"group": {"id": self.rng.choice(groups)}},
            }
            same = {name: raw[name] for name in ("id", "name", "description")}
            rows.append({**same, "updated_at": changed, "created_at": made, "raw_data": raw})
        return rows

    def _files(self, count: int) -> list[Row]:
        """Files and folders, in the first nine drives."""
        drives = [row["id"] for row in self.lists[DRIVE][:9]]
        folders: list[Row] = []
        rows = []
        for number in range(count):
            is_folder = number % 12 == 0
            drive = drives[number // 12 % len(drives)] if is_folder else self.rng.choice(drives)
            near = [one for one in folders if one["raw_data"]["parentReference"]["driveId"] == drive]
            parent = self.rng.choice(near) if near and self.rng.random() < 0.7 else None
            row = self._file(number, drive, parent, is_folder=is_folder)
            rows.append(row)
            if is_folder:
                folders.append(row)
        return rows

    def _file(self, number: int, drive: str, parent: Row | None, *, is_folder: bool) -> Row:
        made, changed = self.dates()
        ending, mime = self.rng.choice(FORMATS)
        name = f"{self.rng.choice(TRADES)} {number + 1}" + ("" if is_folder else f".{ending}")
        above = parent["path"] if parent else ""
        size = 0 if is_folder else self.rng.randrange(900, 9_000_000)
        raw: Row = {
            "id": self.new_id(),
            "name": name,
            "description": f"{self.rng.choice(COMPANIES)} {number}",
            "size": size,
            "createdDateTime": made,
            "lastModifiedDateTime": changed,
            "parentReference": {
                "driveId": drive,
                "id": parent["id"] if parent else None,
                "path": above or "/",
            },
        }
        raw |= {"folder": {"view": "list"}} if is_folder else {"file": {"mimeType": mime}}
        return {
            "id": raw["id"],
            "name": name,
            "description": raw["description"],
            "type": "folder" if is_folder else "file",
            "path": f"{above}/{name}",
            "mime_type": None if is_folder else mime,
            "downloadable": not is_folder,
            "size": size,
            "permissions": {"download": not is_folder},
            "exportable": False,
            "export_formats": [],
            "updated_at": changed,
            "created_at": made,
            "raw_data": raw,
        }

    def _accounts(self, count: int) -> list[Row]:
        rows = []
        for number in range(count):
            made, changed = self.dates()
            name = f"{self.rng.choice(COMPANIES)} {number + 1}"
            raw = {
                "name": name,
                "domain": f"{name.replace(' ', '').lower()}.example",
                "industry": self.rng.choice(("RETAIL", "ENERGY", "BANKING")),
                "numberofemployees": self.rng.randrange(3, 4000),
            }
            rows.append(
                {
                    "id": self.new_id(),
                    "updated_at": changed,
                    "created_at": made,
                    "last_modified_at": changed,
                    "name": name,
                    "website": raw["domain"],
                    "industry": raw["industry"],
                    "number_of_employees": raw["numberofemployees"],
                    "is_deleted": False,
                    "raw_data": {"properties": raw},
                }
            )
        return rows

    def _mailboxes(self, count: int) -> list[Row]:
        rows = []
        for number in range(count):
            first, last = self.person().split()
            email = f"{first}.{last}{number + 1}@{self.rng.choice(COMPANIES)}.example".lower()
            email = email.encode("ascii", "ignore").decode()
            rows.append(self._related("mailbox", {"email": email}, {"user": self.new_id()}))
        return rows

    def _states(self, count: int) -> list[Row]:
        sequences = [self.new_id() for _ in range(12)]
        boxes = self.lists[MAILBOX]
        rows = []
        for _ in range(count):
            box = self.rng.choice(boxes)
            to = {"sequence": self.rng.choice(sequences), "contact": self.new_id(), "mailbox": box["id"]}
            to |= {"user": box["user_id"], "account": self.rng.choice(self.lists[ACCOUNT])["id"]}
            state = self.rng.choice(("active", "paused", "finished", "bounced"))
            rows.append(self._related("sequenceState", {"state": state}, to))
        return rows

    def _related(self, kind: str, own: Row, to: dict[str, str]) -> Row:
        """A record of attributes and relationships, as of Outreach."""
        made, changed = self.dates()
        raw = {
            "type": kind,
            "id": self.new_id(),
            "attributes": {**own, "createdAt": made, "updatedAt": changed},
            "relationships": {name: {"data": {"type": name, "id": value}} for name, value in to.items()},
        }
        ids = {f"{name}_id": value for name, value in to.items() if name != "account"}
        when = {"created_at": made, "updated_at": changed, "last_modified_at": changed}
        return {"id": raw["id"], **own, **when, **ids, "is_deleted": False, "raw_data": raw}


def stamp(moment: datetime) -> str:
    """As third parties write it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
