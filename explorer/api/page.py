"""One page of a list: its rows as received, what leads on from it, and what is odd about its envelope."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from explorer.api.answer import Answer
from explorer.api.errors import BadEnvelope, NotJson
from explorer.api.page_parser import Sliced, Unsliceable, slice_list
from explorer.catalog.spec import Envelope
from explorer.digest import digest_of
from explorer.jsontext.read import read_loosely


@dataclass(frozen=True, slots=True)
class Page:
    """One page as received: nothing is dropped, rounded or reordered."""

    number: int
    """Counted from 1 within its list."""
    cursor: str | None
    """What it was requested with: a cursor, an address, a number of rows or of a page; None for the first page."""
    next_cursor: str | None
    """The same of the page after it; None at the end."""
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
    total: int | None = None
    """The number of rows of the whole list, as the page says it; None where it does not."""
    page_count: int | None = None
    """The number of pages of the whole list, as the page says it; None where it does not."""
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
            f"Page {number} has no rows: {_rows_of(envelope)} is missing or not an array.",
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
    # Where an envelope never leads on, what its flag means is a matter of the list's paging.
    ends = envelope.cursor != "" and next_cursor is None and not odd_cursor
    if ends and flag is True:
        open_end = f"{envelope.flag} says that more follows, but there is no cursor to continue with"
        notes.append(f"{open_end}.")
    elif ends and flag is None and sliced.flag not in (None, b"null"):
        open_end = f"{envelope.flag} is not a boolean, and there is no cursor"
    if flag is False and next_cursor is not None:
        notes.append(
            f"{envelope.flag} says that this is the last page, but there is a cursor: the flag is used."
        )
    total = _count(sliced.total, envelope.total, notes)
    page_count = _count(sliced.pages, envelope.pages, notes)
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
        total=total,
        page_count=page_count,
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
    counts = "only the cursor counts" if envelope.cursor else "it does not count"
    notes.append(f"{envelope.flag} is {'missing' if sliced.flag is None else 'no boolean'}: {counts}.")
    return None


def count_of(raw: bytes | None) -> int | None:
    """A number of rows or pages that an envelope states; a text of digits is one too. None for anything else."""
    digits = (raw or b"").strip(b'"')
    return int(digits) if digits.isdigit() and len(digits) < 19 else None


def _count(raw: bytes | None, path: str, notes: list[str]) -> int | None:
    found = count_of(raw)
    if found is None and raw not in (None, b"null"):
        notes.append(f"{path} is no number: it does not count.")
    return found


def _rows_of(envelope: Envelope) -> str:
    return "the answer" if envelope.items == "$" else envelope.items
