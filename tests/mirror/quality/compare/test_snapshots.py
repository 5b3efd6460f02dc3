"""Snapshots hold the bytes that came, outlive whatever is done with the pulls, and are handed on in whole files."""

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
from explorer.quality.compare.snapshots import TAKEN, Snapshots, clean_name, free_name
from explorer.store.store import Store
from explorer.store.values import Snapshot, StoreFault
from tests.data import stored
from tests.forked import FORKS
from tests.mirror.quality.kept_rows import keep, key, rows_of
from tests.mirror.store.made import page
from tests.thorough import examples

ROOT = Path(__file__).parents[3]


def records_of(rows: PullRows) -> list[bytes]:
    return [record for leaf in rows.leaves() for record in leaf.records()]


def bodies_of(rows: PullRows) -> list[bytes]:
    return [rows.body(page.number) for page in rows.page_infos()]


def kept(snapshots: Snapshots, rows: PullRows, *names: str) -> list[Snapshot]:
    return [snapshots.keep(name, rows.info) for name in names]


@settings(max_examples=examples(30), deadline=None)
@given(st.lists(st.binary(max_size=30), max_size=12), st.integers(1, 5))
def test_what_comes_back_is_what_came(records: list[bytes], page_rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        snapshots, others = Snapshots(Path(folder) / "one.sqlite3"), Snapshots(Path(folder) / "two.sqlite3")
        with rows_of(Path(folder), records, page_rows=page_rows) as rows:
            [made] = kept(snapshots, rows, "one")
            bodies = bodies_of(rows)
        snapshots.export("one", Path(folder) / "handed.on")
        handed = others.add(Path(folder) / "handed.on")
        assert (handed.name, handed.kept_at, handed.digest) == (made.name, made.kept_at, made.digest)
        for whose in (snapshots, others):
            with whose.open("one") as again:
                assert records_of(again) == records
                assert bodies_of(again) == bodies
                for row, record in enumerate(records):
                    leaf = again.leaf_at(row)
                    assert leaf.packed.record(row - leaf.first) == record
                with pytest.raises(IndexError):
                    again.leaf_at(len(records))
        assert made.info.rows == len(records)
        assert made.info.state == "complete"


def test_it_outlives_clear_restart_and_as_a_file_the_store_itself(tmp_path: Path) -> None:
    folders = Folders(tmp_path / "c", tmp_path / "d", tmp_path / "s")
    store = Store.of_profile(folders, "shop")
    info = keep(store, [{"id": n} for n in range(7)])
    snapshots = Snapshots.of_profile(folders, "shop")
    with PullRows(store, info) as rows:
        [made] = kept(snapshots, rows, "  before\tthe release ".replace("\t", " "))
    keep(store, [{"id": "new"}])
    for info in store.pulls():
        store.forget(info.id)
    while store.reap():
        pass
    assert store.pulls() == ()
    store.close()
    with Snapshots.of_profile(folders, "shop").open("BEFORE the release") as again:
        assert len(records_of(again)) == 7
    assert made.info.key.connection == "conn_1"
    path = tmp_path / "handed.snapshot"
    snapshots.export("before the release", path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for each in folders.data.glob("shop.sqlite3*"):
        each.unlink()
    assert snapshots.all() == ((), ())
    assert snapshots.add(path).name == "before the release"
    with snapshots.open("before the release") as again:
        assert len(records_of(again)) == 7


def test_it_is_made_at_once_and_stays_as_it_was_though_its_pull_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "one.sqlite3"
    store, snapshots = Store(path), Snapshots(path)
    info = store.begin(key(), page(1, [b"1", b"2"]), "ready", "", after=None)
    made = snapshots.keep("early", info)
    whole = store.keep(info.id, page(2, [b"3"]), "complete", "")
    assert snapshots.find("early") == made
    assert (made.info.state, made.info.pages, made.info.rows) == ("ready", 1, 2)
    assert snapshots.keep("later", whole).info.state == "complete"
    with snapshots.open("early") as rows, snapshots.open("later") as all_rows:
        assert (records_of(rows), rows.about.rows) == ([b"1", b"2"], 2)
        assert records_of(all_rows) == [b"1", b"2", b"3"]
    assert store.read("SELECT count(*) FROM page") == [(2,)], "nothing is copied"
    store.close()


def test_a_pull_goes_with_the_last_snapshot_of_it(tmp_path: Path) -> None:
    path = tmp_path / "one.sqlite3"
    store, snapshots = Store(path), Snapshots(path)
    info = keep(store, [{"id": n} for n in range(7)])
    with PullRows(store, info) as rows:
        kept(snapshots, rows, "one", "two")
    snapshots.delete("one")
    store.forget(info.id)
    assert store.pulls() == ()
    while store.reap():
        pass
    with snapshots.open("two") as left:
        assert len(records_of(left)) == 7
    snapshots.delete("two")
    assert store.read("SELECT count(*) FROM page") == [(0,)]
    assert store.read("SELECT count(*) FROM pull") == [(0,)]
    store.close()


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
    snapshots = Snapshots(tmp_path / "one.sqlite3")
    assert snapshots.all() == ((), ())
    with rows_of(tmp_path, [{"id": 1}]) as rows:
        first = snapshots.keep("Morning", rows.info)
        with pytest.raises(StoreFault, match="'Morning' already"):
            snapshots.keep("morning", rows.info)
        second = snapshots.keep("Noon", rows.info)
    assert first.digest == second.digest
    with pytest.raises(StoreFault, match="already"):
        snapshots.rename("noon", "MORNING")
    assert snapshots.find("noon") == second
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
    given_on, snapshots = Snapshots(tmp_path / "one.sqlite3"), Snapshots(tmp_path / "new.sqlite3")
    names = ("good", "cut", "foreign", "newer")
    with rows_of(tmp_path, [{"id": n, "t": str(n) * 500} for n in range(40)], page_rows=10) as rows:
        kept(given_on, rows, *names)
    snapshots.folder.mkdir()
    good, cut, foreign, newer = (snapshots.folder / f"{name}.snapshot" for name in names)
    for path in (good, cut, foreign, newer):
        given_on.export(path.stem, path)
    whole = cut.read_bytes()
    cut.write_bytes(whole[: len(whole) // 3])
    foreign.write_bytes(b"something else")
    data = bytearray(newer.read_bytes())
    data[60:64] = (99).to_bytes(4, "big")
    newer.write_bytes(data)
    found, wrong = snapshots.all()
    assert [one.name for one in found] == ["good"]
    assert len(wrong) == 3
    assert any("damaged" in sentence for sentence in wrong)
    assert any("newer version" in sentence for sentence in wrong)
    assert {path.name for path in snapshots.folder.glob("*.snapshot*")} == {
        "good.snapshot" + TAKEN, "cut.snapshot", "foreign.snapshot", "newer.snapshot"
    }  # fmt: skip
    with pytest.raises(StoreFault, match="damaged"):
        snapshots.add(cut)
    store = Store(snapshots.path)
    assert (store.notices, store.read("SELECT count(*) FROM pull")) == ([], [(1,)]), "nothing half is left"
    store.close()


def test_a_file_is_added_once_and_its_name_gets_a_number_where_it_is_taken(tmp_path: Path) -> None:
    snapshots, path = Snapshots(tmp_path / "one.sqlite3"), tmp_path / "m.snapshot"
    with rows_of(tmp_path, [{"id": 1}, {"id": 2}]) as rows:
        kept(snapshots, rows, "Morning")
    snapshots.export("morning", path)
    assert snapshots.add(path) == snapshots.find("Morning")
    snapshots.rename("Morning", "Other")
    assert snapshots.add(path).name == "Morning"
    assert snapshots.add(path, "Third").name == "Third"
    with rows_of(tmp_path, [{"id": 3}]) as rows:
        snapshots.delete("Morning")
        kept(snapshots, rows, "Morning")
    assert snapshots.add(path).name == "Morning 2"
    assert len(snapshots.all()[0]) == 4


def test_stopped_it_leaves_nothing(tmp_path: Path) -> None:
    snapshots, path = Snapshots(tmp_path / "one.sqlite3"), tmp_path / "half.snapshot"
    path.write_bytes(b"as it was")
    with rows_of(tmp_path, [{"id": n} for n in range(30)]) as rows:
        kept(snapshots, rows, "half")
    with pytest.raises(CalledOff):
        snapshots.export("half", path, wanted=lambda: False)
    assert path.read_bytes() == b"as it was"
    assert list(tmp_path.glob(".*.tmp*")) == []


KILLED = """
import sys
from pathlib import Path
from explorer.quality.compare.snapshots import Snapshots
from explorer.store import packing
unpack, left = packing.Packer.unpack, 7
def wait(*given):
    global left
    left -= 1
    if not left:
        print("half", flush=True)
        sys.stdin.read()
    return unpack(*given)
packing.Packer.unpack = wait
Snapshots(Path(sys.argv[1])).all()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_while_files_are_taken_over_they_are_there_and_taken_over_the_next_time(
    tmp_path: Path,
) -> None:
    given_on, snapshots = Snapshots(tmp_path / "one.sqlite3"), Snapshots(tmp_path / "new.sqlite3")
    with rows_of(tmp_path, [{"id": n} for n in range(60)]) as rows:
        kept(given_on, rows, "half")
    snapshots.folder.mkdir()
    given_on.export("half", snapshots.folder / "h.snapshot")
    process = subprocess.Popen(
        FORKS.quick([sys.executable, "-c", KILLED, str(snapshots.path)]),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"half\n"
        process.send_signal(signal.SIGKILL)
        process.stdout.read()  # to its end, which is that of the process
    store = Store(snapshots.path)
    assert store.read("SELECT count(*) FROM pull") == [(0,)]
    store.close()
    [found], wrong = snapshots.all()
    assert (found.info.rows, wrong) == (60, ())
    assert [path.name for path in snapshots.folder.glob("h.*")] == ["h.snapshot" + TAKEN]
    # Killed between the two, its file is known to be there.
    (snapshots.folder / f"h.snapshot{TAKEN}").rename(snapshots.folder / "h.snapshot")
    assert snapshots.all() == ((found,), ())


def test_a_snapshot_of_an_earlier_version_is_taken_over_with_every_row(tmp_path: Path) -> None:
    files = sorted(stored.FOLDER.glob("version_*.snapshot.zst"))
    for path in files:
        stored.unpacked(
            path.name.removesuffix(".zst"), tmp_path / "store.snapshots" / path.with_suffix("").name
        )
    before = {path.name: path.read_bytes() for path in (tmp_path / "store.snapshots").iterdir()}
    snapshots, pull = Snapshots(tmp_path / "store.sqlite3"), stored.PULLS[1]
    found, wrong = snapshots.all()
    assert (len(found), wrong) == (len(files), ())
    assert snapshots.all() == (found, ())
    numbered = [stored.SNAPSHOT, *(f"{stored.SNAPSHOT} {n}" for n in range(2, len(files) + 1))]
    assert sorted(one.name for one in found) == numbered
    for snapshot in found:
        assert (snapshot.info.key, snapshot.info.state) == (pull.key, pull.state)
        with snapshots.open(snapshot.name) as rows:
            assert records_of(rows) == pull.records()
            assert bodies_of(rows) == [page.body for page in stored.pages(pull)]
    left = {path.name.removesuffix(TAKEN): path.read_bytes() for path in snapshots.folder.glob(f"*{TAKEN}")}
    assert left == before, "a copy of each file stays"
    store = Store(snapshots.path)
    assert store.pulls() == (), "they are in no list"
    store.close()
