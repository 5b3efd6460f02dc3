"""Room on the disk: what is forgotten gives its bytes back, and what is not ours to read stays as it is."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from explorer.store.storage_usage import forget, kept, shrink, size_on_disk
from explorer.store.store import Store
from explorer.store.values import PullKey, StoreFault
from tests.mirror.store.made import KEY, page

OTHER = PullKey("conn_1", "https://api.example.com", "ats/job", '{"page_size": 5}')


def filled(path: Path, *keys: PullKey) -> list[int]:
    """A store with a pull of 20 pages of noise for each key; their ids."""
    store = Store(path)
    ids = []
    for key in keys:
        pull = store.start(key).id
        for number in range(1, 21):
            store.keep(pull, page(number, [b'{"x":"%b"}' % os.urandom(16_000).hex().encode()]), "ready", "")
        ids.append(pull)
    store.close()
    return ids


def test_what_is_kept_is_listed_with_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    assert kept(path) == ()
    ids = filled(path, KEY, OTHER)
    found = kept(path)
    assert [one.info.id for one in found] == ids
    assert all(320_000 < one.bytes < 700_000 for one in found)
    assert sum(one.bytes for one in found) < size_on_disk(path) < 1.3 * sum(one.bytes for one in found)


def test_the_file_shrinks_also_while_a_window_has_it_open(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    first, second = filled(path, KEY, OTHER)
    before = size_on_disk(path)
    window = Store(path)
    assert len(window.rows(second, 0, 20)) == 20
    forget(path, {first})
    assert path.stat().st_size < 0.6 * before
    assert [one.info.id for one in kept(path)] == [second]
    assert len(window.rows(second, 0, 20)) == 20
    with pytest.raises(StoreFault, match="removed"):
        window.pull(first)
    window.close()
    forget(path)
    assert kept(path) == ()
    assert size_on_disk(path) < 0.2 * before


def test_a_file_that_gives_nothing_back_is_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    filled(path, KEY)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA auto_vacuum = NONE")
        connection.execute("VACUUM")
        connection.execute("DELETE FROM page")
    connection.close()
    before = path.stat().st_size
    shrink(path)
    assert path.stat().st_size < 0.3 * before


def test_a_newer_or_damaged_file_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    filled(path, KEY)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreFault, match="another version"):
        kept(path)
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreFault):
        kept(path)
    assert path.read_bytes() == b"no database at all" * 100
