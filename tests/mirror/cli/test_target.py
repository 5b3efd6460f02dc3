"""Whom a run asks, with which credential, and what it refuses to guess."""

from pathlib import Path

import httpx
import pytest

from explorer.cli import exits
from explorer.cli.exits import UsageFault, ending
from explorer.cli.options import Whom
from explorer.cli.target import target_of
from explorer.paths import Folders
from explorer.profiles.credential import Auth
from explorer.profiles.fault import ProfileFault
from explorer.profiles.profile import Guard, Profile, Profiles

URL = "https://api.example.com"


@pytest.fixture(autouse=True)
def own_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exits, "_secrets", set())


def test_an_address_asks_before_a_write_and_keeps_its_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "key-1234567890")
    with (
        target_of(Whom(base_url=URL + "/", connection="conn_1")) as first,
        target_of(Whom(base_url=URL)) as second,
    ):
        assert first.profile.id == second.profile.id
        assert first.profile.connection == "conn_1"
        assert first.profile.guard is Guard.ASK
    with target_of(Whom(base_url=URL + "/other")) as third:
        assert third.profile.id != first.profile.id
    assert "key-1234567890" not in ending(UsageFault("key-1234567890"))[0]


def test_which_of_two_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_TOKEN", "token-1234567890")
    for bearer in (False, True):
        with target_of(Whom(base_url=URL), bearer=bearer) as target:
            assert target.credential is not None
            assert target.credential.kind is Auth.BEARER
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "key-1234567890")
    for bearer, kind in ((False, Auth.APIKEY), (True, Auth.BEARER)):
        with target_of(Whom(base_url=URL), bearer=bearer) as target:
            assert target.credential is not None
            assert target.credential.kind is kind


@pytest.mark.parametrize(
    ("whom", "words"),
    [
        (Whom(), "--profile NAME"),
        (Whom(base_url=URL), "UNIFIED_EXPLORER_APIKEY"),
        (Whom(base_url=URL, profile="Sandbox"), "either"),
        (Whom(profile="Shop"), "No key is kept for Shop"),
    ],
)
def test_what_is_not_guessed(own_home: Path, whom: Whom, words: str) -> None:
    Profiles(Folders.of_user()).save(Profile(name="Shop", base_url=URL))
    with pytest.raises(UsageFault, match=words), target_of(whom):
        pass


def test_an_unknown_profile(own_home: Path) -> None:
    with pytest.raises(ProfileFault, match="Sandbox"), target_of(Whom(profile="Shop")):
        pass


def test_the_sandbox_lives_as_long_as_it_is_needed(own_home: Path) -> None:
    with target_of(Whom(profile="sandbox", connection="conn_sandbox_messy")) as target:
        assert target.profile.connection == "conn_sandbox_messy"
        assert target.profile.is_builtin
        assert target.credential is not None
        headers = {**target.credential.headers(), "x-connection-id": target.profile.connection}
        url = target.profile.base_url + "/v0/unified/ats/job"
        assert httpx.get(url, headers=headers, trust_env=False).status_code == 200
    with pytest.raises(httpx.ConnectError):
        httpx.get(url, trust_env=False)
