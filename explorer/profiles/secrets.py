"""Where a profile's key is held: a ladder from the system's store down to an environment variable.

1. The system's own store, accepted by class; nothing that might write plain text. 2. Memory, for this session. 3. On
the user's wish, a file under a passphrase. 4. An environment variable, for runs without a user. Whoever saves a key
may name one of the first three, and it is taken off the others. A stored secret is bound to the profile's id *and* base
address: an edited address does not receive the old key.

Every method may block, for minutes when a locked store waits for its owner: call them in a worker thread.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from explorer.paths import Folders
from explorer.profiles.credential import Auth, Credential, clean_secret
from explorer.profiles.fault import ProfileFault
from explorer.profiles.sealed import Entries, SealedFile
from explorer.profiles.values import Profile

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

SERVICE = "Unified Explorer"
VARIABLES = {Auth.APIKEY: "UNIFIED_EXPLORER_APIKEY", Auth.BEARER: "UNIFIED_EXPLORER_TOKEN"}
PASSPHRASE = "UNIFIED_EXPLORER_PASSPHRASE"  # noqa: S105 - the name of a variable
"""The variable that opens the file of keys, for runs without a user."""
SECRET_VARIABLES = (*VARIABLES.values(), PASSPHRASE)
ACCEPTED = (
    ("keyring.backends.SecretService", "Keyring"),
    ("keyring.backends.kwallet", "DBusKeyring"),
    ("keyring.backends.kwallet", "DBusKeyringKWallet4"),
    ("keyring.backends.macOS", "Keyring"),
    ("keyring.backends.Windows", "WinVaultKeyring"),
)
"""Module and class of the stores that encrypt; others (plain files, null, fail) are never written to."""


FURTHER = 50
"""Secrets beside the key that are kept for one profile."""
_FURTHER_KIND = "further"


class Place(Enum):
    """Where a secret is held."""

    SYSTEM = "system"
    MEMORY = "memory"
    FILE = "file"
    ENVIRONMENT = "environment"

    @property
    def words(self) -> str:
        """For the label beside the field."""
        return {
            Place.SYSTEM: "Saved in the system's password store.",
            Place.MEMORY: "Kept in memory until the program ends.",
            Place.FILE: "Saved in a file locked by your passphrase.",
            Place.ENVIRONMENT: "Taken from an environment variable.",
        }[self]


@dataclass(frozen=True, slots=True)
class Holding:
    """How it stands with a profile's key, and where one could be kept."""

    place: Place | None
    """Where its key is held; None where none was found."""
    system: bool
    """This system has a store of its own that is good for keys."""
    file: bool
    """There is a file of keys under a passphrase."""
    opened: bool
    """Its passphrase was given."""

    @property
    def locked(self) -> bool:
        """The file is there and closed: a key that is not found elsewhere may be in it."""
        return self.file and not self.opened


class Secrets:
    """Loads, saves and forgets the credential of a profile. ``notices`` says, in sentences, what did not
    work.

    The Sandbox's key lives in memory alone: it is another one at each start.
    """

    def __init__(
        self,
        folders: Folders,
        backend: KeyringBackend | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """``backend`` in place of the one that keyring would choose; it is held to the same rule."""
        self.notices: list[str] = []
        self.sealed = SealedFile(folders.config / "secrets.sealed")
        self._backend = backend
        self._looked = False
        self._environ = os.environ if environ is None else environ
        self._memory: dict[str, tuple[str, Credential]] = {}
        self._memory_only: set[str] = set()
        """Ids whose key is to stay in memory, by the user's choice."""
        self._environment_tried = False
        self._further: dict[str, tuple[str, str]] = {}

    def load(self, profile: Profile) -> Credential | None:
        """The profile's credential, or None when no rung has one for its id and address. Raises
        ProfileFault.
        """
        found = self._find(profile)
        return found[1] if found else None

    def place(self, profile: Profile) -> Place | None:
        """Which rung `load` takes it from."""
        found = self._find(profile)
        return found[0] if found else None

    def holding(self, profile: Profile | None) -> Holding:
        """Where the key of ``profile`` is, and where it could be kept. Raises ProfileFault."""
        place = self.place(profile) if profile is not None else None
        return Holding(place, self._system() is not None, self.sealed.exists, self.sealed.is_open)

    def save(self, profile: Profile, secret: str, place: Place | None = None) -> Place:
        """Holds ``secret`` at ``place``, else on the highest rung that takes it; gives back where it is held.

        Raises ProfileFault: field ``secret`` when no header could carry it, ``passphrase`` when the file it is
        meant for is closed.
        """
        credential = Credential(profile.auth, secret)
        value = {"base_url": profile.base_url, "kind": profile.auth.value, "secret": credential.reveal()}
        held = Place.MEMORY
        if place is Place.FILE:
            self.sealed.change(lambda entries: entries.update({profile.id: value}))
            held = Place.FILE
        elif place is not Place.MEMORY and not profile.is_builtin:
            held = self._keep(profile.id, value)
        (self._memory_only.add if place is Place.MEMORY else self._memory_only.discard)(profile.id)
        if held is Place.MEMORY:
            self._memory[profile.id] = (profile.base_url, credential)
        else:
            self._memory.pop(profile.id, None)
        if not profile.is_builtin:
            self._take_off(profile.id, but=held)
        return held

    def forget(self, profile: Profile) -> None:
        """Takes the profile's secret off every rung that can be written. What cannot be reached is said."""
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

    def keep(self, profile: Profile, name: str, text: str) -> Place:
        """Holds a further secret of the profile, as a link that was made, bound to its address like the key.

        Of those beyond `FURTHER` the oldest are dropped. The Sandbox's live in memory alone.
        """
        id_ = f"{profile.id}/{name}"
        names = [known for known in self._names(profile) if known != name]
        place = Place.MEMORY
        if not profile.is_builtin:
            place = self._keep(id_, {"base_url": profile.base_url, "kind": _FURTHER_KIND, "secret": text})
        self._further.pop(id_, None)
        if place is Place.MEMORY:
            self._further[id_] = (profile.base_url, text)
            return place
        for old in names[: max(len(names) + 1 - FURTHER, 0)]:
            self.drop(profile, old)
        self._list(profile, [*names[-(FURTHER - 1) :], name])
        return place

    def recall(self, profile: Profile, name: str) -> str | None:
        """A further secret by its name, or None when no rung has it for this address. Raises ProfileFault."""
        id_ = f"{profile.id}/{name}"
        base_url, text = self._further.get(id_, ("", None))
        # The Sandbox listens on another port at each start: what it made before is worth nothing there.
        if text is not None and base_url == profile.base_url:
            return text
        if profile.is_builtin:
            return None
        for _, value in self._kept(id_):
            if value.get("base_url") == profile.base_url and value.get("kind") == _FURTHER_KIND:
                return str(value.get("secret", ""))
        return None

    def drop(self, profile: Profile, name: str) -> None:
        """Takes a further secret off every rung that can be written; nothing if there is none."""
        id_ = f"{profile.id}/{name}"
        self._further.pop(id_, None)
        if profile.is_builtin:
            return
        self._take_off(id_)
        names = self._names(profile)
        if name in names:
            self._list(profile, [known for known in names if known != name])

    def _names(self, profile: Profile) -> list[str]:
        """The names of what is kept beside the key: no system's store can be asked for them."""
        start = f"{profile.id}/"
        held = [id_.removeprefix(start) for id_ in self._further if id_.startswith(start)]
        found = [] if profile.is_builtin else [value for _, value in self._kept(start)]
        kept = [name for value in found for name in str(value.get("names", "")).split("\n") if name]
        return list(dict.fromkeys([*kept, *held]))

    def _list(self, profile: Profile, names: list[str]) -> None:
        """Keeps the list of names where the secrets are; an empty one goes."""
        kept = [name for name in names if f"{profile.id}/{name}" not in self._further]
        if kept:
            self._keep(f"{profile.id}/", {"names": "\n".join(kept)})
        else:
            self._take_off(f"{profile.id}/")

    def _take_off(self, id_: str, but: Place | None = None) -> None:
        backend = self._system() if but is not Place.SYSTEM else None
        if backend and isinstance(self._ask("get_password", id_), str):
            self._ask("delete_password", id_)
        if but is not Place.FILE and id_ in self.sealed.entries():
            self.sealed.change(lambda entries: _drop(entries, id_))

    def use_passphrase(self, passphrase: str) -> None:
        """Opens the file of keys, or makes it; from then on it takes what the system's store does not.

        Keys of this session move from memory into it; what was kept beside them stays there. Raises
        ProfileFault (field ``passphrase`` or ``file``).
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
        if self._system() and self._ask("set_password", id_, json.dumps(value)) is not _FAILED:
            return Place.SYSTEM
        if self.sealed.is_open:
            self.sealed.change(lambda entries: entries.update({id_: value}))
            return Place.FILE
        return Place.MEMORY

    def _find(self, profile: Profile) -> tuple[Place, Credential] | None:
        base_url, credential = self._memory.get(profile.id, ("", None))
        # The Sandbox listens on another port at each start; its key is renewed with it.
        if credential and credential.kind is profile.auth and base_url == profile.base_url:
            return Place.MEMORY, credential
        if profile.is_builtin:
            return None
        for place, value in self._kept(profile.id):
            if value.get("base_url") == profile.base_url and value.get("kind") == profile.auth.value:
                return place, Credential(profile.auth, str(value.get("secret", "")))
        found = of_environment(profile.auth, self._environ)
        return (Place.ENVIRONMENT, found) if found else None

    def _kept(self, id_: str) -> Iterator[tuple[Place, Mapping[str, Any]]]:
        if self._system() and isinstance(text := self._ask("get_password", id_), str):
            try:
                value = json.loads(text)
            except ValueError:
                value = None
            if isinstance(value, dict):
                yield Place.SYSTEM, value
        self._open_from_environment()
        if value := self.sealed.entries().get(id_):
            yield Place.FILE, value

    def _open_from_environment(self) -> None:
        """Opens the file with the variable's passphrase, tried once. Raises ProfileFault, which names the variable."""
        passphrase = self._environ.get(PASSPHRASE, "")
        if self._environment_tried or self.sealed.is_open or not (passphrase and self.sealed.exists):
            return
        self._environment_tried = True
        try:
            self.sealed.open(passphrase)
        except ProfileFault as fault:
            raise ProfileFault(f"{PASSPHRASE}: {fault.sentence}", fault.field) from None

    def _system(self) -> KeyringBackend | None:
        """The accepted backend, looked for once: it costs a conversation with the session's bus."""
        if not self._looked:
            self._looked = True
            chosen = self._backend
            if chosen is None:
                chosen = self._chosen()
            self._backend = accepted(chosen) if chosen is not None else None
        return self._backend

    def _chosen(self) -> KeyringBackend | None:
        try:
            import keyring

            return keyring.get_keyring()
        except Exception as error:  # noqa: BLE001 - backends are foreign code, chosen by the user's settings
            self._add_notice(f"The system's password store could not be checked ({type(error).__name__}).")
            return None

    def _ask(self, method: str, id_: str, *value: str) -> Any:
        """Calls the store. Its errors may quote what was given, so only their class is ever said."""
        try:
            return getattr(self._backend, method)(SERVICE, id_, *value)
        except Exception as error:  # noqa: BLE001 - D-Bus, Windows and macOS each raise their own
            verb = {"get_password": "be read", "set_password": "keep the key"}.get(method, "forget the key")
            self._add_notice(f"The system's password store could not {verb} ({type(error).__name__}).")
            return _FAILED

    def _add_notice(self, sentence: str) -> None:
        if sentence not in self.notices:
            self.notices.append(sentence)


_FAILED = object()


def _drop(entries: Entries, id_: str) -> None:
    entries.pop(id_, None)


def accepted(backend: KeyringBackend) -> KeyringBackend | None:
    """``backend`` if its very class is one that encrypts; of a chainer, the first such member; else None."""
    kind = type(backend)
    if (kind.__module__, kind.__qualname__) == ("keyring.backends.chainer", "ChainerBackend"):
        members = list(getattr(backend, "backends", ()))
        return next((found for one in members if (found := accepted(one)) is not None), None)
    return backend if (kind.__module__, kind.__qualname__) in ACCEPTED else None


def of_environment(auth: Auth, environ: Mapping[str, str] | None = None) -> Credential | None:
    """The credential of ``UNIFIED_EXPLORER_APIKEY`` or, for a bearer token, ``UNIFIED_EXPLORER_TOKEN``.

    Raises ProfileFault, which names the variable and not its value, when no header could carry it.
    """
    name = VARIABLES[auth]
    text = (os.environ if environ is None else environ).get(name, "")
    if not text.strip():
        return None
    try:
        return Credential(auth, clean_secret(text, auth)[0])
    except ProfileFault as fault:
        raise ProfileFault(f"{name}: {fault.sentence}", "secret") from None
