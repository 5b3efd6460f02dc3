"""Files of earlier versions are opened with all that they hold, and answer as they did."""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from explorer.store import pins
from explorer.store.query import Filter, Query
from explorer.store.schema import MIGRATIONS, connect
from explorer.store.store import Store
from tests.data import stored
from tests.data.stored import PULLS, SHAPE, Stored
from tests.forked import FORKS
from tests.mirror.store.asking import answer, summary
from tests.mirror.store.reference import GONE, ordered, passes, place

VERSIONS = sorted(path.name.removesuffix(".zst") for path in stored.FOLDER.glob("version_*.sqlite3.zst"))
WANTED = (
    "berlin",
    "ss",
    "É",
    "1",
    "Design",
    "é" * 256,
    "\x00",
    7,
    2**63,
    Decimal("0.1"),
    Decimal("12345678901234567890.5"),
)
FILTERS = (
    *(Filter("a", op, value) for op in ("contains", "equals") for value in WANTED),
    *(Filter("c", op, value) for op in ("<", ">") for value in WANTED),
    Filter("b", "between", -1, 7),
    Filter("a", "between", "b", "e"),
    *(Filter("a", "equals", value) for value in (True, False, None)),
    *(Filter(column, op) for column in "abcd" for op in ("is null", "is absent", "is empty")),
)  # fmt: skip


def opened(name: str, folder: Path) -> Store:
    """A store of an earlier version, brought forward."""
    return Store(stored.unpacked(name, folder / "one.sqlite3"))


def column(pull: Stored, name: str) -> list[Any]:
    return [row["abcd".index(name)] for row in pull.cells()]


def numbers(store: Store) -> list[int]:
    return [info.id for info in store.pulls()]


@pytest.mark.parametrize("name", VERSIONS)
def test_every_pull_is_there_with_its_rows_and_pages(name: str, tmp_path: Path) -> None:
    store = opened(name, tmp_path)
    assert store.notices == []
    infos = store.pulls()
    assert [info.key for info in infos] == [pull.key for pull in PULLS]
    for info, pull in zip(infos, PULLS, strict=True):
        came = stored.pages(pull)
        assert (info.state, info.why, info.settled) == (pull.state, pull.why, pull.settled)
        assert (info.pages, info.rows) == (len(came), len(pull.records()))
        assert store.rows(info.id, 0, info.rows) == pull.records()
        assert [store.body(info.id, page.number) for page in came] == [page.body for page in came]
        kept = store.pages(info.id)
        for said in (
            "number",
            "cursor",
            "next_cursor",
            "flag",
            "notes",
            "received_at",
            "elapsed_ms",
            "exchange",
        ):
            assert [getattr(page, said) for page in kept] == [getattr(page, said) for page in came]
        store.checked(info)
    standing = store.standing(stored.JOBS)
    assert standing.front is not None
    assert standing.front.id == infos[1].id
    store.close()


@pytest.mark.parametrize("name", VERSIONS)
def test_its_snapshots_are_there_and_a_copy_of_what_was_brought_forward(name: str, tmp_path: Path) -> None:
    store = opened(name, tmp_path)
    version = int(name.removeprefix("version_").removesuffix(".sqlite3"))
    copies = [path.name for path in tmp_path.glob("*.version-*")]
    assert copies == ([f"one.version-{version}.sqlite3"] if version < len(MIGRATIONS) else [])
    found, pull = pins.all_of(store), PULLS[1]
    assert [one.name for one in found] == ([stored.SNAPSHOT] if version >= 7 else [])
    for one in found:
        assert (one.info.key, one.info.rows) == (pull.key, len(pull.records()))
        assert store.rows(one.info.id, 0, one.info.rows) == pull.records()
    store.close()


@pytest.mark.parametrize("name", VERSIONS)
def test_queries_are_answered_as_before(name: str, tmp_path: Path) -> None:
    store = opened(name, tmp_path)
    for number, pull in zip(numbers(store), PULLS, strict=True):
        for sort in itertools.product("abcd", (False, True)):
            expected = ordered(column(pull, sort[0]), descending=sort[1])
            assert answer(store, number, SHAPE, Query(sort=(sort,))) == expected
        for each in FILTERS:
            expected = [n for n, value in enumerate(column(pull, each.column)) if passes(value, each)]
            assert answer(store, number, SHAPE, Query(filters=(each,))) == expected, each
        found = answer(store, number, SHAPE, Query(find="tail"))
        assert found == [n for n, row in enumerate(pull.values) if "tail" in repr(row)]
    store.close()


@pytest.mark.parametrize("name", VERSIONS)
def test_summaries_are_as_before(name: str, tmp_path: Path) -> None:
    store = opened(name, tmp_path)
    for number, pull in zip(numbers(store), PULLS, strict=True):
        for field in "abcd":
            values, found = column(pull, field), summary(store, number, SHAPE, field)
            told = [
                value
                for value in values
                if value not in (None, GONE, "", [], {}) or value is False or value == 0
            ]
            assert (found.rows, found.nulls) == (len(values), values.count(None))
            assert found.absents == sum(value is GONE for value in values)
            assert found.present == len(told)
            assert found.distinct == len(Counter(map(place, told)))
    store.close()


@pytest.mark.parametrize("name", VERSIONS)
def test_a_pull_goes_on_where_it_was(name: str, tmp_path: Path) -> None:
    store = opened(name, tmp_path)
    number, pull = numbers(store)[2], PULLS[2]
    before = stored.pages(pull)
    assert store.seen_cursors(number) == {page.cursor for page in before[1:]}
    last, first = before[-1], before[0]
    page = type(first)(
        number=last.number + 1,
        cursor=last.next_cursor,
        next_cursor=None,
        flag=False,
        **{
            name: getattr(first, name)
            for name in ("records", "body", "notes", "received_at", "elapsed_ms", "exchange")
        },
    )
    info = store.keep(number, page, "complete", "", shape=SHAPE)
    assert info.settled
    assert store.rows(number, 0, info.rows) == pull.records() + list(page.records)
    values = column(pull, "a") + column(pull, "a")[: len(page.records)]
    assert answer(store, number, SHAPE, Query(sort=(("a", False),))) == ordered(values)
    store.close()


KILLED = """
import os, sys
from pathlib import Path
from explorer.store import schema
from explorer.store.store import Store

left, connect = int(sys.argv[2]), schema.connect


def dying(path):
    def step():
        global left
        left -= 1
        if not left:
            os._exit(9)

    made = connect(path)
    made.set_progress_handler(step, 20)
    return made


schema.connect = dying
Store(Path(sys.argv[1])).close()
"""


def test_killed_at_any_moment_while_it_is_brought_forward_the_file_and_its_copy_are_whole(
    tmp_path: Path,
) -> None:
    old = Path(__file__).with_name("version_1.sqlite3")
    with contextlib.closing(sqlite3.connect(old)) as file:
        expected = file.execute("SELECT pull, number, digest, data FROM page ORDER BY id").fetchall()
    path, died, step = tmp_path / "one.sqlite3", 0, 1
    while True:
        for left in tmp_path.iterdir():
            left.unlink()
        path.write_bytes(old.read_bytes())
        run = FORKS.quick([sys.executable, "-c", KILLED, str(path), str(step)])
        killed = subprocess.run(run, check=False, timeout=60)
        died += killed.returncode == 9
        Store(path).close()
        for each in (path, tmp_path / "one.version-1.sqlite3"):
            with contextlib.closing(sqlite3.connect(each)) as file:
                assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                assert (
                    file.execute("SELECT pull, number, digest, data FROM page ORDER BY id").fetchall()
                    == expected
                )
        assert {left.name for left in tmp_path.iterdir() if "version" in left.name} == {
            "one.version-1.sqlite3"
        }
        if killed.returncode == 0:
            break
        step += step // 2 + 1
    assert died > 5


def test_a_file_whose_damage_is_told_in_no_utf_8_is_not_left_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.sqlite3"
    opened: list[sqlite3.Connection] = []
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE pull (id)")
        database.execute("PRAGMA writable_schema = ON")
        database.execute("UPDATE sqlite_master SET name = CAST(x'ff41' AS TEXT), sql = 'CREATE TABLE ('")
        database.commit()
    really: Callable[..., sqlite3.Connection] = sqlite3.connect

    def counted(*settings: Any, **more: Any) -> sqlite3.Connection:
        opened.append(really(*settings, **more))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", counted)
    with pytest.raises(UnicodeDecodeError):
        connect(path)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("SELECT 1")
