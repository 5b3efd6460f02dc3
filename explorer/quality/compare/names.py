"""Names for stored states of a list, the same in the window and on the command line.

| name | means |
|---|---|
| ``morning``, ``snapshot:morning`` | the snapshot of that name |
| ``pull:ats/job`` | the current pull of that list, on the profile's connection |
| ``pull:ats/job~2`` | the second one before it; ``previous:ats/job`` is ``pull:ats/job~1`` |
| ``pull:ats/job?sync_mode=full@conn_2`` | the newest pull with these parameters, of another connection |
| ``PROFILE::NAME`` | one of these, of another profile |

Parameters select pulls that were made with them; an empty value selects pulls without the parameter. Of several pulls
the newest is used. Before ``::`` comes the name of a profile, ignoring case; where no profile has that name, the whole
text is the name of a snapshot.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self
from urllib.parse import parse_qsl, urlencode

from explorer import words
from explorer.api.interface import registry_for
from explorer.catalog.registry import Registry
from explorer.paths import Folders
from explorer.profiles.book import Profiles
from explorer.profiles.fault import ProfileFault
from explorer.profiles.profile import SANDBOX_ID, Profile
from explorer.quality.compare.rows import PullRows
from explorer.quality.compare.snapshots import PREVIOUS, PULL, SNAPSHOT, Snapshots
from explorer.store.store import Store
from explorer.store.values import PullInfo, Snapshot, Standing, StoreFault, standings

OF_PROFILE = "::"


class NameFault(ValueError):
    """A name for which nothing can be stored, in a sentence."""


@dataclass(frozen=True, slots=True)
class PullName:
    """The parsed name of a stored pull."""

    text: str
    resource: str
    connection: str | None = None
    """None: the profile's own."""
    parameters: tuple[tuple[str, str], ...] = ()
    back: int = 0
    """How many reloads before the current one; 0 is the current one."""

    @classmethod
    def read(cls, text: str, registry: Registry) -> Self:
        """Parses ``pull:ats/job~1?sync_mode=full@conn_2``, for a list in ``registry``. Raises NameFault."""
        kind, _, named = text.partition(":")
        rest, at, connection = named.partition("@")
        rest, _, query = rest.partition("?")
        resource, tilde, number = rest.partition("~")
        resource = resource.strip("/")
        try:
            registry.listing(resource)
        except KeyError:
            known = ", ".join(one.key for one in registry.listings())
            raise NameFault(f"{resource!r} in {text!r} is not a list. Lists are: {known}.") from None
        if at and not connection:
            raise NameFault(f"{text!r} ends with @: a connection must follow it.")
        pairs = tuple(parse_qsl(query, keep_blank_values=True))
        if query and not pairs:
            raise NameFault(f"{text!r} has no NAME=VALUE after the question mark.")
        is_previous = kind.lower() == PREVIOUS.rstrip(":")
        if tilde and (is_previous or not (number.isascii() and number.isdigit()) or len(number) > 3):
            raise NameFault(
                f"{text!r} has no number after ~: pull:{resource}~1 is the pull before the current one."
            )
        return cls(text, resource, connection or None, pairs, int(number) if tilde else int(is_previous))

    def choose(self, store: Store, profile: Profile) -> PullInfo | None:
        """The pull with that name; None where nothing is stored of the list. Raises StoreFault when it is gone."""
        connection = profile.connection if self.connection is None else self.connection
        place = (connection, origin_of(profile), self.resource)
        found = [
            info
            for info in store.pulls()
            if (info.key.connection, info.key.origin, info.key.resource) == place and self._fits(info)
        ]
        standing = max(standings(found).values(), key=_newest, default=Standing())
        if not self.back or standing.front is None:
            return standing.front
        if self.back > len(standing.earlier):
            raise StoreFault(f"{self.text} is not stored. {_stored_words(standing.earlier)}")
        return standing.earlier[self.back - 1]

    def _fits(self, info: PullInfo) -> bool:
        asked = json.loads(info.key.params)
        given = dict([*asked["query"], *asked["extra"]])
        return all((given.get(name) or "") == value for name, value in self.parameters)


def _stored_words(earlier: Sequence[PullInfo]) -> str:
    """The earlier pulls: ``Earlier pulls: ~1 of 20 Nov 09:12 (4,801 rows).``"""
    said = [
        f"~{back} of {words.day_and_time(one.updated_at)} ({words.count(one.rows, 'row')})"
        for back, one in enumerate(earlier, start=1)
    ]
    return f"Earlier pulls of the list: {', '.join(said)}." if said else "The list has no earlier pull."


def origin_of(profile: Profile) -> str:
    """The name of the service's address in the store."""
    return SANDBOX_ID if profile.is_builtin else profile.base_url


def open_kept(text: str, folders: Folders, profile: Profile) -> PullRows:
    """The rows with that name, to be closed. Raises NameFault, ProfileFault; StoreFault when nothing is stored."""
    named, owner = text, profile
    whose, of_profile, rest = text.partition(OF_PROFILE)
    if of_profile:
        with contextlib.suppress(ProfileFault):  # a snapshot may have that name
            named, owner = rest, Profiles(folders).get(whose)
    if named.lower().startswith((PULL, PREVIOUS)):
        name = PullName.read(named, registry_for(owner))
        return PullRows.of_profile(folders, owner.id, lambda store: name.choose(store, owner), text)
    plain = named[len(SNAPSHOT) :] if named.lower().startswith(SNAPSHOT) else named
    return Snapshots.of_profile(folders, owner.id).open(plain)


@dataclass(frozen=True, slots=True)
class AtHand:
    """A stored pull that can be chosen."""

    info: PullInfo
    back: int = 0
    """How many reloads before the current one; 0 is the current one."""

    @property
    def text(self) -> str:
        """Its name on the command line: ``pull:ats/job?sync_mode=full@conn_2``."""
        key = self.info.key
        query = urlencode(self.parameters)
        kind, number = (PREVIOUS, "") if self.back == 1 else (PULL, f"~{self.back}" if self.back else "")
        asked, whose = f"?{query}" if query else "", f"@{key.connection}" if key.connection else ""
        return f"{kind}{key.resource}{number}{asked}{whose}"

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """The parameters that it was requested with."""
        asked = json.loads(self.info.key.params)
        return tuple((str(name), str(value)) for name, value in (*asked["query"], *asked["extra"]))


def at_hand(folders: Folders, profile: Profile) -> tuple[AtHand, ...]:
    """The current pull of each list, connection and choice of parameters, the latest first; then the earlier ones, each
    time one reload further back.

    Raises StoreFault.
    """
    store = Store.of_profile(folders, profile.id)
    try:
        found = standings(info for info in store.pulls() if info.key.origin == origin_of(profile)).values()
    finally:
        store.close()
    kept = [
        AtHand(info, back)
        for one in found
        if one.front is not None
        for back, info in enumerate((one.front, *one.earlier))
        if info.rows
    ]
    return tuple(sorted(kept, key=lambda one: (one.back, -one.info.updated_at.timestamp())))


def of_others(folders: Folders, profile: Profile) -> tuple[tuple[Profile, Snapshot | AtHand], ...]:
    """The snapshots and stored pulls of every other profile, each with its profile. Unreadable ones are left out."""
    made: list[tuple[Profile, Snapshot | AtHand]] = []
    for other in Profiles(folders).all():
        if other.id != profile.id and Store.path_of(folders, other.id).exists():
            with contextlib.suppress(StoreFault):
                made += [(other, one) for one in Snapshots.of_profile(folders, other.id).all()[0]]
                made += [(other, one) for one in at_hand(folders, other)]
    return tuple(made)


def _newest(standing: Standing) -> int:
    return standing.front.id if standing.front is not None else 0
