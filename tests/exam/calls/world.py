"""What the third parties hold: people, jobs, drives and files, mailboxes, sequence states, companies, books."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

Row = dict[str, Any]

FIRST = (
    "Aisha", "Bruno", "Chloé", "Daniel", "Élodie", "Farid", "Grace", "Håkan", "Ingrid", "Jürgen",
    "Kavya", "Liam", "María", "Noor", "Olga", "Priya",
)  # fmt: skip
LAST = (
    "Almeida", "Becker", "Castro", "Dubois", "Eriksen", "Fischer", "García", "Haddad", "Ito", "Jansen",
    "Kowalski", "Lindström", "Müller", "Nwosu",
)  # fmt: skip
LEVELS = ("Junior", "Senior", "Staff", "Lead", "Principal", "Associate")
ROLES = (
    "Backend Engineer", "Product Designer", "Account Executive", "Data Analyst", "Customer Success Manager",
    "Site Reliability Engineer", "Recruiter", "Payroll Specialist", "Technical Writer", "Solutions Architect",
)  # fmt: skip
CITIES = ("Berlin", "Lisbon", "New York", "Toronto", "São Paulo", "Singapore", "Kraków", "Remote")
COMPANIES = (
    "Northwind", "Blue Heron", "Alder & Finch", "Quarzwerk", "Tidewater", "Maison Lefèvre", "Ironbark", "Saltmarsh",
    "Copperfield", "Harrow Lane", "Kestrel", "Sunda Freight", "Pine Hollow", "Öresund", "Granite Peak",
)  # fmt: skip
INDUSTRIES = (
    "COMPUTER_SOFTWARE",
    "LOGISTICS_AND_SUPPLY_CHAIN",
    "RETAIL",
    "RENEWABLES_ENVIRONMENT",
    "BANKING",
)
STAGES = (
    "subscriber",
    "lead",
    "marketingqualifiedlead",
    "salesqualifiedlead",
    "opportunity",
    "customer",
    "evangelist",
)
KINDS = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pdf": "application/pdf",
    "png": "image/png",
    "csv": "text/csv",
}
TOPICS = (
    "Budget", "Roadmap", "Contract", "Minutes", "Invoice", "Survey", "Offer", "Payroll", "Audit",
    "Onboarding", "Pricing", "Release",
)  # fmt: skip
FOLDERS = ("Archive", "2024", "2025", "Clients", "Drafts", "Signed")
DRIVES = (
    "Finance", "Legal", "People", "Marketing", "Engineering", "Sales EMEA", "Sales Americas", "Facilities",
    "Board", "Support", "Research", "Procurement",
)  # fmt: skip
START = datetime(2024, 1, 8, 7, 30, tzinfo=UTC)
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ234567"


def stamp(at: datetime) -> str:
    """A moment as most third parties write it."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now() -> str:
    return stamp(datetime.now(UTC))


@dataclass(slots=True)
class Booking:
    """One line of a customer's books; money in cents."""

    day: str
    kind: str
    """`invoice`, `payment` or `expense`."""
    cents: int


@dataclass(slots=True)
class Payer:
    """A customer of the accounting system."""

    id: str
    name: str
    bookings: list[Booking] = field(default_factory=list)


class World:
    """Everything behind one connection, drawn from a seed. `small` keeps the lists short."""

    def __init__(self, seed: int, *, small: bool = False) -> None:
        self.seed = seed
        self.random = Random(seed)
        self.small = small
        self.serial = self.random.randrange(4_000_000, 5_000_000)
        self.people = [self._person(number) for number in range(24)]
        self.jobs = self._jobs(44 if small else 300)
        self.drives, self.files = self._drives(*((4, 48) if small else (12, 240)))
        self.mailboxes = [self._mailbox(number) for number in range(1, 7 if small else 31)]
        self.states = [self.state(number) for number in range(1, 45 if small else 201)]
        self.accounts = [self._account() for _ in range(40)]
        self.payers = [self._payer(number) for number in range(12)]
        self.transactions = ("181", "184")
        self.contacts: dict[str, Row] = {}
        self.pipelines: dict[str, Row] = {}
        self.customers: dict[str, Row] = {}

    def next_id(self) -> int:
        self.serial += self.random.randrange(1, 90)
        return self.serial

    def moments(self, days: int = 600) -> tuple[str, str]:
        """When something was made and when it was changed last."""
        made = START + timedelta(
            seconds=self.random.randrange(days * 86400), milliseconds=self.random.randrange(1000)
        )
        changed = made + timedelta(seconds=self.random.randrange(60, 120 * 86400))
        return stamp(made), stamp(changed)

    def letters(self, count: int) -> str:
        return "".join(self.random.choices(LETTERS, k=count))

    def job(self) -> Row:
        """One job, as Greenhouse has it and as the interface wants it."""
        draw, number = self.random, self.next_id()
        made, changed = self.moments()
        departments = draw.sample(self.departments, k=draw.choice((1, 1, 1, 2)))
        offices = draw.sample(self.offices, k=draw.choice((1, 1, 2)))
        managers = draw.sample(self.people, k=draw.choice((0, 1, 1)))
        recruiters = draw.sample(self.people, k=1)
        is_open = draw.random() < 0.7
        raw: Row = {
            "id": number,
            "name": f"{draw.choice(LEVELS)} {draw.choice(ROLES)}, {offices[0]['name']}",
            "requisition_id": f"REQ-{number % 9973}",
            "notes": None,
            "confidential": draw.random() < 0.12,
            "is_template": False,
            "status": "open" if is_open else "closed",
            "created_at": made,
            "opened_at": made,
            "closed_at": None if is_open else changed,
            "updated_at": changed,
            "departments": departments,
            "offices": offices,
            "hiring_team": {
                "hiring_managers": managers,
                "recruiters": recruiters,
                "coordinators": [],
                "sourcers": [],
            },
            "custom_fields": {"employment_type": draw.choice(("Full-time", "Part-time", "Contract"))},
        }
        return self.unified_job(raw)

    @staticmethod
    def unified_job(raw: Row) -> Row:
        people = raw["hiring_team"]
        return {
            "id": str(raw["id"]),
            "created_at": raw["created_at"],
            "modified_at": raw["updated_at"],
            "name": raw["name"],
            "confidential": raw["confidential"],
            "departments": [_department(one) for one in raw["departments"]],
            "offices": [{"id": str(one["id"]), "name": one["name"]} for one in raw["offices"]],
            "hiring_managers": [_team_member(one) for one in people["hiring_managers"]],
            "recruiters": [_team_member(one) for one in people["recruiters"]],
            "raw_data": raw,
        }

    def _person(self, number: int) -> Row:
        first, last = self.random.choice(FIRST), self.random.choice(LAST)
        return {"id": 70_100 + number * 3, "first_name": first, "last_name": last, "name": f"{first} {last}"}

    def _jobs(self, count: int) -> list[Row]:
        names = ("Engineering", "Platform", "Design", "Sales", "Field Sales", "Finance", "Payroll", "People")
        above = {"Platform": "Engineering", "Field Sales": "Sales", "Payroll": "Finance"}
        numbers = {name: 30_500 + at * 7 for at, name in enumerate(names)}
        self.departments: list[Row] = [
            {
                "id": numbers[name],
                "name": name,
                "parent_id": numbers[above[name]] if name in above else None,
                "child_ids": [numbers[one] for one, parent in above.items() if parent == name],
                "external_id": None,
            }
            for name in names
        ]
        self.offices: list[Row] = [
            {"id": 61_000 + at, "name": city, "location": {"name": city}} for at, city in enumerate(CITIES)
        ]
        jobs = [self.job() for _ in range(count)]
        # An import in bulk: many rows of one and the same moment, as every older system has them.
        imported = stamp(START + timedelta(days=410))
        for one in self.random.sample(jobs, k=count // 6):
            one["modified_at"] = one["raw_data"]["updated_at"] = max(imported, one["created_at"])
        jobs.sort(key=lambda one: (one["created_at"], one["id"]), reverse=True)
        return jobs

    def _drives(self, drives: int, files: int) -> tuple[list[Row], list[Row]]:
        made_drives = [self._drive(DRIVES[at]) for at in range(drives)]
        shares = [self.random.randrange(2, 9) for _ in made_drives]
        shares[self.random.randrange(drives)] += 30
        made: list[Row] = []
        for at, drive in enumerate(made_drives):
            wanted = files * sum(shares[: at + 1]) // sum(shares) - len(made)
            made += self._content(drive, max(wanted, 5) if at + 1 < drives else files - len(made))
        return made_drives, made

    def _drive(self, name: str) -> Row:
        made, changed = self.moments(300)
        raw = {
            "id": f"b!{self.letters(24)}",
            "name": name,
            "description": f"Documents of {name}",
            "driveType": "documentLibrary",
            "createdDateTime": made,
            "lastModifiedDateTime": changed,
            "webUrl": f"https://exam.sharepoint.example/sites/{name.replace(' ', '')}/Documents",
            "quota": {"state": "normal", "used": self.random.randrange(10**6, 10**10)},
        }
        return {
            "id": raw["id"],
            "name": name,
            "description": raw["description"],
            "created_at": made,
            "updated_at": changed,
            "raw_data": raw,
        }

    def _content(self, drive: Row, count: int) -> list[Row]:
        """A drive's folders and files; the root itself is never listed."""
        places = [(f"01{self.letters(30)}", "")]
        rows: list[Row] = []
        folders = min(self.random.randrange(2, 5), count // 2)
        for at in range(count):
            parent, path = places[at - 1] if 0 < at < folders else self.random.choice(places)
            if at < folders:
                name = FOLDERS[at]
                row = self._item(drive, parent, path, name, None)
                places.append((row["id"], f"{path}/{name}"))
            else:
                suffix = self.random.choice(sorted(KINDS))
                name = f"{self.random.choice(TOPICS)} {self.random.choice(COMPANIES)} {at:03}.{suffix}"
                row = self._item(drive, parent, path, name, suffix)
            rows.append(row)
        return rows

    def _item(self, drive: Row, parent: str, path: str, name: str, suffix: str | None) -> Row:
        made, changed = self.moments()
        size = self.random.randrange(900, 40_000_000)
        raw: Row = {
            "id": f"01{self.letters(30)}",
            "name": name,
            "size": size,
            "createdDateTime": made,
            "lastModifiedDateTime": changed,
            "eTag": f'"{{{self.letters(12)}}},2"',
            "webUrl": f"{drive['raw_data']['webUrl']}{path}/{name}".replace(" ", "%20"),
            "parentReference": {
                "driveId": drive["id"],
                "id": parent,
                "path": f"/drives/{drive['id']}/root:{path}",
            },
        }
        row: Row = {
            "id": raw["id"],
            "name": name,
            "type": "file" if suffix else "folder",
            "path": f"{path}/{name}",
            "downloadable": bool(suffix),
            "size": size,
            "permissions": {"download": bool(suffix)},
            "exportable": suffix in ("docx", "xlsx"),
            "export_formats": ["application/pdf"] if suffix in ("docx", "xlsx") else [],
            "created_at": made,
            "updated_at": changed,
            "raw_data": raw,
        }
        if suffix:
            raw["file"] = {"mimeType": KINDS[suffix], "hashes": {"quickXorHash": self.letters(20)}}
            row["mime_type"] = KINDS[suffix]
        else:
            raw["folder"] = {"childCount": self.random.randrange(1, 40)}
        return row

    def _mailbox(self, number: int) -> Row:
        made, changed = self.moments()
        person = self.random.choice(self.people)
        email = f"{person['first_name']}.{person['last_name']}{number}@exam.example".lower()
        raw = {
            "type": "mailbox",
            "id": number,
            "attributes": {"email": email, "sendDisabled": False, "createdAt": made, "updatedAt": changed},
            "relationships": {"user": {"data": {"type": "user", "id": person["id"]}}},
        }
        return {
            "id": str(number),
            "email": email,
            "created_at": made,
            "updated_at": changed,
            "last_modified_at": changed,
            "user_id": str(person["id"]),
            "is_deleted": False,
            "raw_data": raw,
        }

    def state(self, number: int) -> Row:
        made, changed = self.moments()
        mailbox, contact = self.random.choice(self.mailboxes), self.random.randrange(20_000, 90_000)
        sequence, person = (
            self.random.randrange(11, 38),
            mailbox["raw_data"]["relationships"]["user"]["data"]["id"],
        )
        state = self.random.choice(("active", "pending", "paused", "finished", "bounced", "opted_out"))
        raw = {
            "type": "sequenceState",
            "id": 5000 + number,
            "attributes": {
                "state": state,
                "createdAt": made,
                "updatedAt": changed,
                "openCount": self.random.randrange(9),
                "replyCount": self.random.randrange(3),
            },
            "relationships": {
                "sequence": {"data": {"type": "sequence", "id": sequence}},
                "prospect": {"data": {"type": "prospect", "id": contact}},
                "mailbox": {"data": {"type": "mailbox", "id": int(mailbox["id"])}},
                "creator": {"data": {"type": "user", "id": person}},
            },
        }
        return {
            "id": str(raw["id"]),
            "state": state,
            "created_at": made,
            "updated_at": changed,
            "last_modified_at": changed,
            "sequence_id": str(sequence),
            "contact_id": str(contact),
            "mailbox_id": mailbox["id"],
            "user_id": str(person),
            "is_deleted": False,
            "raw_data": raw,
        }

    def _account(self) -> Row:
        """A company as HubSpot has it; what is asked of it is chosen at the call."""
        draw, made_changed = self.random, self.moments()
        name = f"{draw.choice(COMPANIES)} {draw.choice(('GmbH', 'Inc.', 'Ltd', 'SA', 'Group'))}"
        site = f"www.{''.join(c for c in name.lower() if c.isascii() and c.isalpha())}.example"
        return {
            "id": str(self.next_id() * 1009),
            "properties": {
                "name": name,
                "website": site,
                "industry": draw.choice(INDUSTRIES),
                "numberofemployees": str(draw.randrange(3, 9000)),
                "hubspot_owner_id": str(70_100 + draw.randrange(24) * 3),
                "description": f"Customer since {draw.randrange(2009, 2024)}",
                "phone": f"+49 30 {draw.randrange(10**6, 10**7)}",
                "address": f"{draw.choice(LAST)}straße {draw.randrange(1, 200)}",
                "city": draw.choice(CITIES[:-1]),
                "zip": f"{draw.randrange(1000, 99999):05}",
                "country": "Germany",
                "lifecyclestage": draw.choice(STAGES),
                "createdate": made_changed[0],
                "hs_lastmodifieddate": made_changed[1],
            },
            "createdAt": made_changed[0],
            "updatedAt": made_changed[1],
            "archived": False,
        }

    def _payer(self, number: int) -> Payer:
        payer = Payer(str(58 + number), f"{COMPANIES[number]} {self.random.choice(('GmbH', 'Inc.', 'Ltd'))}")
        for month in range(30):
            day = (START + timedelta(days=30 * month + self.random.randrange(20))).date().isoformat()
            billed = self.random.randrange(40_000, 900_000)
            payer.bookings.append(Booking(day, "invoice", billed))
            payer.bookings.append(Booking(day, "expense", self.random.randrange(5_000, 300_000)))
            if month < 27:
                payer.bookings.append(Booking(day, "payment", billed - self.random.randrange(2) * 1013))
        return payer


def _department(raw: Row) -> Row:
    parent = {} if raw["parent_id"] is None else {"parent_id": str(raw["parent_id"])}
    return {
        "id": str(raw["id"]),
        "name": raw["name"],
        **parent,
        "child_ids": [str(one) for one in raw["child_ids"]],
        "raw_data": raw,
    }


def _team_member(raw: Row) -> Row:
    return {"id": str(raw["id"]), "first_name": raw["first_name"], "last_name": raw["last_name"]}
