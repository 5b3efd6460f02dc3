"""The stored pulls of all profiles: listed, deleted, and kept within a size limit. Blocking: call it in a thread.

It works on the files of the stores, open or not; a window that shows rows of a pull closes that view first. The
journals (history of calls) are not part of it and stay.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from explorer.api.errors import ExplorerError
from explorer.catalog.spec import Listing
from explorer.session.pull_storage import key_of
from explorer.session.session import Session
from explorer.store.storage_usage import Kept, forget, kept, size_on_disk
from explorer.store.values import PullInfo, standings

DEFAULT_BUDGET = 2 * 10**9
"""Bytes that the pulls of all profiles may take together, unless the user set another limit."""
_SUFFIX = ".sqlite3"


@dataclass(frozen=True, slots=True)
class StoredProfile:
    """The stored pulls of one profile."""

    id: str
    path: Path
    bytes: int
    """The size of its file on the disk."""
    pulls: tuple[Kept, ...]
    """The least recently added to first."""
    fault: str = ""
    """Why its pulls cannot be listed, one sentence; empty when they can."""
    behind: frozenset[int] = frozenset()
    """Ids of earlier pulls, which were current before a reload."""
    begun: frozenset[int] = frozenset()
    """Ids of reloads that are under way or were stopped."""
    pinned: Mapping[int, str] = field(default_factory=dict)
    """The names of the snapshots of a pull, by its id, of those that are there for snapshots alone."""
    aside: tuple[Path, ...] = ()
    """Files that were set aside: damaged, of a newer version, or the copy from before a migration."""

    def standing(self, info: PullInfo) -> str:
        """``earlier pull``, ``reload under way`` or ``snapshot NAME``; empty for a current pull."""
        if info.id in self.pinned:
            return f"snapshot {self.pinned[info.id]}"
        return (
            "earlier pull" if info.id in self.behind else "reload under way" if info.id in self.begun else ""
        )

    @property
    def aside_bytes(self) -> int:
        """The size of those files."""
        return sum(size_on_disk(path) for path in self.aside)


def folder_of(session: Session) -> Path:
    """The folder of all stores, which is that of the session's own store."""
    return session.folders.data


def stored(folder: Path) -> list[StoredProfile]:
    """Every profile that has stored pulls, by id; also profiles that were removed since."""
    names = sorted(path.name for path in folder.glob(f"*{_SUFFIX}")) if folder.is_dir() else []
    ids = dict.fromkeys(name.split(".")[0] for name in names)
    return [made for made in (_profile(folder, one, names) for one in ids) if made is not None]


def _profile(folder: Path, profile_id: str, names: Sequence[str]) -> StoredProfile | None:
    path = folder / f"{profile_id}{_SUFFIX}"
    marks = tuple(f"{profile_id}.{why}-" for why in ("damaged", "newer", "version"))
    aside = tuple(folder / name for name in names if name.startswith(marks))
    pulls: tuple[Kept, ...] = ()
    fault = ""
    try:
        pulls = kept(path)
    except ExplorerError as error:
        fault = error.sentence
    if not path.exists() and not aside:
        return None
    listed = sorted((one.info for one in pulls if one.in_list), key=lambda info: info.id)
    found = standings(listed).values()
    begun = frozenset(one.begun.id for one in found if one.begun is not None)
    fronts = {one.front.id for one in found if one.front is not None}
    behind = frozenset(info.id for info in listed) - fronts - begun
    pinned = {one.info.id: ", ".join(one.snapshots) for one in pulls if not one.in_list}
    return StoredProfile(profile_id, path, size_on_disk(path), pulls, fault, behind, begun, pinned, aside)


def clear(folder: Path, profile_id: str, pulls: Collection[int] | None = None) -> None:
    """Deletes these pulls of a profile (ids), or with None all of them and the files that were set aside.

    Snapshots stay, with the pulls that they are of.

    Raises StoreFault, OSError.
    """
    path = folder / f"{profile_id}{_SUFFIX}"
    forget(path, pulls)
    if pulls is None:
        for one in stored(folder):
            for aside in one.aside if one.id == profile_id else ():
                for tail in ("", "-wal", "-shm"):
                    aside.with_name(aside.name + tail).unlink(missing_ok=True)


def fits(folder: Path, budget: int) -> bool:
    """Whether all stores together take at most ``budget`` bytes, by the sizes of their files."""
    return sum(size_on_disk(path) for path in folder.glob(f"*{_SUFFIX}")) <= budget


def trim(folder: Path, budget: int, keep: Mapping[str, Collection[int]]) -> list[tuple[str, PullInfo]]:
    """Deletes pulls of any profile until the rest fits into ``budget`` bytes, and returns them with their profile's id.

    Earlier pulls go first, then the least recently added to; never one of ``keep`` (ids by profile), one that
    a snapshot is of, nor the newest of a profile. A store that cannot be used at the moment is left as it is.
    """
    found = stored(folder)
    total = sum(one.bytes for profile in found for one in profile.pulls)
    oldest = sorted(
        (
            (one.info.id not in profile.behind, one.info.updated_at, profile.id, one)
            for profile in found
            for one in profile.pulls
            if not one.snapshots
            and one.info.id not in keep.get(profile.id, ())
            and one.info.id != _newest(profile)
        ),
        key=lambda each: each[:3],
    )
    chosen: list[tuple[str, Kept]] = []
    for _, _, profile_id, one in oldest:
        if total <= budget:
            break
        chosen.append((profile_id, one))
        total -= one.bytes
    gone = []
    for profile_id in dict.fromkeys(profile_id for profile_id, _ in chosen):
        mine = [one.info for whose, one in chosen if whose == profile_id]
        with contextlib.suppress(ExplorerError, OSError):
            forget(folder / f"{profile_id}{_SUFFIX}", {info.id for info in mine})
            gone += [(profile_id, info) for info in mine]
    return gone


def _newest(profile: StoredProfile) -> int:
    """The id of the current pull that was added to last; 0 when there is none."""
    others = profile.behind | profile.begun | profile.pinned.keys()
    return next((one.info.id for one in reversed(profile.pulls) if one.info.id not in others), 0)


def asked_for(
    session: Session,
    asked: Iterable[tuple[Listing, Mapping[str, Any], Sequence[tuple[str, str]]]],
) -> set[int]:
    """Ids of the session's current and begun pulls of these lists (list, query, extra parameters)."""
    keys = {key_of(*one, session._place) for one in asked}
    found = [session._store.standing(key) for key in keys]
    return {info.id for one in found for info in (one.front, one.begun) if info is not None}
