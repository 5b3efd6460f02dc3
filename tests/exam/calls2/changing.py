"""Services whose third party changes while it is read: nothing is wrong with them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.exam.calls.lists import CHANGED, DRIVE, FILE, JOB, MAILBOX, STATE
from tests.exam.calls.service import Service
from tests.exam.calls.web import Request
from tests.exam.calls.world import Booking, Row, stamp
from tests.exam.calls2.kinds import sound


class Changing(Service):
    """Every few calls of a list something happens at the third party."""

    what = JOB
    every = 4
    asked_before = 0

    def before(self, operation: str, request: Request) -> None:
        if operation != self.what:
            return
        self.asked_before += 1
        if self.asked_before % self.every == 0:
            self.happens()

    def happens(self) -> None:
        raise NotImplementedError

    def touched(self, row: Row) -> None:
        """A change has a later date, in the raw record too."""
        at = stamp(datetime.now(UTC))
        old = row[CHANGED[self.what]]
        for part in (row, row["raw_data"], row["raw_data"].get("attributes", {})):
            for key, value in part.items():
                if value == old:
                    part[key] = at


@sound("changing", "jobs: one is new at the head every third call", small=False)
class NewAtHead(Changing):
    every = 3

    def happens(self) -> None:
        made = self.world.job()
        at = stamp(datetime.now(UTC))
        for part, names in (
            (made, ("created_at", "modified_at")),
            (made["raw_data"], ("created_at", "updated_at")),
        ):
            part.update(dict.fromkeys(names, at))
        made["raw_data"].update(opened_at=at, status="open", closed_at=None)
        self.world.jobs.insert(0, made)


@sound("changing", "jobs: one is deleted every fifth call", small=False)
class Deleted(Changing):
    every = 5

    def happens(self) -> None:
        if len(self.world.jobs) > 100:
            self.world.jobs.pop(self.draw.randrange(len(self.world.jobs)))


@sound("changing", "jobs: names are edited", small=False)
class Edited(Changing):
    def happens(self) -> None:
        row = self.draw.choice(self.world.jobs)
        row["name"] = row["raw_data"]["name"] = f"{row['name'].partition(' (')[0]} ({self.asked_before})"
        self.touched(row)


@sound("changing", "files: the list is newest first, and a changed file comes to its head", small=False)
class NewestFirst(Changing):
    what = FILE

    def prepare(self) -> None:
        self.world.files.sort(key=lambda one: one["updated_at"], reverse=True)

    def happens(self) -> None:
        row = self.world.files.pop(self.draw.randrange(20, len(self.world.files)))
        self.touched(row)
        row["size"] = row["raw_data"]["size"] = row["size"] + 1024
        self.world.files.insert(0, row)


@sound("changing", "sequence states: the order is another at every third call", small=False)
class Reordered(Changing):
    what = STATE
    every = 3

    def happens(self) -> None:
        self.draw.shuffle(self.world.states)


@sound("changing", "drives: one is taken away and comes back, with its files", small=False)
class ComesAndGoes(Changing):
    what = DRIVE
    every = 3

    def prepare(self) -> None:
        self.away: list[Row] = []
        self.files_away: list[Row] = []

    def happens(self) -> None:
        if self.away:
            self.world.drives.extend(self.away)
            self.world.files.extend(self.files_away)
            self.away, self.files_away = [], []
            return
        gone = self.world.drives.pop(self.draw.randrange(len(self.world.drives)))
        mine = [
            one for one in self.world.files if one["raw_data"]["parentReference"]["driveId"] == gone["id"]
        ]
        self.away, self.files_away = [gone], mine
        self.world.files = [one for one in self.world.files if one not in mine]


@sound("changing", "mailboxes: they are handed over to other users", small=False)
class HandedOver(Changing):
    what = MAILBOX
    every = 2

    def happens(self) -> None:
        row, person = self.draw.choice(self.world.mailboxes), self.draw.choice(self.world.people)
        row["user_id"] = str(person["id"])
        row["raw_data"]["relationships"]["user"]["data"]["id"] = person["id"]
        self.touched(row)


@sound("changing", "files: they are moved into other folders of their drive", small=False)
class Moved(Changing):
    what = FILE
    every = 2

    def happens(self) -> None:
        row = self.draw.choice([one for one in self.world.files if one["type"] == "file"])
        place = row["raw_data"]["parentReference"]
        folders = [
            one
            for one in self.world.files
            if one["type"] == "folder" and one["raw_data"]["parentReference"]["driveId"] == place["driveId"]
        ]
        if not folders:
            return
        folder = self.draw.choice(folders)
        place["id"] = folder["id"]
        place["path"] = f"/drives/{place['driveId']}/root:{folder['path']}"
        row["path"] = f"{folder['path']}/{row['name']}"
        row["raw_data"]["webUrl"] = f"{folder['raw_data']['webUrl']}/{row['name']}".replace(" ", "%20")
        self.touched(row)


@sound("changing", "sequence states: contacts go on, a state changes at every call", small=False)
class GoesOn(Changing):
    what = STATE
    every = 1

    def happens(self) -> None:
        row = self.draw.choice(self.world.states)
        row["state"] = row["raw_data"]["attributes"]["state"] = self.draw.choice(
            ("finished", "paused", "replied")
        )
        self.touched(row)


@sound("changing", "jobs: a counter in the raw data moves at every call", small=False)
class Counted(Service):
    def before(self, operation: str, request: Request) -> None:
        if operation == JOB:
            for one in self.world.jobs:
                one["raw_data"]["applications_count"] = self.calls + int(one["id"]) % 7


@sound("changing", "reports: an invoice is written between the calls")
class Booked(Service):
    def before(self, operation: str, request: Request) -> None:
        if operation in ("balance", "income") and self.calls % 3 == 0:
            day = (datetime.now(UTC) - timedelta(days=self.draw.randrange(5))).date().isoformat()
            self.world.payers[0].bookings.append(Booking(day, "invoice", self.draw.randrange(1000, 90_000)))


@sound("changing", "jobs: there are four more at every call, up to 600", small=False)
class Growing(Changing):
    every = 1

    def happens(self) -> None:
        if len(self.world.jobs) < 600:
            for _ in range(4):
                self.world.jobs.append(self.world.job())
