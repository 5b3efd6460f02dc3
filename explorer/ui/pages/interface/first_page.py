"""*Try first page*: at most three reads of a list as it is set on the page, and what they show. No Qt.

Nothing is kept but what is said of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from explorer.api.answer import Answer
from explorer.api.errors import AnswerError, ExplorerError
from explorer.api.page import Page
from explorer.api.page_parser import ids_of
from explorer.api.pages import PageWalk
from explorer.catalog.request import Request, lacking
from explorer.catalog.spec import Listing, raw_field
from explorer.jsontext.pointer import dotted
from explorer.jsontext.read import read_or_none
from explorer.words import count, duration, size

Send = Callable[[Request], Awaitable[Answer]]

_FEW = 7
"""How many rows are asked for, to see whether the size of a page is heeded."""
_DEEP = 3
"""Steps to the rows at most, as a declaration can have them."""
_SHOWN = 4000
"""Characters of a failed answer that are shown."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What the reads showed."""

    status: str = ""
    """``200 · 214 ms · 187 kB`` of the first page."""
    said: tuple[tuple[bool, str], ...] = ()
    """What holds (True) or does not, a sentence each."""
    fault: tuple[str, str] | None = None
    """What failed and what to change, where the first page could not be read."""
    rows: tuple[bytes, ...] = ()
    """Its first rows."""
    paths: frozenset[str] = field(default=frozenset())
    """The dotted paths of everything in the answer around the rows."""
    arrays: tuple[str, ...] = ()
    """Those of its arrays."""
    calls: int = 0


class _Reader:
    """Sends the reads and keeps the last answer, for what is said when it cannot be read as a page."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.last: Answer | None = None
        self.calls = 0

    async def send(self, request: Request) -> Answer:
        self.calls += 1
        self.last = None
        # The client cut it up as the saved interface says; here it is read as the page says.
        self.last = replace(await self._send(request), sliced=None)
        return self.last


async def try_list(listing: Listing, send: Send) -> Tried:
    """Reads the first page, the second and one of another size, as far as the list has such.

    Raises nothing that an answer or its absence can cause: that is in the result.
    """
    if lacks := lacking(listing, {}):
        why = f"It needs {' and '.join(lacks)}: load it on its own page, where they are asked for."
        return Tried(fault=("Not tried", why))
    reader = _Reader(send)
    walk = PageWalk(reader.send, listing, {})
    try:
        page = await walk.advance()
    except ExplorerError as error:
        return _failed(error, reader, listing)
    answer = reader.last
    paths, arrays = paths_of(read_or_none(page.body))
    said = [_first(page, listing)]
    said += [await _second(walk, page, listing)] if walk.state == "ready" else [_end(walk)]
    said += [each for each in (await _sized(reader, listing), _raw(page, listing)) if each]
    status = f"{answer.status if answer else ''} · {duration(page.elapsed_ms)} · {size(len(page.body))}"
    return Tried(status, tuple(said), None, page.records[:3], paths, arrays, reader.calls)


def _failed(error: ExplorerError, reader: _Reader, listing: Listing) -> Tried:
    """Of an answer that is no page: what there is near the rows' path. Else what the error says."""
    if reader.last is None:
        title = f"The first page failed: {error.status}" if isinstance(error, AnswerError) else "No answer"
        detail = f"\n{error.detail[:_SHOWN]}" if error.detail else ""
        return Tried(fault=(title, f"{error.sentence} {error.advice}{detail}".strip()), calls=reader.calls)
    body = read_or_none(reader.last.body)
    paths, arrays = paths_of(body)
    status = f"{reader.last.status} · {duration(reader.last.elapsed_ms)} · {size(len(reader.last.body))}"
    why = not_there(listing.envelope.items, arrays) or error.sentence
    return Tried(status, (), ("The first page cannot be read", why), (), paths, arrays, reader.calls)


def _first(page: Page, listing: Listing) -> tuple[bool, str]:
    rows, where = len(page.records), listing.envelope.items
    at = "in the bare array" if where == "$" else f"at {where}"
    if not rows:
        return True, f"No rows {at}: the list may be empty"
    ids = ids_of(page.records, listing.ids)
    name = " and ".join(listing.ids)
    if len(ids) == rows:
        return True, f"{count(rows, 'row')} {at}, each with its own {name}"
    return (
        False,
        f"{count(rows, 'row')} {at}, but {count(len(ids), 'different ' + name, 'different ' + name)}",
    )


def _end(walk: PageWalk) -> tuple[bool, str]:
    if walk.why is not None:
        return False, walk.why.sentence
    return True, "The list ends after this page"


async def _second(walk: PageWalk, page: Page, listing: Listing) -> tuple[bool, str]:
    try:
        second = await walk.advance()
    except ExplorerError as error:
        return False, f"The 2nd page failed: {error.sentence}"
    ids = ids_of(page.records, listing.ids)
    twice = ids & ids_of(second.records, listing.ids)
    if second.records and (twice or second.records == page.records):
        return False, f"The 2nd page repeats {count(len(twice) or len(second.records), 'row')} of the first"
    return True, f"2nd page reached, {count(len(page.records) + len(second.records), 'row')}, no repeat"


async def _sized(reader: _Reader, listing: Listing) -> tuple[bool, str] | None:
    if not listing.size_param:
        return None
    try:
        page = await PageWalk(reader.send, listing, {listing.size_param: _FEW}).advance()
    except ExplorerError as error:
        return False, f"{listing.size_param}={_FEW} failed: {error.sentence}"
    rows = len(page.records)
    return rows <= _FEW, f"{listing.size_param}={_FEW} gives {count(rows, 'row')}"


def _raw(page: Page, listing: Listing) -> tuple[bool, str] | None:
    """Whether there is raw data, which each read asks for where the list has a parameter for it."""
    name = raw_field(listing.record)
    if not name or not page.records:
        return None
    rows = [read_or_none(raw) for raw in page.records]
    there = sum(isinstance(row, dict) and name in row for row in rows)
    return there > 0, f"{name} is there in {there:,} of {count(len(rows), 'row')}"


# ------------------------------------------------------------------ paths in an answer


def paths_of(body: Any) -> tuple[frozenset[str], tuple[str, ...]]:
    """The dotted paths of all that stands around the rows, and those of the arrays; ``$`` for a bare one."""
    found = list(_paths(body, (), 0))
    return frozenset(path for path, _ in found), tuple(path for path, is_array in found if is_array)


def _paths(value: Any, above: tuple[str, ...], deep: int) -> Iterator[tuple[str, bool]]:
    if isinstance(value, list) and not above:
        yield "$", True
    if isinstance(value, dict) and deep < _DEEP:
        for name, inner in value.items():
            path = (*above, name)
            yield dotted(path), isinstance(inner, list)
            yield from _paths(inner, path, deep + 1)


def not_there(path: str, known: frozenset[str] | tuple[str, ...]) -> str:
    """That a path is not in the answer, with what is near; empty where it is there, or no answer was seen."""
    if not path or not known or path in known:
        return ""
    near = get_close_matches(path, sorted(known), 1, 0.5) or list(known)[:1]
    return f"No {path} in the answer; near: {near[0]}"
