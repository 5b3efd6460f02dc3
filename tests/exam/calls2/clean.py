"""Services that are right, and differ in what the contract leaves open."""

from __future__ import annotations

import base64
import json
import zlib
from datetime import datetime
from typing import Any

from tests.exam.calls.lists import DRIVE, FILE, JOB, MAILBOX, STATE
from tests.exam.calls.service import Service
from tests.exam.calls.web import Answer, Request, refused, third_party
from tests.exam.calls.world import Row
from tests.exam.calls2.kinds import sound
from tests.exam.calls2.kinds_loss import Page


@sound("clean", "nothing special, long lists", small=False)
class Plain(Service):
    pass


@sound("clean", "nothing special, all that can be written", writes=True)
class PlainWrites(Service):
    pass


@sound("clean", "cursors of odd characters and 2,000 characters long", small=False)
class OddCursors(Service):
    def cursor(self, name: str, position: int, request: Request) -> str:
        return f'+/=&?#%20 ü\n"{position}"{"~" * 2000}§{name}'

    def position(self, name: str, cursor: str) -> int:
        start, _, of = cursor.partition("§")
        if of != name:
            return super().position(name, cursor)
        return int(start.split('"')[1])


@sound("clean", "the last page has no cursor key, or an empty one", small=False)
class NoCursorKey(Service):
    def envelope(self, name: str, items: list[Row], cursor: str | None) -> Row:
        made = super().envelope(name, items, cursor)
        if cursor is not None:
            return made
        if name in (JOB, MAILBOX):
            return {**made, **{key: "" for key in made if key.endswith("cursor")}}
        return {key: value for key, value in made.items() if not key.endswith("cursor")}


@sound("clean", "a full last page is followed by an empty one", small=False)
class EmptyLast(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, size, request)
        return items, start + size if following is None and len(items) == size else following


@sound("clean", "pages of all lengths, an empty one among them", small=False)
class UnevenPages(Service):
    """The third party filters after it has cut the page."""

    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        items, following = super().page(name, rows, start, max(1, size * 2 // 3), request)
        if following is not None and start == 0:
            following += len(rows) + 1
        return items, following

    def listed(self, name: str, request: Request) -> Any:
        """After the first page there is one without rows."""
        given = request.query.get("cursor")
        count = len(self.rows(name, request))
        if given and self.position(name, given) > count:
            return self.envelope(name, [], self.cursor(name, self.position(name, given) - count - 1, request))
        return super().listed(name, request)


@sound("clean", "page_size is ignored", small=False)
class SizeIgnored(Service):
    def size(self, name: str, request: Request) -> int:
        super().size(name, request)
        return {JOB: 60, FILE: 70, DRIVE: 5, MAILBOX: 25, STATE: 50}[name]


@sound("clean", "sync_mode is ignored", small=False)
class ModeIgnored(Service):
    def rows(self, name: str, request: Request) -> list[Row]:
        query = {key: value for key, value in request.query.items() if key != "sync_mode"}
        return super().rows(
            name, Request(request.method, request.parts, query, request.headers, request.content)
        )


@sound("clean", "incremental gives what was changed since a day", small=False)
class Since(Service):
    def rows(self, name: str, request: Request) -> list[Row]:
        rows = super().rows(name, request)
        if request.query.get("sync_mode") == "incremental":
            return rows[len(rows) // 2 :]
        return rows


@sound("clean", "dates of jobs are epoch milliseconds as texts")
class EpochDates(Service):
    def prepare(self) -> None:
        for one in self.world.jobs:
            for field in ("created_at", "modified_at"):
                moment = datetime.fromisoformat(one[field].replace("Z", "+00:00"))
                one[field] = str(int(moment.timestamp() * 1000))
            one["raw_data"].update(created_at=one["created_at"], updated_at=one["modified_at"])


@sound("clean", "a wrong key is refused with 403, an unknown connection with 400 and words only")
class OtherRefusals(Service):
    def refusal(self, operation: str, request: Request, answer: Answer) -> Answer:
        if answer.status == 401:
            return Answer({"error_type": "FORBIDDEN", "error_detail": "Key not accepted"}, 403)
        if answer.status == 404:
            return Answer({"error": "No such connection"}, 400)
        return answer


@sound("clean", "the third party answers 429 now and then", small=False)
class TooMany(Service):
    limited = 0

    def operate(self, operation: str, request: Request, path_id: str) -> Any:
        self.limited += 1
        if operation == JOB and self.limited % 11 == 0:
            raise third_party(
                429, "[429 Too Many Requests] GET https://harvest.greenhouse.example/v1/jobs", Retry_After="0"
            )
        return super().operate(operation, request, path_id)


@sound("clean", "addresses in lower case, phones in another form, names trimmed", writes=True)
class Normalised(Service):
    def kept(self, field: str, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        if field == "phone":
            digits = "".join(one for one in value if one.isdigit())
            return f"+{digits}" if value.strip().startswith("+") else digits
        return value.strip().lower() if field == "email" else value.strip()


@sound("clean", "sums with dust in the last digit")
class Dust(Service):
    def money(self, cents: int) -> Any:
        return cents * 0.01


@sound("clean", "nulls wherever the third party may have none")
class Nulls(Service):
    def prepare(self) -> None:
        for at, one in enumerate(self.world.files):
            if at % 3 == 0:
                one.update(description=None, size=None, mime_type=None)
                for name in ("size", "file"):
                    one["raw_data"].pop(name, None)
                one["raw_data"]["size"] = None
        for one in self.world.drives:
            one["description"] = one["raw_data"]["description"] = None


@sound("clean", "batch read: another order at every call")
class BatchOrder(Service):
    def batch(self, ids: list[str], properties: list[str]) -> Any:
        rows: list[Row] = super().batch(ids, properties)
        return sorted(rows, key=lambda one: zlib.crc32(f"{one['id']} {self.calls}".encode()))


@sound("clean", "only jobs: every other operation is not implemented", small=False)
class JobsOnly(Service):
    def connected(self, operation: str, request: Request) -> None:
        super().connected(operation, request)
        if operation != JOB:
            raise refused(501, "NOT_IMPLEMENTED", "Not implemented", path=operation)


@sound("clean", "more keys than the contract has, in envelopes and rows")
class MoreKeys(Service):
    def envelope(self, name: str, items: list[Row], cursor: str | None) -> Row:
        made = super().envelope(name, [{**one, "_links": {}, "etag": one["id"][:4]} for one in items], cursor)
        return {**made, "page_info": {"count": len(items)}}


@sound("clean", "the webhook knows no name, receipts are all PDF, reports of unknown customers are refused")
class NoWebhook(Service):
    def webhook(self, request: Request, connector: str) -> Any:
        self.bearer(request)
        raise refused(404, "NOT_FOUND", "Not found")

    def receipt_of(self, transaction: str) -> Answer:
        return Answer(content=self.receipt_pdf(transaction), kind="application/pdf")

    def balance(self, request: Request, _: str) -> Any:
        self._known(request)
        return super().balance(request, _)

    def income(self, request: Request, _: str) -> Any:
        self._known(request)
        return super().income(request, _)

    def _known(self, request: Request) -> None:
        customer = request.query.get("customer")
        if customer and customer not in {one.id for one in self.world.payers}:
            raise third_party(
                400, "[400 Bad Request] GET https://quickbooks.example/v3/reports\nInvalid Reference Id"
            )


@sound("clean", "cursors end with the page they were made for: another size starts over", small=False)
class CursorWithSize(Service):
    """The cursor holds the page size of its walk; a size that is sent along is not looked at."""

    def cursor(self, name: str, position: int, request: Request) -> str:
        held = {"list": name, "at": position, "size": self.size(name, request)}
        return base64.urlsafe_b64encode(json.dumps(held).encode()).decode()

    def size(self, name: str, request: Request) -> int:
        given = request.query.get("cursor")
        if given:
            self.position(name, given)
            return int(json.loads(base64.urlsafe_b64decode(given.encode()))["size"])
        return super().size(name, request)
