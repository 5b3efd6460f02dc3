"""Rows that the third party has and that never arrive; another question to the same service shows them."""

from __future__ import annotations

from datetime import timedelta

from tests.exam.calls.lists import DRIVE, FILE, JOB, MAILBOX, MODES, STATE
from tests.exam.calls.service import Service
from tests.exam.calls.web import Request, refused
from tests.exam.calls.world import START, Row, stamp
from tests.exam.calls2.kinds import DRIVES, FILES, JOBS, MAILBOXES, STATES, kind

Page = tuple[list[Row], int | None]


def asked_size(request: Request) -> bool:
    return bool(request.query.get("page_size"))


def incremental(request: Request) -> bool:
    return request.query.get("sync_mode") == MODES[1]


@kind("loss", "jobs: the row fetched to see whether there is more is thrown away", JOBS, small=False)
class LookAhead(Service):
    """With a page size one row more is fetched, and the next page starts behind it."""

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        if name == JOB and asked_size(request) and following is not None:
            following = following + 1 if following + 1 < len(rows) else None
        return items, following


@kind("loss", "jobs: 50 rows a page at most, while the offset moves by what was asked", JOBS, small=False)
class CappedPage(Service):
    def size(self, name: str, request: Request) -> int:
        return super().size(name, request) if name != JOB or asked_size(request) else 50

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return (items[:50] if name == JOB else items), following


@kind(
    "loss", "jobs: incremental ends after its first page, the newest changes are behind it", JOBS, small=False
)
class IncrementalOnePage(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return items, None if name == JOB and incremental(request) else following


@kind("loss", "files: with drive_id only the first page is given", FILES, small=False)
class DriveOnePage(Service):
    def prepare(self) -> None:
        self.guilty = frozenset(
            one["id"]
            for drive in self.world.drives
            for one in [
                one
                for one in self.world.files
                if one["raw_data"]["parentReference"]["driveId"] == drive["id"]
            ][10:]
        )

    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        return rows[:10] if name == FILE and request.query.get("drive_id") else rows


@kind("loss", "files: without a drive only those of the first eight drives are walked", FILES, small=False)
class FewDrives(Service):
    def prepare(self) -> None:
        self.walked = {one["id"] for one in self.world.drives[:8]}
        self.guilty = frozenset(one["id"] for one in self.world.files if not self.within(one))

    def within(self, row: Row) -> bool:
        return row["raw_data"]["parentReference"]["driveId"] in self.walked

    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        if name == FILE and not request.query.get("drive_id") and not request.query.get("folder_id"):
            return [one for one in rows if self.within(one)]
        return rows


@kind("loss", "files: the last file of each drive is lost where the next drive begins", FILES, small=False)
class DriveBorder(Service):
    def prepare(self) -> None:
        of = [one["raw_data"]["parentReference"]["driveId"] for one in self.world.files]
        self.guilty = frozenset(
            one["id"]
            for at, one in enumerate(self.world.files[:-1])
            if of[at] != of[at + 1] and one["type"] != "folder"
        )

    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        if name == FILE and not request.query.get("drive_id"):
            return [one for one in rows if one["id"] not in self.guilty]
        return rows


@kind("loss", "mailboxes: a full first page says that there is no more", MAILBOXES, *STATES, small=False)
class MailboxesOnePage(Service):
    """The sequence states go on naming those that never arrive."""

    def prepare(self) -> None:
        self.guilty = frozenset(one["id"] for one in self.world.mailboxes[25:])

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return items, None if name == MAILBOX else following


@kind("loss", "jobs: the next page starts after the last date, and equal dates are lost", JOBS, small=False)
class StrictlyAfter(Service):
    """There was an import in bulk: 130 jobs were changed in one moment."""

    def prepare(self) -> None:
        moment = stamp(START + timedelta(days=410))
        older = [one for one in self.world.jobs if one["created_at"] <= moment]
        for one in self.draw.sample(older, min(130, len(older))):
            one["modified_at"] = one["raw_data"]["updated_at"] = moment

    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        return sorted(rows, key=lambda one: (one["modified_at"], one["id"])) if name == JOB else rows

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        if name == JOB and following is not None:
            last = items[-1]["modified_at"]
            after = [at for at, one in enumerate(rows) if one["modified_at"] > last]
            following = after[0] if after else None
        return items, following


@kind("loss", "jobs: only incremental loses the rows of one moment at a page's end", JOBS, small=False)
class StrictlyAfterIncremental(StrictlyAfter):
    def rows(self, name: str, request: Request) -> list[Row]:
        return Service.rows(self, name, request)

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        if incremental(request):
            return super().page(name, rows, start, size, request)
        return Service.page(self, name, rows, start, size, request)


@kind("loss", "jobs: one record that does not fit fails every page that it is on", JOBS, small=False)
class BadRecord(Service):
    def prepare(self) -> None:
        self.bad = self.draw.choice(self.world.jobs[30:90])["id"]

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        if name == JOB and any(one["id"] == self.bad for one in items):
            raise refused(500, "INTERNAL_SERVER_ERROR", "Output validation failed", path="ats.listJobs")
        return items, following


@kind(
    "loss",
    "jobs: a record that does not fit takes its page with it, and the page comes empty",
    JOBS,
    small=False,
)
class BadRecordEmptyPage(BadRecord):
    """Someone has caught the error, and has made an empty page of it."""

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = Service.page(self, name, rows, start, size, request)
        if name == JOB and any(one["id"] == self.bad for one in items):
            items = []
        return items, following


@kind("loss", "jobs: never more than ten pages, whatever their size", JOBS, small=False)
class TenPages(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return items, None if name == JOB and start >= 9 * size else following


@kind("loss", "jobs: has_next_page is false while the cursor leads to more rows", JOBS, small=False)
class MoreButSaysNo(Service):
    def envelope(self, name: str, items: list[Row], cursor: str | None) -> Row:
        made = super().envelope(name, items, cursor)
        return {**made, "has_next_page": False} if name == JOB else made


@kind("loss", "files: has_next_page is true and there is no cursor", FILES, small=False)
class MoreWithoutCursor(Service):
    def envelope(self, name: str, items: list[Row], cursor: str | None) -> Row:
        made = super().envelope(name, items, cursor)
        return {**made, "next_cursor": None} if name == FILE else made


@kind("loss", "drives: a last page that is not full is dropped", DRIVES, small=False)
class ShortLastPage(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        if name == DRIVE and start > 0 and len(items) < size:
            items = []
        return items, following


@kind("loss", "drives: the page size goes out as the page number's step", DRIVES, small=False)
class OffsetAsPage(Service):
    """The third party counts pages; it is given the row offset."""

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        if name != DRIVE or not asked_size(request):
            return super().page(name, rows, start, size, request)
        items = rows[start * size : (start + 1) * size]
        return items, start + size if (start + 1) * size < len(rows) else None


@kind("loss", "files: a folder gives its first four entries and no more", FILES, small=False)
class FolderFew(Service):
    def prepare(self) -> None:
        seen: dict[str, list[str]] = {}
        for one in self.world.files:
            seen.setdefault(one["raw_data"]["parentReference"]["id"], []).append(one["id"])
        self.guilty = frozenset(one for ids in seen.values() for one in ids[4:])

    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        return rows[:4] if name == FILE and request.query.get("folder_id") else rows


@kind("loss", "jobs: a last page of one row is never announced", JOBS, small=False)
class LastRow(Service):
    def prepare(self) -> None:
        self.world.jobs.append(self.world.job())
        self.guilty = frozenset({self.world.jobs[-1]["id"]})

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        last = following is not None and following + 1 == len(rows)
        if name == JOB and last and not incremental(request):
            following = None
        return items, following


@kind("loss", "drives: pages are counted from 0 and asked for from 1", DRIVES, small=False)
class FirstPageSkipped(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        if name == DRIVE and asked_size(request) and start == 0:
            start = size
        return super().page(name, rows, start, size, request)


@kind("loss", "jobs: sync_mode=full leaves out the closed jobs that incremental has", JOBS, small=False)
class FullWithoutClosed(Service):
    def prepare(self) -> None:
        self.guilty = frozenset(one["id"] for one in self.world.jobs if one["raw_data"]["status"] == "closed")

    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        if name == JOB and request.query.get("sync_mode") == "full":
            return [one for one in rows if one["id"] not in self.guilty]
        return rows


@kind("loss", "files: with drive_id the folders are left out", FILES, small=False)
class DriveWithoutFolders(Service):
    def prepare(self) -> None:
        self.guilty = frozenset(one["id"] for one in self.world.files if one["type"] == "folder")

    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        if name == FILE and request.query.get("drive_id"):
            return [one for one in rows if one["type"] != "folder"]
        return rows


@kind("loss", "files: the last page comes empty", FILES, small=False)
class LastPageEmpty(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return ([] if name == FILE and start and following is None else items), following


@kind("loss", "jobs: later pages have 30 rows, and the cursor moves on by the page size", JOBS, small=False)
class ShortLaterPages(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return (items[:30] if name == JOB and start else items), following


@kind("loss", "jobs: every hundredth row is lost at the third party's own page border", JOBS, small=False)
class InnerBorder(Service):
    """Inside a page of any size the third party's pages of 100 are put together wrongly, with sizes below 100 not."""

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        if name == JOB and size >= 100 and not incremental(request):
            items = [one for at, one in enumerate(items, start + 1) if at % 100]
        return items, following

    def prepare(self) -> None:
        self.guilty = frozenset(self.world.jobs[at]["id"] for at in (99, 199, 299))


@kind("loss", "drives: page_size larger than the list gives nothing", DRIVES, small=False)
class TooLarge(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        if name == DRIVE and asked_size(request) and size > len(rows):
            return [], None
        return super().page(name, rows, start, size, request)


@kind(
    "loss",
    "sequence states: one page in the middle is answered with the page before it",
    *STATES,
    small=False,
)
class OldPage(Service):
    """A cache between: the third page repeats the second, and its own rows never come."""

    def prepare(self) -> None:
        self.guilty = frozenset(one["id"] for one in self.world.states[50:150])

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return (rows[50:100] if name == STATE and start == 100 else items), following
