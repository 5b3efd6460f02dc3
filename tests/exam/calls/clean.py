"""Correct services that differ in what the contract leaves open: nothing may be found."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tests.exam.calls.kinds import Kind
from tests.exam.calls.kinds_changing import new_job, touch
from tests.exam.calls.lists import FILE, JOB, STATE
from tests.exam.calls.service import UNIFIED_OPERATIONS, Service
from tests.exam.calls.web import Request, refused, third_party
from tests.exam.calls.world import Row, now

GROUP = "clean"


class Normalising(Service):
    """A third party that tidies up what it is sent, and adds sums as floating-point numbers."""

    def kept(self, field: str, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        if field == "email":
            return value.strip().lower()
        if field == "phone":
            digits = "".join(one for one in value if one.isdigit())
            plus = "+" if value.strip().startswith("+") else ""
            return f"{plus}{digits}" if digits else value
        return value.strip()

    def money(self, cents: int) -> Any:
        return cents * 0.01

    def income(self, request: Request, path_id: str) -> Any:
        report = super().income(request, path_id)
        for name in ("totalIncome", "totalExpenses"):
            report[name] = sum(one[name] for one in report["entries"]) + 1e-10
        report["netIncome"] = report["totalIncome"] - report["totalExpenses"]
        return report


class FewOperations(Service):
    """A connector that lists jobs, and can do nothing else."""

    def operate(self, operation: str, request: Request, path_id: str) -> Any:
        if operation in UNIFIED_OPERATIONS and operation != JOB:
            raise refused(501, "NOT_IMPLEMENTED", f"{operation} is not implemented", path=operation)
        return super().operate(operation, request, path_id)

    def acknowledged(self, connector: str) -> Any:
        raise refused(501, "NOT_IMPLEMENTED", f"{connector} takes no webhooks", path="webhook")


class Duplicates409(Service):
    """What is there already is not created once more."""

    def contact_create(self, request: Request, path_id: str) -> Any:
        self._free(self.record(request), "")
        return super().contact_create(request, path_id)

    def contact_update(self, request: Request, contact: str) -> Any:
        self.found(contact)
        self._free(self.record(request), contact)
        return super().contact_update(request, contact)

    def _free(self, record: Row, contact: str) -> None:
        others = [one["id"] for one in self.matching([record.get("email") or ""]) if one["id"] != contact]
        if others:
            words = "[409 Conflict] POST https://api.hubapi.example/crm/v3/objects/contacts\n"
            raise third_party(409, f'{words}{{"message":"Contact already exists. Existing ID: {others[0]}"}}')

    def pipeline_create(self, request: Request, path_id: str) -> Any:
        if request.body().get("id") in self.world.pipelines:
            raise refused(409, "CONFLICT", "A pipeline with this id exists", path="core.createPipeline")
        return super().pipeline_create(request, path_id)


class Throttling(Service):
    """Now and then it asks for a moment's patience."""

    def prepare(self) -> None:
        self.asked_calls = 0

    def operate(self, operation: str, request: Request, path_id: str) -> Any:
        if operation in UNIFIED_OPERATIONS:
            self.asked_calls += 1
            if self.asked_calls % 9 == 0:
                words = "[429 Too Many Requests] GET https://api.exam.example/v1\nRate limit exceeded"
                raise third_party(429, words, Retry_After="0")
        return super().operate(operation, request, path_id)


class Sparse(Service):
    """Webhooks all 404; empty text; dates, cursors and page sizes of its own."""

    def prepare(self) -> None:
        for job in self.world.jobs:
            for field, inside in (("created_at", "created_at"), ("modified_at", "updated_at")):
                at = datetime.fromisoformat(job[field])
                job[field] = job["raw_data"][inside] = str(int(at.timestamp() * 1000))
            job["hiring_managers"] = None
        for one in self.world.drives:
            one["description"] = one["raw_data"]["description"] = ""

    def size(self, name: str, request: Request) -> int:
        super().size(name, request)
        return 30

    def rows(self, name: str, request: Request) -> list[Row]:
        rest = {key: value for key, value in request.query.items() if key != "sync_mode"}
        return super().rows(
            name, Request(request.method, request.parts, rest, request.headers, request.content)
        )

    def page(
        self, name: str, rows: list[Row], start: int, size: int, request: Request
    ) -> tuple[list[Row], int | None]:
        items = rows[start : start + size]
        return items, start + size if len(items) == size else None

    def cursor(self, name: str, position: int, request: Request) -> str:
        return f"{position}|/+ &=%2F§ü/{name}/" + "~AbC%3D+/=" * 60

    def position(self, name: str, cursor: str) -> int:
        at, _, rest = cursor.partition("|")
        if at.isdigit() and rest == self.cursor(name, int(at), _NOTHING).partition("|")[2]:
            return int(at)
        raise refused(400, "BAD_REQUEST", "Invalid cursor")

    def envelope(self, name: str, items: list[Row], cursor: str | None) -> Row:
        made = super().envelope(name, items, cursor)
        if cursor is None:
            made.pop("next_cursor", None)
            if "next_page_cursor" in made:
                made["next_page_cursor"] = ""
        return made

    def webhook(self, request: Request, connector: str) -> Any:
        self.bearer(request)
        raise refused(404, "NOT_FOUND", "Not found")


_NOTHING = Request("GET", (), {}, {}, b"")


class Living(Service):
    """Rows come in at the head, change and are deleted while they are read."""

    def before(self, operation: str, request: Request) -> None:
        world = self.world
        if operation == JOB and self.calls % 3 == 0:
            world.jobs.insert(0, new_job(world))
            touch(self.draw.choice(world.jobs))
            world.jobs.remove(self.draw.choice(world.jobs))
        if operation == FILE and self.calls % 5 == 0:
            world.files.remove(self.draw.choice([one for one in world.files if one["type"] == "file"]))
        if operation == STATE:
            one = self.draw.choice(world.states)
            one["state"] = one["raw_data"]["attributes"]["state"] = "finished"
            one["updated_at"] = one["last_modified_at"] = one["raw_data"]["attributes"]["updatedAt"] = now()


VARIANTS: tuple[tuple[str, type[Service]], ...] = (
    ("the correct service itself", Service),
    ("a third party that normalises, dust in sums", Normalising),
    ("most operations are not implemented", FewOperations),
    ("duplicates are refused with 409", Duplicates409),
    ("throttled with 429 and Retry-After: 0", Throttling),
    ("webhooks all 404, odd dates and cursors, page_size without effect", Sparse),
    ("data changes while it is read", Living),
)
CLEAN = [
    *(
        Kind(GROUP, name, service, base=service, small=False, writes=True, everything=True)
        for name, service in VARIANTS
    ),
    Kind(GROUP, "the correct service, nothing told and nothing written", Service, small=False),
]
