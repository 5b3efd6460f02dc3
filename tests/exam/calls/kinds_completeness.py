"""Lists that lose rows, double them, or contradict another way of asking."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote_plus

from tests.exam.calls.kinds import ANY, FILES, JOBS, MAILBOXES, STATES, kind
from tests.exam.calls.lists import DRIVE, FILE, JOB, MAILBOX, SIZES, STATE
from tests.exam.calls.service import Service
from tests.exam.calls.web import Request, refused, third_party
from tests.exam.calls.world import Row

GROUP = "completeness"
Page = tuple[list[Row], int | None]


def ids(rows: list[Row]) -> frozenset[str]:
    return frozenset(one["id"] for one in rows)


@kind(GROUP, "jobs: the row offset goes out as a page number", JOBS, small=False)
class OffsetAsPageNumber(Service):
    """Pages 1, 20, 40 of size 20; without page_size all is well."""

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        if name != JOB or not request.query.get("page_size"):
            return super().page(name, rows, start, size, request)
        first = (max(start, 1) - 1) * size
        items = rows[first : first + size]
        return items, start + size if len(items) == size else None


@kind(GROUP, "jobs: without page_size one page and no next", JOBS, small=False)
class OnePageWithoutSize(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return items, None if name == JOB and not request.query.get("page_size") else following


@kind(GROUP, "files: without drive_id 50 rows of the main drive", FILES, small=False)
class FilesOfOneDrive(Service):
    def prepare(self) -> None:
        self.guilty = ids(self.world.files) - ids(self._shown())

    def _shown(self) -> list[Row]:
        of = [one["raw_data"]["parentReference"]["driveId"] for one in self.world.files]
        main = max(of, key=of.count)
        return [one for one in self.world.files if one["raw_data"]["parentReference"]["driveId"] == main][:50]

    def rows(self, name: str, request: Request) -> list[Row]:
        if name == FILE and not request.query.get("drive_id") and not request.query.get("folder_id"):
            return self._shown()
        return super().rows(name, request)


class HiddenFromWhole(Service):
    """Some files are told only when their folder is asked for."""

    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        if name == FILE and not request.query.get("folder_id"):
            return [one for one in rows if one["id"] not in self.guilty]
        return rows


@kind(GROUP, "files: one folder's files are missing in the whole list", FILES, small=False)
class FolderMissing(HiddenFromWhole):
    def prepare(self) -> None:
        inside: dict[str, list[Row]] = {}
        for one in self.world.files:
            if one["type"] == "file":
                inside.setdefault(one["raw_data"]["parentReference"]["id"], []).append(one)
        listed = ids(self.world.files)
        self.guilty = ids(
            self.draw.choice([rows for at, rows in inside.items() if at in listed and len(rows) > 2])
        )


@kind(GROUP, "files: only the top level, folders are not descended into", FILES, small=False)
class TopLevelOnly(HiddenFromWhole):
    def prepare(self) -> None:
        listed = ids(self.world.files)
        self.guilty = ids(
            [one for one in self.world.files if one["raw_data"]["parentReference"]["id"] in listed]
        )


@kind(GROUP, "jobs: a row is lost at every page border", JOBS, small=False)
class BorderLoses(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return items, following + 1 if name == JOB and following else following


@kind(GROUP, "sequence states: the last row of a page comes again on the next", *STATES, small=False)
class BorderDoubles(Service):
    def prepare(self) -> None:
        step = SIZES[STATE] - 1
        self.guilty = ids(self.world.states[step::step])

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return items, following - 1 if name == STATE and following else following


@kind(GROUP, "jobs: the last page is never given", JOBS, small=False)
class LastPageDropped(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return items, None if name == JOB and following and following + size >= len(rows) else following


@kind(GROUP, "files: a last page that is not full is never given", FILES, small=False)
class ShortPageDropped(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return items, None if name == FILE and following and following + size > len(rows) else following


@kind(GROUP, "jobs: one record fails its whole page with 500", JOBS, small=False)
class RecordFailsPage(Service):
    def prepare(self) -> None:
        self.victim = self.draw.choice(self.world.jobs)["id"]

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        if name == JOB and self.victim in ids(items):
            raise refused(500, "INTERNAL_SERVER_ERROR", "Output validation failed", path="ats.listJobs")
        return items, following


@kind(GROUP, "files: one record fails its whole page with 500", FILES, small=False)
class FileFailsPage(Service):
    def prepare(self) -> None:
        self.victim = self.draw.choice(self.world.files[50:])["id"]

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        if name == FILE and self.victim in ids(items):
            raise refused(
                500, "INTERNAL_SERVER_ERROR", "Output validation failed", path="fileStorage.listFiles"
            )
        return items, following


@kind(GROUP, "jobs: incremental holds confidential jobs, full does not", JOBS, small=False)
class FullLacks(Service):
    def prepare(self) -> None:
        self.guilty = ids([one for one in self.world.jobs if one["confidential"]])

    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        if name == JOB and request.query.get("sync_mode") != "incremental":
            return [one for one in rows if one["id"] not in self.guilty]
        return rows


@kind(GROUP, "jobs: incremental never gives the newest changes", JOBS, small=False)
class NewestMissing(Service):
    def prepare(self) -> None:
        self.guilty = ids(sorted(self.world.jobs, key=lambda one: str(one["modified_at"]))[-6:])

    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        if name == JOB and request.query.get("sync_mode") == "incremental":
            return [one for one in rows if one["id"] not in self.guilty]
        return rows


@kind(GROUP, "jobs: the cursor of the third page jumps over one", JOBS, small=False)
class CursorJumps(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        if name == JOB and following == 2 * size:
            return items, following + size if following + size < len(rows) else None
        return items, following


@kind(GROUP, "mailboxes: three that sequence states name are never listed", ANY, small=False)
class MailboxesUnlisted(Service):
    def prepare(self) -> None:
        named = sorted({one["mailbox_id"] for one in self.world.states})
        self.lost = frozenset(self.draw.sample(named, k=3))
        self.guilty = self.lost | ids([one for one in self.world.states if one["mailbox_id"] in self.lost])

    def held(self, name: str) -> list[Row]:
        rows = super().held(name)
        return [one for one in rows if one["id"] not in self.lost] if name == MAILBOX else rows


@kind(GROUP, "drives: one that files name is never listed", ANY, small=False)
class DriveUnlisted(Service):
    def prepare(self) -> None:
        self.lost = self.draw.choice(self.world.drives[:-1])["id"]
        of_it = [
            one for one in self.world.files if one["raw_data"]["parentReference"]["driveId"] == self.lost
        ]
        self.guilty = ids(of_it) | {self.lost}

    def held(self, name: str) -> list[Row]:
        rows = super().held(name)
        return [one for one in rows if one["id"] != self.lost] if name == DRIVE else rows


@kind(GROUP, "jobs: full stops at 100 rows, incremental does not", JOBS, small=False)
class JobsCeiling(Service):
    def prepare(self) -> None:
        self.guilty = ids(self.world.jobs[100:])

    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        return rows[:100] if name == JOB and request.query.get("sync_mode") != "incremental" else rows


@kind(GROUP, "files: the whole list stops at 100 rows, the drives' lists do not", FILES, small=False)
class FilesCeiling(Service):
    def prepare(self) -> None:
        self.guilty = ids(self.world.files[100:])

    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        whole = not request.query.get("drive_id") and not request.query.get("folder_id")
        return rows[:100] if name == FILE and whole else rows


@kind(GROUP, "sequence states: its own cursor is refused beyond 100 rows", *STATES, small=False)
class WindowTooLarge(Service):
    def position(self, name: str, cursor: str) -> int:
        at = super().position(name, cursor)
        if name == STATE and at >= 100:
            words = "[400 Bad Request] GET https://api.outreach.example/api/v2/sequenceStates\n"
            raise third_party(400, words + '{"errors":[{"detail":"Result window is too large"}]}')
        return at


@kind(GROUP, "mailboxes: the cursor is ignored, the first page comes for ever", MAILBOXES, small=False)
class FirstPageForEver(Service):
    def position(self, name: str, cursor: str) -> int:
        return 0 if name == MAILBOX else super().position(name, cursor)


@kind(GROUP, "mailboxes: empty pages with a next cursor for ever", MAILBOXES, small=False)
class EmptyForEver(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return items, len(rows) if name == MAILBOX and following is None else following


@kind(GROUP, "jobs: has_next_page without a cursor to go on with", JOBS, small=False)
class NextWithoutCursor(Service):
    def envelope(self, name: str, items: list[Row], cursor: str | None) -> Row:
        made = super().envelope(name, items, cursor)
        if name == JOB and items and items[0]["id"] != self.world.jobs[0]["id"] and cursor:
            made["next_cursor"] = None
        return made


@kind(GROUP, "jobs: has_next_page is false though the cursor leads on", JOBS, small=False)
class CursorWithoutNext(Service):
    def envelope(self, name: str, items: list[Row], cursor: str | None) -> Row:
        made = super().envelope(name, items, cursor)
        return {**made, "has_next_page": False} if name == JOB else made


@kind(GROUP, "jobs: no order of their own, pages overlap and lose", JOBS, small=False)
class NoOrder(Service):
    """Sorted by the month of change; within a month as the database happens to give them."""

    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        if name == JOB:
            self.draw.shuffle(rows)
            rows.sort(key=lambda one: str(one["modified_at"])[:7], reverse=True)
        return rows


@kind(GROUP, "files: drive_id is ignored", FILES, small=False)
class DriveIgnored(Service):
    def rows(self, name: str, request: Request) -> list[Row]:
        return list(self.world.files) if name == FILE else super().rows(name, request)


@kind(GROUP, "files: the second page of a drive forgets the drive", FILES, small=False)
class CursorForgetsDrive(Service):
    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        return list(self.world.files) if name == FILE and request.query.get("cursor") else rows


@kind(GROUP, "jobs: rows are filtered after paging, a page that is not full ends the list", JOBS, small=False)
class FilteredAfterPaging(Service):
    def prepare(self) -> None:
        self.hidden = ids(self.draw.sample(self.world.jobs[30:], k=9))

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        if name != JOB:
            return items, following
        shown = [one for one in items if one["id"] not in self.hidden]
        return shown, following if len(shown) == size else None


@kind(GROUP, "jobs: the cursor is the last change, rows of the same moment are lost", JOBS, small=False)
class TiesLost(Service):
    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        if name == JOB:
            rows.sort(key=lambda one: (str(one["modified_at"]), str(one["id"])), reverse=True)
        return rows

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        if name == JOB and following:
            later = (
                at for at in range(following, len(rows)) if rows[at]["modified_at"] < items[-1]["modified_at"]
            )
            following = next(later, None)
        return items, following


@kind(GROUP, "jobs: small pages leave the confidential ones out", JOBS, small=False)
class SmallPagesLack(Service):
    def prepare(self) -> None:
        self.guilty = ids([one for one in self.world.jobs if one["confidential"]])

    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        if name == JOB and self.size(name, request) <= 25:
            return [one for one in rows if one["id"] not in self.guilty]
        return rows


@kind(GROUP, "jobs: 50 rows a page at most, but the cursor counts what was asked", JOBS, small=False)
class CappedPage(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return (items[:50] if name == JOB else items), following


@kind(GROUP, "files: its own cursor is refused, for it is decoded twice", FILES, small=False)
class CursorDecodedTwice(Service):
    def cursor(self, name: str, position: int, request: Request) -> str:
        return f"{position}+files%2Bpage" if name == FILE else super().cursor(name, position, request)

    def position(self, name: str, cursor: str) -> int:
        if name != FILE:
            return super().position(name, cursor)
        at, mark, rest = unquote_plus(cursor).partition("+files%2Bpage")
        if not mark or rest:
            raise refused(400, "BAD_REQUEST", "Invalid cursor", path="fileStorage.listFiles")
        return int(at)


@kind(GROUP, "files: a whole list with sync_mode full is empty", FILES, small=False)
class FullEmpty(Service):
    """Without the parameter all rows come."""

    def rows(self, name: str, request: Request) -> list[Row]:
        return (
            [] if name == FILE and request.query.get("sync_mode") == "full" else super().rows(name, request)
        )


@kind(GROUP, "jobs: from the second page on there are ids instead of rows", JOBS, small=False)
class IdsForRows(Service):
    def listed(self, name: str, request: Request) -> Any:
        made = super().listed(name, request)
        if name == JOB and request.query.get("cursor"):
            made["items"] = [str(one["id"]) for one in made["items"]]
        return made
