"""The differences that a comparison found, in a temporary file deleted with it: any number of them, in bounded memory.

They are read in windows of lines, and by filter.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, get_args

What = Literal["added", "gone", "changed"]
KINDS: tuple[What, ...] = get_args(What)
CACHE_KB = 16_000
"""Memory in kB that SQLite may use for the temporary file."""
SHOWN = 300
"""Characters of a value that a table needs."""
SHOWN_OF_ARRAY = 10_000
"""Of an array, in which the item that differs is searched."""
_BITE = 5_000
"""Lines that are searched at one time."""
_TABLES = """
CREATE TABLE side0 (key BLOB NOT NULL, row INTEGER NOT NULL, digest BLOB NOT NULL);
CREATE TABLE side1 (key BLOB NOT NULL, row INTEGER NOT NULL, digest BLOB NOT NULL);
CREATE TABLE pair (a INTEGER NOT NULL, b INTEGER NOT NULL);
CREATE TABLE difference (
    n INTEGER PRIMARY KEY, what INTEGER NOT NULL, id TEXT NOT NULL, a INTEGER, b INTEGER,
    field TEXT, old TEXT, new TEXT, name TEXT NOT NULL
);
CREATE TABLE raw (b INTEGER PRIMARY KEY, changed INTEGER NOT NULL);
CREATE TABLE claimed (claim INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (claim, n)) WITHOUT ROWID;
"""


NewLine = tuple[What, str, int | None, int | None, str | None, str | None, str | None, str]
"""What, id, both rows, field, old, new and name, as `Difference` has them."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One line: a record that was added or is gone, or one field of a record that changed."""

    number: int
    what: What
    id: str
    """Empty when the record has none."""
    row_a: int | None
    """Counted from 0; None when it was added."""
    row_b: int | None
    field: str = ""
    """The path; empty for a whole record."""
    old: str | None = None
    """As JSON; None when it is absent. `Found.lines` cuts it to `SHOWN` characters."""
    new: str | None = None
    name: str = ""
    """The record's, as received: before, else now. Empty where it has none."""


@dataclass(frozen=True, slots=True)
class RawData:
    """What became of raw data in records with changes, in numbers of records: whether source or mapping changed."""

    same: int = 0
    changed: int = 0
    without: int = 0
    """Records without raw data on one of the sides."""

    @property
    def words(self) -> str:
        """``raw data is the same in all 100: the mapping changed``; empty where there is none."""
        of = self.same + self.changed
        if not of:
            return ""
        if not self.same:
            said = "raw data changed as well"
        elif self.changed:
            said = f"raw data is the same in {self.same:,} of {of:,}: the mapping changed there"
        else:
            said = f"raw data is the same{f' in all {of:,}' if of > 1 else ''}: the mapping changed"
        return f"{said} ({self.without:,} have none)" if self.without else said


NO_RAW_DATA = RawData()


class Found:
    """The differences, and the keys of both lists. Safe for several threads, one at a time in it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # A file without a name is deleted by the system at the end; memory holds only its cache.
        self._file = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._file.execute("PRAGMA temp_store = FILE")
        self._file.execute(f"PRAGMA cache_size = -{CACHE_KB}")
        self._file.execute("PRAGMA journal_mode = OFF")
        self._file.execute("PRAGMA synchronous = OFF")
        self._file.create_function("fold", 1, _folded, deterministic=True)
        self._file.executescript(_TABLES)
        self._file.execute("BEGIN")

    def close(self) -> None:
        """Closes and deletes the file."""
        with self._lock:
            self._file.close()

    # ------------------------------------------------------------------ while it is made

    def add_side(self, side: int, rows: Iterable[tuple[bytes, int, bytes]]) -> None:
        """Adds key, row and digest of records of the first (0) or second (1) list."""
        with self._lock:
            self._file.executemany(f"INSERT INTO side{side} VALUES (?, ?, ?)", rows)  # noqa: S608

    def copy_side(self, first: int, rows: int, to: int) -> int:
        """Copies records of the first list, from row ``first`` on, to the second from row ``to`` on.

        Returns how many of them have no id.
        """
        these = (first + 1, first + rows)  # row numbers of SQLite, from 1: the first list was added in order
        sql = "INSERT INTO side1 SELECT key, row + ?, digest FROM side0 WHERE rowid BETWEEN ? AND ?"
        lone = "SELECT count(*) FROM side0 WHERE rowid BETWEEN ? AND ? AND substr(key, 1, 1) = x'7E'"
        self._all(sql, (to - first, *these))
        return int(self._all(lone, these)[0][0])

    def side(self, side: int) -> Iterator[tuple[bytes, int, bytes]]:
        """What `add_side` added, ordered by key and row. No other call may happen meanwhile."""
        return self._file.execute(f"SELECT key, row, digest FROM side{side} ORDER BY key, row")  # noqa: S608

    def add_pairs(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Adds the rows of records with the same id whose bytes differ."""
        with self._lock:
            self._file.executemany("INSERT INTO pair VALUES (?, ?)", pairs)

    def pairs(self) -> int:
        """How many pairs there are; from now on in order of the second list's rows."""
        with self._lock:
            self._file.execute("DROP TABLE side0")
            self._file.execute("DROP TABLE side1")
            self._file.execute("CREATE TABLE ordered (n INTEGER PRIMARY KEY, a INTEGER, b INTEGER)")
            self._file.execute("INSERT INTO ordered (a, b) SELECT a, b FROM pair ORDER BY b")
            self._file.execute("DROP TABLE pair")
            return int(self._file.execute("SELECT count(*) FROM ordered").fetchone()[0])

    def some_pairs(self, start: int, count: int) -> list[tuple[int, int]]:
        """At most ``count`` pairs from number ``start`` (from 0) on."""
        sql = "SELECT a, b FROM ordered WHERE n > ? AND n <= ? ORDER BY n"
        return self._all(sql, (start, start + count))

    def add(self, lines: Iterable[NewLine]) -> None:
        """Adds differences."""
        sql = "INSERT INTO difference (what, id, a, b, field, old, new, name) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        rows = [
            (KINDS.index(what), _storable(ident), *rest, _storable(name))
            for what, ident, *rest, name in lines
        ]
        with self._lock:
            self._file.executemany(sql, rows)

    def claims_of(self, number: int) -> frozenset[int]:
        """The claims of a line."""
        return frozenset(claim for (claim,) in self._all("SELECT claim FROM claimed WHERE n = ?", (number,)))

    def add_raw(self, records: Iterable[tuple[int, bool]]) -> None:
        """Adds rows of the second list with raw data on both sides, and whether that changed."""
        with self._lock:
            self._file.executemany("INSERT INTO raw VALUES (?, ?)", records)

    def raw_data(self, claims: Iterable[int] | None = None) -> RawData:
        """Raw data of the records with changes; ``claims`` are those of which a change must have one."""
        known = sorted(claims) if claims is not None else []
        marks = ", ".join("?" * len(known))
        where = f"WHERE n IN (SELECT n FROM claimed WHERE claim IN ({marks}))" if claims is not None else ""  # noqa: S608
        rows = f"SELECT DISTINCT b FROM difference {where or 'WHERE a IS NOT NULL AND b IS NOT NULL'}"  # noqa: S608
        sql = f"SELECT changed, count(*) FROM ({rows}) LEFT JOIN raw USING (b) GROUP BY changed"  # noqa: S608
        told = dict(self._all(sql, tuple(known)))
        return RawData(told.get(0, 0), told.get(1, 0), told.get(None, 0))

    def changed(self) -> Iterator[tuple[int, str, int, int, str, str | None, str | None]]:
        """Number, id, both rows, field, old and new of each field that changed, in order, with whole values."""
        after, wanted = 0, KINDS.index("changed")
        sql = "SELECT n, id, a, b, field, old, new FROM difference WHERE n > ? AND what = ? ORDER BY n LIMIT 500"
        while found := self._all(sql, (after, wanted)):
            yield from found
            after = found[-1][0]

    def clear_claims(self) -> None:
        """Deletes the claims of all lines."""
        self._all("DELETE FROM claimed", ())

    def add_claims(self, lines: Iterable[tuple[int, int]]) -> None:
        """Adds claims of lines; a line may have several, one for each item of an array."""
        with self._lock:
            self._file.executemany("INSERT OR IGNORE INTO claimed VALUES (?, ?)", lines)

    def leave_out(self, claim: int) -> tuple[dict[str, int], int]:
        """Deletes the lines that only ``claim`` covers.

        Returns how many there were of each field, and how many records still differ.
        """
        alone = "SELECT n FROM claimed WHERE claim = ? EXCEPT SELECT n FROM claimed WHERE claim <> ?"
        counted = f"SELECT field, count(*) FROM difference WHERE n IN ({alone}) GROUP BY field"  # noqa: S608
        fields = dict(self._all(counted, (claim, claim)))
        self._all(f"DELETE FROM difference WHERE n IN ({alone})", (claim, claim))  # noqa: S608
        rows = "SELECT count(*) FROM (SELECT DISTINCT a, b FROM difference WHERE what = ?)"
        [(left,)] = self._all(rows, (KINDS.index("changed"),))
        return fields, int(left)

    # ------------------------------------------------------------------ afterwards

    def changed_rows(self) -> Iterator[int]:
        """The rows of the first list whose records changed; a row with several lines may come more than once."""
        [(last,)] = self._all("SELECT ifnull(max(n), 0) FROM difference", ())
        sql = "SELECT DISTINCT a FROM difference WHERE n > ? AND n <= ? AND what = ?"
        for start in range(0, last, _BITE):
            yield from (row for (row,) in self._all(sql, (start, start + _BITE, KINDS.index("changed"))))

    def select(
        self, what: Sequence[What] = (), field: str = "", text: str = "", claims: Iterable[int] | None = None
    ) -> array[int]:
        """The numbers of matching lines, in order. ``text`` occurs in id, name, field or a value, ignoring case.

        ``claims`` are those of which a line must have one.
        """
        where, values = ["n > ? AND n <= ?"], list[Any]()
        if what:
            where.append(f"what IN ({', '.join('?' * len(what))})")
            values += [KINDS.index(one) for one in what]
        if claims is not None:
            known = sorted(claims)
            where.append(f"n IN (SELECT n FROM claimed WHERE claim IN ({', '.join('?' * len(known))}))")  # noqa: S608
            values += known
        if field:
            where.append("(field = ? OR substr(field, 1, ?) = ?)")
            values += [field, len(field) + 1, field + "."]
        if text:
            where.append(
                "(instr(fold(id), ?) OR instr(fold(field), ?) OR instr(fold(old), ?) OR instr(fold(new), ?)"
                " OR instr(fold(name), ?))"
            )
            values += [text.casefold()] * 5
        made = array("q")
        sql = f"SELECT n FROM difference WHERE {' AND '.join(where)} ORDER BY n"  # noqa: S608
        [(last,)] = self._all("SELECT ifnull(max(n), 0) FROM difference", ())
        # In small steps, so that a concurrent reader waits for milliseconds only.
        for start in range(0, last, _BITE):
            made.extend(n for (n,) in self._all(sql, (start, start + _BITE, *values)))
        return made

    def lines(self, numbers: Sequence[int]) -> list[Difference]:
        """The lines with these numbers, in that order, with values cut to `SHOWN` characters, arrays later."""
        marks = ", ".join("?" * len(numbers))
        old, new = (
            f"substr({name}, 1, CASE substr({name}, 1, 1) WHEN '[' THEN {SHOWN_OF_ARRAY} ELSE {SHOWN} END)"
            for name in ("old", "new")
        )
        sql = f"SELECT n, what, id, a, b, field, {old}, {new}, name FROM difference WHERE n IN ({marks})"  # noqa: S608
        found = {row[0]: _line(row) for row in self._all(sql, tuple(numbers))}
        return [found[number] for number in numbers if number in found]

    def every(self, numbers: Sequence[int] | None = None) -> Iterator[Difference]:
        """All lines with their whole values, or those of ``numbers`` (ascending), in small steps."""
        wanted = None if numbers is None else iter(numbers)
        after = 0
        while True:
            if wanted is None:
                found = self._all("SELECT * FROM difference WHERE n > ? ORDER BY n LIMIT 200", (after,))
            else:
                some = list(islice(wanted, 200))
                marks = ", ".join("?" * len(some))
                found = self._all(f"SELECT * FROM difference WHERE n IN ({marks}) ORDER BY n", tuple(some))  # noqa: S608
            if not found:
                return
            yield from map(_line, found)
            after = found[-1][0]

    def _all(self, sql: str, values: tuple[Any, ...]) -> list[Any]:
        with self._lock:
            return self._file.execute(sql, values).fetchall()


def _line(row: tuple[Any, ...]) -> Difference:
    number, what, ident, a, b, field, old, new, name = row
    return Difference(number, KINDS[what], ident, a, b, field or "", old, new, name)


def _folded(text: str | None) -> str | None:
    return text and text.casefold()


def _storable(text: str) -> str:
    """The text without unpaired surrogates, which SQLite rejects."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(text)[1:-1]
    return text
