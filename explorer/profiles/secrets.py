"""Where a profile's key is kept: the system's password store, memory, an encrypted file, or an environment variable.

In this order: 1. the system's password store, if its class is one of `ACCEPTED` (never one that may write plain text);
2. memory, until the program ends; 3. on request, a file encrypted under a passphrase; 4. an environment variable, for
runs without a user. The first three can be chosen when a key is saved, and it is then removed from the others. A stored
secret belongs to the profile's id *and* base address, so that an edited address does not get the old key.

Every method may block, for minutes while a locked store waits for the user: call them in a thread.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from explorer.paths import Folders
from explorer.profiles.credential import PART_VARIABLE, Auth, Credential, clean_secret, part_key
from explorer.profiles.fault import ProfileFault
from explorer.profiles.sealed import Entries, SealedFile
from explorer.profiles.values import Profile

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

SERVICE = "Unified Explorer"
VARIABLES = {
    Auth.APIKEY: "UNIFIED_EXPLORER_APIKEY",
    Auth.BEARER: "UNIFIED_EXPLORER_TOKEN",
    Auth.TOKEN_CALL: "UNIFIED_EXPLORER_CLIENT",
}
PASSPHRASE = "UNIFIED_EXPLORER_PASSPHRASE"  # noqa: S105 - the name of a variable
"""The variable with the passphrase of the encrypted file, for runs without a user."""
SECRET_VARIABLES = (*VARIABLES.values(), PASSPHRASE)
ACCEPTED = (
    ("keyring.backends.SecretService", "Keyring"),
    ("keyring.backends.kwallet", "DBusKeyring"),
    ("keyring.backends.kwallet", "DBusKeyringKWallet4"),
    ("keyring.backends.macOS", "Keyring"),
    ("keyring.backends.Windows", "WinVaultKeyring"),
)
"""Module and class of the keyring backends that encrypt. Others (plain files, null, fail) are never used."""
_SYSTEMS = {"keyring.backends.macOS": "darwin", "keyring.backends.Windows": "win32"}
"""The ``sys.platform`` of those that only one system has."""
_REACHED_BY = {"keyring.backends.SecretService": "DBUS_SESSION_BUS_ADDRESS"}
"""The variable by which alone one finds its service: without it its many imports are in vain."""

PIECE = 1200
"""The most characters of one entry of the store: Windows takes 2,560 bytes, two for each character."""
FURTHER = 50
"""The most secrets of one profile beside its key."""
_FURTHER_KIND = "further"
_PART_KIND = "part"


class Place(Enum):
    """Where a secret is kept."""

    SYSTEM = "system"
    MEMORY = "memory"
    FILE = "file"
    ENVIRONMENT = "environment"

    @property
    def words(self) -> str:
        """One sentence for the label beside the field."""
        return {
            Place.SYSTEM: "Saved in the system's password store.",
            Place.MEMORY: "Kept in memory until the program ends.",
            Place.FILE: "Saved in a file locked by your passphrase.",
            Place.ENVIRONMENT: "Taken from an environment variable.",
        }[self]


@dataclass(frozen=True, slots=True)
class Holding:
    """Where a profile's key is kept, and where one could be."""

    place: Place | None
    """Where its key is kept; None when there is none."""
    system: bool
    """Whether the system has an accepted password store."""
    file: bool
    """Whether the encrypted file exists."""
    opened: bool
    """Whether the encrypted file is open."""

    @property
    def locked(self) -> bool:
        """Whether the encrypted file exists and is closed: a key that is not found elsewhere may be in it."""
        return self.file and not self.opened


class Secrets:
    """Loads, saves and removes the credential of a profile. ``notices`` has a sentence for each thing that failed.

    The Sandbox's key is kept in memory only: there is a new one at each start.
    """

    def __init__(
        self,
        folders: Folders,
        backend: KeyringBackend | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """``backend`` replaces the one that keyring chooses; it must be one of `ACCEPTED` too."""
        self.notices: list[str] = []
        self.sealed = SealedFile(folders.config / "secrets.sealed")
        self._backend = backend
        self._looked = False
        self._environ = os.environ if environ is None else environ
        self._memory: dict[str, tuple[str, Credential]] = {}
        self._memory_only: set[str] = set()
        """Ids of profiles whose key the user wants to keep in memory only."""
        self._environment_tried = False
        self._further: dict[str, tuple[str, str]] = {}

    def load(self, profile: Profile) -> Credential | None:
        """The profile's credential; None when no place has one for its id and address. Raises ProfileFault.

        For another than the built-in interface it comes with the secret parts of the profile's connections: those of
        variables (`PART_VARIABLE`) for the connection in use, else those that `keep_part` kept.
        """
        found = self._find(profile)
        if found is None or not profile.interface:
            return found[1] if found else None
        parts = self._parts(profile)
        for variable, text in self._environ.items():
            if variable.startswith(PART_VARIABLE) and text.strip():
                parts[profile.connection, variable.removeprefix(PART_VARIABLE)] = text
        return Credential(profile.auth, found[1].reveal(), parts)

    def _parts(self, profile: Profile) -> dict[tuple[str, str], str]:
        """The secret parts that are kept, by connection and name."""
        parts: dict[tuple[str, str], str] = {}
        for name in self._names(profile):
            kind, _, rest = name.partition(" ")
            if kind == _PART_KIND and (text := self.recall(profile, name)):
                part, _, connection = rest.partition(" ")
                parts[connection, part] = text
        return parts

    def keep_part(
        self, profile: Profile, connection: str, name: str, text: str, place: Place | None = None
    ) -> Place:
        """Keeps the secret part ``name`` of a connection of the profile, as `keep` does. Raises ProfileFault."""
        return self.keep(profile, f"{_PART_KIND} {part_key(name)} {connection}", clean_secret(text)[0], place)

    def move_parts(self, profile: Profile, place: Place | None) -> None:
        """Keeps the secret parts of all connections at ``place``, where the key goes. Raises ProfileFault."""
        for (connection, name), text in self._parts(profile).items():
            self.keep_part(profile, connection, name, text, place)

    def place(self, profile: Profile) -> Place | None:
        """Where `load` finds it; None when there is none. Raises ProfileFault."""
        found = self._find(profile)
        return found[0] if found else None

    def holding(self, profile: Profile | None) -> Holding:
        """Where the key of ``profile`` is kept, and where it could be. Raises ProfileFault."""
        place = self.place(profile) if profile is not None else None
        return Holding(place, self._system() is not None, self.sealed.exists, self.sealed.is_open)

    def save(self, profile: Profile, secret: str, place: Place | None = None) -> Place:
        """Keeps ``secret`` at ``place``, else at the first place that accepts it; returns where it is kept.

        Raises ProfileFault: field ``secret`` when a header cannot carry it, ``passphrase`` when ``place`` is the
        encrypted file and it is closed.
        """
        credential = Credential(profile.auth, secret)
        value = {"base_url": profile.key_for, "kind": profile.auth.value, "secret": credential.reveal()}
        held = Place.MEMORY
        if place is Place.FILE:
            self.sealed.change(lambda entries: entries.update({profile.id: value}))
            held = Place.FILE
        elif place is not Place.MEMORY and not profile.is_builtin:
            held = self._keep(profile.id, value)
        (self._memory_only.add if place is Place.MEMORY else self._memory_only.discard)(profile.id)
        if held is Place.MEMORY:
            self._memory[profile.id] = (profile.key_for, credential)
        else:
            self._memory.pop(profile.id, None)
        if not profile.is_builtin:
            self._take_off(profile.id, but=held)
        return held

    def forget(self, profile: Profile) -> None:
        """Removes the profile's secret from every place, with a notice for what cannot be reached."""
        if (
            self.sealed.exists
            and not self.sealed.is_open
            and self.place(profile) in (None, Place.ENVIRONMENT)
        ):
            self._add_notice(f"The key file is locked: a key of {profile.name} in it stays there, unused.")
        self._memory.pop(profile.id, None)
        for name in self._names(profile):
            self.drop(profile, name)
        if profile.is_builtin:
            return
        self._take_off(profile.id)

    def keep(self, profile: Profile, name: str, text: str, place: Place | None = None) -> Place:
        """Keeps a further secret of the profile, such as a magic link, for its address like the key, which see for
        ``place``.

        Beyond `FURTHER` the oldest are removed. Those of the Sandbox are kept in memory only.
        """
        id_ = f"{profile.id}/{name}"
        names = [known for known in self._names(profile) if known != name]
        value = {"base_url": profile.addresses, "kind": _FURTHER_KIND, "secret": text}
        held = Place.MEMORY
        if place is Place.FILE:
            self.sealed.change(lambda entries: entries.update({id_: value}))
            held = Place.FILE
        elif place is not Place.MEMORY and not profile.is_builtin:
            held = self._keep(id_, value)
        if place is not None and not profile.is_builtin:
            self._take_off(id_, but=held)
        self._further.pop(id_, None)
        if held is Place.MEMORY:
            self._further[id_] = (profile.addresses, text)
            return held
        for old in names[: max(len(names) + 1 - FURTHER, 0)]:
            self.drop(profile, old)
        self._list(profile, [*names[-(FURTHER - 1) :], name])
        return held

    def recall(self, profile: Profile, name: str) -> str | None:
        """The further secret of that name; None when no place has it for this address. Raises ProfileFault."""
        id_ = f"{profile.id}/{name}"
        base_url, text = self._further.get(id_, ("", None))
        # The Sandbox has another port at each start, where earlier secrets are not valid.
        if text is not None and base_url == profile.addresses:
            return text
        if profile.is_builtin:
            return None
        for _, value in self._kept(id_):
            if value.get("base_url") == profile.addresses and value.get("kind") == _FURTHER_KIND:
                return str(value.get("secret", ""))
        return None

    def drop(self, profile: Profile, name: str) -> None:
        """Removes a further secret from every place; nothing happens when there is none."""
        id_ = f"{profile.id}/{name}"
        self._further.pop(id_, None)
        if profile.is_builtin:
            return
        self._take_off(id_)
        names = self._names(profile)
        if name in names:
            self._list(profile, [known for known in names if known != name])

    def _names(self, profile: Profile) -> list[str]:
        """The names of the further secrets, which are kept as well, as password stores cannot list entries."""
        start = f"{profile.id}/"
        held = [id_.removeprefix(start) for id_ in self._further if id_.startswith(start)]
        found = [] if profile.is_builtin else [value for _, value in self._kept(start)]
        kept = [name for value in found for name in str(value.get("names", "")).split("\n") if name]
        return list(dict.fromkeys([*kept, *held]))

    def _list(self, profile: Profile, names: list[str]) -> None:
        """Keeps the list of names at the same place as the secrets; an empty one is removed."""
        kept = [name for name in names if f"{profile.id}/{name}" not in self._further]
        if kept:
            self._keep(f"{profile.id}/", {"names": "\n".join(kept)})
        else:
            self._take_off(f"{profile.id}/")

    def _take_off(self, id_: str, but: Place | None = None) -> None:
        backend = self._system() if but is not Place.SYSTEM else None
        if backend and isinstance(held := self._ask("get_password", id_), str):
            self._ask("delete_password", id_)
            self._delete_pieces(id_, held)
        if but is not Place.FILE and id_ in self.sealed.entries():
            self.sealed.change(lambda entries: _drop(entries, id_))

    def use_passphrase(self, passphrase: str) -> None:
        """Opens or creates the encrypted file. From then on it is used where the system's store cannot be.

        Keys in memory are moved into it, but not those that the user wants in memory only; further secrets stay in
        memory. Raises ProfileFault (field ``passphrase`` or ``file``).
        """
        self.sealed.open(passphrase)
        self.notices += self.sealed.notices
        self.sealed.notices.clear()
        for id_, (base_url, credential) in list(self._memory.items()):
            if id_ != "sandbox" and id_ not in self._memory_only:
                value = {"base_url": base_url, "kind": credential.kind.value, "secret": credential.reveal()}
                if self._keep(id_, value) is not Place.MEMORY:
                    self._memory.pop(id_, None)

    def _keep(self, id_: str, value: dict[str, str]) -> Place:
        if self._system() and self._put(id_, json.dumps(value)):
            return Place.SYSTEM
        if self.sealed.is_open:
            self.sealed.change(lambda entries: entries.update({id_: value}))
            return Place.FILE
        return Place.MEMORY

    def _find(self, profile: Profile) -> tuple[Place, Credential] | None:
        base_url, credential = self._memory.get(profile.id, ("", None))
        # The Sandbox has another port and another key at each start.
        if credential and credential.kind is profile.auth and base_url == profile.key_for:
            return Place.MEMORY, credential
        if profile.is_builtin:
            return None
        for place, value in self._kept(profile.id):
            if value.get("base_url") == profile.key_for and value.get("kind") == profile.auth.value:
                return place, Credential(profile.auth, str(value.get("secret", "")))
        found = of_environment(profile.auth, self._environ)
        return (Place.ENVIRONMENT, found) if found else None

    def _kept(self, id_: str) -> Iterator[tuple[Place, Mapping[str, Any]]]:
        if self._system() and isinstance(text := self._ask("get_password", id_), str):
            try:
                value = json.loads(self._whole(id_, text))
            except ValueError:
                value = None
            if isinstance(value, dict):
                yield Place.SYSTEM, value
        self._open_from_environment()
        if value := self.sealed.entries().get(id_):
            yield Place.FILE, value

    def _open_from_environment(self) -> None:
        """Opens the encrypted file with the variable's passphrase, tried once.

        Raises ProfileFault, which names the variable.
        """
        passphrase = self._environ.get(PASSPHRASE, "")
        if self._environment_tried or self.sealed.is_open or not (passphrase and self.sealed.exists):
            return
        self._environment_tried = True
        try:
            self.sealed.open(passphrase)
        except ProfileFault as fault:
            raise ProfileFault(f"{PASSPHRASE}: {fault.sentence}", fault.field) from None

    def _system(self) -> KeyringBackend | None:
        """The accepted backend, or None. Looked for once, as that needs a round trip on the session's D-Bus."""
        if not self._looked:
            self._looked = True
            chosen = self._backend
            if chosen is None:
                chosen = self._chosen()
            self._backend = accepted(chosen) if chosen is not None else None
        return self._backend

    def _chosen(self) -> KeyringBackend | None:
        try:
            from keyring import core  # here: it takes longer than the rest, and the window shows before

            return core.load_env() or core.load_config() or _own_store()
        except Exception as error:  # noqa: BLE001 - backends are third-party code, chosen by the user's settings
            self._add_notice(f"The system's password store could not be checked ({type(error).__name__}).")
            return None

    def _put(self, id_: str, text: str) -> bool:
        """Keeps ``text`` in the store; False when that refused, which then has what it had.

        A long one is kept in pieces of a new name each time: an entry that names them takes the place of the one before
        when all of them are there, so that no piece of one text is ever read with a piece of another.
        """
        before, entry = self._ask("get_password", id_), text
        if len(text) > PIECE:
            entry = json.dumps({"pieces": os.urandom(8).hex(), "count": -(-len(text) // PIECE)})
        names = _pieces(id_, entry)
        kept = all(
            self._ask("set_password", name, text[at * PIECE : (at + 1) * PIECE]) is not _FAILED
            for at, name in enumerate(names)
        )
        if not kept or self._ask("set_password", id_, entry) is _FAILED:
            self._delete_pieces(id_, entry)
            return False
        if isinstance(before, str):
            self._delete_pieces(id_, before)
        return True

    def _whole(self, id_: str, entry: str) -> str:
        """The text of an entry, from its pieces if it has any; no JSON where one of them is missing."""
        pieces = [self._ask("get_password", name) for name in _pieces(id_, entry)]
        if not all(isinstance(piece, str) for piece in pieces):
            return ""
        return "".join(pieces) or entry

    def _delete_pieces(self, id_: str, entry: str) -> None:
        for name in _pieces(id_, entry):
            if isinstance(self._ask("get_password", name), str):
                self._ask("delete_password", name)

    def _ask(self, method: str, id_: str, *value: str) -> Any:
        """Calls the store. Its errors may quote the secret, so a notice only has their class."""
        try:
            return getattr(self._backend, method)(SERVICE, id_, *value)
        except Exception as error:  # noqa: BLE001 - D-Bus, Windows and macOS each raise their own
            verb = {"get_password": "be read", "set_password": "keep the key"}.get(method, "forget the key")
            self._add_notice(f"The system's password store could not {verb} ({type(error).__name__}).")
            return _FAILED

    def _add_notice(self, sentence: str) -> None:
        if sentence not in self.notices:
            self.notices.append(sentence)


def _own_store() -> KeyringBackend | None:
    """The accepted backend of this system with the highest priority; None where none can be used.

    keyring.get_keyring chooses the same, after it imported those of every system: on Linux that of macOS alone looks
    for three libraries with processes of their own, and takes longer than this window needs for its first list.
    """
    found: list[tuple[float, KeyringBackend]] = []
    for module, name in ACCEPTED:
        if _SYSTEMS.get(module, sys.platform) != sys.platform:
            continue
        if module in _REACHED_BY and not os.environ.get(_REACHED_BY[module]):
            continue
        # A library that is missing, or a service that does not run: the next one may be there.
        with contextlib.suppress(Exception):
            kind = getattr(import_module(module), name)
            found.append((kind.priority, kind()))
    return max(found, key=itemgetter(0))[1] if found else None


_FAILED = object()


def _drop(entries: Entries, id_: str) -> None:
    entries.pop(id_, None)


def _pieces(id_: str, entry: str) -> list[str]:
    """The names of the entries that hold the text in place of ``entry``; none when it is the text itself."""
    named = re.fullmatch(r'\{"pieces": "(\w+)", "count": (\d{1,4})\}', entry)
    return [f"{id_}#{named[1]}.{number}" for number in range(int(named[2]))] if named else []


def accepted(backend: KeyringBackend) -> KeyringBackend | None:
    """``backend`` when its exact class is in `ACCEPTED`; of a chainer the first such member; else None."""
    kind = type(backend)
    if (kind.__module__, kind.__qualname__) == ("keyring.backends.chainer", "ChainerBackend"):
        members = list(getattr(backend, "backends", ()))
        return next((found for one in members if (found := accepted(one)) is not None), None)
    return backend if (kind.__module__, kind.__qualname__) in ACCEPTED else None


def of_environment(auth: Auth, environ: Mapping[str, str] | None = None) -> Credential | None:
    """The credential in the variable that `VARIABLES` names for ``auth``; else None.

    Raises ProfileFault, which names the variable and not its value, when a header cannot carry it.
    """
    name = VARIABLES[auth]
    text = (os.environ if environ is None else environ).get(name, "")
    if not text.strip():
        return None
    try:
        return Credential(auth, clean_secret(text, auth)[0])
    except ProfileFault as fault:
        raise ProfileFault(f"{name}: {fault.sentence}", "secret") from None
