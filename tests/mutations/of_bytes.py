"""Kinds in the bytes, the envelope and the paging of a list."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.mutations.clean import ENVELOPE_A, ENVELOPE_B, written
from tests.mutations.kinds import Draw, kind
from tests.mutations.service import Defect, Page, Reply


@kind("body that is no JSON")
def no_json(draw: Draw) -> Defect:
    defect, page = draw.defect("transport.json"), draw.page()
    how, at = draw.rng.choice(("cut", "more", "comma", "quote", "html")), draw.rng.random()
    if how == "html":
        defect.check = "transport.answers"  # a web page is no answer of the service

    def body(made: Page, text: bytes) -> bytes:
        if made.number != page or made.size is not None:
            return text
        ways = {
            "cut": text[: 1 + int(at * (len(text) - 2))],
            "more": text + b"}",
            "comma": text.replace(b'":', b'"', 1),
            "quote": text.replace(b'{"', b"{'", 1),
            "html": b"<html><body>Bad gateway</body></html>",
        }
        return ways[how]

    defect.body = body
    defect.says = f"{how} on page {page}"
    return defect


@kind("content type of another")
def content_type(draw: Draw) -> Defect:
    defect, page = draw.defect("transport.content-type"), draw.page()
    kind_ = draw.rng.choice(("text/html", "text/plain; charset=utf-8", "application/octet-stream", ""))

    def reply(made: Page, answer: Reply) -> Reply:
        if made.number != page:
            return answer
        return replace(answer, headers={"content-type": kind_} if kind_ else {})

    defect.reply = reply
    return defect


@kind("response of another connection")
def other_connection(draw: Draw) -> Defect:
    defect, page = draw.defect("transport.connection"), draw.page()

    def reply(made: Page, answer: Reply) -> Reply:
        if made.number != page:
            return answer
        return replace(answer, headers={**answer.headers, "x-connection-id": f"conn_other_{page}"})

    defect.reply = reply
    return defect


@kind("byte order mark")
def byte_order_mark(draw: Draw) -> Defect:
    defect, page = draw.defect("transport.byte-order-mark"), draw.page()
    defect.body = lambda made, text: b"\xef\xbb\xbf" + text if made.number == page else text
    return defect


@kind("a name twice")
def name_twice(draw: Draw) -> Defect:
    defect = draw.defect("transport.names-once")
    for at in draw.some():
        record = draw.data.record(at)
        deep = draw.rng.random() < 0.5
        holder = record["raw_data"] if deep else record
        name = draw.rng.choice([n for n in holder if n != "raw_data"])
        again = json.dumps(name).encode() + b":" + draw.rng.choice((b'"other"', b"null", b"17"))
        row = draw.data.rows[at]
        if deep:
            # The record's own raw_data stands last, behind those of its departments.
            start = row.rindex(b'"raw_data":{') + len(b'"raw_data":{')
            draw.data.rows[at] = row[:start] + again + b"," + row[start:]
        else:
            draw.data.rows[at] = b"{" + again + b"," + row[1:]
    return defect


@kind("a number that is none")
def no_number(draw: Draw) -> Defect:
    defect = draw.defect("transport.numbers")
    word = draw.rng.choice(("NaN", "Infinity", "-Infinity"))
    for at in draw.some():
        record = draw.data.record(at)
        holder = record if draw.rng.random() < 0.5 else record["raw_data"]
        holder[draw.rng.choice([n for n in holder if n not in ("id", "raw_data")])] = "@@"
        draw.data.rows[at] = written(record).replace(b'"@@"', word.encode())
    return defect


@kind("half a character")
def half(draw: Draw) -> Defect:
    defect = draw.defect("transport.text")
    for at in draw.some():
        record = draw.data.record(at)
        holder = record if draw.rng.random() < 0.5 else record["raw_data"]
        texts = [n for n, v in holder.items() if isinstance(v, str) and n != "id"]
        holder = holder if texts else record
        name = draw.rng.choice(texts or ["id"])
        holder[name] += "@@"
        half_ = draw.rng.choice((rb"\ud83d", rb"\uDE00", b"\xff", b"\xc3"))
        draw.data.rows[at] = written(record).replace(b"@@", half_)
    return defect


@kind("digits lost", (*ENVELOPE_A, *ENVELOPE_B))
def digits(draw: Draw) -> Defect:
    defect = draw.defect("transport.digits")
    for at in draw.some():
        record = draw.data.record(at)
        number = draw.rng.randrange(2**54, 2**62) | 1
        number += 512 if number == int(float(number)) else 0
        exact, rounded = str(number), int(float(number))
        one = (exact, rounded) if draw.rng.random() < 0.5 else (str(rounded), number)
        record["id"], record["raw_data"]["id"] = one
        draw.data.put(at, record)
    return defect


@kind("page that fails")
def fails(draw: Draw) -> Defect:
    defect, page = draw.defect("transport.answers"), draw.page()
    status = draw.rng.choice((400, 401, 403, 404, 409, 422, 500))
    bodies = (
        {"message": "Something went wrong", "code": "INTERNAL_SERVER_ERROR", "data": {}},
        {"message": "no", "code": "BAD_REQUEST", "data": {"code": "BAD_REQUEST", "httpStatus": status}},
        {"error_type": "Error", "error_detail": "at line 1\nat line 2"},
    )
    text = draw.rng.choice((b"", *map(written, bodies)))
    defect.reply = lambda made, answer: Reply(status, text) if made.number == page else answer
    defect.says = f"{status} on page {page}"
    return defect


@kind("answered only at the second attempt")
def second_attempt(draw: Draw) -> Defect:
    """A request that fails once is nothing: here all of them do."""
    defect = draw.defect("transport.first-try")
    draw.page(last=1)
    status = draw.rng.choice((502, 504))

    def reply(made: Page, answer: Reply) -> Reply:
        return answer if made.visit > 1 else Reply(status, b"", {"retry-after": "0"})

    defect.reply = reply
    return defect


@kind("flag of another kind", ENVELOPE_A)
def flag(draw: Draw) -> Defect:
    defect, page = draw.defect("envelope.flag"), draw.page()
    value = draw.rng.choice((None, b"null", b'"true"', b"1", b"{}"))
    defect.page = lambda made: made.with_part("has_next_page", value) if made.number == page else made
    return defect


@kind("flag against cursor", ENVELOPE_A)
def disagree(draw: Draw) -> Defect:
    defect = draw.defect("envelope.agrees")
    if draw.rng.random() < 0.5:
        defect.page = lambda made: made.with_part("has_next_page", b"true") if made.last else made
        return defect
    page = draw.page(last=1)
    defect.page = lambda made: made.with_part("has_next_page", b"false") if made.number == page else made
    return defect


@kind("cursor of another kind")
def cursor_kind(draw: Draw) -> Defect:
    defect = draw.defect("envelope.cursor-type")
    name = "next_cursor" if draw.key in ENVELOPE_A else "next_page_cursor"
    value = draw.rng.choice((b"false", b"0", b"[]", b"{}", None, None))
    if value is not None:
        # Of the last page alone, where it leads nowhere.
        defect.page = lambda made: made.with_part(name, value) if made.last else made
        return defect
    defect.numbers = True

    def number(made: Page) -> Page:
        size = made.size or draw.data.size
        return made if made.last else made.with_part(name, str((made.number + 1) * 1000 + size).encode())

    defect.page = number
    return defect


@kind("no rows in a page")
def no_items(draw: Draw) -> Defect:
    defect, page = draw.defect("envelope.items"), draw.page()
    value = draw.rng.choice((None, b"null", b"{}", b'"none"', b"0"))
    defect.page = lambda made: made.with_part("items", value) if made.number == page else made
    return defect


@kind("another envelope")
def envelope(draw: Draw) -> Defect:
    defect, page = draw.defect("envelope.own"), draw.page()
    mine, other = "next_cursor", "next_page_cursor"
    mine, other = (mine, other) if draw.key in ENVELOPE_A else (other, mine)

    def change(made: Page) -> Page:
        if made.number != page and page != 1:
            return made
        parts = made.envelope
        return made.with_part(other, parts[mine]).with_part(mine, None)

    def bare(made: Page) -> Page:
        return replace(made, parts={"": b"[" + b",".join(made.items) + b"]"}) if made.last else made

    defect.page = draw.rng.choice((change, change, bare))
    return defect


@kind("cursor that leads back")
def loop(draw: Draw) -> Defect:
    defect = draw.defect("paging.cursor-once")
    start = draw.page(first=2, last=1)
    back = draw.rng.randint(2, start)
    defect.route = lambda number: back if number == start else number + 1
    return defect


@kind("page that comes again")
def page_again(draw: Draw) -> Defect:
    defect = draw.defect("paging.page-once")
    page = draw.page(first=2)
    rows, size = draw.data.rows, draw.data.size
    before = rows[(page - 2) * size : (page - 1) * size]
    defect.page = lambda made: replace(made, items=before) if made.number == page and not made.size else made
    return defect


@kind("empty page before the last")
def empty_page(draw: Draw) -> Defect:
    defect, page = draw.defect("paging.no-empty-page"), draw.page(last=1)
    rows, size = draw.data.rows, draw.data.size

    def change(made: Page) -> Page:
        # Nothing is lost: what stood on this page and on those behind it comes one page later.
        if made.number < page or made.size or made.mode == "incremental":
            return made
        start = (made.number - 2) * size
        items = [] if made.number == page else rows[start : start + size]
        last = made.number > page and start + size >= len(rows)
        return replace(made, items=items, next=None if last else f"c~1~{made.number + 1}~{size}")

    defect.page = change
    return defect


@kind("list without an end")
def endless(draw: Draw) -> Defect:
    defect = draw.defect("paging.ends")

    def more(made: Page) -> Page:
        return replace(made, next=f"c~1~{made.number + 1}~{draw.data.size}") if made.last else made

    defect.page = more
    return defect


@kind("other rows when asked again")
def other_rows(draw: Draw) -> Defect:
    page = draw.page()
    defect = draw.defect("paging.first-again" if page == 1 else "paging.again")
    how, start = draw.rng.choice(("order", "gone", "changed")), draw.rng.randrange(1000)

    def change(made: Page) -> Page:
        if made.number != page or made.visit == 1 or made.size or made.mode == "incremental":
            return made
        items = list(made.items)
        at = start % len(items)
        if how == "order":
            items = items[::-1] if len(items) > 1 else []
        elif how == "gone":
            del items[at]
        else:
            record = json.loads(items[at])
            record["raw_data"]["version"] = f"v{start}"
            items[at] = written(record)
        return replace(made, items=items)

    defect.page = change
    defect.says = f"{how} on page {page}"
    return defect


@kind("rows lost in a second walk")
def lost(draw: Draw) -> Defect:
    defect = draw.defect("sync.nothing-lost")
    count = draw.rng.choice((1, 1, 3))
    start = draw.rng.randrange(draw.data.size, len(draw.data.rows) - count)
    gone = set(draw.data.rows[start : start + count])
    defect.walks_differ = True

    def change(made: Page) -> Page:
        if made.walk == 1 or made.size or made.mode == "incremental":
            return made
        return replace(made, items=[row for row in made.items if row not in gone])

    defect.page = change
    return defect
