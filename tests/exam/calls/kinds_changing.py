"""Data that changes while it is read: nothing may be called lost."""

from __future__ import annotations

from tests.exam.calls.kinds import kind
from tests.exam.calls.lists import JOB
from tests.exam.calls.service import Service
from tests.exam.calls.web import Request
from tests.exam.calls.world import Row, World, now

GROUP = "changing"


def new_job(world: World) -> Row:
    """A job that somebody has just opened."""
    raw = world.job()["raw_data"]
    raw.update(created_at=now(), opened_at=now(), updated_at=now(), status="open", closed_at=None)
    return world.unified_job(raw)


def touch(job: Row) -> None:
    """Somebody edits a job."""
    job["modified_at"] = job["raw_data"]["updated_at"] = now()


class Living(Service):
    """Something happens to the jobs every few calls of their list."""

    every = 4

    def prepare(self) -> None:
        self.reads = 0

    def before(self, operation: str, request: Request) -> None:
        if operation == JOB:
            self.reads += 1
            if self.reads % self.every == 0:
                self.happens()

    def happens(self) -> None:
        """One change at the third party."""


@kind(GROUP, "jobs are opened: rows come in at the head", small=False)
class Opened(Living):
    def happens(self) -> None:
        self.world.jobs.insert(0, new_job(self.world))


@kind(GROUP, "jobs are deleted at the head", small=False)
class DeletedAtHead(Living):
    every = 5

    def happens(self) -> None:
        self.world.jobs.pop(0)


@kind(GROUP, "jobs are deleted anywhere", small=False)
class DeletedAnywhere(Living):
    every = 3

    def happens(self) -> None:
        self.world.jobs.pop(self.draw.randrange(len(self.world.jobs)))


class ChangedFirst(Living):
    """The list stands in the order of the last change."""

    every = 10**9

    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        if name == JOB and request.query.get("sync_mode") != "incremental":
            rows.sort(key=lambda one: (str(one["modified_at"]), str(one["id"])), reverse=True)
        return rows


@kind(GROUP, "jobs are edited and move to the head", base=ChangedFirst, small=False)
class Edited(ChangedFirst):
    every = 3

    def happens(self) -> None:
        touch(self.draw.choice(self.world.jobs))


@kind(GROUP, "twenty jobs are replaced by others at once", small=False)
class ReplacedAtOnce(Living):
    every = 9

    def happens(self) -> None:
        if self.reads == self.every:
            for one in self.draw.sample(self.world.jobs, k=20):
                self.world.jobs.remove(one)
            self.world.jobs[:0] = [new_job(self.world) for _ in range(20)]


@kind(GROUP, "a job is deleted and made again under another id", small=False)
class MadeAgain(Living):
    def happens(self) -> None:
        old = self.world.jobs.pop(self.draw.randrange(len(self.world.jobs)))
        raw = {**old["raw_data"], "id": self.world.next_id(), "created_at": now(), "updated_at": now()}
        self.world.jobs.insert(0, self.world.unified_job(raw))


@kind(GROUP, "files move to other folders and drives", small=False)
class FilesMove(Service):
    def before(self, operation: str, request: Request) -> None:
        if operation == "file_list" and self.calls % 4 == 0:
            moved = self.draw.choice([one for one in self.world.files if one["type"] == "file"])
            beside = self.draw.choice([one for one in self.world.files if one["type"] == "file"])
            raw = moved["raw_data"]
            raw["parentReference"] = dict(beside["raw_data"]["parentReference"])
            moved["path"] = f"{beside['path'].rpartition('/')[0]}/{moved['name']}"
            moved["updated_at"] = raw["lastModifiedDateTime"] = now()


@kind(GROUP, "sequence states finish and new ones begin", small=False)
class StatesMove(Service):
    def before(self, operation: str, request: Request) -> None:
        if operation != "state_list":
            return
        one = self.draw.choice(self.world.states)
        one["state"] = one["raw_data"]["attributes"]["state"] = "finished"
        one["updated_at"] = one["last_modified_at"] = one["raw_data"]["attributes"]["updatedAt"] = now()
        if self.calls % 3 == 0:
            begun = self.world.state(len(self.world.states) + 500 + self.calls)
            attributes = begun["raw_data"]["attributes"]
            at = now()
            attributes.update(createdAt=at, updatedAt=at)
            begun.update(created_at=at, updated_at=at, last_modified_at=at)
            self.world.states.append(begun)
