"""Rows that come more than once, cursors that lead astray, and envelopes that are not the contract's."""

from __future__ import annotations

from typing import Any

from tests.exam.calls.lists import DRIVE, FILE, JOB, MAILBOX, STATE
from tests.exam.calls.service import Service
from tests.exam.calls.web import Request
from tests.exam.calls.world import Row
from tests.exam.calls2.kinds import DRIVES, FILES, JOBS, MAILBOXES, STATES, kind
from tests.exam.calls2.kinds_loss import Page


@kind(
    "repeats", "sequence states: each page begins with the last row of the one before", *STATES, small=False
)
class Inclusive(Service):
    def prepare(self) -> None:
        self.guilty = frozenset(one["id"] for one in self.world.states[49::49])

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return items, following - 1 if name == STATE and following is not None else following


@kind("repeats", "drives: the last page leads to itself for ever", DRIVES, small=False)
class LastForEver(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return items, start if name == DRIVE and following is None else following


@kind("repeats", "mailboxes: the cursor is ignored, the first page comes for ever", MAILBOXES, small=False)
class FirstForEver(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        return super().page(name, rows, 0 if name == MAILBOX else start, size, request)


@kind("repeats", "files: the third page leads back to the first", FILES, small=False)
class Circle(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return items, 0 if name == FILE and 2 * size <= start < 3 * size else following


@kind("repeats", "files: some files come once for each drive that they are shared into", FILES, small=False)
class Shared(Service):
    def prepare(self) -> None:
        shared = self.draw.sample([one for one in self.world.files if one["type"] == "file"], 9)
        self.guilty = frozenset(one["id"] for one in shared)
        self.again = shared

    def held(self, name: str) -> list[Row]:
        rows = super().held(name)
        return [*rows, *self.again] if name == FILE else rows


@kind("repeats", "jobs: a job of two departments comes twice", JOBS, small=False)
class Joined(Service):
    def prepare(self) -> None:
        self.guilty = frozenset(one["id"] for one in self.world.jobs if len(one["departments"]) > 1)

    def held(self, name: str) -> list[Row]:
        rows = super().held(name)
        if name != JOB:
            return rows
        return [one for one in rows for _ in range(max(1, len(one["departments"])))]


@kind(
    "repeats",
    "sequence states: the id has the call's number in it and changes at every call",
    *STATES,
    small=False,
)
class NewIds(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        if name == STATE:
            items = [{**one, "id": f"{one['id']}-{self.calls}"} for one in items]
        return items, following


@kind("repeats", "mailboxes: two different mailboxes have one id", MAILBOXES, small=False)
class SameId(Service):
    def prepare(self) -> None:
        first, second = self.draw.sample(self.world.mailboxes[:20], 2)
        second["id"] = first["id"]
        self.guilty = frozenset({first["id"]})


@kind("envelope", "jobs: next_cursor is a number", JOBS, small=False)
class NumberCursor(Service):
    def envelope(self, name: str, items: list[Row], cursor: str | None) -> Row:
        made = super().envelope(name, items, cursor)
        if name == JOB and cursor is not None:
            made["next_cursor"] = super().position(name, cursor)
        return made

    def position(self, name: str, cursor: str) -> int:
        return int(cursor) if cursor.isdigit() else super().position(name, cursor)


@kind("envelope", "drives: has_next_page is a text", DRIVES)
class TextFlag(Service):
    def envelope(self, name: str, items: list[Row], cursor: str | None) -> Row:
        made = super().envelope(name, items, cursor)
        return {**made, "has_next_page": "true" if cursor else "false"} if name == DRIVE else made


@kind("envelope", "jobs: has_next_page is left out of the last page", JOBS)
class NoFlag(Service):
    def envelope(self, name: str, items: list[Row], cursor: str | None) -> Row:
        made = super().envelope(name, items, cursor)
        if name == JOB and cursor is None:
            del made["has_next_page"]
        return made


@kind("envelope", "mailboxes: the next page is named next_cursor", MAILBOXES, small=False)
class OtherEnvelope(Service):
    def envelope(self, name: str, items: list[Row], cursor: str | None) -> Row:
        if name == MAILBOX:
            return {"items": items, "has_next_page": cursor is not None, "next_cursor": cursor}
        return super().envelope(name, items, cursor)


@kind("envelope", "drives: a bare array instead of an envelope", DRIVES)
class BareArray(Service):
    def drive_list(self, request: Request, _: str) -> Any:
        return self.listed(DRIVE, request)["items"]


@kind("envelope", "files: items is null where a page is empty", FILES, small=False)
class NullItems(Service):
    """A full last page is followed by an empty one."""

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        if name == FILE and following is None and items:
            following = start + len(items)
        return items, following

    def envelope(self, name: str, items: list[Row], cursor: str | None) -> Row:
        made = super().envelope(name, items, cursor)
        return {**made, "items": items or None} if name == FILE else made


@kind("envelope", "sequence states: some items are null", *STATES)
class NullRows(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        if name == STATE:
            nothing: Any = None
            items = [nothing if at % 9 == 4 else one for at, one in enumerate(items)]
        return items, following


@kind("envelope", "jobs: each item is wrapped in record", JOBS)
class Wrapped(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return ([{"record": one} for one in items] if name == JOB else items), following
