"""What is kept of all profiles: listed, cleared whole, and held within a budget, oldest first."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explorer.session.stored import clear, fits, stored, trim
from explorer.store import pins
from explorer.store.storage_usage import size_on_disk
from explorer.store.store import Store
from explorer.store.values import KEPT_PULLS, PullInfo, PullKey
from tests.mirror.store.made import KEY, page
from tests.mirror.store.test_storage_usage import OTHER, filled

THIRD = PullKey("conn_2", "https://api.example.com", "file-storage/drive", "{}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two profiles: ``a`` with three pulls, then ``b`` with two, each pull later than the one before."""
    for number, (name, keys) in enumerate((("a", (KEY, OTHER, THIRD)), ("b", (KEY, OTHER)))):
        filled(tmp_path / f"{name}.sqlite3", *keys)
        with sqlite3.connect(tmp_path / f"{name}.sqlite3") as connection:
            connection.execute("UPDATE pull SET updated_at = ? + id", (1000 * number,))
        connection.close()
    (tmp_path / "a.journal.sqlite3").write_bytes(b"the history of calls")
    return tmp_path


def left(folder: Path) -> dict[str, list[int]]:
    return {one.id: [each.info.id for each in one.pulls] for one in stored(folder)}


def test_every_profile_is_listed_with_what_was_set_aside(folder: Path) -> None:
    (folder / "a.damaged-20260101-000000.sqlite3").write_bytes(b"x" * 1000)
    (folder / "gone.newer-20260101-000000.sqlite3").write_bytes(b"y" * 500)
    found = {one.id: one for one in stored(folder)}
    assert left(folder) == {"a": [1, 2, 3], "b": [1, 2], "gone": []}
    assert (found["a"].aside_bytes, found["gone"].aside_bytes) == (1000, 500)
    (folder / "b.sqlite3").write_bytes(b"no database at all" * 100)
    assert next(one for one in stored(folder) if one.id == "b").fault


def test_clearing_a_profile_takes_everything_but_its_history(folder: Path) -> None:
    (folder / "a.damaged-20260101-000000.sqlite3").write_bytes(b"x" * 1000)
    before = size_on_disk(folder / "a.sqlite3")
    clear(folder, "a")
    assert left(folder) == {"a": [], "b": [1, 2]}
    assert size_on_disk(folder / "a.sqlite3") < 0.2 * before
    names = {path.name for path in folder.iterdir() if path.name.startswith("a.")}
    assert names - {"a.sqlite3.lock"} == {"a.sqlite3", "a.journal.sqlite3"}


def test_clearing_one_pull_leaves_the_others(folder: Path) -> None:
    clear(folder, "a", {2})
    assert left(folder) == {"a": [1, 3], "b": [1, 2]}


def test_the_oldest_go_first_and_only_as_many_as_needed(folder: Path) -> None:
    whole = sum(each.bytes for one in stored(folder) for each in one.pulls)
    one = whole // 5
    assert fits(folder, 2 * whole)
    assert trim(folder, whole, {}) == []
    gone = trim(folder, whole - one * 3 // 2, {})
    assert [(name, info.id) for name, info in gone] == [("a", 1), ("a", 2)]
    assert left(folder) == {"a": [3], "b": [1, 2]}


def test_what_is_open_and_the_newest_of_each_profile_stay(folder: Path) -> None:
    gone = trim(folder, 1, {"a": {1}})
    assert [(name, info.id) for name, info in gone] == [("a", 2), ("b", 1)]
    assert left(folder) == {"a": [1, 3], "b": [2]}


def test_earlier_pulls_go_before_what_is_in_front(folder: Path) -> None:
    store = Store(folder / "b.sqlite3")
    for _ in range(2):
        newest = store.newest(KEY)
        store.begin(KEY, page(1, [b"{}"]), "complete", "", after=newest.id if newest else None)
    last = store.newest(KEY)
    assert last is not None
    begun = store.begin(KEY, page(1, [b"{}"]), "ready", "", after=last.id)
    store.close()
    [_, profile] = stored(folder)
    words = {one.info.id: profile.standing(one.info) for one in profile.pulls if one.info.key == KEY}
    assert words == {last.id - 1: "earlier pull", last.id: "", begun.id: "reload under way"}
    whole = sum(each.bytes for one in stored(folder) for each in one.pulls)
    gone = trim(folder, whole - 1, {})
    assert [(name, info.id) for name, info in gone] == [("b", last.id - 1)]
    gone = trim(folder, 1, {})
    assert last.id not in {info.id for name, info in gone if name == "b"}, "the newest that is in front"


STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["reload", "killed", "pin", "clear"]), st.sampled_from([KEY, OTHER])),
        st.tuples(st.just("budget"), st.integers(0, 12)),
    ),
    min_size=4,
    max_size=20,
)


@example([("reload", KEY), ("pin", KEY), ("reload", KEY), ("budget", 0)])
@example([("killed", KEY), ("pin", KEY), ("killed", KEY), ("reload", KEY)])
@example([("reload", KEY), ("pin", KEY), *[("reload", KEY)] * 6, ("clear", KEY)])
@given(STEPS)
def test_only_the_oldest_unpinned_earlier_pulls_go_whatever_is_done(
    steps: Sequence[tuple[str, PullKey | int]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, came, pinned = Path(folder) / "a.sqlite3", dict[int, bytes](), dict[str, tuple[int, int]]()
        settled: dict[PullKey, list[int]] = {KEY: [], OTHER: []}
        for what, of in steps:
            if what == "pin" and isinstance(of, PullKey):
                pin_newest(path, of, pinned)
            elif what == "clear" and isinstance(of, PullKey):
                clear(Path(folder), "a", settled[of])
                settled[of] = []
            elif isinstance(of, PullKey):
                made = reloaded(path, of, came, complete=what == "reload")
                if made.settled:
                    settled[of] = [*settled[of], made.id][-KEPT_PULLS:]
            else:
                for_ever = {number for number, _ in pinned.values()}
                earlier = sorted(one for ids in settled.values() for one in ids[:-1] if one not in for_ever)
                size = sum(one.bytes for each in stored(Path(folder)) for one in each.pulls)
                gone = [info.id for _, info in trim(Path(folder), size * of // 12, {})]
                went = [one for one in gone if one in earlier]
                assert went == earlier[: len(went)], "the oldest first"
                assert not for_ever & set(gone)
                left = {one.info.id for each in stored(Path(folder)) for one in each.pulls}
                if set(gone) - set(earlier):
                    assert not left & set(earlier), "no other pull goes while there is an earlier one"
                settled = {key: [one for one in ids if one not in gone] for key, ids in settled.items()}
            holds(path, settled, came, pinned)


def pin_newest(path: Path, key: PullKey, pinned: dict[str, tuple[int, int]]) -> None:
    """A snapshot of the newest pull, complete or under way, where there is one."""
    store = Store(path)
    newest = store.newest(key)
    if newest is not None:
        made = pins.pin(store, newest, f"snapshot {len(pinned)}")
        pinned[made.name] = newest.id, newest.rows
    store.close()


def reloaded(path: Path, key: PullKey, came: dict[int, bytes], *, complete: bool) -> PullInfo:
    """A pull of two pages by a window of its own; one that is not complete was killed after its first page."""
    store, record = Store(path), os.urandom(2000).hex().encode()
    newest = store.newest(key)
    made = store.begin(key, page(1, [record]), "ready", "", after=newest.id if newest else None)
    if complete:
        made = store.keep(made.id, page(2, [record]), "complete", "")
    came[made.id] = record
    while store.reap():
        pass
    store.close()
    return made


def holds(
    path: Path,
    settled: dict[PullKey, list[int]],
    came: dict[int, bytes],
    pinned: dict[str, tuple[int, int]],
) -> None:
    """Every settled pull is there with its rows, the last of each list in front, no other but a reload; and every
    snapshot with the rows that it had.
    """
    store = Store(path)
    for key, ids in settled.items():
        standing = store.standing(key)
        assert [one.id for one in standing.earlier][::-1] == ids[:-1]
        if ids:
            assert standing.front is not None
            assert standing.front.id == ids[-1]
        for one in ids:
            assert store.rows(one, 0, 9) == [came[one]] * 2
    assert len(store.pulls()) <= sum(map(len, settled.values())) + len(settled)
    found = {one.name: one.info for one in pins.all_of(store)}
    assert {name: (info.id, info.rows) for name, info in found.items()} == pinned
    for number, rows in pinned.values():
        assert store.rows(number, 0, rows) == [came[number]] * rows
    store.close()


def test_the_file_and_what_is_held_of_it_do_not_grow_with_the_reloads(tmp_path: Path) -> None:
    path, sizes = tmp_path / "a.sqlite3", []
    store = Store(path, cache_bytes=200_000)
    for _ in range(4 * KEPT_PULLS):
        newest = store.newest(KEY)
        made = store.begin(
            KEY, page(1, [os.urandom(50_000)]), "ready", "", after=newest.id if newest else None
        )
        for number in range(2, 11):
            store.keep(made.id, page(number, [os.urandom(50_000)]), "ready", "")
        store.mark(made.id, "complete")
        assert len(store.rows(made.id, 0, 10)) == 10
        while store.reap():
            pass
        assert store._cached <= 200_000
        assert len(store._places) <= KEPT_PULLS + 1
        sizes.append(store._writer.execute("PRAGMA page_count").fetchone()[0])
    assert max(sizes[KEPT_PULLS:]) <= 1.3 * sizes[KEPT_PULLS - 1]
    store.close()


def test_a_snapshot_stays_when_its_list_is_cleared_and_is_told_by_name(folder: Path) -> None:
    store = Store(folder / "a.sqlite3")
    pins.pin(store, store.pull(2), "Morning")
    pins.pin(store, store.pull(2), "Noon")
    pins.pin(store, store.pull(3), "Evening")
    store.close()
    clear(folder, "a", {2})
    [one, _] = stored(folder)
    words = {each.info.id: one.standing(each.info) for each in one.pulls}
    assert words == {1: "", 2: "snapshot Morning, Noon", 3: ""}
    assert [(each.in_list, each.snapshots) for each in one.pulls] == [
        (True, ()),
        (False, ("Morning", "Noon")),
        (True, ("Evening",)),
    ]
    clear(folder, "a")
    assert left(folder)["a"] == [2, 3]
    assert [(name, info.id) for name, info in trim(folder, 1, {})] == [("b", 1)]
