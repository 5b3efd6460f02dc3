"""A page of a list, and the walk over pages: next cursor, loops, empty pages, contradictions, and the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from explorer.api.answer import Answer
from explorer.api.errors import (
    BadEnvelope,
    CannotSend,
    CursorRepeated,
    EndNotShown,
    NotJson,
    PageRepeated,
    TooManyEmpty,
    WalkStopped,
)
from explorer.api.page_parser import Sliced, Unsliceable, slice_list
from explorer.catalog.request import Request, RequestFault, build
from explorer.catalog.spec import Envelope, Listing
from explorer.digest import digest_of
from explorer.jsontext.read import read_loosely

WalkState = Literal["ready", "loading", "complete", "stopped"]
USUAL_SIZES = frozenset((10, 20, 25, 50, 100, 200, 250, 500, 1000))
"""Common page sizes: a list that ends after one page of such a size may have been cut off there."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page as received: nothing is dropped, rounded or reordered."""

    number: int
    """Counted from 1 within its list."""
    cursor: str | None
    """The cursor that it was requested with; None for the first page."""
    next_cursor: str | None
    """The cursor of the page after it; None at the end (absent, null or empty text)."""
    flag: bool | None
    """The envelope's flag as received (contract: ``has_next_page``); None where it has none or it is not a boolean."""
    records: tuple[bytes, ...]
    """The bytes of each row, in order."""
    body: bytes
    """The whole body as received, decompressed."""
    notes: tuple[str, ...]
    """What is odd about this page's envelope, a sentence each; empty when it follows the contract."""
    received_at: datetime
    """In UTC."""
    elapsed_ms: float
    exchange: int
    """The number of its request in the log."""
    open_end: str = ""
    """Why the list may go on although there is no next cursor; empty when there is no such doubt."""
    hashed: bytes = field(default=b"", repr=False, compare=False)
    """`digest`, where it was computed before (0.2 ms for 140 kB). Leave it empty when the records are changed."""

    @property
    def is_last(self) -> bool:
        """Whether it is the last page: no next cursor, or the flag is False."""
        return self.next_cursor is None or self.flag is False

    @property
    def digest(self) -> bytes:
        """The hash of the rows' bytes in order, independent of the envelope."""
        return self.hashed or digest_of(self.records)


def page_of(answer: Answer, envelope: Envelope, number: int, cursor: str | None) -> Page:
    """The page in ``answer``. Every row is kept as received, objects or not.

    Raises NotJson when the body is not JSON, even loosely; BadEnvelope when the rows are missing or not an array.
    """
    notes: list[str] = []
    sliced = _sliced(answer, envelope, number)
    if sliced.records is None:
        raise BadEnvelope(
            f"Page {number} has no rows: {envelope.items} is missing or not an array.",
            "Look at the response in the request log; try again, or check the base address.",
            exchange=answer.exchange,
        )
    next_cursor, odd_cursor = _cursor(sliced, envelope)
    notes += [f"{odd_cursor}."] if odd_cursor else []
    if sliced.elsewhere is not None:
        key = sliced.elsewhere[0]
        notes.append(f"The page has another envelope: its cursor is in {key}, not {envelope.cursor}.")
    flag = _flag(sliced, envelope, notes)
    open_end = "" if next_cursor is not None or flag is False else odd_cursor
    if next_cursor is None and not odd_cursor and flag is True:
        open_end = f"{envelope.flag} says that more follows, but there is no cursor to continue with"
        notes.append(f"{open_end}.")
    elif next_cursor is None and not odd_cursor and flag is None and sliced.flag not in (None, b"null"):
        open_end = f"{envelope.flag} is not a boolean, and there is no cursor"
    if flag is False and next_cursor is not None:
        notes.append(
            f"{envelope.flag} says that this is the last page, but there is a cursor: the flag is used."
        )
    odd = sum(1 for record in sliced.records if record[:1] != b"{")
    if odd:
        notes.append(f"{odd} of {len(sliced.records)} rows are not objects.")
    return Page(
        number=number,
        cursor=cursor,
        next_cursor=next_cursor,
        flag=flag,
        records=sliced.records,
        body=answer.body,
        notes=(*sliced.notes, *notes),
        received_at=datetime.now(UTC),
        elapsed_ms=answer.elapsed_ms,
        exchange=answer.exchange,
        open_end=open_end,
        hashed=digest_of(sliced.records),
    )


def _sliced(answer: Answer, envelope: Envelope, number: int) -> Sliced:
    if answer.sliced is not None:
        return answer.sliced
    try:
        return slice_list(answer.body, envelope)
    except Unsliceable as error:
        why = "is empty" if not answer.body.strip() else f"is no JSON: {error}"
    kind = f" (the service calls it {answer.content_type})" if answer.content_type else ""
    raise NotJson(
        f"Page {number} {why}{kind}.",
        "Try again, or look at it in the request log.",
        exchange=answer.exchange,
    )


def _cursor(sliced: Sliced, envelope: Envelope) -> tuple[str | None, str]:
    """The next cursor, and what is odd about it, in words.

    A text is taken as it is, a number as its digits. None for absent, null, the empty text, and what cannot be sent.
    """
    name, raw = sliced.elsewhere or (envelope.cursor, sliced.cursor)
    if raw is None or raw == b"null":
        return None, ""
    if raw[:1] == b'"':
        try:
            text = str(read_loosely(raw.decode("utf-8")))
            text.encode()
        except UnicodeDecodeError:
            return None, f"{name} is not valid UTF-8, and cannot be sent back"
        except UnicodeEncodeError:
            return None, f"{name} holds half a character (a lone surrogate), and cannot be sent back"
        except ValueError:
            return None, f"{name} is a text that cannot be read, and cannot be sent back"
        return text or None, ""
    if raw[:1] in b"-0123456789":
        return raw.decode(), f"{name} is a number; it is sent back in the same digits"
    return None, f"{name} is neither text nor null, and cannot be sent back"


def _flag(sliced: Sliced, envelope: Envelope, notes: list[str]) -> bool | None:
    if envelope.flag is None or sliced.bare:
        return None
    known = {b"true": True, b"false": False}
    if sliced.flag in known:
        return known[sliced.flag]
    notes.append(
        f"{envelope.flag} is {'missing' if sliced.flag is None else 'no boolean'}: only the cursor counts."
    )
    return None


def may_be_cut(pages: int, rows: int) -> bool:
    """Whether a complete list may have been cut off: it has one page of a common page size.

    Some services call a list complete after one page although it goes on, when no page size was requested (observed).
    """
    return pages == 1 and rows in USUAL_SIZES


class PageWalk:
    """The walk over a list's pages, one at a time. Only `advance` sends a request.

    ``state``: ``ready`` (the next page can be requested), ``loading``, ``complete`` (the last page shows that it is the
    last) or ``stopped`` (`why` says why). `go_past` continues where there is a next cursor; after EndNotShown there is
    none.
    """

    def __init__(
        self,
        send: Callable[[Request], Awaitable[Answer]],
        listing: Listing,
        query: Mapping[str, Any],
        extra: Sequence[tuple[str, str]] = (),
        *,
        number: int = 0,
        cursor: str | None = None,
        seen: Iterable[str] = (),
        digests: Iterable[bytes] = (),
        empty_bound: int = 20,
        flag_counts: bool = True,
    ) -> None:
        """``send`` sends a request.

        To resume a walk: ``number`` of pages so far, ``cursor`` of the next page, the cursors that were used
        (``seen``), and the pages' digests. A cursor in ``query`` or ``extra`` is where a new walk starts.
        ``empty_bound``: empty pages in a row that stop the walk. ``flag_counts``: whether a False flag ends the walk
        although there is a next cursor.
        """
        name = listing.cursor_param
        given = [str(v) for n, v in (*query.items(), *extra) if n == name and v not in (None, "")]
        self._send = send
        self._listing = listing
        self._query = {n: v for n, v in query.items() if n != name}
        self._extra = tuple((n, v) for n, v in extra if n != name)
        self._seen = set(seen)
        self._digests: dict[bytes, int | None] = dict.fromkeys(digests)
        self._empty_bound = empty_bound
        self._empties = 0
        self._flag_counts = flag_counts
        self.number = number
        """The number of pages so far."""
        self.cursor = cursor if cursor is not None or number else (given[-1] if given else None)
        """The cursor of the next page; kept when the walk ended although there is one."""
        self.state: WalkState = "ready"
        self.why: WalkStopped | None = None
        """Why it stopped. It is for display and never raised."""

    async def advance(self) -> Page:
        """Requests the next page and returns it, empty or not. After a failure or cancellation it can be called again.

        A page that closes a loop is returned too; the state is ``stopped`` then. Raises ExplorerError of the call,
        NotJson, BadEnvelope, and RuntimeError unless the walk is ready.
        """
        if self.state != "ready":
            raise RuntimeError(f"a walk that is {self.state} does not advance")
        self.state = "loading"
        try:
            page = await self._ask()
        finally:
            self.state = "ready"
        self._judge(page)
        return page

    def go_past(self) -> bool:
        """Makes an ended or stopped walk ready again, by the user's decision. False without a next cursor."""
        if self.state not in ("complete", "stopped") or self.cursor is None:
            return False
        if self.state == "complete":
            self._flag_counts = False
        self._empties = 0
        self.state, self.why = "ready", None
        return True

    async def _ask(self) -> Page:
        query = (
            self._query if self.cursor is None else {**self._query, self._listing.cursor_param: self.cursor}
        )
        number = self.number + 1
        try:
            request = build(self._listing, query=query, extra=self._extra, page=number)
        except RequestFault as fault:
            raise CannotSend(
                f"Page {number} cannot be requested: {fault}.", "The rows so far are kept."
            ) from None
        answer = await self._send(request)
        return page_of(answer, self._listing.envelope, number, self.cursor)

    def _judge(self, page: Page) -> None:
        """Records ``page``, and decides whether the walk goes on after it."""
        digest = page.digest
        same = page.records and digest in self._digests
        before = self._digests.get(digest)
        if page.cursor is not None:
            self._seen.add(page.cursor)
        if page.records:
            self._digests.setdefault(digest, page.number)
        self._empties = 0 if page.records else self._empties + 1
        self.number = page.number
        self.cursor = page.next_cursor
        if page.open_end:
            self.state = "stopped"
            self.why = EndNotShown(
                (
                    f"The service ended the list at page {page.number}, but it may be incomplete: "
                    f"{page.open_end}."
                ),
                (
                    "The rows so far are kept. To look for more, reload the list, with another page "
                    "size if it takes one."
                ),
                exchange=page.exchange,
            )
        elif page.next_cursor is None or (page.flag is False and self._flag_counts):
            self.state = "complete"
        elif page.next_cursor in self._seen:
            self._stop(
                CursorRepeated, f"Page {page.number} leads back to a cursor that was used before", page
            )
        elif same:
            where = f"page {before}" if before else "an earlier page"
            self._stop(PageRepeated, f"Page {page.number} is byte for byte the same as {where}", page)
        elif self._empties >= self._empty_bound:
            self._stop(
                TooManyEmpty, f"{self._empties} pages in a row were empty, up to page {page.number}", page
            )

    def _stop(self, kind: type[WalkStopped], what: str, page: Page) -> None:
        self.state = "stopped"
        advice = "The rows so far are kept. To continue anyway, fetch the next page."
        self.why = kind(
            f"{what}: the pull was stopped, because it might never end.", advice, exchange=page.exchange
        )
