"""Page sizes, sync modes and filters that do another thing than they say."""

from __future__ import annotations

from tests.exam.calls.lists import DRIVE, FILE, JOB, MODES
from tests.exam.calls.records import bad
from tests.exam.calls.service import Service
from tests.exam.calls.web import Request
from tests.exam.calls.world import Row
from tests.exam.calls2.kinds import DRIVES, FILES, JOBS, kind
from tests.exam.calls2.kinds_loss import Page, asked_size, incremental
from tests.exam.frame import Expected


@kind("parameters", "jobs: sync_mode=incremental is refused as no value of the enumeration", JOBS)
class NoIncremental(Service):
    def rows(self, name: str, request: Request) -> list[Row]:
        if name == JOB and incremental(request):
            raise bad(f"Invalid enum value. Expected '{MODES[0]}'", "sync_mode", code="invalid_enum_value")
        return super().rows(name, request)


@kind(
    "parameters",
    "jobs: incremental gives jobs without their departments",
    Expected("ats/job", ("departments",)),
)
class PoorIncremental(Service):
    def prepare(self) -> None:
        self.guilty = frozenset(one["id"] for one in self.world.jobs)

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        if name == JOB and incremental(request):
            items = [{**one, "departments": []} for one in items]
        return items, following


@kind(
    "parameters",
    "files: with page_size the rows have no mime_type",
    Expected("file-storage/file", ("mime_type",)),
)
class PoorSizes(Service):
    def prepare(self) -> None:
        self.guilty = frozenset(one["id"] for one in self.world.files if one["type"] == "file")

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        if name == FILE and asked_size(request):
            items = [{key: value for key, value in one.items() if key != "mime_type"} for one in items]
        return items, following


@kind(
    "parameters",
    "files: with drive_id the dates are those of the drive",
    Expected("file-storage/file", ("updated_at", "created_at")),
)
class DriveDates(Service):
    def prepare(self) -> None:
        self.guilty = frozenset(one["id"] for one in self.world.files)

    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        drives = {one["id"]: one for one in self.world.drives}
        drive = drives.get(request.query.get("drive_id", ""))
        if name != FILE or drive is None:
            return rows
        return [{**one, "updated_at": drive["updated_at"], "created_at": drive["created_at"]} for one in rows]


@kind("parameters", "files: drive_id is ignored", FILES)
class DriveIgnored(Service):
    def rows(self, name: str, request: Request) -> list[Row]:
        if name != FILE or not request.query.get("drive_id"):
            return super().rows(name, request)
        kept = {key: value for key, value in request.query.items() if key != "drive_id"}
        return super().rows(
            name, Request(request.method, request.parts, kept, request.headers, request.content)
        )


@kind("parameters", "files: drive_id gives the files of the drive after it", FILES)
class NextDrive(Service):
    """A list of drives and a list of answers, out of step by one."""

    def rows(self, name: str, request: Request) -> list[Row]:
        ids = [one["id"] for one in self.world.drives]
        if name != FILE or request.query.get("drive_id") not in ids:
            return super().rows(name, request)
        after = ids[(ids.index(request.query["drive_id"]) + 1) % len(ids)]
        query = {**request.query, "drive_id": after}
        return super().rows(
            name, Request(request.method, request.parts, query, request.headers, request.content)
        )


@kind(
    "parameters",
    "files: folder_id gives the folders of the same name in the other drives too",
    FILES,
    small=False,
)
class FoldersByName(Service):
    def rows(self, name: str, request: Request) -> list[Row]:
        folder = request.query.get("folder_id")
        if name != FILE or not folder:
            return super().rows(name, request)
        names = {one["id"]: one["name"] for one in self.world.files if one["type"] == "folder"}
        alike = {one for one, called in names.items() if called == names.get(folder)} | {folder}
        return [one for one in self.held(FILE) if one["raw_data"]["parentReference"]["id"] in alike]


@kind("parameters", "files: folder_id is ignored", FILES)
class FolderIgnored(Service):
    def rows(self, name: str, request: Request) -> list[Row]:
        if name != FILE or not request.query.get("folder_id"):
            return super().rows(name, request)
        kept = {key: value for key, value in request.query.items() if key != "folder_id"}
        return super().rows(
            name, Request(request.method, request.parts, kept, request.headers, request.content)
        )


@kind(
    "parameters", "drives: page_size is taken as one more than it says, and the page has a row twice", DRIVES
)
class OneMore(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        if name == DRIVE and asked_size(request) and following is not None:
            items = rows[start : following + 1]
        return items, following


@kind("parameters", "jobs: page_size is refused, whatever its value", JOBS)
class SizeRefused(Service):
    def size(self, name: str, request: Request) -> int:
        if name == JOB and asked_size(request):
            raise bad("Expected number, received string", "page_size", code="invalid_type")
        return super().size(name, request)
