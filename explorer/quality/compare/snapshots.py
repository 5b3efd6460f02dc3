"""Snapshots: states of lists kept by name, out of reach of whatever trims, clears or restarts the pulls.

One folder a profile beside its store, one file a snapshot. They hold records as they were received, as the store does.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import unicodedata
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from explorer.paths import Folders, private_folder
from explorer.profiles.fault import ProfileFault
from explorer.profiles.files import locked
from explorer.quality.compare.rows import PullRows, Wanted, always
from explorer.quality.compare.snapshot_file import (
    SUFFIX,
    Snapshot,
    SnapshotRows,
    describe,
    faults,
    rename,
    write,
)
from explorer.store import StoreFault

NAME_LENGTH = 80
PULL = "pull:"
PREVIOUS = "previous:"
SNAPSHOT = "snapshot:"
_WAIT_SECONDS = 600.0
"""How long one that keeps a snapshot waits for another that does: a million rows take a minute."""
_RESERVED = (PULL, PREVIOUS, SNAPSHOT)


class Snapshots:
    """The snapshots of one profile. Every method raises StoreFault with a plain sentence when it cannot be done."""

    def __init__(self, folder: Path) -> None:
        """``folder`` need not exist: it is made when the first is kept."""
        self.folder = folder

    @classmethod
    def of_profile(cls, folders: Folders, profile_id: str) -> Snapshots:
        """Those of the profile of that id."""
        return cls(folders.data / f"{profile_id}.snapshots")

    def all(self) -> tuple[tuple[Snapshot, ...], tuple[str, ...]]:
        """Every snapshot, the newest first, and a sentence for each file that cannot be read."""
        found, wrong = [], []
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            try:
                found.append(describe(path))
            except StoreFault as fault:
                wrong.append(fault.sentence)
        return tuple(sorted(found, key=lambda one: one.kept_at, reverse=True)), tuple(wrong)

    def find(self, name: str) -> Snapshot:
        """The one of that name, in whatever case it is written. Raises StoreFault when there is none."""
        wanted = _folded(name)
        for one in self.all()[0]:
            if _folded(one.name) == wanted:
                return one
        raise StoreFault(f"There is no snapshot {name!r}.", "`unified-explorer snapshot list` lists them.")

    def open(self, name: str, wanted: Wanted = always) -> SnapshotRows:
        """The rows of the one of that name. Close them."""
        return SnapshotRows(self.find(name), wanted)

    def keep(
        self,
        name: str,
        rows: PullRows,
        wanted: Wanted = always,
        on_rows: Callable[[int], None] | None = None,
    ) -> Snapshot:
        """Keeps those rows under ``name``. ``on_rows`` is told how many are written. Raises StoreFault, CalledOff."""
        name = self._free(name)
        stem = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"
        temporary, path = self.folder / f".{stem}.tmp", self.folder / f"{stem}{SUFFIX}"
        with self._alone("keeping", _WAIT_SECONDS):
            self._sweep()
            try:
                write(temporary, name, rows, wanted, on_rows)
                with self._alone("names"):
                    self._free(name)  # another window may have taken it meanwhile
                    with faults(path):
                        temporary.rename(path)
            except BaseException:
                with contextlib.suppress(OSError):
                    temporary.unlink(missing_ok=True)
                raise
        return describe(path)

    def rename(self, name: str, new: str) -> Snapshot:
        """Gives a snapshot another name."""
        with self._alone("names"):
            found = self.find(name)
            rename(found.path, self._free(new, but=found))
        return describe(found.path)

    def delete(self, name: str) -> None:
        """Deletes a snapshot for good."""
        with self._alone("names"):
            found = self.find(name)
            with faults(found.path):
                found.path.unlink()

    def _free(self, name: str, but: Snapshot | None = None) -> str:
        """``name`` as it is kept. Raises StoreFault when it is taken or cannot be one."""
        name = clean_name(name)
        for one in self.all()[0]:
            if _folded(one.name) == _folded(name) and (but is None or one.path != but.path):
                raise StoreFault(f"There is a snapshot {one.name!r} already.", "Choose another name.")
        return name

    def _sweep(self) -> None:
        """Removes what a killed program left. Only by the one that keeps: what is being written has such a name."""
        for stale in self.folder.glob(".*.tmp*"):
            with contextlib.suppress(OSError):
                stale.unlink()

    @contextlib.contextmanager
    def _alone(self, what: str, seconds: float = 10.0) -> Iterator[None]:
        with faults(self.folder):
            private_folder(self.folder)
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(locked(self.folder / what, seconds))
            except ProfileFault as fault:
                raise StoreFault(fault.sentence, "Retry.") from None
            yield


def clean_name(name: str) -> str:
    """A name without blanks around it. Raises StoreFault, with the reason, for what cannot be one."""
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
    """``wanted``, or with a number behind it when it is taken."""
    folded = {_folded(name) for name in taken}
    wanted = re.sub(r"\s+", " ", wanted).strip()[: NAME_LENGTH - 5]
    number, name = 1, wanted
    while _folded(name) in folded:
        number += 1
        name = f"{wanted} {number}"
    return name


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip().casefold()
