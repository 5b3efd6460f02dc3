"""Kinds that nobody plans: bodies of nothing, bytes that one reader takes and another refuses, refused parameters."""

from __future__ import annotations

from dataclasses import replace

from tests.mutations.clean import ENVELOPE_A, written
from tests.mutations.kinds import Draw, kind
from tests.mutations.service import Defect, Page, Reply


@kind("page of nothing")
def nothing(draw: Draw) -> Defect:
    defect, page = draw.defect("transport.json"), draw.page()
    status = draw.rng.choice((200, 204))
    defect.reply = lambda made, answer: Reply(status, b"", {}) if made.number == page else answer
    return defect


@kind("JSON that is no list")
def no_list(draw: Draw) -> Defect:
    defect, page = draw.defect("envelope.items"), draw.page()
    text = draw.rng.choice((b"null", b'"ok"', b"true", b"17"))
    defect.body = lambda made, body: text if made.number == page and made.size is None else body
    return defect


@kind("packing that is damaged")
def packing(draw: Draw) -> Defect:
    defect, page = draw.defect("transport.answers"), draw.page()
    coding = draw.rng.choice(("gzip", "br", "deflate"))

    def reply(made: Page, answer: Reply) -> Reply:
        if made.number != page:
            return answer
        return replace(answer, headers={**answer.headers, "content-encoding": coding})

    defect.reply = reply
    return defect


@kind("a comma too many")
def comma(draw: Draw) -> Defect:
    defect, page = draw.defect("transport.json"), draw.page()
    defect.body = lambda made, body: body.replace(b"}]", b"},]", 1) if made.number == page else body
    return defect


@kind("a name twice around the rows")
def name_twice(draw: Draw) -> Defect:
    defect, page = draw.defect("transport.names-once"), draw.page()
    name = b"next_cursor" if draw.key in ENVELOPE_A else b"next_page_cursor"
    again = b'{"' + name + b'":' + draw.rng.choice((b"null", b'"c~1~1~9"')) + b","
    defect.body = lambda made, body: again + body[1:] if made.number == page else body
    return defect


@kind("control character in its own byte")
def control(draw: Draw) -> Defect:
    defect = draw.defect("transport.json")
    for at in draw.some():
        record = draw.data.record(at)
        holder = record if draw.rng.random() < 0.5 else record["raw_data"]
        holder["name" if "name" in holder else "id"] = f"one@@two {at}"
        draw.data.rows[at] = written(record).replace(b"@@", draw.rng.choice((b"\n", b"\t", b"\x00", b"\x1f")))
    return defect


@kind("a number that no reader holds")
def huge(draw: Draw) -> Defect:
    defect = draw.defect("transport.numbers")
    for at in draw.some():
        record = draw.data.record(at)
        raw = record["raw_data"]
        raw[draw.rng.choice([n for n in raw if n != "id"])] = "@@"
        draw.data.rows[at] = written(record).replace(
            b'"@@"', draw.rng.choice((b"1e999", b"-2E+400", b"9" * 5000))
        )
    return defect


@kind("id of nothing but spaces")
def spaces(draw: Draw) -> Defect:
    defect = draw.defect("records.ids")
    at = draw.one()
    record = draw.data.record(at)
    record["id"] = draw.rng.choice((" ", "\t", " \u00a0 "))
    draw.data.put(at, record)
    return defect


@kind("more that cannot be come to", ENVELOPE_A)
def no_way_on(draw: Draw) -> Defect:
    defect, page = draw.defect("envelope.agrees"), draw.page(last=1)
    defect.page = lambda made: made.with_part("next_cursor", b"null") if made.number == page else made
    return defect


@kind("page_size that is refused", ENVELOPE_A)
def size_refused(draw: Draw) -> Defect:
    defect = draw.defect("paging.page-size")
    status = draw.rng.choice((400, 422, 500))
    defect.reply = lambda made, answer: answer if made.size is None else Reply(status, b'{"message":"no"}')
    return defect


@kind("sync_mode that is refused", ENVELOPE_A)
def mode_refused(draw: Draw) -> Defect:
    defect = draw.defect("sync.answers")
    status, page = draw.rng.choice((400, 422, 500)), draw.rng.choice((1, 2))
    rows = len(draw.data.rows)

    def reply(made: Page, answer: Reply) -> Reply:
        # The incremental list has a seventh of the rows, so that it may be one page long.
        refused = made.mode and (made.number == page or rows // 7 <= draw.data.size)
        return Reply(status, b'{"message":"no"}') if refused else answer

    defect.reply = reply
    return defect
