"""Keeping pages in a process of its own, so that the one that asks for them need not wait: what is said to it, and it.

It is given whole pages, in order, some at once when it lags; each comes with its cursor and all of one message enter in
one transaction, by the same rules as everywhere (`Store.extend`). It loads neither the client nor the session.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

import msgspec

from explorer.api.errors import ExplorerError
from explorer.api.pages import Page
from explorer.store.columns import blob, info_of, moment, row_of, stamp, to_bytes, to_text
from explorer.store.frames import read_frame, write_frame
from explorer.store.indexed_columns import IndexedColumns
from explorer.store.packing import Packed, Packer
from explorer.store.schema_validator import model_of
from explorer.store.store import PageWrite, Store
from explorer.store.values import Field, PullInfo, PullMoved, PullState, StoreFault


class Opening(msgspec.Struct, frozen=True, array_like=True):
    """The first message: which store, which list, and which columns are taken out."""

    path: str
    fields: list[tuple[str, str, str]]
    listing: str = ""
    """The key of the list, which tells the records' model; empty: they have none."""
    interface: str = ""
    """The key of the interface that the list is of, as a profile names it."""


class PageMessage(msgspec.Struct, frozen=True, array_like=True):
    """One page on its way, with how its walk stood after it."""

    block: bytes
    """As `Packer.lay_out` makes it."""
    rows: int
    size: int
    """Bytes of the body."""
    number: int
    cursor: bytes | None
    next_cursor: bytes | None
    flag: bool | None
    notes: tuple[str, ...]
    received: int
    """Microseconds since 1970."""
    elapsed_ms: float
    exchange: int
    hashed: bytes
    state: PullState
    why: bytes
    with_key: int = 0

    @classmethod
    def of(cls, kept: PageWrite) -> PageMessage:
        """``kept`` as it is sent."""
        page = kept.page
        cursors = blob(page.cursor), blob(page.next_cursor)
        block = Packer.lay_out(page.body, page.records)
        place = (len(page.records), len(page.body), page.number, *cursors, page.flag, page.notes)
        return cls(
            block,
            *place,
            stamp(page.received_at),
            page.elapsed_ms,
            page.exchange,
            page.digest,
            kept.state,
            to_bytes(kept.why),
            kept.with_key,
        )

    def kept(self) -> PageWrite:
        """What `of` was given."""
        packed = Packed(self.block, self.rows, self.size)
        page = Page(
            number=self.number,
            cursor=None if self.cursor is None else to_text(self.cursor),
            next_cursor=None if self.next_cursor is None else to_text(self.next_cursor),
            flag=self.flag,
            records=tuple(packed.records(0, self.rows)),
            body=packed.body,
            notes=self.notes,
            received_at=moment(self.received),
            elapsed_ms=self.elapsed_ms,
            exchange=self.exchange,
            hashed=self.hashed,
        )
        return PageWrite(page, self.state, to_text(self.why), self.block, self.with_key)


class Batch(msgspec.Struct, frozen=True, array_like=True):
    """Pages of one pull that follow each other."""

    pull: int
    pages: list[PageMessage]


class Done(msgspec.Struct, frozen=True, array_like=True):
    """The answer to each message: how far the pull came, or why nothing of it was kept."""

    row: tuple[Any, ...] = ()
    """As the store has it; whoever asked need not read it there. Empty after the first message."""
    sentence: str = ""
    advice: str = ""
    moved: bool = False

    def info(self) -> PullInfo | None:
        """How far the pull came, with these pages."""
        return info_of(self.row) if self.row else None

    def fault(self) -> StoreFault | None:
        """The fault, if it is one."""
        return (
            (PullMoved if self.moved else StoreFault)(self.sentence, self.advice) if self.sentence else None
        )


encode = msgspec.msgpack.Encoder().encode
done_of = msgspec.msgpack.Decoder(Done).decode
_opening_of = msgspec.msgpack.Decoder(Opening).decode
_batch_of = msgspec.msgpack.Decoder(Batch).decode


def keep(orders: IO[bytes], told: IO[bytes]) -> int:
    """Keeps what comes on ``orders`` until its end, and answers each message on ``told``. Returns the exit code."""
    first = read_frame(orders)
    if first is None:
        return 0
    opening = _opening_of(first)
    try:
        store = Store(Path(opening.path))
    except StoreFault as fault:
        _send(told, fault)
        return 3
    shape = IndexedColumns(Field(*field) for field in opening.fields)
    model = model_of(opening.listing, opening.interface)
    try:
        _send(told, None)
        while (message := read_frame(orders)) is not None:
            batch = _batch_of(message)
            pages = [laid.kept() for laid in batch.pages]
            try:
                _send(told, store.extend(batch.pull, pages, shape=shape, model=model))
            except ExplorerError as error:
                _send(told, error)
    except OSError:
        return 0  # nobody listens any more
    finally:
        store.close()
    return 0


def _send(told: IO[bytes], what: PullInfo | ExplorerError | None) -> None:
    if isinstance(what, ExplorerError):
        done = Done((), what.sentence, what.advice, isinstance(what, PullMoved))
    else:
        done = Done(row_of(what) if what is not None else ())
    write_frame(told, encode(done))
