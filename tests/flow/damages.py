"""Random damages to a store's files: bytes, blocks, length, the WAL, rows and schema by SQL."""

from __future__ import annotations

import contextlib
import os
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

Chance = random.Random
_PAGE = "id = (SELECT id FROM page ORDER BY chance() LIMIT 1)"
_PULL = "id = (SELECT id FROM pull ORDER BY chance() LIMIT 1)"
_OTHER = "(SELECT {} FROM page o WHERE o.id != page.id ORDER BY chance() LIMIT 1)"
STATEMENTS = (
    f"DELETE FROM page WHERE {_PAGE}",
    "DELETE FROM page WHERE number = (SELECT max(number) FROM page)",
    "DELETE FROM page WHERE number BETWEEN 3 AND 5",
    f"UPDATE page SET rows = rows + 1 WHERE {_PAGE}",
    f"UPDATE page SET rows = 0 WHERE {_PAGE}",
    f"UPDATE page SET rows = -7 WHERE {_PAGE}",
    f"UPDATE page SET rows = 99999999999 WHERE {_PAGE}",
    f"UPDATE page SET bytes = bytes - 3 WHERE {_PAGE}",
    f"UPDATE page SET data = zeroblob(50) WHERE {_PAGE}",
    f"UPDATE page SET data = x'' WHERE {_PAGE}",
    f"UPDATE page SET data = {_OTHER.format('data')} WHERE {_PAGE}",
    f"UPDATE page SET digest = randomblob(16) WHERE {_PAGE}",
    f"UPDATE page SET digest = x'' WHERE {_PAGE}",
    f"UPDATE page SET number = number + 1000 WHERE {_PAGE}",
    f"UPDATE page SET number = number - 1 WHERE {_PAGE}",
    "UPDATE page SET number = CASE number WHEN 2 THEN 3 ELSE 2 END WHERE number IN (2, 3)",
    "UPDATE page SET number = 5 - number, first_row = 60 - first_row WHERE number IN (2, 3)",
    f"UPDATE page SET first_row = first_row + 1 WHERE {_PAGE}",
    f"UPDATE page SET first_row = -1 WHERE {_PAGE}",
    f"UPDATE page SET cursor = x'ff00' WHERE {_PAGE}",
    f"UPDATE page SET cursor = NULL WHERE {_PAGE}",
    f"UPDATE page SET next_cursor = {_OTHER.format('next_cursor')} WHERE {_PAGE}",
    f"UPDATE page SET notes = x'ff' WHERE {_PAGE}",
    f"UPDATE page SET received_at = 9223372036854775807 WHERE {_PAGE}",
    f"UPDATE page SET pull = 3 - pull WHERE {_PAGE}",
    f"UPDATE pull SET rows = rows + 5 WHERE {_PULL}",
    f"UPDATE pull SET rows = -1 WHERE {_PULL}",
    f"UPDATE pull SET pages = pages - 1 WHERE {_PULL}",
    f"UPDATE pull SET pages = pages + 2 WHERE {_PULL}",
    f"UPDATE pull SET pages = 0 WHERE {_PULL}",
    f"UPDATE pull SET next_cursor = CAST('c3' AS BLOB) WHERE {_PULL}",
    f"UPDATE pull SET next_cursor = x'ff' WHERE {_PULL}",
    "UPDATE pull SET state = 'complete'",
    "UPDATE pull SET state = 'ready'",
    f"UPDATE pull SET why = x'ff', updated_at = 9223372036854775807 WHERE {_PULL}",
    f"UPDATE pull SET origin = CAST(x'ff' AS TEXT) WHERE {_PULL}",
    f"DELETE FROM pull WHERE {_PULL}",
    "DELETE FROM narrow",
    "UPDATE narrow SET data = (SELECT data FROM narrow ORDER BY chance() LIMIT 1)",
    "UPDATE narrow SET data = substr(data, 1, length(data) / 2)",
    """UPDATE shape SET fields = replace(fields, '"name"', '"other"')""",
    "UPDATE shape SET fields = '{'",
    "UPDATE fit SET unfit = 7",
)
SCHEMA = (
    "DROP INDEX page_of_pull",
    "DROP INDEX pull_of_key",
    "DROP TABLE fit",
    "DROP TABLE narrow",
    "DROP TABLE shape",
    "DROP TABLE page",
    "DROP TABLE pull",
    "DROP TABLE migrations",
    "ALTER TABLE page RENAME COLUMN digest TO digests",
    "ALTER TABLE page DROP COLUMN data",
    "ALTER TABLE page ADD COLUMN more TEXT",
    "ALTER TABLE pull RENAME TO pulls",
    "CREATE TRIGGER t AFTER INSERT ON page BEGIN UPDATE page SET rows = 0; END",
    "CREATE VIEW v AS SELECT * FROM page",
    "PRAGMA user_version = 99",
    "PRAGMA user_version = 2",
    "PRAGMA user_version = 0",
    "PRAGMA user_version = -1",
    "PRAGMA application_id = 7",
)


def by_sql(statements: tuple[str, ...]) -> Callable[[Path, Chance], str]:
    """A damage by one of these."""

    def damage(store: Path, chance: Chance) -> str:
        statement = chance.choice(statements)
        with contextlib.closing(sqlite3.connect(store, isolation_level=None)) as file:
            file.create_function("chance", 0, chance.random)
            file.execute("PRAGMA ignore_check_constraints = ON")
            with contextlib.suppress(sqlite3.IntegrityError):  # a place that another page has
                file.execute(statement)
        return statement

    return damage


def _target(store: Path, chance: Chance) -> Path:
    wal = store.with_name(store.name + "-wal")
    return chance.choice([store, wal]) if wal.exists() and wal.stat().st_size else store


def flips(store: Path, chance: Chance) -> str:
    """Some bytes are others."""
    path = _target(store, chance)
    data, count = bytearray(path.read_bytes()), chance.choice([1, 1, 1, 3, 20])
    places = [chance.randrange(len(data)) for _ in range(count)]
    for place in places:
        data[place] ^= chance.randrange(1, 256)
    path.write_bytes(data)
    return f"flips of {path.suffix} at {places}"


def head(store: Path, chance: Chance) -> str:
    """A byte of the file's head or of its schema is another."""
    data, place = bytearray(store.read_bytes()), chance.randrange(min(4096, store.stat().st_size))
    data[place] ^= 1 << chance.randrange(8)
    store.write_bytes(data)
    return f"head at {place}"


def blot(store: Path, chance: Chance) -> str:
    """A stretch is zeros or noise."""
    path = _target(store, chance)
    data, size = bytearray(path.read_bytes()), chance.choice([64, 512, 4096, 20_000])
    place = chance.randrange(len(data))
    noise = chance.randbytes(size) if chance.random() < 0.5 else bytes(size)
    data[place : place + size] = noise[: len(data) - place]
    path.write_bytes(data)
    return f"blot of {size} at {place} of {path.suffix}"


def cut(store: Path, chance: Chance) -> str:
    """The file is shorter, or longer."""
    path = _target(store, chance)
    size = chance.randrange(path.stat().st_size + 5000)
    with path.open("r+b") as file:
        file.truncate(size)
    return f"{path.suffix} cut at {size}"


def wal(store: Path, chance: Chance) -> str:
    """WAL or its index is gone, or noise."""
    done = []
    for tail in ("-wal", "-shm"):
        path = store.with_name(store.name + tail)
        what = chance.choice(["gone", "noise", "as it was"])
        if what == "gone":
            path.unlink(missing_ok=True)
        elif what == "noise":
            path.write_bytes(os.urandom(chance.choice([10, 5000, 40_000])))
        done.append(f"{tail} {what}")
    return ", ".join(done)


KINDS: tuple[Callable[[Path, Chance], str], ...] = (
    *(by_sql(STATEMENTS),) * 4,
    *(by_sql(SCHEMA),) * 2,
    *(flips,) * 3,
    head,
    blot,
    cut,
    wal,
)


def damage(store: Path, chance: Chance) -> str:
    """One damage, and what it was."""
    return chance.choice(KINDS)(store, chance)
