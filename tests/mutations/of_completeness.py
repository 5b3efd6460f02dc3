"""Kinds that lose records, or show others, depending on how a list is asked for."""

from __future__ import annotations

from dataclasses import replace

from tests.mutations.clean import ENVELOPE_A, FILE, JOB, written
from tests.mutations.kinds import Draw, kind
from tests.mutations.of_records import TEXTS, rows_with
from tests.mutations.service import Defect, Page


def _is_plain(made: Page) -> bool:
    return made.size is None and not made.mode


@kind("list that ends though more follows", ENVELOPE_A)
def ends_early(draw: Draw) -> Defect:
    if draw.data.pages < 2:
        raise LookupError("nothing follows one page")
    defect, page = draw.defect("completeness.more"), draw.page(last=1)
    defect.page = lambda made: replace(made, next=None) if _is_plain(made) and made.number == page else made
    defect.says = f"after page {page}"
    return defect


@kind("row lost between two pages", ENVELOPE_A)
def lost_between(draw: Draw) -> Defect:
    if draw.data.pages < 2:
        raise LookupError("one page has no border")
    defect, page = draw.defect("completeness.borders"), draw.page(last=1)

    def change(made: Page) -> Page:
        lost = _is_plain(made) and made.number == page
        return replace(made, items=made.items[:-1]) if lost else made

    defect.page = change
    return defect


@kind("rows that come only with a page_size", ENVELOPE_A)
def hidden(draw: Draw) -> Defect:
    defect, page = draw.defect("completeness.beyond"), draw.page()
    start = draw.rng.randrange(1000)

    def change(made: Page) -> Page:
        items = list(made.items)
        if not _is_plain(made) or made.number != page or len(items) < 4:
            return made
        del items[1 + start % (len(items) - 2)]
        return replace(made, items=items)

    defect.page = change
    return defect


@kind("small page that leaves a row out", ENVELOPE_A)
def left_out(draw: Draw) -> Defect:
    defect, page = draw.defect("completeness.sizes"), draw.rng.choice((1, 2, 3))
    at = draw.rng.randrange(7)

    def change(made: Page) -> Page:
        if made.size is None or made.size > 7 or made.number != page:
            return made
        items = list(made.items)
        del items[min(at, len(items) - 1)]
        return replace(made, items=items)

    defect.page = change
    return defect


@kind("incremental record that says other things", (JOB, FILE))
def other_content(draw: Draw) -> Defect:
    defect = draw.defect("sync.same")
    _, name, _ = rows_with(draw, TEXTS[draw.key], 0.1)[0]

    def change(rows: list[bytes]) -> list[bytes]:
        at = next(number for number, row in enumerate(rows) if f'"{name}":"'.encode() in row)
        other = Draw(draw.rng, replace(draw.data, rows=[rows[at]])).data.record(0)
        other[name] = f"{other[name]} (2)"
        return [*rows[:at], written(other), *rows[at + 1 :]]

    defect.incremental = change
    return defect
