"""Snapshots: states of lists stored by name, unaffected when pulls are trimmed, cleared or restarted.

A snapshot is a pinned pull in the profile's store (`explorer.store.pins`), made at once. To pass it on, it is written
to a file (`snapshot_file`) and read from one. Earlier versions stored each as such a file in ``PROFILE.snapshots``:
those are added to the store when snapshots are first used, and stay there under another name as a copy.
"""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

from explorer.files import rename
from explorer.paths import Folders
from explorer.profiles.fault import ProfileFault
from explorer.profiles.files import locked
from explorer.quality.compare.rows import PullRows, Wanted, always
from explorer.quality.compare.snapshot_file import SUFFIX, faults, reading, write
from explorer.store import pins
from explorer.store.store import Store
from explorer.store.values import PullInfo, Snapshot, StoreFault

NAME_LENGTH = 80
PULL = "pull:"
PREVIOUS = "previous:"
SNAPSHOT = "snapshot:"
TAKEN = ".taken"
"""Suffix of a file whose snapshot has been added to the store."""
_WAIT_SECONDS = 600.0
"""How long one window waits for another that adds files: a million rows take a minute."""
_RESERVED = (PULL, PREVIOUS, SNAPSHOT)


class Snapshots:
    """The snapshots of one profile. Every method blocks, and raises StoreFault when it fails."""

    def __init__(self, path: Path) -> None:
        """``path``: the profile's store, which is created when it is first written to."""
        self.path = path
        self.folder = path.with_suffix(".snapshots")
        """Where earlier versions stored them as files."""

    @classmethod
    def of_profile(cls, folders: Folders, profile_id: str) -> Snapshots:
        """Those of the profile with that id."""
        return cls(Store.path_of(folders, profile_id))

    def all(self) -> tuple[tuple[Snapshot, ...], tuple[str, ...]]:
        """Every snapshot, the newest first, and a sentence for each unreadable file of an earlier version."""
        if not self.path.exists() and not self.folder.exists():
            return (), ()
        with self._opened() as store:
            wrong = self._take_over(store)
            return tuple(pins.all_of(store)), wrong

    def find(self, name: str) -> Snapshot:
        """The snapshot with that name, ignoring case. Raises StoreFault when there is none."""
        with self._opened() as store:
            self._take_over(store)
            return pins.find(store, name)

    def open(self, name: str, wanted: Wanted = always) -> PullRows:
        """The rows of the snapshot with that name, to be closed by the caller."""
        found = self.find(name)
        return PullRows.of_file(self.path, lambda _: found.info, found.name, wanted)

    def keep(self, name: str, info: PullInfo) -> Snapshot:
        """Keeps a pull under ``name``, with the pages that ``info`` counts; at once, because nothing is copied."""
        name = clean_name(name)
        with self._opened() as store:
            self._take_over(store)  # one of these may have the name
            return pins.pin(store, info, name)

    def rename(self, name: str, new: str) -> Snapshot:
        """Gives a snapshot another name."""
        new = clean_name(new)
        with self._opened() as store:
            self._take_over(store)
            return pins.rename(store, name, new)

    def delete(self, name: str) -> None:
        """Deletes a snapshot for good. Its pull stays where a list or another snapshot uses it."""
        with self._opened() as store:
            self._take_over(store)
            pins.unpin(store, name)
            while store.reap():
                pass

    def export(
        self,
        name: str,
        path: Path,
        wanted: Wanted = always,
        on_rows: Callable[[int], None] | None = None,
    ) -> Snapshot:
        """Writes a snapshot to a file for passing it on. ``on_rows`` receives the rows written. Raises CalledOff."""
        found = self.find(name)
        with self.open(found.name, wanted) as rows:
            write(path, found, rows, wanted, on_rows)
        return found

    def add(self, path: Path, name: str = "") -> Snapshot:
        """Adds the snapshot in a file that was received, as ``name`` or under its own name.

        The same snapshot is not added twice. If the file's name is taken it gets a number.
        """
        with self._opened() as store:
            self._take_over(store)
            return _added(store, path, clean_name(name) if name else "")

    @contextlib.contextmanager
    def _opened(self) -> Iterator[Store]:
        store = Store(self.path)
        try:
            yield store
        finally:
            store.close()

    def _take_over(self, store: Store) -> tuple[str, ...]:
        """Adds the files of earlier versions; returns a sentence for each unreadable one, which stays unchanged."""
        if not any(self.folder.glob(f"*{SUFFIX}")):
            return ()
        wrong = []
        try:
            with locked(self.folder / "names", _WAIT_SECONDS):
                for path in sorted(self.folder.glob(f"*{SUFFIX}")):
                    try:
                        _added(store, path)
                        with faults(path):
                            rename(path, path.with_name(path.name + TAKEN))
                    except StoreFault as fault:
                        wrong.append(fault.sentence)
        except ProfileFault as fault:
            raise StoreFault(fault.sentence, "Retry.") from None
        return tuple(wrong)


def _added(store: Store, path: Path, name: str = "") -> Snapshot:
    """Adds the snapshot in a file, unless one with that time and name exists."""
    with reading(path) as (called, kept_at, info, pages):
        called = clean_name(called)
        known = pins.all_of(store)
        for one in known:
            same = pins.folded(one.name) == pins.folded(name or called)
            if same and (one.kept_at, one.info.key) == (kept_at, info.key):
                return one
        name = name or free_name(called, {one.name for one in known})
        return pins.add(store, info, pages, name, kept_at)


def clean_name(name: str) -> str:
    """A name without surrounding spaces. Raises StoreFault, with the reason, for an invalid one."""
    name = unicodedata.normalize("NFC", name).strip()
    if not name:
        raise StoreFault("A snapshot needs a name.")
    if len(name) > NAME_LENGTH:
        raise StoreFault(f"A snapshot's name can have at most {NAME_LENGTH} characters.")
    if any(unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp") for sign in name):
        raise StoreFault("A snapshot's name cannot have control characters.")
    if name.lower().startswith(_RESERVED):
        raise StoreFault(
            f"A snapshot's name cannot begin with {', '.join(_RESERVED[:-1])} or {_RESERVED[-1]}."
        )
    return name


def free_name(wanted: str, taken: set[str]) -> str:
    """``wanted``, or with a number appended when it is taken."""
    folded = {pins.folded(name) for name in taken}
    wanted = re.sub(r"\s+", " ", wanted).strip()[: NAME_LENGTH - 5]
    number, name = 1, wanted
    while pins.folded(name) in folded:
        number += 1
        name = f"{wanted} {number}"
    return name
