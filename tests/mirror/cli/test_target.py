"""Whom a run asks, with which credential, and what it refuses to guess."""

from pathlib import Path

import httpx
import pytest

from explorer.cli import exits
from explorer.cli.app import run
from explorer.cli.exits import UsageFault, ending
from explorer.cli.options import TargetOptions
from explorer.cli.registry import registry_of_whom
from explorer.cli.target import target_of
from explorer.paths import Folders
from explorer.profiles.credential import Auth
from explorer.profiles.fault import ProfileFault
from explorer.profiles.profile import Guard, Profile, Profiles
from tests.builtin import registry
from tests.other_interface import OTHER, known

URL = "https://api.example.com"


@pytest.fixture(autouse=True)
def own_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exits, "_secrets", set())


def test_an_address_asks_before_a_write_and_keeps_its_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "key-1234567890")
    with (
        target_of(TargetOptions(base_url=URL + "/", connection="conn_1")) as first,
        target_of(TargetOptions(base_url=URL)) as second,
    ):
        assert first.profile.id == second.profile.id
        assert first.profile.connection == "conn_1"
        assert first.profile.guard is Guard.ASK
    with target_of(TargetOptions(base_url=URL + "/other")) as third:
        assert third.profile.id != first.profile.id
    assert "key-1234567890" not in ending(UsageFault("key-1234567890"))[0]


def test_which_of_two_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_TOKEN", "token-1234567890")
    for bearer in (False, True):
        with target_of(TargetOptions(base_url=URL), bearer=bearer) as target:
            assert target.credential is not None
            assert target.credential.kind is Auth.BEARER
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "key-1234567890")
    for bearer, kind in ((False, Auth.APIKEY), (True, Auth.BEARER)):
        with target_of(TargetOptions(base_url=URL), bearer=bearer) as target:
            assert target.credential is not None
            assert target.credential.kind is kind


@pytest.mark.parametrize(
    ("whom", "words"),
    [
        (TargetOptions(), "--profile NAME"),
        (TargetOptions(base_url=URL), "UNIFIED_EXPLORER_APIKEY"),
        (TargetOptions(base_url=URL, profile="Sandbox"), "either"),
        (TargetOptions(profile="Shop"), "No key is saved for Shop"),
    ],
)
def test_what_is_not_guessed(own_home: Path, whom: TargetOptions, words: str) -> None:
    Profiles(Folders.of_user()).save(Profile(name="Shop", base_url=URL))
    with pytest.raises(UsageFault, match=words), target_of(whom):
        pass


def test_an_unknown_profile(own_home: Path) -> None:
    with pytest.raises(ProfileFault, match="Sandbox"), target_of(TargetOptions(profile="Shop")):
        pass


def test_the_sandbox_lives_as_long_as_it_is_needed(own_home: Path) -> None:
    with target_of(TargetOptions(profile="sandbox", connection="conn_sandbox_messy")) as target:
        assert target.profile.connection == "conn_sandbox_messy"
        assert target.profile.is_builtin
        assert target.credential is not None
        headers = {**target.credential.headers("x-apikey"), "x-connection-id": target.profile.connection}
        url = target.profile.base_url + "/v0/unified/ats/job"
        assert httpx.get(url, headers=headers, trust_env=False).status_code == 200
    with pytest.raises(httpx.ConnectError):
        httpx.get(url, trust_env=False)


COMMANDS = [
    ("pull", "ats/job"),
    ("call", "ats/job"),
    ("check", "ats/job"),
    ("mapping", "ats/job"),
    ("ledger", "ats/job"),
    ("ledger", "ats/job", "--kept"),
    ("snapshot", "keep", "First", "ats/job"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_profile_of_an_interface_that_is_not_here(
    own_home: Path,
    command: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "key-1234567890")
    Profiles(Folders.of_user(own_home)).save(Profile(name="Shop", base_url=URL, interface="nowhere"))
    assert run([*command, "--profile", "Shop"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    words = "names the interface 'nowhere', which is not here. Name one of these in the profile: builtin."
    assert err == f"The profile Shop {words}\n"


def test_what_can_be_asked_is_known_before_anything_is(own_home: Path) -> None:
    folders = Folders.of_user(own_home)
    Profiles(folders).save(Profile(name="Shop", base_url=URL, interface=OTHER.key))
    with known() as there:
        assert registry_of_whom(TargetOptions(profile="shop", home=str(own_home))) is there
        assert registry_of_whom(TargetOptions(base_url=URL)) is registry
        assert registry_of_whom(TargetOptions()) is registry
    # Whoever is not there is said by what looks for them.
    assert registry_of_whom(TargetOptions(profile="nobody", home=str(own_home))) is registry


def test_a_file_of_profiles_that_was_set_aside_is_told_once(
    own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = Folders.of_user(own_home).config
    config.mkdir(parents=True)
    (config / "profiles.json").write_text("{", "utf-8")
    assert run(["ledger", "ats/job", "--kept", "--profile", "Sandbox"]) == 3
    assert capsys.readouterr().err.count("The profiles file is damaged. It was kept unchanged") == 1
