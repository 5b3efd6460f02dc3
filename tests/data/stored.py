"""Stores and snapshots as earlier versions of the program wrote them, and what is in them.

    python -m tests.data.stored FOLDER     # writes those of the present version

A file is kept here once, compressed, and never written again: it shows that what a user has on the disk can be opened
by every later version. What it holds is told by this module alone, so that nothing is compared with itself.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import zstandard

from explorer.api.pages import Page
from explorer.store.indexed_columns import IndexedColumns
from explorer.store.store import Store
from explorer.store.values import Field, PullKey, PullState
from tests.mirror.store.reference import GONE, Digits, written

FOLDER = Path(__file__).parent
SHAPE = IndexedColumns(
    [
        Field("a", "name", "text"),
        Field("b", "name", "array"),
        Field("c", "name", "number"),
        Field("d", "name", "object"),
    ]
)
JOBS = PullKey("conn_1", "https://api.example.com", "ats/job", "{}")
PEOPLE = PullKey("conn_2", "sandbox", "hris/employee", '{"expand":"raw_data"}')
SNAPSHOT = "Morgens – früh"
"""The name of a snapshot of the second pull."""
_DAY = datetime(2026, 11, 20, 8, 30, 0, 123456, UTC)

_LONE = "\ud800 lone"
_VALUES: tuple[Any, ...] = (
    "Berlin", "berlin", "BERLIN", "Straße", "STRASSE", "Ünïcödé", "東京", "İstanbul", "ﬁn", "😀 smile", _LONE,
    "tab\tand\nline", "\x00nul", "\x0bvertical", '"quoted" \\ slash /', "  blanks  ", "é" * 256, "é" * 256 + "tail",
    "E" + "é" * 300, "2026-11-20T08:30:00Z", "2026-11-20T08:30:00.5+01:00", "1763627400000", "null", "true", "10", "9",
    None, GONE, "", [], {}, True, False, 0, -1, 7, 2**63, -(2**70), Digits("-0"), Digits("1.0"), Digits("1e0"),
    Digits("0.10"), Digits("12345678901234567890.5"), Digits("12345678901234567890.50001"), Digits("1e400"),
    Digits("-1e400"), Digits("1e-400"), Digits("NaN"), Digits("Infinity"), Digits("-Infinity"),
    [{"name": "Design"}], [{"name": "Design"}, {"name": "Law"}], ["Design"], [1, 2], [None], {"name": "Design"},
    {"other": 1}, {"name": None}, [{"name": "é" * 300 + "End"}],
)  # fmt: skip
STRANGE = (
    b"1",
    b"null",
    b'{"a":1,"a":"twice","c":5}',
    b'{"a":"\xff"}',
    b" { } ",
    b"[]",
    b'{"a":{ },"c":NaN}',
    b"{",
)
"""Records that are no object, or no JSON: their bytes are kept all the same."""

_NONE = (GONE, GONE, GONE, GONE)
STRANGE_VALUES: tuple[tuple[Any, ...], ...] = (
    *(_NONE, _NONE, ("twice", GONE, 5, GONE), ("\udcff", GONE, GONE, GONE)),
    *(_NONE, _NONE, ({}, GONE, Digits("NaN"), GONE), _NONE),
)
"""What there is to see of them: of two equal names the last, of bytes that are no UTF-8 their stand-ins."""


class Stored(NamedTuple):
    """One pull of the store."""

    key: PullKey
    values: tuple[tuple[Any, ...], ...]
    """Of each record the fields a, b, c and d."""
    size: int
    """Rows of a page."""
    state: PullState
    why: str = ""
    settled: bool = True
    columns: bool = True
    """Whether its pages were kept with their columns."""

    def records(self) -> list[bytes]:
        """Every record as it was received, `STRANGE` at the end."""
        made = []
        for n, row in enumerate(self.values):
            # Half a pair of surrogates can stand in JSON as an escape alone.
            escapes = bool(n % 3) or _LONE in row
            made.append(written(dict(zip("abcd", row, strict=True)), escapes=escapes).encode())
        return [*made, *STRANGE]

    def cells(self) -> list[tuple[Any, ...]]:
        """The same fields of every record."""
        return [*self.values, *STRANGE_VALUES]


def _rows(shift: int, count: int) -> tuple[tuple[Any, ...], ...]:
    """Rows in which each value meets many others."""
    size = len(_VALUES)
    return tuple(
        tuple(_VALUES[(n * step + shift) % size] for step in (1, 7, 11, 23))
        for n in range(shift, shift + count)
    )


PULLS = (
    Stored(JOBS, _rows(0, 120), 50, "complete"),
    Stored(JOBS, _rows(3, 200), 30, "complete"),
    Stored(JOBS, _rows(5, 40), 20, "ready", settled=False),
    Stored(
        PEOPLE,
        _rows(1, 90),
        25,
        "stopped",
        "The service answered 500 – “later”.",
        settled=False,
        columns=False,
    ),
)
"""Of the jobs the first is the previous pull, the second the one in front, the third a reload under way."""


def pages(stored: Stored) -> list[Page]:
    """Its pages as they came; the second last one is empty, and the last one holds `STRANGE`."""
    records = stored.records()[: -len(STRANGE)]
    parts: list[Sequence[bytes]] = [
        records[at : at + stored.size] for at in range(0, len(records), stored.size)
    ]
    parts += [(), STRANGE]
    made: list[Page] = []
    for number, part in enumerate(parts, start=1):
        last = number == len(parts)
        following = None if last and stored.state == "complete" else f"c{number}\x00é\ud800"
        made.append(
            Page(
                number=number,
                cursor=made[-1].next_cursor if made else None,
                next_cursor=following,
                flag=following is not None,
                records=tuple(part),
                body=b'{"items": [' + b", ".join(part) + b'], "n": %d}' % number,
                notes=() if part else ("The page holds no rows.",),
                received_at=_DAY + timedelta(seconds=number),
                elapsed_ms=12.5 * number,
                exchange=number,
            )
        )
    return made


def fill(store: Store) -> list[int]:
    """Puts `PULLS` into an empty store, and one that was forgotten; the numbers of the first ones."""
    gone = store.start(PEOPLE).id
    for page in pages(PULLS[0]):
        store.keep(gone, page, "ready", "", shape=SHAPE)
    store.forget(gone)
    numbers = []
    for stored in PULLS:
        shape, made = SHAPE if stored.columns else None, pages(stored)
        found = [info for info in store.pulls() if info.key == stored.key]
        after = found[-1].id if found else None
        number = store.begin(stored.key, made[0], "ready", "", after=after, shape=shape).id
        for page in made[1:]:
            last = page is made[-1]
            state: PullState = stored.state if last else "ready"
            store.keep(number, page, state, stored.why if last else "", shape=shape)
        numbers.append(number)
    return numbers


def unpacked(name: str, target: Path) -> Path:
    """The kept file ``name`` at ``target``."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(zstandard.ZstdDecompressor().decompress((FOLDER / f"{name}.zst").read_bytes()))
    target.chmod(0o600)
    return target


def main(folder: Path) -> None:
    """Writes the files of the present version into ``folder``."""
    from explorer.quality.compare.snapshots import Snapshots  # only where files are made

    path = folder / "made" / "store.sqlite3"
    shutil.rmtree(path.parent, ignore_errors=True)
    store = Store(path)
    numbers = fill(store)
    handed_on = path.with_name("one.snapshot")
    snapshots = Snapshots(path)
    snapshots.keep(SNAPSHOT, store.pull(numbers[1]))
    snapshots.export(SNAPSHOT, handed_on)
    store.close()
    with sqlite3.connect(path) as file:
        [version] = file.execute("PRAGMA user_version").fetchone()
        file.execute("VACUUM")
    file.close()
    packer = zstandard.ZstdCompressor(level=19, write_content_size=True)
    (folder / f"version_{version}.sqlite3.zst").write_bytes(packer.compress(path.read_bytes()))
    (folder / f"version_{version}.snapshot.zst").write_bytes(packer.compress(handed_on.read_bytes()))
    shutil.rmtree(path.parent)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
