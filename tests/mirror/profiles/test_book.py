"""The file of profiles: shared by windows, never half written, never overwritten when it cannot be read."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from explorer.paths import Folders
from explorer.profiles import book
from explorer.profiles.files import locked
from explorer.profiles.profile import Environment, Guard, Profile, ProfileFault, Profiles
from tests.forked import FORKS


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders.of_user(tmp_path / "home")


def made(name: str, **fields: Any) -> Profile:
    return Profile(name=name, base_url="https://api.example.com", **fields)


def aside(folders: Folders) -> list[Path]:
    return sorted(p for p in folders.config.iterdir() if "damaged" in p.name or "newer" in p.name)


def test_the_sandbox_is_there_before_any_file(folders: Folders) -> None:
    profiles = Profiles(folders)
    assert [p.name for p in profiles.all()] == ["Sandbox"]
    assert profiles.last_used == "sandbox"
    assert not folders.config.exists()


def test_saved_changed_found_removed(folders: Folders) -> None:
    profiles, one = Profiles(folders), made("One", connection="conn_1")
    profiles.save(one)
    profiles.save(made("Two"))
    profiles.save(one.with_connection("conn_2"))
    profiles.last_used = one.id
    again = Profiles(folders)
    assert [p.name for p in again.all()] == ["Sandbox", "One", "Two"]
    assert again.get(" oNE ").connections == ("conn_1", "conn_2")
    assert again.get(one.id).name == "One"
    assert again.last_used == one.id
    again.remove(one.id)
    again.remove(one.id)
    assert [p.name for p in profiles.all()] == ["Sandbox", "Two"]
    assert profiles.last_used == "sandbox"
    with pytest.raises(ProfileFault, match="There are: Sandbox, Two"):
        profiles.get("One")
    with pytest.raises(ProfileFault):
        profiles.remove("sandbox")
    assert profiles.notices == []


def test_a_name_is_taken_in_any_case(folders: Folders) -> None:
    profiles = Profiles(folders)
    profiles.save(made("Straße"))
    for name in ("STRASSE", "straße", "sandbox"):
        with pytest.raises(ProfileFault) as caught:
            profiles.save(made(name))
        assert caught.value.field == "name"


def test_of_the_sandbox_the_choices_are_kept_and_not_the_port(folders: Folders) -> None:
    profiles = Profiles(folders)
    profiles.save(Profile.sandbox("http://127.0.0.1:4567").with_connection("conn_sandbox_messy"))
    again = Profiles(folders).get("sandbox")
    assert again.connection == "conn_sandbox_messy"
    assert again.base_url == "http://127.0.0.1"
    assert b"4567" not in profiles.path.read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="the platform has no modes")
def test_file_and_folder_are_the_users_alone(folders: Folders) -> None:
    Profiles(folders).save(made("One"))
    assert stat.S_IMODE(folders.config.stat().st_mode) == 0o700
    assert stat.S_IMODE((folders.config / "profiles.json").stat().st_mode) == 0o600


def test_a_symbolic_link_stays_one(folders: Folders, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere" / "mine.json"
    target.parent.mkdir()
    folders.config.mkdir(parents=True)
    (folders.config / "profiles.json").symlink_to(target)
    Profiles(folders).save(made("One"))
    assert (folders.config / "profiles.json").is_symlink()
    assert b"One" in target.read_bytes()


def test_temporary_files_of_killed_writers_are_swept(folders: Folders) -> None:
    profiles = Profiles(folders)
    profiles.save(made("One"))
    stale = folders.config / ".profiles.json.0123456789ab.tmp"
    stale.write_bytes(b"{")
    profiles.save(made("Two"))
    assert not stale.exists()
    assert sorted(p.name for p in folders.config.iterdir()) == ["profiles.json", "profiles.json.lock"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b'{"version": 1, "profiles": [{"na',
        b"\xff\xfe\x00",
        b"[]",
        b'{"version": "1", "profiles": []}',
        b'{"version": 1}',
        b'{"version": 1, "profiles": [NaN]}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_is_set_aside_whole_and_said(folders: Folders, content: bytes) -> None:
    folders.config.mkdir(parents=True)
    (folders.config / "profiles.json").write_bytes(content)
    profiles = Profiles(folders)
    [kept] = aside(folders)
    assert kept.read_bytes() == content
    [notice] = profiles.notices
    assert kept.name in notice
    profiles.save(made("One"))
    assert [p.name for p in profiles.all()] == ["Sandbox", "One"]
    assert aside(folders) == [kept]
    assert profiles.notices == [notice]


def test_a_newer_file_is_set_aside_and_a_second_one_beside_it(folders: Folders) -> None:
    folders.config.mkdir(parents=True)
    content = json.dumps({"version": book.VERSION + 1, "profiles": [], "more": 1})
    for _ in range(2):
        (folders.config / "profiles.json").write_text(content)
        assert "newer" in Profiles(folders).notices[0]
    assert [p.read_text() for p in aside(folders)] == [content, content]


def test_an_entry_that_cannot_be_used_stays_in_the_file_and_is_said_once(folders: Folders) -> None:
    profiles = Profiles(folders)
    profiles.save(made("One"))
    content = json.loads(profiles.path.read_text())
    odd = [{"id": "b", "name": "B", "base_url": "https://me:hunter2@x"}, 17, {"name": "without id"}]
    profiles.path.write_text(
        json.dumps({**content, "profiles": [odd[0], *content["profiles"], *odd[1:]], "later": 1})
    )
    again = Profiles(folders)
    again.all()
    assert len(again.notices) == 0 + 3
    assert "hunter2" not in "".join(again.notices)
    again.save(made("Two"))
    assert [p.name for p in again.all()] == ["Sandbox", "One", "Two"]
    kept = json.loads(profiles.path.read_text())
    assert [e for e in kept["profiles"] if e in odd] == odd
    assert kept["later"] == 1


def test_an_older_file_is_copied_aside_before_it_is_brought_forward(
    folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    Profiles(folders).save(made("One"))
    before = (folders.config / "profiles.json").read_bytes()
    monkeypatch.setattr(book, "VERSION", 2)
    monkeypatch.setitem(book.MIGRATIONS, 1, lambda content: {**content, "brought": True})
    profiles = Profiles(folders)
    assert [p.name for p in profiles.all()] == ["Sandbox", "One"]
    assert (folders.config / "profiles.version-1.json").read_bytes() == before
    profiles.save(made("Two"))
    content = json.loads(profiles.path.read_text())
    assert (content["version"], content["brought"], len(content["profiles"])) == (2, True, 2)


WRITER = """
import sys
from explorer.paths import Folders
from explorer.profiles.profile import Profile, Profiles
profiles = Profiles(Folders.of_user(sys.argv[1]))
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    profiles.save(Profile(name=f"{sys.argv[2]} {number}", base_url="https://x.example"))
"""


def writer(home: Path, name: str, count: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        FORKS.quick([sys.executable, "-c", WRITER, str(home), name, str(count)]),
        stdin=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )


def test_two_instances_that_save_different_profiles_lose_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    processes = [writer(home, name, 25) for name in ("left", "right")]
    for process in processes:
        assert process.stdin
        process.stdin.write(b"\n")
        process.stdin.flush()
    assert [process.wait(60) for process in processes] == [0, 0]
    for process in processes:
        assert process.stdin
        process.stdin.close()
    names = {p.name for p in Profiles(Folders.of_user(home)).all()}
    assert names == {"Sandbox"} | {f"{side} {n}" for side in ("left", "right") for n in range(25)}


def test_threads_of_one_instance_lose_nothing_either(folders: Folders) -> None:
    profiles = Profiles(folders)

    def save(side: str) -> None:
        for number in range(20):
            profiles.save(made(f"{side}{number}"))

    threads = [threading.Thread(target=save, args=(side,)) for side in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(profiles.all()) == 41


def test_a_lock_that_stays_taken_is_said(folders: Folders) -> None:
    path = folders.config / "profiles.json"
    with locked(path), pytest.raises(ProfileFault, match="Another window"), locked(path, seconds=0.05):
        pass
    with locked(path, seconds=0.05):
        pass


FULL = """
import resource, signal, sys
from explorer.paths import Folders
from explorer.profiles.profile import Profile, ProfileFault, Profiles
profiles = Profiles(Folders.of_user(sys.argv[1]))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
try:
    profiles.save(Profile(name="Too much", base_url="https://x.example"))
except ProfileFault as fault:
    print(fault.field, fault.sentence)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the limit on file sizes is the system's own there")
def test_when_no_more_can_be_written_the_old_file_stays(folders: Folders) -> None:
    profiles = Profiles(folders)
    profiles.save(made("One"))
    before = profiles.path.read_bytes()
    ran = subprocess.run(
        FORKS.quick([sys.executable, "-c", FULL, str(folders.config.parent)]),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        check=True,
        timeout=60,
    )
    assert ran.stdout.startswith("file The profiles file")
    assert "could not be written: file too large." in ran.stdout
    assert profiles.path.read_bytes() == before
    assert sorted(p.name for p in folders.config.iterdir()) == ["profiles.json", "profiles.json.lock"]


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    profiles = Profiles(Folders(tmp_path / "other", tmp_path, tmp_path))
    profiles.path = tmp_path / "file" / "profiles.json"
    with pytest.raises(ProfileFault) as caught:
        profiles.save(made("One"))
    assert caught.value.field == "file"


def test_export_holds_no_id_no_secret_and_no_unknown_field(folders: Folders, tmp_path: Path) -> None:
    profiles = Profiles(folders)
    one = Profile.model_validate({**made("One", connection="conn_1").model_dump(), "apikey": "canary-1"})
    profiles.save(one)
    profiles.save(made("Two"))
    target = tmp_path / "out.json"
    profiles.export(target, [one.id, "sandbox"])
    text = target.read_text()
    assert "canary-1" not in text
    assert one.id not in text
    [entry] = json.loads(text)["profiles"]
    assert entry["name"] == "One"
    assert entry["connections"] == ["conn_1"]


def test_import_goes_on_past_a_bad_entry_and_says_which(folders: Folders, tmp_path: Path) -> None:
    profiles = Profiles(folders)
    profiles.save(made("One"))
    entries = [
        {"name": "one", "base_url": "https://a.example", "id": "sandbox"},
        {"name": "Bad", "base_url": "https://me:hunter2@b.example"},
        "nothing",
        {
            "name": "Live",
            "base_url": "https://c.example",
            "environment": "production",
            "guard": "open",
            "apikey": "k",
        },
    ]
    source = tmp_path / "in.json"
    source.write_text(json.dumps({"version": 1, "profiles": entries}))
    added = profiles.import_(source)
    assert [p.name for p in added] == ["one (2)", "Live"]
    assert len({"sandbox", *(p.id for p in added)}) == 3
    assert (added[1].environment, added[1].guard) == (Environment.PRODUCTION, Guard.READ_ONLY)
    assert [n.split(":")[0] for n in profiles.notices] == ["in.json, profile 2", "in.json, profile 3"]
    assert "hunter2" not in "".join(profiles.notices)
    assert "apikey" not in profiles.path.read_text()
    assert [p.name for p in Profiles(folders).all()] == ["Sandbox", "One", "one (2)", "Live"]


def test_what_is_exported_comes_back_the_same(folders: Folders, tmp_path: Path) -> None:
    profiles = Profiles(folders)
    one = made("Eins · 一", connection="conn_1", deadline_seconds=12.5, proxy="none", guard=Guard.OPEN)
    profiles.save(one)
    profiles.export(tmp_path / "out.json", [one.id])
    other = Profiles(Folders.of_user(tmp_path / "other"))
    [back] = other.import_(tmp_path / "out.json")
    assert back.changed(id=one.id) == one


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b"\xff", b'{"profiles": {}}', b'{"version": 9, "profiles": []}']
)
def test_a_file_that_is_no_export_is_refused_in_a_sentence(
    folders: Folders, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "in.json").write_bytes(content)
    with pytest.raises(ProfileFault, match=r"in\.json") as caught:
        Profiles(folders).import_(tmp_path / "in.json")
    assert caught.value.field == "file"
    with pytest.raises(ProfileFault):
        Profiles(folders).import_(tmp_path / "missing.json")


def test_a_file_from_before_profiles_named_an_interface_loads_as_it_did(folders: Folders) -> None:
    profiles = Profiles(folders)
    profiles.save(made("One", connection="conn_1"))
    kept = json.loads(profiles.path.read_text("utf-8"))
    del kept["profiles"][0]["interface"]
    profiles.path.write_text(json.dumps(kept), "utf-8")
    [_, one] = Profiles(folders).all()
    assert (one.name, one.connection, one.interface) == ("One", "conn_1", "")
    assert profiles.notices == []


def test_an_interface_is_kept_exported_and_one_that_is_not_here_is_no_reason_to_lose_a_profile(
    folders: Folders, tmp_path: Path
) -> None:
    profiles, one = Profiles(folders), made("One", interface="people")
    profiles.save(one)
    assert Profiles(folders).get("One").interface == "people"
    profiles.export(tmp_path / "out.json", [one.id])
    profiles.remove(one.id)
    assert [p.interface for p in profiles.import_(tmp_path / "out.json")] == ["people"]
    assert profiles.notices == []


def test_an_interface_that_is_no_text_is_passed_over_with_a_word(folders: Folders) -> None:
    profiles = Profiles(folders)
    profiles.save(made("One"))
    kept = json.loads(profiles.path.read_text("utf-8"))
    kept["profiles"][0]["interface"] = 7
    profiles.path.write_text(json.dumps(kept), "utf-8")
    again = Profiles(folders)
    assert [p.name for p in again.all()] == ["Sandbox"]
    [notice] = again.notices
    assert "interface" in notice
