"""Snapshots hold the bytes that came, outlive the pulls, and are whole or not there."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.paths import Folders
from explorer.quality.compare.rows import CalledOff, PullRows
from explorer.quality.compare.snapshots import Snapshots, clean_name, free_name
from explorer.store import Store, StoreFault
from tests.data import stored
from tests.mirror.quality.kept_rows import keep, key, rows_of

ROOT = Path(__file__).parents[3]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.binary(max_size=30), max_size=12), st.integers(1, 5))
def test_what_comes_back_is_what_came(records: list[bytes], page_rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        snapshots = Snapshots(Path(folder) / "kept")
        with rows_of(Path(folder), records, page_rows=page_rows) as rows:
            made = snapshots.keep("one", rows)
            bodies = [rows.body(page.number) for page in rows.page_infos()]
        with snapshots.open("one") as kept:
            assert [record for leaf in kept.leaves() for record in leaf.records()] == records
            assert list(kept.bodies()) == bodies
            for row, record in enumerate(records):
                leaf = kept.leaf_at(row)
                assert leaf.packed.record(row - leaf.first) == record
            with pytest.raises(IndexError):
                kept.leaf_at(len(records))
        assert made.about.rows == len(records)
        assert made.about.state == "complete"


def test_it_outlives_clear_restart_and_the_store_itself(tmp_path: Path) -> None:
    folders = Folders(tmp_path / "c", tmp_path / "d", tmp_path / "s")
    store = Store.of_profile(folders, "shop")
    info = keep(store, [{"id": n} for n in range(7)])
    snapshots = Snapshots.of_profile(folders, "shop")
    with PullRows(store, info) as rows:
        made = snapshots.keep("  before\tthe release ".replace("\t", " "), rows)
    keep(store, [{"id": "new"}])
    for info in store.pulls():
        store.forget(info.id)
    while store.reap():
        pass
    assert store.pulls() == ()
    store.close()
    for path in folders.data.glob("shop.sqlite3*"):
        path.unlink()
    with Snapshots.of_profile(folders, "shop").open("BEFORE the release") as kept:
        assert sum(leaf.packed.rows for leaf in kept.leaves()) == 7
    assert made.about.connection == "conn_1"
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(snapshots.folder.stat().st_mode) == 0o700


def test_the_pull_at_hand_is_found_by_profile_and_what_is_not_there_is_said(tmp_path: Path) -> None:
    folders = Folders(tmp_path / "c", tmp_path / "d", tmp_path / "s")
    store = Store.of_profile(folders, "shop")
    keep(store, [{"id": 1}])
    store.close()
    with PullRows.of_profile(folders, "shop", lambda store: store.newest(key())) as rows:
        assert rows.name == "pull:ats/job"
        assert rows.about.rows == 1
    with pytest.raises(StoreFault, match="No rows are saved for pull:x"):
        PullRows.of_profile(folders, "shop", lambda _: None, "pull:x")


def test_names_are_taken_once_renamed_and_deleted(tmp_path: Path) -> None:
    snapshots = Snapshots(tmp_path / "kept")
    assert snapshots.all() == ((), ())
    with rows_of(tmp_path, [{"id": 1}]) as rows:
        first = snapshots.keep("Morning", rows)
        with pytest.raises(StoreFault, match="'Morning' already"):
            snapshots.keep("morning", rows)
        second = snapshots.keep("Noon", rows)
    assert first.digest == second.digest
    before = second.path.read_bytes()
    with pytest.raises(StoreFault, match="already"):
        snapshots.rename("noon", "MORNING")
    assert second.path.read_bytes() == before
    assert snapshots.rename("noon", "NOON").name == "NOON"
    assert [one.name for one in snapshots.all()[0]] == ["NOON", "Morning"]
    snapshots.delete("morning")
    with pytest.raises(StoreFault, match="no snapshot 'Morning'"):
        snapshots.find("Morning")
    with pytest.raises(StoreFault):
        snapshots.delete("Morning")
    assert [one.name for one in snapshots.all()[0]] == ["NOON"]


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "\u202ename", "pull:x", "Snapshot:x", "x" * 81, "\ud800"])
def test_what_cannot_be_a_name(name: str) -> None:
    with pytest.raises(StoreFault, match=r"A snapshot"):
        clean_name(name)


def test_a_free_name() -> None:
    assert free_name("Jobs", {"jobs", "Jobs 2"}) == "Jobs 3"
    assert free_name("a  b\n", set()) == "a b"
    assert len(free_name("x" * 100, {"x" * 75})) <= 80


def test_damaged_foreign_and_newer_files_are_said_and_the_others_stay(tmp_path: Path) -> None:
    snapshots = Snapshots(tmp_path / "kept")
    with rows_of(tmp_path, [{"id": n, "t": str(n) * 500} for n in range(40)], page_rows=10) as rows:
        kept = [snapshots.keep(name, rows) for name in ("good", "cut", "foreign", "newer")]
    cut = kept[1].path.read_bytes()
    kept[1].path.write_bytes(cut[: len(cut) // 3])
    kept[2].path.write_bytes(b"something else")
    newer = bytearray(kept[3].path.read_bytes())
    newer[60:64] = (99).to_bytes(4, "big")
    kept[3].path.write_bytes(newer)
    found, wrong = snapshots.all()
    names = [one.name for one in found]
    assert "good" in names
    assert "newer" not in names
    assert any("damaged" in sentence for sentence in wrong)
    assert any("newer version" in sentence for sentence in wrong)
    if "cut" in names:
        with pytest.raises(StoreFault, match="damaged"), snapshots.open("cut") as rows_again:
            list(rows_again.leaves())


def test_stopped_it_leaves_nothing(tmp_path: Path) -> None:
    snapshots = Snapshots(tmp_path / "kept")
    with rows_of(tmp_path, [{"id": n} for n in range(30)]) as rows, pytest.raises(CalledOff):
        snapshots.keep("half", rows, wanted=lambda: False)
    assert snapshots.all() == ((), ())
    assert list(snapshots.folder.glob("*.snapshot")) + list(snapshots.folder.glob(".*.tmp*")) == []


KILLED = """
import sys
from pathlib import Path
from explorer.quality.compare.snapshots import Snapshots
from explorer.quality.compare.rows import PullRows
from explorer.store import Store
from tests.mirror.quality.kept_rows import key
folder = Path(sys.argv[1])
store = Store(folder / "one.sqlite3")
def wait(rows):
    if rows > 20:
        print("half", flush=True)
        sys.stdin.read()
Snapshots(folder / "kept").keep("half", PullRows(store, store.newest(key())), on_rows=wait)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_while_keeping_there_is_no_half_snapshot_and_the_next_one_sweeps(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, [{"id": n} for n in range(60)])
    snapshots = Snapshots(tmp_path / "kept")
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"half\n"
        process.send_signal(signal.SIGKILL)
    assert list(snapshots.folder.glob(".*.tmp")) != []
    assert snapshots.all() == ((), ())
    with rows:
        assert snapshots.keep("half", rows).about.rows == 60
    assert list(snapshots.folder.glob(".*.tmp*")) == []


def test_a_snapshot_of_an_earlier_version_is_opened_with_every_row(tmp_path: Path) -> None:
    kept = sorted(stored.FOLDER.glob("version_*.snapshot.zst"))
    for path in kept:
        stored.unpacked(
            path.name.removesuffix(".zst"), tmp_path / "store.snapshots" / path.with_suffix("").name
        )
    snapshots, pull = Snapshots(tmp_path / "store.snapshots"), stored.PULLS[1]
    found, wrong = snapshots.all()
    assert (len(found), wrong) == (len(kept), ())
    for snapshot in found:
        assert snapshot.name == "Morgens – früh"
        assert (snapshot.about.resource, snapshot.about.state) == (pull.key.resource, pull.state)
        with snapshots.open(snapshot.name) as rows:
            assert [record for leaf in rows.leaves() for record in leaf.records()] == pull.records()
            assert list(rows.bodies()) == [page.body for page in stored.pages(pull)]
