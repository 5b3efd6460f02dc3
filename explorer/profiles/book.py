"""The file of profiles: one small JSON file that several windows share, replaced atomically.

Each change reads, changes and writes it under a lock, so that two windows that save different profiles lose nothing. A
file that cannot be read, or that a newer version wrote, is renamed, with a notice, and never overwritten.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from explorer.paths import Folders
from explorer.profiles.fault import ProfileFault
from explorer.profiles.files import locked, set_aside, sweep, words_of, write_atomically
from explorer.profiles.values import LONGEST_NAME, SANDBOX_ID, Environment, Guard, Profile

VERSION = 1
MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""By version, the function that migrates to the next version. The file is copied before the first of them runs."""
IMPORT_LIMIT = 16 * 2**20
"""The most bytes of a file to import. Exports are far smaller."""
_KIND = "unified-explorer profiles"


class Profiles:
    """All profiles of the user: the built-in Sandbox, then those of ``config/profiles.json`` in the file's order.

    Every method raises ProfileFault (field ``file``) when the file cannot be read or written; the file is then as it
    was. ``notices`` has a sentence for each file that was set aside and each entry that could not be used.
    """

    def __init__(self, folders: Folders) -> None:
        self.path = folders.config / "profiles.json"
        self.notices: list[str] = []
        self._load()

    def all(self) -> tuple[Profile, ...]:
        """Every profile, read from the file now, so with what other windows have saved."""
        return self._profiles(self._load())

    def get(self, name_or_id: str) -> Profile:
        """The profile with that id, else with that name in any case. Raises ProfileFault (``name``) without one."""
        every = self.all()
        for profile in every:
            if profile.id == name_or_id:
                return profile
        for profile in every:
            if profile.name.casefold() == name_or_id.strip().casefold():
                return profile
        known = ", ".join(p.name for p in every)
        raise ProfileFault(f"There is no profile named {name_or_id!r}. There are: {known}.", "name")

    def free_name(self, name: str) -> str:
        """``name``, as much as fits, with a number behind it where a profile has that name already."""
        taken = {profile.name.casefold() for profile in self.all()}
        free, number = name[:LONGEST_NAME].strip(), 2
        while free.casefold() in taken:
            free, number = f"{name[:70]} ({number})", number + 1
        return free

    def save(self, profile: Profile) -> None:
        """Adds ``profile``, or replaces the one with its id. Raises ProfileFault when another one has its name.

        Of the built-in profile everything is saved but its name, environment and address.
        """
        entry = profile.model_dump(mode="json")
        if profile.is_builtin:
            entry = {k: v for k, v in entry.items() if k not in ("name", "environment", "base_url")}

        def change(book: dict[str, Any]) -> None:
            if any(_same_name(p, profile) for p in self._profiles(book) if p.id != profile.id):
                raise ProfileFault(f"There is a profile named {profile.name} already.", "name")
            entries = book["profiles"]
            place = next((i for i, e in enumerate(entries) if _id_of(e) == profile.id), len(entries))
            entries[place : place + 1] = [entry]

        self._change(change)

    def remove(self, id: str) -> None:  # noqa: A002 - the field's name
        """Removes the profile; nothing happens when there is none. Raises ProfileFault for the built-in one."""
        if id == SANDBOX_ID:
            raise ProfileFault("The Sandbox comes with the program and cannot be removed.")

        def change(book: dict[str, Any]) -> None:
            book["profiles"] = [e for e in book["profiles"] if _id_of(e) != id]
            if book.get("last_used") == id:
                del book["last_used"]

        self._change(change)

    @property
    def last_used(self) -> str:
        """The id of the profile that was open last; the Sandbox's when there is none or it was removed."""
        book = self._load()
        known = {p.id for p in self._profiles(book)}
        last = book.get("last_used")
        return last if isinstance(last, str) and last in known else SANDBOX_ID

    @last_used.setter
    def last_used(self, id: str) -> None:  # noqa: A002
        self._change(lambda book: book.update(last_used=id))

    def export(self, path: Path, ids: Iterable[str]) -> None:
        """Writes the profiles of ``ids`` to ``path``: known fields only, without id, secret or consent to plain http.

        Raises ProfileFault.
        """
        wanted = set(ids)
        entries = [
            p.model_dump(mode="json", include=set(Profile.model_fields) - _OWN)
            for p in self.all()
            if p.id in wanted and not p.is_builtin
        ]
        try:
            write_atomically(path, _encode({"kind": _KIND, "version": VERSION, "profiles": entries}))
        except OSError as error:
            raise ProfileFault(f"{path.name} could not be written: {words_of(error)}.", "file") from None

    def import_(self, path: Path) -> list[Profile]:
        """Adds the profiles of an exported file under new ids, and returns them. Secrets are never imported.

        A name that is in use gets a number; a production profile becomes read only. An entry that cannot be used is
        skipped, with a notice. Raises ProfileFault when the file is not an export of profiles.
        """
        added = []
        for number, entry in enumerate(_exported(path), start=1):
            try:
                added.append(self._import_one(entry))
            except ProfileFault as fault:
                if fault.field == "file":
                    raise
                self.notices.append(f"{path.name}, profile {number}: {fault.sentence} It was skipped.")
        return added

    def _import_one(self, entry: Any) -> Profile:
        if not isinstance(entry, dict):
            raise ProfileFault("It is no object.")
        known = {k: v for k, v in entry.items() if k in Profile.model_fields and k not in _OWN}
        profile = Profile.model_validate(known)
        if profile.environment is Environment.PRODUCTION:
            profile = profile.changed(guard=Guard.READ_ONLY)
        profile = profile.changed(name=self.free_name(profile.name))
        self.save(profile)
        return profile

    def _profiles(self, book: dict[str, Any]) -> tuple[Profile, ...]:
        """The usable entries of ``book``. The others stay in the file, and each gets a notice once."""
        found, sandbox = [], Profile.sandbox()
        for number, entry in enumerate(book["profiles"], start=1):
            try:
                if _id_of(entry) == SANDBOX_ID:
                    sandbox = Profile.sandbox(**{k: v for k, v in entry.items() if k not in _FIXED})
                elif isinstance(entry, dict) and entry.get("id"):
                    found.append(Profile.model_validate(entry))
                else:
                    raise ProfileFault("It is not an object with an id.")
            except ProfileFault as fault:
                self._add_notice(
                    f"Profile {number} in {self.path} cannot be used and was left as it is: {fault.sentence}"
                )
        return (sandbox, *found)

    def _add_notice(self, sentence: str) -> None:
        if sentence not in self.notices:
            self.notices.append(sentence)

    def _load(self) -> dict[str, Any]:
        """The content of the file; an empty one when there is none. A file that cannot be read is renamed."""
        try:
            return self._read()
        except _UnusableError:
            pass
        try:
            with locked(self.path):
                return self._usable()
        except OSError as error:
            raise self._fault("read", error) from None

    def _usable(self) -> dict[str, Any]:
        """The same, called under the lock: another window may have repaired the file in the meantime."""
        try:
            return self._read()
        except _UnusableError as unusable:
            aside = set_aside(self.path, unusable.why)
            self._add_notice(f"{unusable.sentence} It was kept unchanged as {aside.name} in {aside.parent}.")
            return {"version": VERSION, "profiles": []}

    def _read(self) -> dict[str, Any]:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return {"version": VERSION, "profiles": []}
        except OSError as error:
            raise self._fault("read", error) from None
        try:
            book = json.loads(data, parse_constant=_no_number)
        except (ValueError, RecursionError):
            raise _UnusableError("damaged", "The profiles file is damaged.") from None
        version = book.get("version") if isinstance(book, dict) else None
        if type(version) is not int or not isinstance(book.get("profiles"), list):
            raise _UnusableError("damaged", "The profiles file does not have the expected form.")
        if version > VERSION:
            raise _UnusableError("newer", "The profiles file was written by a newer version of this program.")
        return book if version == VERSION else self._migrated(book, version, data)

    def _migrated(self, book: dict[str, Any], version: int, data: bytes) -> dict[str, Any]:
        backup = self.path.with_name(f"{self.path.stem}.version-{version}{self.path.suffix}")
        try:
            for step in range(version, VERSION):
                book = MIGRATIONS[step](book)
            if not backup.exists():
                write_atomically(backup, data)
        except OSError as error:
            raise self._fault("copied aside", error) from None
        except (KeyError, TypeError, ValueError, AttributeError):
            raise _UnusableError(
                "damaged", "The profiles file could not be converted to this version."
            ) from None
        return {**book, "version": VERSION}

    def _change(self, change: Callable[[dict[str, Any]], None]) -> None:
        try:
            with locked(self.path):
                sweep(self.path)
                book = self._usable()
                change(book)
                write_atomically(self.path, _encode(book))
        except OSError as error:
            raise self._fault("written", error) from None

    def _fault(self, verb: str, error: OSError) -> ProfileFault:
        return ProfileFault(f"The profiles file {self.path} could not be {verb}: {words_of(error)}.", "file")


class _UnusableError(Exception):
    """The file exists and cannot be used: damaged, or of a newer version."""

    def __init__(self, why: str, sentence: str) -> None:
        super().__init__(sentence)
        self.why = why
        self.sentence = sentence


_OWN = {"id", "http_allowed"}
"""Fields that are neither exported nor imported."""
_FIXED = ("id", "name", "environment", "base_url")


def _no_number(word: str) -> None:
    raise ValueError(word)


def _id_of(entry: Any) -> Any:
    return entry.get("id") if isinstance(entry, dict) else None


def _same_name(one: Profile, other: Profile) -> bool:
    return one.name.casefold() == other.name.casefold()


def _encode(book: dict[str, Any]) -> bytes:
    return (json.dumps(book, ensure_ascii=True, indent=2, allow_nan=False) + "\n").encode()


def _exported(path: Path) -> list[Any]:
    """The entries of an exported file. Raises ProfileFault (field ``file``)."""
    try:
        if path.stat().st_size > IMPORT_LIMIT:
            raise ProfileFault(f"{path.name} is too large to be a profiles file.", "file")
        book = json.loads(path.read_bytes(), parse_constant=_no_number)
    except OSError as error:
        raise ProfileFault(f"{path.name} could not be read: {words_of(error)}.", "file") from None
    except (ValueError, RecursionError):
        raise ProfileFault(f"{path.name} is no JSON.", "file") from None
    if not isinstance(book, dict) or not isinstance(book.get("profiles"), list):
        raise ProfileFault(f"{path.name} is not a file of exported profiles.", "file")
    version = book.get("version")
    if type(version) is int and version > VERSION:
        raise ProfileFault(f"{path.name} was written by a newer version of this program.", "file")
    entries: list[Any] = book["profiles"]
    return entries
