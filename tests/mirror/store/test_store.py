"""The store keeps what came, in order, once, byte for byte; and says what it cannot do."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.catalog.spec import ABSENT, Record
from explorer.store import schema
from explorer.store.answer import Plan
from explorer.store.indexed_columns import IndexedColumns
from explorer.store.kept_pages import Places
from explorer.store.packing import Packed
from explorer.store.query import Query
from explorer.store.storage_usage import size_on_disk
from explorer.store.store import PageWrite, Store
from explorer.store.values import Field, PullMoved, StoreFault
from tests.forked import FORKS
from tests.mirror.store.made import KEY, page
from tests.mirror.store.reference import GONE, ordered
from tests.thorough import examples

ROOT = Path(__file__).parents[3]


class One(Record):
    """The record of a list."""

    id: str = ABSENT


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "one.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    made = Store(path)
    yield made
    made.close()


# ---------------------------------------------------------------- what comes back

cursors = st.none() | st.text(min_size=1, max_size=20) | st.just("\ud800\x00é")
chunks = st.lists(st.tuples(st.lists(st.binary(max_size=12), max_size=6), cursors), min_size=1, max_size=8)


@settings(max_examples=examples(60), deadline=None)
@given(chunks, st.integers(0, 4000))
def test_any_pages_give_the_same_rows_after_reopening(
    given_pages: list[tuple[list[bytes], str | None]], cache: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.sqlite3"
        first = Store(path, cache_bytes=cache)
        pull, cursor = first.start(KEY).id, None
        rows: list[bytes] = []
        kept = []
        for number, (records, following) in enumerate(given_pages, start=1):
            made = page(number, records, notes=("odd \ud800",))
            made = dataclasses.replace(made, cursor=cursor, next_cursor=following)
            info = first.keep(pull, made, "ready", "")
            rows, cursor = rows + records, following
            kept.append(made)
            assert (info.rows, info.pages, info.next_cursor) == (len(rows), number, following)
            assert first.rows(pull, 0, len(rows)) == rows
        first.close()
        again = Store(path, cache_bytes=cache)
        found = again.newest(KEY)
        assert found is not None
        assert (found.id, found.rows, found.next_cursor) == (pull, len(rows), cursor)
        for start in range(-1, len(rows) + 1):
            assert again.rows(pull, start, start + 3) == rows[max(start, 0) : start + 3]
        assert again.rows(pull, 0, len(rows) + 5) == rows
        listed = again.pages(pull)
        assert [(p.cursor, p.next_cursor, p.notes, p.received_at) for p in listed] == [
            (p.cursor, p.next_cursor, p.notes, p.received_at) for p in kept
        ]
        assert [again.body(pull, p.number) for p in listed] == [p.body for p in kept]
        assert again.seen_cursors(pull) == {p.cursor for p in kept if p.cursor is not None}
        assert again.digests(pull) == [p.digest for p in kept if p.records]
        for row in range(len(rows)):
            at = again.page_of(pull, row)
            assert at.first_row <= row < at.first_row + at.rows
            assert kept[at.number - 1].records[row - at.first_row] == rows[row]
        again.close()


def test_a_pull_is_found_by_its_whole_key(store: Store) -> None:
    info = store.start(KEY)
    store.keep(info.id, page(1, [b"1"]), "complete", "")
    for field in ("connection", "origin", "resource", "params"):
        assert store.newest(dataclasses.replace(KEY, **{field: "other"})) is None
    found = store.newest(KEY)
    assert found is not None
    assert (found.state, found.bytes, found.key) == ("complete", len(b'{"items":[1]}'), KEY)


def test_the_newest_pull_is_the_one_that_holds_pages(store: Store) -> None:
    old = store.start(KEY)
    store.keep(old.id, page(1, [b"1"]), "ready", "")
    empty = store.start(KEY)
    found = store.newest(KEY)
    assert found is not None
    assert found.id == old.id
    assert [info.id for info in store.pulls()] == [old.id]
    store.keep(empty.id, page(1, [b"2"]), "ready", "")
    newest = store.newest(KEY)
    assert newest is not None
    assert newest.id == empty.id


def test_state_and_reason_are_kept(store: Store) -> None:
    info = store.start(KEY)
    store.keep(info.id, page(1, [b"1"]), "stopped", "Page 1 leads back \ud800.")
    assert (store.pull(info.id).state, store.pull(info.id).why) == ("stopped", "Page 1 leads back \ud800.")
    assert store.mark(info.id, "ready").why == ""


# ---------------------------------------------------------------- never twice


def test_a_page_that_is_not_the_next_is_refused_and_nothing_is_kept(store: Store) -> None:
    info = store.start(KEY)
    store.keep(info.id, page(1, [b"1"]), "ready", "")
    for wrong in (page(1, [b"1"]), page(3, [b"3"]), page(2, [b"2"], cursor="another")):
        with pytest.raises(PullMoved):
            store.keep(info.id, wrong, "ready", "")
    assert store.rows(info.id, 0, 9) == [b"1"]
    assert store.pull(info.id).pages == 1


def test_two_windows_on_one_pull_keep_no_page_twice(store: Store, path: Path) -> None:
    other = Store(path)
    info = store.start(KEY)
    store.keep(info.id, page(1, [b"1"]), "ready", "")
    other.keep(info.id, page(2, [b"2"]), "ready", "")
    with pytest.raises(PullMoved, match="another window"):
        store.keep(info.id, page(2, [b"2"]), "ready", "")
    assert store.keep(info.id, page(3, [b"3"]), "complete", "").rows == 3
    assert other.rows(info.id, 0, 9) == store.rows(info.id, 0, 9) == [b"1", b"2", b"3"]
    other.close()


def test_a_restart_replaces_at_the_first_page_and_once(store: Store) -> None:
    old = store.begin(KEY, page(1, [b"old"]), "ready", "", after=None)
    with pytest.raises(PullMoved):
        store.begin(KEY, page(1, [b"late"]), "ready", "", after=None)
    new = store.begin(KEY, page(1, [b"new"]), "ready", "", after=old.id)
    with pytest.raises(PullMoved):
        store.begin(KEY, page(1, [b"late"]), "ready", "", after=old.id)
    with pytest.raises(PullMoved):
        store.keep(old.id, page(2, [b"more"]), "ready", "")
    assert [info.id for info in store.pulls()] == [new.id]
    assert store.rows(new.id, 0, 9) == [b"new"]


def test_what_is_forgotten_is_gone_at_once_and_its_space_comes_back(store: Store, path: Path) -> None:
    info = store.start(KEY)
    body = os.urandom(300_000)
    for number in range(1, 21):
        store.keep(info.id, page(number, [body]), "ready", "")
    other = Store(path, cache_bytes=0)
    assert other.rows(info.id, 0, 1) == [body]
    full = size_on_disk(store.path)
    store.forget(info.id)
    assert store.newest(KEY) is None
    with pytest.raises(PullMoved):
        store.pull(info.id)
    while store.reap():
        pass
    with pytest.raises(PullMoved):
        other.rows(info.id, 5, 6)
    other.close()
    store.close()
    assert full > 20 * 300_000 > 10 * path.stat().st_size


def test_the_cache_stays_within_its_bytes(path: Path) -> None:
    store = Store(path, cache_bytes=10_000)
    info = store.start(KEY)
    for number in range(1, 31):
        store.keep(info.id, page(number, [bytes([number]) * 1000, b"x"]), "ready", "")
    assert len(store.rows(info.id, 0, 60)) == 60
    assert 0 < sum(p.size for p in store._cache.values()) == store._cached <= 10_000
    store.close()


# ---------------------------------------------------------------- the file

KILLED = """
import sys
from collections.abc import Iterator
from pathlib import Path
from explorer.store.store import Store
from tests.mirror.store.made import KEY, page
store = Store(Path(sys.argv[1]))
info = store.newest(KEY) or store.start(KEY)
number = info.pages
while True:
    number += 1
    store.keep(info.id, page(number, [b"%d-%d" % (number, n) * 40 for n in range(50)]), "ready", "")
    print(number, flush=True)
"""


def test_a_killed_program_leaves_whole_pages_and_the_cursor_after_them(path: Path) -> None:
    last = 0
    for kill in range(12):
        process = subprocess.Popen(
            FORKS.quick([sys.executable, "-c", KILLED, str(path)]),
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            text=True,
        )
        assert process.stdout is not None
        told = last
        # Killed at another point each time, most often in the middle of the next page.
        for _ in range(1 + kill * 3):
            told = int(process.stdout.readline())
        process.kill()
        process.communicate(timeout=30)
        store = Store(path)
        info = store.newest(KEY)
        assert info is not None
        assert store.notices == []
        assert info.pages >= told > last
        assert info.next_cursor == f"c{info.pages}"
        expected = [b"%d-%d" % (p, n) * 40 for p in range(1, info.pages + 1) for n in range(50)]
        assert store.rows(info.id, 0, info.rows) == expected
        last = info.pages
        store.close()


def aside(path: Path) -> list[Path]:
    return sorted(p for p in path.parent.iterdir() if ".damaged-" in p.name or ".newer-" in p.name)


@pytest.mark.parametrize("content", [b"not a database" * 100, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_damaged_file_is_set_aside_and_said(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    store = Store(path)
    [kept] = aside(path)
    assert kept.read_bytes() == content
    assert kept.name in store.notices[0]
    assert store.start(KEY).rows == 0
    store.close()
    later = Store(path)
    assert later.notices == []
    later.close()


def test_a_file_cut_in_half_is_set_aside_or_told_page_by_page(path: Path) -> None:
    store = Store(path)
    info = store.start(KEY)
    for number in range(1, 31):
        store.keep(info.id, page(number, [os.urandom(5000)]), "ready", "")
    store.close()
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    cut = Store(path)
    if not cut.notices:
        with pytest.raises(StoreFault):
            cut.rows(info.id, 0, 30)
        cut.close()
        cut = Store(path)
    assert "kept unchanged" in cut.notices[0]
    assert len(aside(path)) == 1
    assert cut.newest(KEY) is None
    cut.close()


def test_a_page_that_is_missing_is_told_and_not_looked_for_for_ever(store: Store, path: Path) -> None:
    pull, cursor = store.start(KEY).id, None
    for number in (1, 2, 3):
        made = dataclasses.replace(page(number, [b"1", b"2"]), cursor=cursor, next_cursor=str(number))
        store.keep(pull, made, "ready", "")
        cursor = str(number)
    with sqlite3.connect(path) as other:
        other.execute("DELETE FROM page WHERE number = 2")
    other.close()
    with pytest.raises(StoreFault, match="row 3"):
        store.rows(pull, 0, 6)


def test_a_newer_file_and_somebody_elses_are_set_aside(path: Path) -> None:
    Store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    newer = Store(path)
    assert "newer version" in newer.notices[0]
    newer.close()
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    theirs = Store(path)
    assert "damaged" in theirs.notices[0]
    theirs.close()
    assert len(aside(path)) == 2


def test_an_older_file_is_copied_before_it_is_brought_forward(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = Store(path)
    info = old.start(KEY)
    old.keep(info.id, page(1, [b"1"]), "ready", "")
    old.close()
    monkeypatch.setattr(
        schema, "MIGRATIONS", (*schema.MIGRATIONS, ("ALTER TABLE page ADD COLUMN later TEXT",))
    )
    new = Store(path)
    assert new.notices == []
    assert new.rows(info.id, 0, 9) == [b"1"]
    new.close()
    present = len(schema.MIGRATIONS)
    copy = path.with_name(f"one.version-{present - 1}.sqlite3")
    assert copy.exists()
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (present,)
        versions = [v for (v,) in connection.execute("SELECT version FROM migrations ORDER BY 1")]
        assert versions == list(range(1, present + 1))
    connection.close()
    monkeypatch.undo()
    with sqlite3.connect(copy) as connection:
        assert connection.execute("SELECT count(*) FROM page").fetchone() == (1,)
    connection.close()


def test_a_file_of_version_1_keeps_its_rows_and_gets_its_columns_when_asked(path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(Path(__file__).with_name("version_1.sqlite3"), path)
    old = Store(path)
    assert old.notices == []
    assert path.with_name("one.version-1.sqlite3").exists()
    [info] = old.pulls()
    records = [json.loads(row) for row in old.rows(info.id, 0, 200)]
    assert (len(records), info.rows, info.state) == (100, 100, "complete")
    shape = IndexedColumns([Field("name"), Field("departments", "name", "array")])
    for _ in range(2):
        reader = old.reader(info.id, shape, lambda: True)
        plan = Plan(Query(sort=(("name", False),)), {"departments": "name"})
        found = [row for rows in plan.rows(reader) for row in rows]
        names = [record.get("name", GONE) for record in records]
        assert found == ordered(names)
        reader.close()
    old.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM narrow").fetchone() == (5,)
    connection.close()


def test_columns_of_a_page_leave_with_it(path: Path, store: Store) -> None:
    info = store.start(KEY)
    store.keep(info.id, page(1, [b'{"a":1}']), "ready", "", shape=IndexedColumns([Field("a")]))
    store.forget(info.id)
    while store.reap():
        pass
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM narrow").fetchone() == (0,)
    connection.close()


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(path).close()
    broken = (*schema.MIGRATIONS, ("ALTER TABLE page ADD COLUMN later TEXT", "NO SQL"))
    monkeypatch.setattr(schema, "MIGRATIONS", broken)
    with pytest.raises(StoreFault):
        Store(path)
    monkeypatch.undo()
    Store(path).close()
    assert aside(path) == []


MISTAKES: dict[str, tuple[str, tuple[object, ...]]] = {
    "a column that there is not": ("SELECT missing FROM page", ()),
    "a table that there is not": ("SELECT * FROM missing", ()),
    "an index that there is not": ("SELECT * FROM page INDEXED BY missing", ()),
    "no SQL": ("SELEKT 1", ()),
    "a value too many": ("SELECT 1", (1,)),
    "a constraint that is broken": ("UPDATE pull SET state = 'other'", ()),
    "a null that may not be": ("UPDATE pull SET origin = NULL", ()),
    "a key that is there": ("INSERT INTO migrations VALUES (1, 0)", ()),
    "a text for a number": ("UPDATE pull SET rows = 'many'", ()),
    "a write on what is only read": ("UPDATE pull SET rows = 7", ()),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_statement_of_the_programs_own_sets_no_data_aside(path: Path, mistake: str) -> None:
    store = Store(path)
    info = store.start(KEY)
    store.keep(info.id, page(1, [b"1"]), "ready", "")
    statement, values = MISTAKES[mistake]
    if mistake == "a write on what is only read":
        store._writer.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreFault, match="cannot be used"), store.writing():
        store._writer.execute(statement, values)
    store.close()

    again = Store(path)

    assert again.notices == []
    assert aside(path) == []
    assert again.rows(info.id, 0, 9) == [b"1"]
    again.close()


@pytest.mark.parametrize("where", ["_identity", "structure", "_leave_out_unreadable"])
@pytest.mark.parametrize("mistake", ["statement", "values", "type"])
def test_a_mistake_of_the_program_while_it_opens_a_file_sets_no_data_aside(
    path: Path, monkeypatch: pytest.MonkeyPatch, where: str, mistake: str
) -> None:
    store = Store(path)
    info = store.start(KEY)
    store.keep(info.id, page(1, [b"1"]), "ready", "")
    store.close()

    def wrong(connection: sqlite3.Connection, *_: object) -> None:
        if mistake == "type":
            len(5)  # type: ignore[arg-type]
        elif mistake == "values":
            connection.execute("SELECT 1", (1,))
        else:
            connection.execute("SELECT missing FROM sqlite_master")

    monkeypatch.setattr(schema, where, wrong)
    with pytest.raises((StoreFault, TypeError)):
        Store(path)
    monkeypatch.undo()

    again = Store(path)

    assert again.notices == []
    assert aside(path) == []
    assert again.rows(info.id, 0, 9) == [b"1"]
    again.close()


def test_a_migration_that_breaks_a_constraint_leaves_the_file_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(path)
    info = store.start(KEY)
    store.keep(info.id, page(1, [b"1"]), "ready", "")
    store.close()
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, ("UPDATE pull SET state = 'other'",)))
    with pytest.raises(StoreFault, match="cannot be used"):
        Store(path)
    monkeypatch.undo()
    again = Store(path)
    assert again.notices == []
    assert aside(path) == []
    assert again.rows(info.id, 0, 9) == [b"1"]
    again.close()


def test_a_table_that_somebody_else_took_away_is_damage_by_the_structure_of_the_file(path: Path) -> None:
    store = Store(path)
    info = store.start(KEY)
    store.keep(info.id, page(1, [b"1"]), "ready", "")
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("ALTER TABLE page RENAME COLUMN digest TO digests")
    with pytest.raises(StoreFault, match="no such column"):
        store.rows(info.id, 0, 1)
    store.close()
    again = Store(path)
    assert "is damaged" in again.notices[0]
    assert len(aside(path)) == 1
    again.close()


@pytest.mark.parametrize(
    ("place", "value"), [(18, 9), (47, 9), (60, 9), (0, 0)], ids=["writer", "format", "version", "mark"]
)
def test_a_head_that_sqlite_does_not_take_is_damage(path: Path, place: int, value: int) -> None:
    Store(path).close()
    data = bytearray(path.read_bytes())
    data[place] = value
    path.write_bytes(data)
    store = Store(path)
    assert len(aside(path)) == 1
    assert "kept unchanged" in store.notices[0]
    store.close()


def test_a_constraint_that_an_index_breaks_is_damage_when_sqlite_finds_the_file_corrupt(path: Path) -> None:
    store = Store(path)
    info = store.start(KEY)
    for number in (1, 2):
        store.keep(info.id, page(number, [b"1"]), "ready", "")
    store.close()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA writable_schema = ON")
        [index] = other.execute("SELECT * FROM sqlite_master WHERE name = 'page_of_pull'").fetchall()
        other.execute("DELETE FROM sqlite_master WHERE name = 'page_of_pull'")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("DELETE FROM page WHERE number = 2")
        other.execute("UPDATE pull SET pages = 1, rows = 1, next_cursor = CAST('c1' AS BLOB)")
        other.execute("PRAGMA writable_schema = ON")
        other.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", index)
    store = Store(path)
    assert store.notices == []
    with pytest.raises(StoreFault, match="is damaged"):
        store.keep(info.id, page(2, [b"1"]), "ready", "")
    store.close()
    again = Store(path)
    assert "is damaged" in again.notices[0]
    assert len(aside(path)) == 1
    again.close()


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be removed there")
@pytest.mark.parametrize("query_only", ["OFF", "ON"])
def test_a_file_that_was_removed_while_it_is_open_is_a_fault_and_no_damage(
    path: Path, query_only: str
) -> None:
    store = Store(path)
    store.start(KEY)
    store._writer.execute(f"PRAGMA query_only = {query_only}")
    for file in path.parent.iterdir():
        file.unlink()
    with pytest.raises(StoreFault, match="cannot be used"), store.writing():
        store._writer.execute("UPDATE pull SET state = 'other'")
    store.close()
    assert list(path.parent.iterdir()) == []


def test_a_text_that_is_no_text_is_damage(path: Path) -> None:
    store = Store(path)
    info = store.start(KEY)
    store.keep(info.id, page(1, [b'{"a":1}']), "ready", "", shape=IndexedColumns([Field("a")]))
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("UPDATE shape SET fields = CAST(x'ff' AS TEXT)")
    reader = store.reader(info.id, IndexedColumns([Field("a")]), lambda: True)
    with pytest.raises(StoreFault, match="is damaged"):
        [reader.keys(leaf, ("a", "")) for leaf in reader.leaves()]
    store.close()
    again = Store(path)
    assert len(aside(path)) == 1
    again.close()


@pytest.mark.skipif(sys.platform == "win32", reason="the platform has no modes")
def test_the_file_is_the_users_alone(path: Path, store: Store) -> None:
    store.start(KEY)
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


OPENING = """
import sys
from collections.abc import Iterator
from pathlib import Path
from explorer.store.store import Store
sys.stdin.readline()
store = Store(Path(sys.argv[1]))
print(store.notices)
"""


def test_windows_that_make_the_same_file_at_once(path: Path) -> None:
    processes = [
        subprocess.Popen(
            FORKS.quick([sys.executable, "-c", OPENING, str(path)]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    assert [process.communicate(timeout=60)[0] for process in processes] == ["[]\n"] * 4


@pytest.mark.skipif(sys.platform == "win32", reason="the limit on file sizes is the system's own there")
def test_a_full_disk_is_a_sentence_and_what_was_kept_stays(store: Store, path: Path) -> None:
    import resource
    import signal

    info = store.start(KEY)
    store.keep(info.id, page(1, [b"1"]), "ready", "")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, before[1]))
    try:
        with pytest.raises(StoreFault, match="The disk that holds") as caught:
            store.keep(info.id, page(2, [os.urandom(400_000)]), "ready", "")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert caught.value.advice
    assert store.pull(info.id).pages == 1
    assert store.keep(info.id, page(2, [b"2"]), "ready", "").rows == 2
    assert store.rows(info.id, 0, 9) == [b"1", b"2"]


def test_a_closed_store_says_so(path: Path) -> None:
    store = Store(path)
    store.close()
    with pytest.raises(StoreFault):
        store.pulls()
    with pytest.raises(StoreFault):
        store.start(KEY)


def test_what_does_not_fit_is_counted_by_page_and_for_the_pull(path: Path, store: Store) -> None:
    info = store.start(KEY)
    assert info.unfit == 0
    shape, model = IndexedColumns([Field("id")]), One
    info = store.keep(
        info.id, page(1, [b'{"id":"1"}', b'{"id":2}', b"[]"]), "ready", "", shape=shape, model=model
    )
    assert info.unfit == 2
    kept = [PageWrite(page(n, rows), "ready", "") for n, rows in ((2, []), (3, [b'{"id":null}', b"{}"]))]
    assert store.extend(info.id, kept, shape=shape, model=model).unfit == 3
    assert [each.unfit for each in store.pages(info.id)] == [2, 0, 1]
    begun = store.begin(KEY, page(1, [b"{}"]), "ready", "", after=info.id, shape=shape, model=model)
    assert (begun.unfit, store.pages(begun.id)[0].unfit) == (0, 0)
    while store.reap():
        pass
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM fit").fetchone() == (1,)
    connection.close()
    # Kept without a model it is not known, and then not of the whole either.
    assert store.keep(begun.id, page(2, [b"{}"]), "ready", "", shape=shape).unfit is None
    last = store.keep(begun.id, page(3, [b'{"id":3}']), "ready", "", shape=shape, model=model)
    assert last.unfit is None
    assert [each.unfit for each in store.pages(begun.id)] == [0, None, 1]


def test_what_an_earlier_version_counted_as_breaks_is_unknown_and_what_fitted_still_does(path: Path) -> None:
    """It counted nulls that running services are known to send among them."""
    old = Store(path)
    shape, kept = IndexedColumns([Field("id")]), {}
    for name, record in (("a", b'{"id":2}'), ("b", b'{"id":"2"}')):
        kept[name] = old.start(dataclasses.replace(KEY, connection=name)).id
        for number, one in ((1, b'{"id":"1"}'), (2, record)):
            old.keep(kept[name], page(number, [one]), "ready", "", shape=shape, model=One)
    old.close()
    with contextlib.closing(sqlite3.connect(path)) as file:
        for table in ("pull", "fit"):
            file.execute(f"ALTER TABLE {table} DROP COLUMN observed")
        file.execute("DELETE FROM migrations WHERE version > 7")
        file.execute("PRAGMA user_version = 7")
        file.commit()
    new = Store(path)
    pulls = {info.key.connection: (info.unfit, info.observed) for info in new.pulls()}
    assert pulls == {"a": (None, None), "b": (0, 0)}
    assert [(one.unfit, one.observed) for one in new.pages(kept["a"])] == [(0, 0), (None, None)]
    new.close()


def test_pages_of_an_older_file_are_not_said_to_fit(path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(Path(__file__).with_name("version_1.sqlite3"), path)
    old = Store(path)
    [info] = old.pulls()
    assert info.unfit is None
    assert {each.unfit for each in old.pages(info.id)} == {None}
    assert old.start(KEY).unfit == 0
    old.close()


@pytest.mark.parametrize(
    ("flag", "note", "state"),
    [
        (True, "", "stopped"),
        (None, "next_cursor is neither text nor null: it is taken as the end.", "stopped"),
        (None, "", "complete"),
        (False, "next_cursor is neither text nor null: it is taken as the end.", "complete"),
    ],
)
def test_a_pull_of_an_earlier_version_is_complete_only_where_its_last_page_shows_it(
    path: Path, flag: bool | None, note: str, state: str
) -> None:
    old = Store(path)
    last = dataclasses.replace(page(1, [b"1"]), next_cursor=None, flag=flag, notes=(note,) if note else ())
    old.keep(old.start(KEY).id, last, "complete", "")
    old.close()
    with contextlib.closing(sqlite3.connect(path)) as file:  # as version 3 had it
        for column in ("with_key", "settled", "observed"):
            file.execute(f"ALTER TABLE pull DROP COLUMN {column}")
        file.execute("ALTER TABLE fit DROP COLUMN observed")
        for table in ("snapshot", "difference"):
            file.execute(f"DROP TABLE {table}")
        file.execute("DELETE FROM migrations WHERE version > 3")
        file.execute("PRAGMA user_version = 3")
        file.commit()
    new = Store(path)
    [info] = new.pulls()
    assert info.state == state
    assert ("not shown to be complete" in info.why) == (state == "stopped")
    assert info.settled == (state == "complete")
    new.close()


# ---------------------------------------------------------------- memory


def test_what_was_read_of_a_pull_goes_from_memory_with_it(store: Store) -> None:
    """A list that is reloaded again and again: each time the pull before is thrown away, by one window or another."""

    def alive(kind: type) -> int:
        gc.collect()
        return sum(type(one) is kind for one in gc.get_objects())

    before = alive(Places), alive(Packed)
    after: int | None = None
    with contextlib.closing(Store(store.path)) as other:
        for turn in range(12):
            window = other if turn % 2 else store
            after = window.begin(KEY, page(1, [b"1", b"2"]), "ready", "", after=after).id
            assert store.rows(after, 0, 2) == [b"1", b"2"]
            assert store.body(after, 1)
    assert alive(Places) - before[0] == 1
    assert alive(Packed) - before[1] == 1
    assert after is not None
    assert store.rows(after, 1, 2) == [b"2"]
