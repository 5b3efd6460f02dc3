"""Snapshots: pulls that are pinned under a name. Nothing is copied: a snapshot says which pull, and how far it was.

Pages are only added to a pull, never changed, so the pages that it had when it was pinned are the snapshot, even where
the pull goes on. A pinned pull that is replaced, cleared or trimmed leaves its list and stays in the file
(`schema.FOR_SNAPSHOT`) until its last snapshot is deleted.

Each function takes an open `Store`, writes in one transaction, and blocks: call it in a worker thread. Each raises
StoreFault.
"""

from __future__ import annotations

import dataclasses
import hashlib
import unicodedata
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from explorer.store.columns import INFO, info_of, key_values, moment, moved, now, stamp, to_bytes
from explorer.store.schema import FOR_SNAPSHOT, READABLE
from explorer.store.store import Store
from explorer.store.values import PullInfo, Snapshot, StoreFault

_SNAPSHOT = "id, pull, name, kept_at, state, why, pages, rows, bytes, updated_at, size, digest"


class GivenPage(NamedTuple):
    """A page of a snapshot that was handed on in a file, packed as the store packs pages."""

    first_row: int
    rows: int
    size: int
    """Bytes of the body as received."""
    received_at: datetime
    digest: bytes
    data: bytes


def all_of(store: Store) -> list[Snapshot]:
    """Every snapshot, the newest first; without those whose pull cannot be read."""
    found = store.read(f"SELECT {_SNAPSHOT} FROM snapshot ORDER BY kept_at DESC, id DESC")  # noqa: S608
    pulls = {
        row[0]: row
        for row in store.read(
            f"SELECT {INFO} FROM pull WHERE {READABLE} AND id IN (SELECT pull FROM snapshot)"  # noqa: S608
        )
    }
    return [_snapshot_of(row, info_of(pulls[row[1]])) for row in found if row[1] in pulls]


def pin(store: Store, info: PullInfo, name: str) -> Snapshot:
    """Pins the pull as ``info`` has it. Raises StoreFault when the name is taken, PullMoved when the pull is gone."""
    # Read before the transaction: of a long pull it takes milliseconds.
    pages = "FROM page WHERE pull = ? AND number <= ?"
    [(size,)] = store.read(f"SELECT total(length(data)) {pages}", (info.id, info.pages))
    digest = hashlib.blake2b(digest_size=16)
    for (one,) in store.read(f"SELECT digest {pages} ORDER BY number", (info.id, info.pages)):
        digest.update(one)
    with store.writing() as run:
        if run(f"SELECT 1 FROM pull WHERE id = ? AND {READABLE}", (info.id,)).fetchone() is None:  # noqa: S608
            raise moved("removed or restarted")
        _insert(run, info, name, now(), int(size), digest.digest())
    return find(store, name)


def find(store: Store, name: str) -> Snapshot:
    """The snapshot of that name, in any case. Raises StoreFault when there is none."""
    for one in all_of(store):
        if folded(one.name) == folded(name):
            return one
    raise StoreFault(f"There is no snapshot {name!r}.", "`unified-explorer snapshot list` lists them.")


def rename(store: Store, name: str, new: str) -> Snapshot:
    """Gives a snapshot another name. Raises StoreFault when that is taken."""
    one = find(store, name)
    with store.writing() as run:
        _refuse_taken(run, new, one.id)
        run("UPDATE snapshot SET name = ?, folded = ? WHERE id = ?", (new, folded(new), one.id))
    return find(store, new)


def unpin(store: Store, name: str) -> None:
    """Deletes a snapshot for good; with it its pull, where that stayed for it alone (`Store.reap` frees the space)."""
    one = find(store, name)
    with store.writing() as run:
        run("DELETE FROM snapshot WHERE id = ?", (one.id,))
        run(
            "UPDATE pull SET gone = 1 WHERE id = ? AND gone = ? AND id NOT IN (SELECT pull FROM snapshot)",
            (one.info.id, FOR_SNAPSHOT),
        )


def add(store: Store, info: PullInfo, pages: Iterable[GivenPage], name: str, kept_at: datetime) -> Snapshot:
    """Adds a snapshot that was handed on in a file; its rows belong to no list. Nothing is added when ``pages`` raises.

    ``info`` tells of the pull as it was; its ``id`` does not count.
    """
    with store.writing() as run:
        made = run(
            "INSERT INTO pull (connection, origin, resource, params, state, why, pages, rows, bytes, started_at,"
            " updated_at, gone, settled) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(*key_values(info.key), info.state, to_bytes(info.why), info.pages, info.rows, info.bytes),
                *(stamp(info.started_at), stamp(info.updated_at), FOR_SNAPSHOT, info.state == "complete"),
            ),
        ).lastrowid
        size, digest, number = 0, hashlib.blake2b(digest_size=16), 0
        for number, one in enumerate(pages, start=1):
            run(
                "INSERT INTO page (pull, number, first_row, rows, bytes, elapsed_ms, received_at, exchange, digest,"
                " notes, data) VALUES (?, ?, ?, ?, ?, 0, ?, 0, ?, CAST('[]' AS BLOB), ?)",
                (made, number, *one[:3], stamp(one.received_at), one.digest, one.data),
            )
            size += len(one.data)
            digest.update(one.digest)
        assert made is not None  # noqa: S101 - sqlite3 gives it after every insert
        if number != info.pages:
            raise StoreFault(f"The snapshot {name!r} has {number:,} pages of {info.pages:,}.")
        _insert(run, dataclasses.replace(info, id=made), name, stamp(kept_at), size, digest.digest())
    return find(store, name)


def folded(name: str) -> str:
    """The same text for names that count as one: case and Unicode form make no difference."""
    return unicodedata.normalize("NFC", name).strip().casefold()


def _insert(run: Any, info: PullInfo, name: str, kept_at: int, size: int, digest: bytes) -> None:
    _refuse_taken(run, name)
    run(
        "INSERT INTO snapshot (pull, name, folded, kept_at, state, why, pages, rows, bytes, updated_at, size, digest)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(info.id, name, folded(name), kept_at, info.state, to_bytes(info.why)),
            *(info.pages, info.rows, info.bytes, stamp(info.updated_at), size, digest),
        ),
    )


def _refuse_taken(run: Any, name: str, but: int = 0) -> None:
    taken = run("SELECT name FROM snapshot WHERE folded = ? AND id <> ?", (folded(name), but)).fetchone()
    if taken is not None:
        raise StoreFault(f"There is a snapshot {taken[0]!r} already.", "Choose another name.")


def _snapshot_of(row: Any, pull: PullInfo) -> Snapshot:
    number, _, name, kept_at, state, why, pages, rows, size, updated_at, room, digest = row
    info = dataclasses.replace(
        pull,
        state=state,
        why=why.decode("utf-8", "surrogatepass"),
        pages=pages,
        rows=rows,
        bytes=size,
        updated_at=moment(updated_at),
        next_cursor=None,
        unfit=None,
        observed=None,
        settled=False,
    )
    return Snapshot(number, name, info, moment(kept_at), room, digest.hex())
