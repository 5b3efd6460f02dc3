"""``snapshot``, ``compare`` and ``ledger`` as programs: what they keep, find and print, and their exit codes."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer.cli.app import run
from explorer.paths import Folders
from explorer.profiles.book import Profiles
from explorer.profiles.profile import Profile
from explorer.sandbox.process import SandboxProcess
from tests.flow.quality_runs import quick_sandbox

CLEAN, MESSY = "conn_sandbox_clean", "conn_sandbox_messy"
DRIVES = "file-storage/drive"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxProcess]:
    with quick_sandbox() as process:
        yield process


class Program:
    """The program on one home, asked about the sandbox; in this process, as a start of its own costs a second."""

    def __init__(self, sandbox: SandboxProcess, home: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.home, self._capture = home, capture
        self.base_url = sandbox.base_url
        self._where = ["--base-url", sandbox.base_url, "--home", str(home)]

    def __call__(self, *arguments: str, code: int = 0, connection: str = CLEAN) -> tuple[str, str]:
        self._capture.readouterr()
        ended = run([*arguments, *self._where, "--connection-id", connection])
        out, words = self._capture.readouterr()
        assert ended == code, words
        assert "error in the program" not in words
        return out, words


@pytest.fixture
def program(
    sandbox: SandboxProcess,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Program:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", sandbox.apikey)
    return Program(sandbox, tmp_path / "home", capfd)


def test_keep_compare_rename_delete(program: Program) -> None:
    _, words = program("snapshot", "keep", "morning", DRIVES, code=3)
    assert "Pull the list first" in words
    program("pull", DRIVES)
    _, words = program("snapshot", "keep", "morning", DRIVES)
    assert "rows kept" in words
    program("snapshot", "keep", "Morning", DRIVES, code=3)

    out, _ = program("compare", "morning", f"pull:{DRIVES}")
    assert "0 added, 0 gone, 0 changed" in out

    # Another window's pull begins anew, with one record fewer and one name changed: as the store holds it.
    changed_id, gone_id = tampered(program.home)
    out, _ = program("compare", "snapshot:MORNING", f"pull:{DRIVES}", code=1)
    assert f"gone     {gone_id}" in out
    assert f"changed  {changed_id}  name" in out
    assert "0 added, 1 gone, 1 changed" in out
    out, _ = program("compare", "morning", f"pull:{DRIVES}", "--json", "--mask", "name", code=1)
    document = json.loads(out)
    assert document["counts"]["gone"] == 1
    assert document["counts"]["changed"] == 0
    assert document["mask"][-1] == "name"
    out, _ = program("compare", "morning", f"pull:{DRIVES}", "--json", "--all-fields", code=1)
    [one] = [one for one in json.loads(out)["differences"] if one["what"] == "changed"]
    assert [field["field"] for field in one["fields"]] == ["name"]

    program("snapshot", "rename", "morning", "before the release")
    [listed] = json.loads(program("snapshot", "list", "--json")[0])
    assert (listed["name"], listed["connection"], listed["state"]) == (
        "before the release",
        CLEAN,
        "complete",
    )
    program("snapshot", "delete", "before the release")
    assert program("snapshot", "--json")[0] == "[]\n"


def test_a_snapshot_is_handed_on_in_a_file(program: Program, tmp_path: Path) -> None:
    program("pull", DRIVES)
    program("snapshot", "keep", "morning", DRIVES)
    path = tmp_path / "handed.snapshot"
    assert "written to" in program("snapshot", "export", "morning", str(path))[1]
    program("snapshot", "import", str(path), "--name", "evening")
    program("snapshot", "delete", "morning")
    out, _ = program("compare", "evening", f"pull:{DRIVES}")
    assert "0 added, 0 gone, 0 changed" in out
    program("snapshot", "export", "morning", str(path), code=3)
    path.write_bytes(b"no snapshot")
    _, words = program("snapshot", "import", str(path), code=3)
    assert "handed.snapshot" in words


def test_what_happened_is_told_first(program: Program) -> None:
    from explorer.store.store import Store
    from tests.mirror.quality.kept_rows import keep

    program("pull", DRIVES)
    program("snapshot", "keep", "morning", DRIVES)
    [path] = (program.home / "data").glob("address-*[0-9a-f].sqlite3")
    store = Store(path)
    [info] = store.pulls()
    records: list[Any] = [json.loads(raw) for raw in store.rows(info.id, 0, info.rows)]
    for at, record in enumerate(records):
        record["name"] = f"no {at * 7919 % 101}" if at in (4, 9) else record["name"][::-1]
        record["etag"] = f"{at * 7919 + 13:x}a{at}"
    keep(store, records, of=info.key)
    store.close()

    out, _ = program("compare", "morning", f"pull:{DRIVES}", code=1)
    lines = out.splitlines()
    told = f"name is now written backwards in {len(records) - 2} of {len(records)} records; "
    told += f"raw data is the same in all {len(records) - 2}: the mapping changed."
    assert any(line.startswith("suspect") and line.endswith(told) for line in lines[:4])
    left = "unexplained name: 2 changes unexplained; raw data is the same in all 2: the mapping changed, as "
    assert any(line.startswith(left) for line in lines[:4]), lines[:4]
    assert f"etag is new, was empty (absent) and has a value now in all {len(records)} records;" in out
    out, _ = program("compare", "morning", f"pull:{DRIVES}", "--json", code=1)
    document = json.loads(out)
    explained = {one["name"]: one for one in document["explanations"]}
    assert explained["text turned"]["fields"] == {"name": len(records) - 2}
    assert explained["text turned"]["examples"][0]["field"] == "name"
    assert [(one["field"], one["count"]) for one in document["unexplained"]] == [("name", 2)]
    assert document["explained_values"] == document["changed_values"] - 2


def test_fields_that_change_at_every_pull_do_not_count(program: Program) -> None:
    from explorer.store.store import Store
    from tests.mirror.quality.kept_rows import keep

    program("pull", DRIVES)
    [path] = (program.home / "data").glob("address-*[0-9a-f].sqlite3")
    store = Store(path)
    [info] = store.pulls()
    records: list[Any] = [json.loads(raw) for raw in store.rows(info.id, 0, info.rows)]
    for pull in (1, 2):
        for at, record in enumerate(records):
            record["etag"] = hashlib.sha256(f"{pull} {at}".encode()).hexdigest()[:16]
        if pull == 2:
            records[3]["name"] += " (changed)"
        keep(store, records, of=info.key)
        if pull == 1:
            program("snapshot", "keep", "morning", DRIVES)
    store.close()

    out, _ = program("compare", "morning", f"pull:{DRIVES}", code=1)
    assert "0 added, 0 gone, 1 changed" in out
    assert "Left out, as it changes at every pull: etag (token)." in out
    out, _ = program("compare", "morning", f"pull:{DRIVES}", "--json", code=1)
    document = json.loads(out)
    assert document["left_out"] == [{"field": "etag", "why": "token", "records": len(records)}]
    assert document["differ_in_volatile_fields"] == len(records) - 1
    assert document["fields"] == {"name": 1}
    [one] = document["differences"]
    assert [field["field"] for field in one["fields"]] == ["name"]
    out, _ = program("compare", "morning", f"pull:{DRIVES}", "--all-fields", code=1)
    assert f"{len(records)} changed" in out


def tampered(home: Path) -> tuple[str, str]:
    """Makes the kept pull another one: takes the last record out, changes a name. Returns both ids."""
    from explorer.store.store import Store
    from tests.mirror.quality.kept_rows import keep

    [path] = (home / "data").glob("address-*[0-9a-f].sqlite3")
    store = Store(path)
    [info] = store.pulls()
    records: list[Any] = [json.loads(raw) for raw in store.rows(info.id, 0, info.rows)]
    gone = records.pop()
    records[3]["name"] += " (changed)"
    keep(store, records, of=info.key)
    store.close()
    return str(records[3]["id"]), str(gone["id"])


def test_two_connections_and_two_modes(program: Program) -> None:
    program("pull", DRIVES)
    program("pull", DRIVES, "--sync-mode", "incremental")
    program("pull", DRIVES, connection=MESSY, code=5)  # it goes round in a circle, and what came is kept
    out, words = program("compare", f"pull:{DRIVES}", f"pull:{DRIVES}@{MESSY}", "--json", code=1)
    assert "not read to its end" in words
    document = json.loads(out)
    assert (document["a"]["connection"], document["b"]["connection"]) == (CLEAN, MESSY)
    full, part = f"pull:{DRIVES}?sync_mode=", f"pull:{DRIVES}?sync_mode=incremental"
    document = json.loads(program("compare", full, part, "--json")[0])
    asked = [dict(document[side]["parameters"]["query"]) for side in "ab"]
    assert asked == [{}, {"sync_mode": "incremental"}]
    for wrong, code in (
        ("pull:nothing", 2),
        (f"pull:{DRIVES}@", 2),
        (f"pull:{DRIVES}?x=1", 3),
        ("nothing", 3),
    ):
        program("compare", wrong, full, code=code)
    program("compare", full, part, "--mask", "a..b", code=2)


def test_earlier_pulls_and_another_profile(program: Program) -> None:
    program("pull", DRIVES)
    _, words = program("compare", f"previous:{DRIVES}", f"pull:{DRIVES}", code=3)
    assert "The list has no earlier pull." in words
    _, gone_id = tampered(program.home)
    for before in (f"previous:{DRIVES}", f"pull:{DRIVES}~1"):
        out, _ = program("compare", before, f"pull:{DRIVES}", code=1)
        assert f"gone     {gone_id}" in out
        assert "0 added, 1 gone, 1 changed" in out
    _, words = program("compare", f"pull:{DRIVES}~2", f"pull:{DRIVES}", code=3)
    assert "~2 is not stored. Earlier pulls of the list: ~1 of " in words
    program("compare", f"pull:{DRIVES}~x", f"pull:{DRIVES}", code=2)

    [path] = (program.home / "data").glob("address-*[0-9a-f].sqlite3")
    folders = Folders.of_user(program.home)
    profile = Profile(name="Staging", base_url=program.base_url, connection=CLEAN)
    Profiles(folders).save(profile)
    shutil.copy(path, folders.data / f"{profile.id}.sqlite3")
    out, _ = program("compare", f"staging::previous:{DRIVES}", f"pull:{DRIVES}", "--json", code=1)
    document = json.loads(out)
    assert document["a"]["name"] == f"staging::previous:{DRIVES}"
    assert document["counts"]["gone"] == 1


def test_a_ledger_of_rows_walked_now_kept_and_drifted(program: Program) -> None:
    out, _ = program("ledger", "ats/job", "--max-records", "1")
    assert "no more than 1 rows" in out
    assert "  id " in out
    program("ledger", DRIVES, "--kept", code=3)
    assert program("snapshot", "list", "--json")[0] == "[]\n"
    program("pull", DRIVES)
    program("snapshot", "keep", "morning", DRIVES)
    program("ledger", "--against", "morning", "--kept")
    tampered(program.home)
    out, _ = program("ledger", DRIVES, "--connections", f"{CLEAN},{MESSY}", "--json")
    names = [one["name"] for one in json.loads(out)["ledgers"]]
    assert names == [CLEAN, MESSY]
    out, _ = program("ledger", DRIVES, "--connections", MESSY, "--against", "morning", code=1)
    assert "Against morning" in out
    program("ledger", "ats/job", "--against", "morning", code=2)
    program("ledger", "crm/contact", code=2)


def test_no_secret_is_in_a_snapshot(program: Program, sandbox: SandboxProcess) -> None:
    program("pull", DRIVES)
    program("snapshot", "keep", "morning", DRIVES)
    path = program.home / "morning.snapshot"
    program("snapshot", "export", "morning", str(path))
    assert sandbox.apikey.encode() not in path.read_bytes()
    with sqlite3.connect(path) as file:
        assert sandbox.apikey not in "".join(
            map(str, file.execute("SELECT name, about FROM snapshot").fetchone())
        )
    file.close()
