"""Plain http to another machine: nothing is sent before a person has allowed it, by whatever way it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.cli.app import run
from explorer.paths import Folders
from explorer.profiles.profile import Profile, Profiles
from tests.recording import Recording, Reply

FAR = "http://far.example"
KEY = "key-77aa10c4f2"
FIRST = (
    ["pull", "ats/job", "--max-pages", "1"],
    ["call", "ats/job"],
    ["check", "ats/job", "--only", "paging"],
    ["mapping", "ats/job"],
    ["ledger", "ats/job"],
)


@pytest.fixture
def far(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Recording]:
    """A service on another machine, as far as the program can tell: all that is sent there arrives here, by proxy."""
    with Recording() as server:
        server.answer(Reply(body=b'{"items":[],"has_next_page":false}'))
        monkeypatch.setenv("http_proxy", server.url)
        monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", KEY)
        yield server


def kept(**fields: str) -> Profile:
    """A profile as it was saved by an earlier version: without a word on http."""
    profile = Profile(name="Far", base_url=FAR, connection="conn_1", **fields)
    Profiles(Folders.of_user()).save(profile)
    return profile


@pytest.mark.parametrize("command", FIRST, ids=[command[0] for command in FIRST])
@pytest.mark.parametrize("whom", [["--profile", "Far"], ["--base-url", FAR, "--connection-id", "conn_1"]])
def test_a_command_asks_for_the_option_and_sends_nothing_without(
    far: Recording, command: list[str], whom: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    kept()
    assert run([*command, *whom]) == 2
    out, error = capsys.readouterr()
    assert far.got == []
    assert out == ""
    assert len(error.splitlines()) == 1
    assert all(words in error for words in (FAR, "plain http", "Nothing was sent", "--allow-http"))
    run([*command, *whom, "--allow-http"])
    assert far.got
    assert far.got[0].header("x-apikey") == KEY
    assert "unencrypted" in capsys.readouterr().err


def test_the_option_may_stand_before_the_command(far: Recording) -> None:
    kept()
    assert run(["--allow-http", "call", "ats/job", "--profile", "Far"]) == 0
    assert len(far.got) == 1


def test_adding_and_testing_ask_as_well(far: Recording, capsys: pytest.CaptureFixture[str]) -> None:
    add = ["profiles", "add", "Far", "--base-url", FAR, "--connection-id", "conn_1"]
    assert run(add) == 2
    error = capsys.readouterr().err
    assert "--allow-http" in error
    assert len(error.splitlines()) == 1
    assert [p.name for p in Profiles(Folders.of_user()).all()] == ["Sandbox"]
    assert run([*add, "--allow-http"]) == 0
    # The word is kept with the profile, for this address.
    assert run(["call", "ats/job", "--profile", "Far"]) == 0
    assert "unencrypted" in capsys.readouterr().err
    book = Profiles(Folders.of_user())
    book.save(book.get("Far").changed(base_url="http://further.example"))
    sent = len(far.got)
    assert run(["profiles", "test", "Far"]) == 2
    assert len(far.got) == sent
    assert run(["profiles", "test", "Far", "--allow-http"]) == 0
    assert len(far.got) > sent
    assert run(["profiles", "test", "Far"]) == 2, "an option of one run is no lasting word"


def test_the_word_does_not_travel_with_an_exported_profile(far: Recording, tmp_path: Path) -> None:
    profile = kept()
    Profiles(Folders.of_user()).save(profile.allowing_http())
    file = tmp_path / "profiles.json"
    assert run(["profiles", "export", "--out", str(file)]) == 0
    assert "http_allowed" not in file.read_text(encoding="utf-8")
    forged = file.read_text(encoding="utf-8").replace('"name"', f'"http_allowed": "{FAR}", "name"')
    file.write_text(forged, encoding="utf-8")
    assert run(["profiles", "import", str(file)]) == 0
    assert run(["call", "ats/job", "--profile", "Far (2)"]) == 2
    assert far.got == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_this_machine_is_not_asked_about(
    far: Recording, host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    address = f"http://{host}:{far.port}"
    assert run(["call", "ats/job", "--base-url", address, "--connection-id", "conn_1"]) == 0
    assert "clear" not in capsys.readouterr().err
    assert len(far.got) == 1
