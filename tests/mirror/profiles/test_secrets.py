"""The ladder on which keys are held: which store is accepted, what a key is bound to, what is said when it fails."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import keyring.backends.chainer
import keyring.backends.fail
import keyring.backends.null
import keyring.backends.SecretService
import pytest
from keyring.backend import KeyringBackend

from explorer.paths import Folders
from explorer.profiles import sealed, secrets
from explorer.profiles.profile import Auth, Credential, Profile, ProfileFault
from explorer.profiles.secrets import Holding, Place, Secrets, accepted, of_environment

CANARY = "canary-77b1e0"

# Their constructors carry no annotations.
SecretService: Callable[[], KeyringBackend] = keyring.backends.SecretService.Keyring
Null: Callable[[], KeyringBackend] = keyring.backends.null.Keyring
Fail: Callable[[], KeyringBackend] = keyring.backends.fail.Keyring
Chainer: Callable[[], KeyringBackend] = keyring.backends.chainer.ChainerBackend


class Held(KeyringBackend):
    """A store that the tests let pass for one that encrypts; the real one is in the test with gnome-keyring."""

    priority = 1.0

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.held[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.held[service, username]


class Broken(Held):
    """Fails as a locked or missing store does, quoting what it was given."""

    def get_password(self, service: str, username: str) -> str | None:
        raise RuntimeError(f"no bus for {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise RuntimeError(f"cannot keep {password}")


class Small(Held):
    """Takes what the Credential Manager of Windows takes: 2,560 bytes of UTF-16 an entry. ``sick``: refuses the nth."""

    def __init__(self) -> None:
        super().__init__()
        self.sick = 0

    def set_password(self, service: str, username: str, password: str) -> None:
        self.sick -= 1
        if self.sick == 0 or len(password.encode("utf-16-le")) > 2560:
            raise RuntimeError("the stub received bad data")
        super().set_password(service, username, password)


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders.of_user(tmp_path / "home")


@pytest.fixture
def profile() -> Profile:
    return Profile(name="One", base_url="https://api.example.com", connection="conn_1")


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    monkeypatch.setattr(secrets, "ACCEPTED", [*secrets.ACCEPTED, (__name__, "Held"), (__name__, "Broken")])
    return Held()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Small:
    monkeypatch.setattr(secrets, "ACCEPTED", [*secrets.ACCEPTED, (__name__, "Small")])
    return Small()


@pytest.fixture(autouse=True)
def quick_derivation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed, "SCRYPT", {"n": 2**4, "r": 8, "p": 1})


def files_hold(folders: Folders, text: str) -> bool:
    root = folders.config.parent
    return any(text.encode() in p.read_bytes() for p in root.rglob("*") if p.is_file())


# ---------------------------------------------------------------- which store


def test_only_stores_that_encrypt_are_accepted_by_their_very_class() -> None:
    class Keyring(keyring.backends.SecretService.Keyring):
        """Called alike, and another one: it might keep plain text."""

    good = SecretService()
    assert accepted(good) is good
    alike: Callable[[], KeyringBackend] = Keyring
    for bad in (Null(), Fail(), Held(), alike()):
        assert accepted(bad) is None


def test_a_chainer_is_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    good = SecretService()
    members: list[KeyringBackend] = [Null(), Held(), good]
    monkeypatch.setattr(keyring.backends.chainer.ChainerBackend, "backends", members)
    assert accepted(Chainer()) is good
    members.remove(good)
    assert accepted(Chainer()) is None


def test_a_store_that_writes_plain_text_is_given_nothing(folders: Folders, profile: Profile) -> None:
    plain = Held()
    store = Secrets(folders, plain, {})
    assert store.save(profile, CANARY) is Place.MEMORY
    assert plain.held == {}


def test_no_store_at_all_is_memory(
    folders: Folders, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("keyring.core.load_env", keyring.backends.fail.Keyring)
    store = Secrets(folders, environ={})
    assert store.load(profile) is None
    assert store.place(profile) is None
    assert store.save(profile, f" {CANARY}\n") is Place.MEMORY
    assert store.load(profile) == Credential(Auth.APIKEY, CANARY)
    assert Secrets(folders, environ={}).load(profile) is None
    assert not files_hold(folders, CANARY)


def test_looking_for_a_store_may_fail(
    folders: Folders, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> KeyringBackend:
        raise OSError("no such module")

    monkeypatch.setattr("keyring.core.load_env", fails)
    store = Secrets(folders, environ={})
    assert store.save(profile, CANARY) is Place.MEMORY
    assert "OSError" in store.notices[0]


class Better(Held):
    priority = 2.0


def test_the_best_store_of_this_system_is_taken_unless_the_user_chose_one_and_no_other_systems_is_loaded(
    folders: Folders, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = {"keyring.backends.macOS": "darwin", "keyring.backends.Windows": "win32"}
    foreign = [name for name, system in others.items() if system != sys.platform]
    for name in foreign:
        monkeypatch.delitem(sys.modules, name, raising=False)
    mine = tuple((__name__, name) for name in ("Held", "Missing", "Better"))
    monkeypatch.setattr(secrets, "ACCEPTED", (*mine, *((name, "Keyring") for name in foreign)))
    monkeypatch.delenv("PYTHON_KEYRING_BACKEND", raising=False)
    store = Secrets(folders, environ={})
    assert store.save(profile, CANARY) is Place.SYSTEM
    assert isinstance(store._backend, Better)
    assert not set(foreign) & set(sys.modules)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    assert Secrets(folders, environ={}).save(profile, CANARY) is Place.MEMORY


@pytest.mark.parametrize("address", ["", "unix:path=/nowhere/bus"])
def test_a_store_behind_the_sessions_bus_is_not_loaded_where_there_is_none(
    folders: Folders, profile: Profile, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(secrets, "ACCEPTED", (("keyring.backends.SecretService", "Keyring"),))
    monkeypatch.setattr(secrets, "import_module", asked.append)
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    monkeypatch.delenv("PYTHON_KEYRING_BACKEND", raising=False)
    assert Secrets(folders, environ={}).save(profile, CANARY) is Place.MEMORY
    assert bool(asked) is bool(address)


# ---------------------------------------------------------------- what a key is bound to


def test_the_systems_store_holds_it_for_the_next_start(
    folders: Folders, profile: Profile, held: Held
) -> None:
    assert Secrets(folders, held, {}).save(profile, CANARY) is Place.SYSTEM
    later = Secrets(folders, held, {})
    assert later.load(profile) == Credential(Auth.APIKEY, CANARY)
    assert later.place(profile) is Place.SYSTEM
    later.forget(profile)
    later.forget(profile)
    assert held.held == {}
    assert later.load(profile) is None
    assert later.notices == []


@pytest.mark.parametrize("rung", ["system", "file", "memory"])
def test_an_edited_profile_does_not_receive_the_old_key(
    folders: Folders, profile: Profile, held: Held, rung: str
) -> None:
    store = Secrets(folders, held if rung == "system" else None, {})
    store._looked = rung != "system"
    if rung == "file":
        store.use_passphrase("correct horse")
    assert store.save(profile, CANARY).value == rung
    for address in ("https://api.example.org", "https://api.example.com:8443", "http://api.example.com"):
        assert store.load(profile.changed(base_url=address)) is None
    assert store.load(profile.changed(base_url="https://api.example.com/other")) is None
    assert store.load(profile.changed(id="0123456789abcdef")) is None
    assert store.load(profile.changed(auth=Auth.BEARER)) is None
    assert store.load(profile.changed(name="Two", connection="conn_2")) is not None


@pytest.mark.parametrize("length", [1_000, 1_100, 1_200, 1_300, 5_000])
def test_a_key_too_long_for_one_entry_is_held_in_several(
    folders: Folders, profile: Profile, small: Small, length: int
) -> None:
    key = (CANARY * length)[:length]
    assert Secrets(folders, small, {}).save(profile, key) is Place.SYSTEM
    later = Secrets(folders, small, {})
    assert later.load(profile) == Credential(Auth.APIKEY, key)
    # Another one takes its place whole, and leaves nothing of the longer one.
    assert later.save(profile, CANARY) is Place.SYSTEM
    assert len(small.held) == 1
    assert later.save(profile, key) is Place.SYSTEM
    later.forget(profile)
    assert small.held == {}
    assert later.notices == []


def test_of_a_key_in_several_entries_no_part_is_ever_taken_for_the_whole(
    folders: Folders, profile: Profile, small: Small
) -> None:
    first, second = "a" * 5_000, "b" * 5_000
    Secrets(folders, small, {}).save(profile, first)
    kept = dict(small.held)
    assert len(kept) > 4
    for entry in kept:
        small.held = {name: text for name, text in kept.items() if name != entry}
        assert Secrets(folders, small, {}).load(profile) is None
    # However far a second one gets before the store refuses: there is the first, and nothing is left beside it.
    for nth in range(1, len(kept) + 1):
        small.held, small.sick = dict(kept), nth
        assert Secrets(folders, small, {}).save(profile, second) is Place.MEMORY
        assert Secrets(folders, small, {}).load(profile) in (None, Credential(Auth.APIKEY, first))
        assert set(small.held) <= set(kept)


def test_for_this_session_only(folders: Folders, profile: Profile, held: Held) -> None:
    store = Secrets(folders, held, {})
    assert store.save(profile, CANARY, Place.MEMORY) is Place.MEMORY
    assert held.held == {}


def test_the_sandboxs_key_stays_in_memory(folders: Folders, held: Held) -> None:
    sandbox = Profile.sandbox("http://127.0.0.1:5000")
    store = Secrets(folders, held, {"UNIFIED_EXPLORER_APIKEY": "k" * 20})
    assert store.load(sandbox) is None
    assert store.save(sandbox, CANARY) is Place.MEMORY
    assert store.load(sandbox) is not None
    assert store.load(Profile.sandbox("http://127.0.0.1:5001")) is None
    store.forget(sandbox)
    assert store.load(sandbox) is None
    assert held.held == {}


def test_a_store_that_fails_is_said_without_what_it_was_given(
    folders: Folders, profile: Profile, held: Held
) -> None:
    store = Secrets(folders, Broken(), {})
    assert store.save(profile, CANARY) is Place.MEMORY
    assert store.load(profile) is not None
    store.forget(profile)
    assert store.load(profile) is None
    assert store.notices
    assert CANARY not in "".join(store.notices)


def test_client_and_secret_are_kept_for_both_addresses(
    folders: Folders, profile: Profile, held: Held
) -> None:
    calls = profile.changed(auth=Auth.TOKEN_CALL, token_url="https://login.example.com/t/")
    assert calls.token_url == "https://login.example.com/t/"
    store = Secrets(folders, held, {})
    with pytest.raises(ProfileFault, match="both needed"):
        store.save(calls, CANARY)
    assert store.save(calls, f"app:{CANARY}") is Place.SYSTEM
    kept = store.load(calls)
    assert kept is not None
    assert kept.secrets == (f"app:{CANARY}", CANARY)
    assert store.load(calls.changed(token_url="https://elsewhere.example.com/t/")) is None
    assert store.load(calls.changed(base_url="https://elsewhere.example.com")) is None
    assert store.load(calls.changed(auth=Auth.BEARER)) is None
    assert store.load(calls.changed(second_url="https://elsewhere.example.com")) is None


def test_what_is_no_entry_of_ours_is_passed_over(folders: Folders, profile: Profile, held: Held) -> None:
    for odd in ("", "not json", "[]", '"x"', "{}"):
        held.held[secrets.SERVICE, profile.id] = odd
        assert Secrets(folders, held, {}).load(profile) is None


# ---------------------------------------------------------------- environment


def test_the_environment_is_the_last_rung(folders: Folders, profile: Profile, held: Held) -> None:
    environ = {"UNIFIED_EXPLORER_APIKEY": " from-env\n", "UNIFIED_EXPLORER_TOKEN": "Bearer tok"}
    store = Secrets(folders, held, environ)
    assert store.load(profile) == Credential(Auth.APIKEY, "from-env")
    assert store.place(profile) is Place.ENVIRONMENT
    assert store.load(profile.changed(auth=Auth.BEARER)) == Credential(Auth.BEARER, "tok")
    store.save(profile, CANARY)
    assert store.place(profile) is Place.SYSTEM


def test_a_variable_that_no_header_carries_is_named_without_its_value() -> None:
    with pytest.raises(ProfileFault, match="UNIFIED_EXPLORER_APIKEY") as caught:
        of_environment(Auth.APIKEY, {"UNIFIED_EXPLORER_APIKEY": f"{CANARY}\n{CANARY}"})
    assert CANARY not in str(caught.value)
    assert of_environment(Auth.APIKEY, {"UNIFIED_EXPLORER_APIKEY": " "}) is None


def test_every_place_has_words() -> None:
    assert len({place.words for place in Place}) == len(Place) == 4


# ---------------------------------------------------------------- the file under a passphrase


@pytest.fixture
def bare(folders: Folders) -> Secrets:
    return Secrets(folders, Null(), {})


def again(folders: Folders, passphrase: str = "correct horse") -> Secrets:
    made = Secrets(folders, Null(), {})
    made.use_passphrase(passphrase)
    return made


def test_the_file_takes_what_memory_held_and_opens_at_the_next_start(
    folders: Folders, profile: Profile, bare: Secrets
) -> None:
    assert bare.save(profile, CANARY) is Place.MEMORY
    bare.use_passphrase("correct horse")
    assert bare.place(profile) is Place.FILE
    assert again(folders).load(profile) == Credential(Auth.APIKEY, CANARY)
    for text in (CANARY, profile.id, "example.com", "correct horse"):
        assert not files_hold(folders, text)
    other = profile.changed(id="00ff", name="Two")
    again(folders).save(other, "second")
    one = again(folders)
    one.forget(profile)
    assert one.load(profile) is None
    assert again(folders).load(other) == Credential(Auth.APIKEY, "second")


def test_the_user_says_where_a_key_is_kept_and_it_leaves_the_other_places(
    folders: Folders, profile: Profile, held: Held
) -> None:
    store = Secrets(folders, held, {})
    with pytest.raises(ProfileFault) as closed:
        store.save(profile, CANARY, Place.FILE)
    assert closed.value.field == "passphrase"
    assert store.save(profile, CANARY) is Place.SYSTEM
    assert store.holding(profile) == Holding(Place.SYSTEM, system=True, file=False, opened=False)
    store.use_passphrase("correct horse")
    assert store.save(profile, CANARY, Place.FILE) is Place.FILE
    assert held.held == {}
    assert store.holding(profile) == Holding(Place.FILE, system=True, file=True, opened=True)
    later = Secrets(folders, held, {})
    assert later.load(profile) is None
    assert later.holding(profile).locked
    later.use_passphrase("correct horse")
    assert later.load(profile) == Credential(Auth.APIKEY, CANARY)
    assert later.save(profile, CANARY, Place.SYSTEM) is Place.SYSTEM
    assert later.sealed.entries() == {}
    assert later.save(profile, CANARY, Place.MEMORY) is Place.MEMORY
    assert held.held == {}
    later.use_passphrase("correct horse")
    assert later.place(profile) is Place.MEMORY, "what is to stay in memory is not taken into the file"


def test_a_variable_opens_the_file_for_runs_without_a_user(folders: Folders, profile: Profile) -> None:
    again(folders).save(profile, CANARY)
    environ = {secrets.PASSPHRASE: "correct horse", "UNIFIED_EXPLORER_APIKEY": "from-env"}
    store = Secrets(folders, Null(), environ)
    assert (store.load(profile), store.place(profile)) == (Credential(Auth.APIKEY, CANARY), Place.FILE)
    wrong = Secrets(folders, Null(), {secrets.PASSPHRASE: "incorrect horse"})
    with pytest.raises(ProfileFault, match=secrets.PASSPHRASE) as caught:
        wrong.load(profile)
    assert "incorrect horse" not in str(caught.value)
    assert wrong.load(profile) is None, "it is said once"


def test_two_instances_add_to_the_file_without_losing_the_others(folders: Folders, profile: Profile) -> None:
    left, right = again(folders), again(folders)
    other = profile.changed(id="00ff", name="Two")
    left.save(profile, "left-key")
    right.save(other, "right-key")
    both = again(folders)
    assert (both.load(profile), both.load(other)) == (
        Credential(Auth.APIKEY, "left-key"),
        Credential(Auth.APIKEY, "right-key"),
    )


def test_a_wrong_passphrase_changes_nothing(folders: Folders, profile: Profile) -> None:
    again(folders).save(profile, CANARY)
    before = (folders.config / "secrets.sealed").read_bytes()
    store = Secrets(folders, Null(), {})
    with pytest.raises(ProfileFault) as caught:
        store.use_passphrase("incorrect horse")
    assert caught.value.field == "passphrase"
    assert not store.sealed.is_open
    assert store.load(profile) is None
    assert (folders.config / "secrets.sealed").read_bytes() == before


def test_forgetting_says_what_a_closed_file_may_still_hold(folders: Folders, profile: Profile) -> None:
    again(folders).save(profile, CANARY)
    closed = Secrets(folders, Null(), {})
    closed.forget(profile)
    assert "One" in closed.notices[0]
    assert "locked" in closed.notices[0]
    opened = again(folders)
    opened.forget(profile)
    assert opened.notices == []
    assert again(folders).load(profile) is None


def test_a_new_passphrase_must_not_be_short(folders: Folders, bare: Secrets) -> None:
    with pytest.raises(ProfileFault, match="8 characters"):
        bare.use_passphrase("short")
    assert not (folders.config / "secrets.sealed").exists()


@pytest.mark.parametrize("part", ["salt", "nonce", "sealed", "n", "version"])
def test_a_changed_file_is_noticed(folders: Folders, profile: Profile, part: str) -> None:
    again(folders).save(profile, CANARY)
    path = folders.config / "secrets.sealed"
    outer = json.loads(path.read_bytes())
    if part == "n":
        outer["scrypt"]["n"] *= 2
    elif part == "version":
        outer["version"] = 0
    else:
        outer[part] = ("B" if outer[part][0] == "A" else "A") + outer[part][1:]
    path.write_text(json.dumps(outer))
    if part == "version":
        again(folders)  # an older version has no other seal yet
        return
    with pytest.raises(ProfileFault, match="wrong, or"):
        again(folders)


@pytest.mark.parametrize("content", [b"", b"{", b'{"version": 1}', b'{"version": 99}', b"[]", b"null"])
def test_a_damaged_or_newer_file_of_secrets_is_set_aside(folders: Folders, content: bytes) -> None:
    folders.config.mkdir(parents=True)
    (folders.config / "secrets.sealed").write_bytes(content)
    store = again(folders)
    [kept] = [p for p in folders.config.iterdir() if "damaged" in p.name or "newer" in p.name]
    assert kept.read_bytes() == content
    assert kept.name in store.notices[0]
    assert store.sealed.is_open


def test_a_file_that_asks_for_too_much_memory_is_not_derived(folders: Folders, profile: Profile) -> None:
    again(folders).save(profile, CANARY)
    path = folders.config / "secrets.sealed"
    outer = json.loads(path.read_bytes())
    outer["scrypt"]["n"] = 2**40
    path.write_text(json.dumps(outer))
    assert "damaged" in again(folders).notices[0]


# ---------------------------------------------------------------- the real store of a Linux desktop

REAL = """
import sys
from explorer.paths import Folders
from explorer.profiles.profile import Profile
from explorer.profiles.secrets import Secrets
profile = Profile(id="00ff", name="One", base_url="https://api.example.com")
folders, key = Folders.of_user(sys.argv[1]), sys.stdin.readline().strip()
store = Secrets(folders, environ={})
print(store.place(profile))
print(store.save(profile, key))
later = Secrets(folders, environ={})
print(later.place(profile), later.load(profile).reveal() == key)
print(later.load(profile.changed(base_url="https://api.example.org")))
later.forget(profile)
print(Secrets(folders, environ={}).place(profile), later.notices)
"""


@pytest.mark.skipif(
    not (shutil.which("dbus-run-session") and shutil.which("gnome-keyring-daemon")),
    reason="needs dbus-run-session and gnome-keyring-daemon",
)
def test_a_real_secret_service(tmp_path: Path) -> None:
    home = tmp_path / "user"
    home.mkdir()
    script = (
        "printf pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; "
        'exec "$0" -c "$1" "$2"'
    )
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("DBUS_", "PYTHON_KEYRING"))}
    environment |= {
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(home),
        "PYTHONPATH": str(Path(__file__).parents[3]),
    }
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        environment[name] = str(home / name)
    ran = subprocess.run(
        ["dbus-run-session", "--", "sh", "-c", script, sys.executable, REAL, str(tmp_path / "home")],
        input=f"{CANARY}\n",
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
        check=False,
    )
    assert ran.stdout.splitlines() == ["None", "Place.SYSTEM", "Place.SYSTEM True", "None", "None []"], (
        ran.stderr
    )


# ---------------------------------------------------------------- further secrets


def test_a_further_secret_is_kept_beside_the_key_and_bound_to_the_address(
    folders: Folders, profile: Profile, held: Held
) -> None:
    store = Secrets(folders, held, {"UNIFIED_EXPLORER_APIKEY": "of-environment"})
    assert store.recall(profile, "link-1") is None
    assert store.keep(profile, "link-1", CANARY) is Place.SYSTEM
    again = Secrets(folders, held, {})
    assert again.recall(profile, "link-1") == CANARY
    assert again.recall(profile, "link-2") is None
    assert again.recall(profile.changed(base_url="https://other.example.com"), "link-1") is None
    assert again.load(profile) is None
    assert not files_hold(folders, CANARY)
    again.drop(profile, "link-1")
    assert store.recall(profile, "link-1") is None
    assert held.held == {}


def test_with_the_profile_its_further_secrets_go(folders: Folders, profile: Profile, held: Held) -> None:
    store = Secrets(folders, held, {})
    other = profile.changed(id="other")
    store.save(profile, "key")
    for owner in (profile, other):
        store.keep(owner, "a", CANARY)
        store.keep(owner, "b", CANARY)
    store.forget(profile)
    assert store.recall(profile, "a") is None
    assert sorted(user for _, user in held.held) == ["other/", "other/a", "other/b"]


def test_of_too_many_further_secrets_the_oldest_go(folders: Folders, profile: Profile, held: Held) -> None:
    store = Secrets(folders, held, {})
    for number in range(secrets.FURTHER + 3):
        store.keep(profile, f"link-{number}", "x")
    assert [store.recall(profile, f"link-{number}") for number in range(4)] == [None, None, None, "x"]
    assert len(held.held) == secrets.FURTHER + 1


def test_without_a_store_a_further_secret_is_in_memory_or_under_the_passphrase(
    folders: Folders, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("keyring.core.load_env", keyring.backends.fail.Keyring)
    store = Secrets(folders, environ={})
    assert store.keep(profile, "link-1", CANARY) is Place.MEMORY
    assert store.recall(profile, "link-1") == CANARY
    assert Secrets(folders, environ={}).recall(profile, "link-1") is None
    store.use_passphrase("long enough")
    assert store.keep(profile, "link-1", CANARY) is Place.FILE
    again = Secrets(folders, environ={})
    again.use_passphrase("long enough")
    assert again.recall(profile, "link-1") == CANARY
    assert not files_hold(folders, CANARY)
    again.forget(profile)
    assert again.recall(profile, "link-1") is None
    sandbox = Profile.sandbox()
    assert again.keep(sandbox, "link-1", CANARY) is Place.MEMORY
    assert again.recall(sandbox, "link-1") == CANARY
    assert again.recall(Profile.sandbox("http://127.0.0.1:9"), "link-1") is None
    again.forget(sandbox)
    assert again.recall(sandbox, "link-1") is None


def test_secret_parts_of_connections_come_with_the_key(tmp_path: Path) -> None:
    environ = {"UNIFIED_EXPLORER_CONNECTION_X_TENANT_KEY": "tok-of-the-variable"}
    held = Secrets(Folders.of_user(tmp_path), keyring.backends.fail.Keyring(), environ)
    own = Profile(id="00ff", name="a", base_url="https://a.example", connection="acme", interface="merge")
    held.save(own, "the-key-itself")
    held.keep_part(own, "acme", "X-Account-Token", "tok-acme")
    held.keep_part(own, "other one", "X-Account-Token", "tok-other")
    held.keep(own, "magic link", "tok-of-something-else")
    found = held.load(own)
    assert found is not None
    assert found.reveal() == "the-key-itself"
    assert found.parts == {
        ("acme", "X_ACCOUNT_TOKEN"): "tok-acme",
        ("other one", "X_ACCOUNT_TOKEN"): "tok-other",
        ("acme", "X_TENANT_KEY"): "tok-of-the-variable",
    }
    builtin = own.changed(interface="")
    assert (found := held.load(builtin)) is not None
    assert found.parts == {}
    moved = own.changed(base_url="https://b.example")
    assert held.load(moved) is None
    held.forget(own)
    assert held.load(own) is None


def test_secret_parts_are_kept_where_the_key_is_and_move_with_it(
    folders: Folders, profile: Profile, held: Held
) -> None:
    secrets = Secrets(folders, held, {})
    own = profile.changed(interface="merge", connection="acme")
    secrets.save(own, "the-key-itself", Place.MEMORY)
    assert secrets.keep_part(own, "acme", "X-Account-Token", CANARY, Place.MEMORY) is Place.MEMORY
    assert CANARY not in repr(held.held)
    assert (found := secrets.load(own)) is not None
    assert found.part("acme", "x-account-token") == CANARY
    secrets.save(own, "the-key-itself", Place.SYSTEM)
    secrets.move_parts(own, Place.SYSTEM)
    assert CANARY in repr(held.held)
    again = Secrets(folders, held, {}).load(own)
    assert again is not None
    assert again.part("acme", "X-Account-Token") == CANARY
    secrets.move_parts(own, Place.MEMORY)
    assert CANARY not in repr(held.held)
