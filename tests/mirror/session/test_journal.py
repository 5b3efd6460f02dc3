"""The journal on a real file: kept, redacted, bounded, told of, apart from the pulls, and whole after kill -9."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.api.redact import MASK, Redactor
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.session import Session, StoreFault
from explorer.session import profile_database as module
from explorer.session.journal import Bound, Journal
from explorer.session.stored import clear, folder_of
from tests.forked import FORKS
from tests.thorough import examples

CANARY = "canary-5b1e77"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "00ff.journal.sqlite3"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    made = Journal(path, Redactor([CANARY]))
    yield made
    made.close()


def values(journal: Journal, kind: str) -> list[Any]:
    return [entry.data["n"] for entry in journal.latest(kind, 10_000)]


# ---------------------------------------------------------------- what is kept


def test_entries_come_back_as_they_were_added(path: Path) -> None:
    before = datetime.now(UTC)
    journal = Journal(path, Redactor([]))
    data = {"form": {"a": None, "b": "", "c": [1, 2.5, {}], "\ud800": "é\ud800"}, "outcome": "200 OK"}
    one = journal.add("history", "crm/contact/create", data, source="answer", connection="conn_1")
    two = journal.add("history", "core/customer/put", {"n": 2})
    assert (one.kind, one.key, one.source, one.connection) == (
        "history",
        "crm/contact/create",
        "answer",
        "conn_1",
    )
    assert one.data == data
    assert before <= one.at <= datetime.now(UTC)
    journal.close()

    again = Journal(path, Redactor([]))
    assert again.latest("history") == [two, one]
    assert again.latest("history", 1) == [two]
    assert again.of("history", "crm/contact/create") == [one]
    assert again.latest("pipeline") == again.of("history", "crm/contact") == []
    assert again.notices == []
    again.close()


def test_update_remove_and_clear(journal: Journal) -> None:
    first, second = (journal.add("link", "acme", {"n": n}) for n in (1, 2))
    other = journal.add("webhook", "hubspot", {"n": 3})
    changed = journal.update(first.id, {"n": 10})
    assert changed is not None
    assert (changed.data, changed.at, changed.id) == ({"n": 10}, first.at, first.id)
    assert values(journal, "link") == [2, 10]
    journal.remove(second.id)
    assert journal.update(second.id, {"n": 20}) is None
    assert values(journal, "link") == [10]
    journal.clear("link")
    assert journal.latest("link") == []
    assert journal.latest("webhook") == [other]
    assert journal.add("link", "acme", {"n": 4}).id > other.id


def test_a_registry_shows_each_thing_as_it_was_seen_last(journal: Journal) -> None:
    for number, key in enumerate(["pipe_a", "pipe_b", "pipe_a", "pipe_c", "pipe_b"]):
        journal.add("pipeline", key, {"n": number})
    journal.add("customer", "pipe_z", {"n": 9})
    assert [(entry.key, entry.data["n"]) for entry in journal.each("pipeline")] == [
        ("pipe_b", 4),
        ("pipe_c", 3),
        ("pipe_a", 2),
    ]
    assert [entry.key for entry in journal.each("pipeline", 1)] == ["pipe_b"]


def test_what_is_no_json_is_refused_and_nothing_is_kept(journal: Journal) -> None:
    kept = journal.add("history", "k", {"n": 1})
    with pytest.raises(TypeError):
        journal.add("history", "k", {"n": object()})
    with pytest.raises(TypeError):
        journal.update(kept.id, {"n": object()})
    assert values(journal, "history") == [1]


# ---------------------------------------------------------------- secrets


def test_no_secret_reaches_the_file(journal: Journal, path: Path) -> None:
    data = {
        "form": {"note": f"key is {CANARY}", CANARY: 1, "access_token": "tok-in-a-field"},
        "text": f"https://c.test/portal?token={JWT}",
    }
    made = journal.add("history", f"k {CANARY}", data, source=CANARY, connection=CANARY)
    journal.update(journal.add("check", "conn_1", {}).id, data)
    assert made.data["form"]["access_token"] == MASK
    assert journal.of("history", f"k {CANARY}") == [made]
    journal.close()
    files = b"".join(file.read_bytes() for file in path.parent.iterdir())
    for secret in (CANARY, "tok-in-a-field", JWT):
        assert secret.encode() not in files


def test_a_link_is_not_kept_whatever_it_looks_like(journal: Journal) -> None:
    data = {
        "url": "https://c.test/opaque/8841",
        "expires": "2026-12-20",
        "form": {"redirectUrl": "https://app.test"},
    }
    made = journal.add("link", "acme", data)
    assert made.data == {**data, "url": MASK}


# ---------------------------------------------------------------- bounds


@settings(max_examples=examples(40))
@given(st.lists(st.sampled_from("abc"), max_size=25), st.integers(1, 6), st.integers(1, 4))
def test_the_oldest_leave_and_no_thing_pushes_out_the_others(
    keys: list[str], entries: int, per_key: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "k.sqlite3"
        journal = Journal(path, Redactor([]), bounds={"k": Bound(entries, per_key)})
        journal.add("other", "a", {"n": 0})
        kept: list[tuple[int, str]] = []
        for number, key in enumerate(keys):
            journal.add("k", key, {"n": number})
            same = [pair for pair in kept if pair[1] == key]
            gone = same[: max(len(same) + 1 - per_key, 0)]
            kept = [*(pair for pair in kept if pair not in gone), (number, key)][-entries:]
            assert [(entry.data["n"], entry.key) for entry in reversed(journal.latest("k"))] == kept
        assert values(journal, "other") == [0]
        journal.close()


def test_the_size_of_a_kind_is_bounded_and_the_newest_always_stays(path: Path) -> None:
    journal = Journal(path, Redactor([]), bounds={"k": Bound(100, 100, 1000)})
    first = journal.add("k", "a", {"n": 0, "text": "x" * 400})
    journal.add("k", "a", {"n": 1, "text": "x" * 400})
    assert values(journal, "k") == [1, 0]
    journal.update(first.id, {"n": 0, "text": "x" * 500})
    journal.add("k", "b", {"n": 2, "text": "x" * 400})
    assert values(journal, "k") == [2, 1]
    journal.add("k", "b", {"n": 3, "text": "x" * 5000})
    assert values(journal, "k") == [3]
    journal.clear("k")
    journal.add("k", "b", {"n": 4, "text": "x" * 400})
    journal.add("k", "b", {"n": 5, "text": "x" * 400})
    assert values(journal, "k") == [5, 4]
    journal.close()


# ---------------------------------------------------------------- told of


def test_each_change_is_told_of_with_its_kind_after_it_is_kept(journal: Journal) -> None:
    told: list[tuple[str, int]] = []
    end = journal.subscribe(lambda kind: told.append((kind, len(journal.latest(kind)))))
    made = journal.add("link", "acme", {})
    journal.update(made.id, {"a": 1})
    journal.remove(made.id)
    journal.remove(made.id)
    journal.update(made.id, {})
    journal.clear("check")
    assert told == [("link", 1), ("link", 1), ("link", 0), ("check", 0)]
    end()
    journal.add("link", "acme", {})
    assert len(told) == 4


# ---------------------------------------------------------------- the file


def test_a_damaged_or_newer_file_is_set_aside_and_said(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database" * 1000)
    journal = Journal(path, Redactor([]))
    assert len(journal.notices) == 1
    assert "is damaged. It was kept unchanged" in journal.notices[0]
    journal.add("k", "a", {"n": 1})
    journal.close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    journal = Journal(path, Redactor([]))
    assert "newer version" in journal.notices[0]
    assert journal.latest("k") == []
    journal.close()
    aside = sorted(file.name.split("-")[0] for file in path.parent.glob("00ff.journal.*-*.sqlite3"))
    assert aside == ["00ff.journal.damaged", "00ff.journal.newer"]


def test_a_file_found_damaged_while_it_is_open_is_set_aside_at_the_next_start(path: Path) -> None:
    journal = Journal(path, Redactor([]))
    for number in range(50):
        journal.add("k", "a", {"n": number, "text": "x" * 4000})
    journal.close()
    data = bytearray(path.read_bytes())
    data[4096 * 8 : 4096 * 30] = b"\xff" * 4096 * 22
    path.write_bytes(data)
    journal = Journal(path, Redactor([]))
    assert "is damaged" in journal.notices[0]
    journal.close()


@pytest.mark.parametrize("statement", ["SELECT missing FROM entry", "INSERT INTO size VALUES ('k', NULL, 1)"])
def test_a_wrong_statement_of_the_programs_own_sets_no_entry_aside(path: Path, statement: str) -> None:
    journal = Journal(path, Redactor([]))
    journal.add("k", "a", {"n": 1})
    with pytest.raises(StoreFault, match="cannot be used"), journal._writing():
        journal._database.execute(statement)
    journal.close()
    again = Journal(path, Redactor([]))
    assert again.notices == []
    assert values(again, "k") == [1]
    again.close()


def test_a_mistake_of_the_program_while_it_opens_the_file_sets_no_entry_aside(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(path, Redactor([]))
    journal.add("k", "a", {"n": 1})
    journal.close()
    monkeypatch.setattr(module, "structure", lambda database: database.execute("SELECT missing FROM entry"))
    with pytest.raises(StoreFault, match="cannot be used"):
        Journal(path, Redactor([]))
    monkeypatch.undo()
    again = Journal(path, Redactor([]))
    assert again.notices == []
    assert values(again, "k") == [1]
    again.close()


@pytest.mark.skipif(sys.platform == "win32", reason="modes are another matter there")
def test_the_file_is_for_this_user_alone(journal: Journal, path: Path) -> None:
    journal.add("k", "a", {})
    assert {file.stat().st_mode & 0o077 for file in path.parent.iterdir()} == {0}


def test_two_windows_share_a_file(journal: Journal, path: Path) -> None:
    other = Journal(path, Redactor([]))
    journal.add("k", "a", {"n": 1})
    other.add("k", "a", {"n": 2})
    journal.add("k", "a", {"n": 3})
    assert values(other, "k") == values(journal, "k") == [3, 2, 1]
    other.close()


def test_a_closed_journal_says_so(journal: Journal) -> None:
    journal.close()
    journal.close()
    with pytest.raises(StoreFault):
        journal.add("k", "a", {})
    with pytest.raises(StoreFault):
        journal.latest("k")


def test_clearing_the_pulls_keeps_it_and_the_session_opens_and_closes_it(tmp_path: Path) -> None:
    folders = Folders.of_user(tmp_path / "home")
    profile = Profile(id="00ff", name="Test", base_url="http://127.0.0.1:9", connection="conn_1")
    file = folders.data / "00ff.journal.sqlite3"

    async def test() -> None:
        session = await Session.open(profile, Credential(Auth.APIKEY, CANARY), folders)
        assert not file.exists()
        session.journal.add("history", "k", {"n": 1, "key": CANARY})
        assert session.journal is session.journal
        await asyncio.to_thread(clear, folder_of(session), profile.id)
        assert [entry.data for entry in session.journal.latest("history")] == [{"n": 1, "key": MASK}]
        kept = session.journal
        await session.close()
        with pytest.raises(StoreFault):
            kept.latest("history")

        unused = await Session.open(profile, None, folders)
        await unused.close()
        with pytest.raises(StoreFault):
            _ = unused.journal

        again = await Session.open(profile, None, folders)
        assert values(again.journal, "history") == [1]
        await again.close()

    asyncio.run(test())


# ---------------------------------------------------------------- kill -9

WRITER = """
import sys
from pathlib import Path
from explorer.api.redact import Redactor
from explorer.session.journal import Bound, Journal

journal = Journal(Path(sys.argv[1]), Redactor([]), bounds={"k": Bound(10_000, 10_000)})
number = 0
while True:
    entry = journal.add("k", "a", {"n": number})
    if number % 2:
        journal.update(entry.id, {"n": number, "again": True})
    print(number, flush=True)
    number += 1
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_what_was_added_survives_kill_9(path: Path) -> None:
    said = -1
    for least in (40, 300):
        command = FORKS.quick([sys.executable, "-c", WRITER, str(path)])
        writer = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
        assert writer.stdout is not None
        lines: list[bytes] = []
        while len(lines) < least:
            lines.append(writer.stdout.readline())
        writer.kill()
        lines += writer.stdout.readlines()
        writer.wait(20)
        writer.stdout.close()
        said = int([line for line in lines if line.endswith(b"\n")][-1])
        assert writer.returncode < 0

        journal = Journal(path, Redactor([]))
        assert journal.notices == []
        found = [entry.data for entry in reversed(journal.latest("k", 100_000))]
        assert [data["n"] for data in found] == list(range(len(found)))
        assert len(found) - 1 in (said, said + 1)
        # The last may have been added and not yet changed, as nobody was told of it.
        assert [data for data in found[: said + 1] if data.get("again", False) != bool(data["n"] % 2)] == []
        journal.clear("k")
        journal.close()
