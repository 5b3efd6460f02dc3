"""How a list is read: its parameters, its envelope and its cursors (contract 2.14).

Also here: which records a page has and where the next one begins, soundly or with a defect of whole pages (`planned`).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from starlette.responses import Response

from explorer.sandbox.calls import Call
from explorer.sandbox.conversions import MISSING
from explorer.sandbox.failures import refused
from explorer.sandbox.inputs import Input
from explorer.sandbox.records import shape_of
from explorer.sandbox.resources import Listing
from explorer.sandbox.thirdparty.file_storage import DRIVES, FOLDER_STEP, GROUPS, is_folder

LARGEST_SIZE = 1000
_ODD_START = 'p/ä&ø=+%20"#? \\漢字🚀 <'
_ODD_END = "> e\u0301; ,"
_LONG = 6_000
_INCREMENTAL = (7, 3)
"""An incremental list has the records whose number leaves 3 when divided by 7."""
_FOLDER = range(1126, 1150)
"""What lies in the folder with the number 1125."""
_OTHERS = 3
_EMPTY_AFTER = (500, 1000)
_LAST_BUT_HIDDEN = 12
_REPEAT_AFTER, _REPEATED = 250, 149


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page of a list begins.

    Attributes:
        position: how many records of the selection come before it.
        kind: set where a list does something unusual there, such as serving an empty page.
    """

    position: int
    kind: str = ""


def page_of(listing: Listing, call: Call) -> Response:
    """One page of a list."""
    connection, resource = call.reached, listing.resource
    read = Input(dict(call.query), call.procedure)
    cursor = read.text("cursor")
    mode: Any = MISSING
    size = listing.size
    if listing.envelope == "A":
        mode = read.text("sync_mode", choices=("full", "incremental"))
        asked = read.number("page_size")
        size = size if asked is MISSING else _size(call, listing, asked)
    filters = {name: call.query[name] for name in listing.filters if call.query.get(name)}
    read.done()
    call.able()
    if connection.fault == "unfit":
        raise refused(500, "INTERNAL_SERVER_ERROR", "Output validation failed", call.procedure)
    place = _place(call, listing, cursor)
    incremental = mode == "incremental"
    filters = kept_filters(connection.defects, place, filters)
    key = (connection.id, resource, incremental, tuple(filters.items()), place, size)
    body = call.sandbox.memory.page(key)
    if body is None:
        chosen = _selection(call, listing, incremental, filters)
        defects = connection.defects
        plan = planned(defects, resource, place, size, len(chosen), incremental=incremental)
        body = _body(call, listing, plan, chosen)
        if not connection.templated:
            call.sandbox.memory.keep_page(key, body)
    kind = "text/html; charset=utf-8" if "drive-content-type" in connection.defects else "application/json"
    return Response(body, headers={"content-type": kind})


def _size(call: Call, listing: Listing, asked: float) -> int:
    """The page size that a third party makes of what was asked for; it refuses less than one record."""
    if asked < 1:
        body = {"errors": [{"message": "Must be at least 1.", "field": "per_page"}]}
        raise call.third_party(listing.vertical, 422, body)
    return min(math.floor(asked), LARGEST_SIZE)


def _scope(call: Call, listing: Listing) -> str:
    return f"{call.sandbox.config.seed}|{call.reached.id}|{listing.resource}"


def _place(call: Call, listing: Listing, cursor: Any) -> Place:
    if cursor is MISSING or cursor == "":
        return Place(0)
    text = re.sub(r"\D.*", "", cursor) if "mailbox-cursor-number" in call.reached.defects else ""
    if text:
        return Place(int(text) - 1_000_000)
    place = decoded(cursor, _scope(call, listing), call.reached.cursor_style)
    if place is None:
        body = {"errors": [{"message": "The cursor is not valid for this list.", "field": "cursor"}]}
        raise call.third_party(listing.vertical, 400, body)
    return place


def _meet(numbers: range, modulus: int, remainder: int) -> range:
    """Those of an arithmetic sequence that leave a remainder; again an arithmetic sequence."""
    for first in range(
        numbers.start, min(numbers.stop, numbers.start + modulus * numbers.step), numbers.step
    ):
        if first % modulus == remainder:
            return range(first, numbers.stop, math.lcm(numbers.step, modulus))
    return range(0)


def _selection(call: Call, listing: Listing, incremental: bool, filters: dict[str, str]) -> Sequence[int]:
    """The numbers of the records that a request means, without making any."""
    connection, resource = call.reached, listing.resource
    total = connection.sizes[resource]
    numbers = range(total)
    shape = shape_of(resource, connection.parties[listing.vertical])
    if "folder_id" in filters:
        folder = shape.number(filters["folder_id"])
        inside = folder is not None and folder < total and is_folder(folder)
        numbers = (
            range(folder + 1, min(folder + FOLDER_STEP, total)) if folder is not None and inside else range(0)
        )
    if "drive_id" in filters:
        drive = shape.ids_of("drive_id").number(filters["drive_id"])
        numbers = _meet(numbers, DRIVES, drive) if drive is not None and drive < DRIVES else range(0)
    if "drive_group_id" in filters:
        group = filters["drive_group_id"].removeprefix("group_")
        known = group.isascii() and group.isdigit() and 1 <= int(group) <= GROUPS
        numbers = _meet(numbers, GROUPS, int(group) - 1) if known else range(0)
    if lost := left_out(connection.defects, resource, filters):
        return [number for number in numbers if number not in lost]
    if not incremental or not listing.modes:
        return numbers
    numbers = _meet(numbers, *_INCREMENTAL)
    if resource == "job" and "job-incremental-unknown" in connection.defects:
        return [*numbers, total + 5, total + 6, total + 8]
    return numbers


def _rows(call: Call, listing: Listing, plan: Plan, chosen: Sequence[int]) -> list[bytes]:
    numbers = [chosen[position] for position in plan.positions]
    rows = call.sandbox.records.rows(call.reached, listing.resource, numbers)
    for index in plan.older:
        rows[index] = msgspec.json.encode(
            {**msgspec.json.decode(rows[index]), "updated_at": "2019-01-01T00:00:00.000Z"}
        )
    for index in plan.other:
        record = msgspec.json.decode(rows[index])
        rows[index] = msgspec.json.encode({**record, "name": f"{record.get('name')} (draft)"})
    return rows


def _cursor(call: Call, listing: Listing, plan: Plan) -> Any:
    """What stands under the cursor's name in the envelope; MISSING leaves the name out."""
    connection = call.reached
    if plan.next is None or plan.cursor_hidden:
        end = connection.end
        if listing.resource == "mailbox":
            end = "empty" if "mailbox-cursor-empty-text" in connection.defects else end
            end = "absent" if "mailbox-cursor-absent" in connection.defects else end
        return {"null": None, "absent": MISSING, "empty": ""}[end]
    if "mailbox-cursor-number" in connection.defects:
        return 1_000_000 + plan.next.position
    return encoded(plan.next, _scope(call, listing), connection.cursor_style)


def _body(call: Call, listing: Listing, plan: Plan, chosen: Sequence[int]) -> bytes:
    defects = call.reached.defects
    rows = _rows(call, listing, plan, chosen)
    items = b"[" + b",".join(rows) + b"]"
    if "drive-items-null" in defects and listing.resource == "drive":
        items = b"null"
    parts = [b'"items":' + items]
    envelope = (
        "A" if "mailbox-other-envelope" in defects and listing.resource == "mailbox" else listing.envelope
    )
    if envelope == "A" and plan.has_next is not None:
        parts.append(b'"has_next_page":' + (b"true" if plan.has_next else b"false"))
    cursor = _cursor(call, listing, plan)
    if cursor is not MISSING:
        name = b'"next_cursor":' if envelope == "A" else b'"next_page_cursor":'
        parts.append(name + msgspec.json.encode(cursor))
    body = b"{" + b",".join(parts) + b"}"
    if listing.resource == "job" and "job-byte-order-mark" in defects:
        body = b"\xef\xbb\xbf" + body
    if "job-broken-json" in defects and plan.positions and 200 <= plan.positions[0] < 300:
        body = body[: len(body) // 2]
    return body


@dataclass(frozen=True, slots=True)
class Plan:
    """One page before it is made.

    Attributes:
        positions: positions in the selection, in order.
        next: where the next page begins, or None at the end.
        has_next: what the envelope says of it; None leaves it out.
        older: positions (indices into `positions`) that come again with an older date.
        other: positions (indices into `positions`) of records that say other things, with the same date.
        cursor_hidden: leaves the cursor out although there is a next page, or says so.
    """

    positions: list[int]
    next: Place | None
    has_next: bool | None
    older: list[int] = field(default_factory=list)
    other: list[int] = field(default_factory=list)
    cursor_hidden: bool = False


def planned(
    defects: frozenset[str], resource: str, place: Place, size: int, total: int, *, incremental: bool = False
) -> Plan:
    """The page that begins at a place, of a selection with `total` records."""
    if "job-page-size-ignored" in defects and resource == "job":
        size = 100
    if "drive-first-page-for-ever" in defects and resource == "drive":
        return Plan(list(range(min(size, total))), Place(size), True)
    extra = 3 if "file-page-too-long" in defects and resource == "file" else 0
    start = min(place.position, total)
    if place.kind in ("gap", "end"):
        onward = Place(start) if place.kind == "gap" else None
        return Plan([], onward, onward is not None)
    stop = min(start + size + extra, total)
    following = Place(stop) if stop < total else None
    plan = Plan(list(range(start, stop)), following, following is not None)
    for spoil in (_jobs, _files, _mailboxes, _sequence_states):
        plan = spoil(defects, resource, plan, start, stop)
    if incremental and resource == "job" and "job-incremental-other" in defects:
        plan = replace(plan, other=list(range(min(_OTHERS, len(plan.positions)))))
    return plan


def kept_filters(defects: frozenset[str], place: Place, filters: dict[str, str]) -> dict[str, str]:
    """The filters that a call heeds."""
    if "file-drive-forgotten" in defects and place.position:
        return {name: value for name, value in filters.items() if name != "drive_id"}
    return filters


def left_out(defects: frozenset[str], resource: str, filters: dict[str, str]) -> range:
    """The numbers of records that a selection lacks."""
    forgotten = resource == "file" and "file-folder-left-out" in defects and "folder_id" not in filters
    return _FOLDER if forgotten else range(0)


def _jobs(defects: frozenset[str], resource: str, plan: Plan, start: int, stop: int) -> Plan:
    if resource != "job":
        return plan
    if "job-duplicate-over-pages" in defects and start:
        plan = replace(plan, positions=[start - 1, *plan.positions])
    if "job-false-with-cursor" in defects and start // 100 + 1 == _LAST_BUT_HIDDEN and plan.next:
        plan = replace(plan, has_next=False)
    if "job-border-lost" in defects and plan.next:
        plan = replace(plan, next=Place(stop + 1))
    if "job-has-next-absent" in defects:
        plan = replace(plan, has_next=None)
    return plan


def _files(defects: frozenset[str], resource: str, plan: Plan, start: int, stop: int) -> Plan:
    if resource != "file":
        return plan
    if "file-empty-page" in defects and plan.next and any(start < gap <= stop for gap in _EMPTY_AFTER):
        plan = replace(plan, next=Place(stop, "gap"))
    if "file-next-without-cursor" in defects and plan.next is None:
        plan = replace(plan, has_next=True, cursor_hidden=True)
    return plan


def _mailboxes(defects: frozenset[str], resource: str, plan: Plan, start: int, stop: int) -> Plan:
    if resource == "mailbox" and "mailbox-empty-last-page" in defects and plan.next is None:
        return replace(plan, next=Place(stop, "end"), has_next=True)
    return plan


def _sequence_states(defects: frozenset[str], resource: str, plan: Plan, start: int, stop: int) -> Plan:
    if resource != "sequence_state":
        return plan
    if "sequence-going-back" in defects and start < _REPEAT_AFTER <= stop:
        index = _REPEAT_AFTER - start
        positions = [*plan.positions[:index], _REPEATED, *plan.positions[index:]]
        plan = replace(plan, positions=positions, older=[index])
    if "sequence-cursor-loop" in defects and stop >= 300:
        plan = replace(plan, next=Place(100), has_next=True)
    return plan


def _check(scope: str, text: str) -> str:
    return hashlib.blake2b(f"{scope}|{text}".encode(), digest_size=6).hexdigest()


def _filler(core: str) -> str:
    stretch = hashlib.shake_256(core.encode()).hexdigest((_LONG - len(core)) // 2)
    return f"{core}.{stretch}"


def encoded(place: Place, scope: str, style: str) -> str:
    """The cursor for a place. `scope` names connection and list, so that a cursor of one does not fit another."""
    text = f"{place.position}:{place.kind}"
    core = base64.urlsafe_b64encode(f"{text}:{_check(scope, text)}".encode()).decode().rstrip("=")
    if style == "long":
        return _filler(core)
    return f"{_ODD_START}{core}{_ODD_END}" if style == "odd" else core


def decoded(cursor: str, scope: str, style: str) -> Place | None:
    """The place behind a cursor, or None when it was not made by `encoded` for this scope and style."""
    core = cursor
    if style == "long":
        core = cursor.partition(".")[0]
    elif style == "odd":
        core = cursor.removeprefix(_ODD_START).removesuffix(_ODD_END)
    try:
        text = base64.urlsafe_b64decode(core + "=" * (-len(core) % 4)).decode()
        position, kind, _ = text.split(":")
        place = Place(int(position), kind)
    except (ValueError, binascii.Error):
        return None
    return place if place.position >= 0 and encoded(place, scope, style) == cursor else None
