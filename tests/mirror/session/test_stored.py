"""What is kept of all profiles: listed, cleared whole, and held within a budget, oldest first."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from explorer.session.stored import clear, fits, stored, trim
from explorer.store import PullKey, Store
from explorer.store.storage_usage import size_on_disk
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


def test_previous_pulls_go_before_what_is_in_front(folder: Path) -> None:
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
    assert words == {last.id - 1: "previous pull", last.id: "", begun.id: "reload under way"}
    whole = sum(each.bytes for one in stored(folder) for each in one.pulls)
    gone = trim(folder, whole - 1, {})
    assert [(name, info.id) for name, info in gone] == [("b", last.id - 1)]
    gone = trim(folder, 1, {})
    assert last.id not in {info.id for name, info in gone if name == "b"}, "the newest that is in front"
