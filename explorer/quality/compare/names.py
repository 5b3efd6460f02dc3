"""How kept rows are named: a snapshot by its name, a pull as ``pull:RESOURCE[?PARAMETER=VALUE&…][@CONNECTION]``.

Parameters narrow the choice down to pulls that were asked with them; an empty value means that it was left out. Of
several the newest is taken. ``previous:`` in place of ``pull:`` is the pull that was in front before the last reload.
``snapshot:NAME`` says that a name is one of a snapshot.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Self
from urllib.parse import parse_qsl, urlencode

from explorer.api.interface import registry_for
from explorer.catalog.registry import Registry
from explorer.paths import Folders
from explorer.profiles.profile import SANDBOX_ID, Profile
from explorer.quality.compare.rows import PullRows, Rows, Wanted, always
from explorer.quality.compare.snapshots import PREVIOUS, PULL, SNAPSHOT, Snapshots
from explorer.store import PullInfo, Standing, Store, standings


class NameFault(ValueError):
    """A name that says nothing that could be kept, in a sentence."""


@dataclass(frozen=True, slots=True)
class PullName:
    """A pull at hand, as it was named."""

    text: str
    resource: str
    connection: str | None = None
    """None: the profile's own."""
    parameters: tuple[tuple[str, str], ...] = ()
    previous: bool = False
    """The one before that in front."""

    @classmethod
    def read(cls, text: str, registry: Registry) -> Self:
        """``pull:ats/job?sync_mode=full@conn_2``, of a list in ``registry``. Raises NameFault."""
        kind, _, named = text.partition(":")
        rest, at, connection = named.partition("@")
        resource, _, query = rest.partition("?")
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
        return cls(text, resource, connection or None, pairs, kind.lower() == PREVIOUS.rstrip(":"))

    def choose(self, store: Store, profile: Profile) -> PullInfo | None:
        """The newest pull in front of that name, or the one before it; None without one."""
        connection = profile.connection if self.connection is None else self.connection
        place = (connection, origin_of(profile), self.resource)
        found = [
            info
            for info in store.pulls()
            if (info.key.connection, info.key.origin, info.key.resource) == place and self._fits(info)
        ]
        standing = max(standings(found).values(), key=_newest, default=Standing())
        return standing.previous if self.previous else standing.front

    def _fits(self, info: PullInfo) -> bool:
        asked = json.loads(info.key.params)
        given = dict([*asked["query"], *asked["extra"]])
        return all((given.get(name) or "") == value for name, value in self.parameters)


def origin_of(profile: Profile) -> str:
    """What stands for the service's address in the store."""
    return SANDBOX_ID if profile.is_builtin else profile.base_url


def open_kept(text: str, folders: Folders, profile: Profile, wanted: Wanted = always) -> Rows:
    """The rows of that name, to be closed. Raises NameFault, ProfileFault; StoreFault when there is nothing of it."""
    if text.lower().startswith((PULL, PREVIOUS)):
        name = PullName.read(text, registry_for(profile))
        return PullRows.of_profile(
            folders, profile.id, lambda store: name.choose(store, profile), text, wanted
        )
    plain = text[len(SNAPSHOT) :] if text.lower().startswith(SNAPSHOT) else text
    return Snapshots.of_profile(folders, profile.id).open(plain, wanted)


@dataclass(frozen=True, slots=True)
class AtHand:
    """A pull at hand, for one who chooses among them."""

    info: PullInfo
    previous: bool = False
    """It was in front before the last reload."""

    @property
    def text(self) -> str:
        """As the command line takes it: ``pull:ats/job?sync_mode=full@conn_2``."""
        key = self.info.key
        query = urlencode(self.parameters)
        kind = PREVIOUS if self.previous else PULL
        return f"{kind}{key.resource}{'?' if query else ''}{query}{'@' if key.connection else ''}{key.connection}"

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """What it was asked with."""
        asked = json.loads(self.info.key.params)
        return tuple((str(name), str(value)) for name, value in (*asked["query"], *asked["extra"]))

    def open(self, folders: Folders, profile: Profile, wanted: Wanted = always) -> PullRows:
        """Its rows, to be closed. Raises StoreFault, also when it was removed or started anew meanwhile."""
        return PullRows.of_profile(
            folders, profile.id, lambda store: store.pull(self.info.id), self.text, wanted
        )


def at_hand(folders: Folders, profile: Profile) -> tuple[AtHand, ...]:
    """The pull in front of each list, connection and choice of parameters, the one added to last first; behind them
    the previous ones in the same order.

    Raises StoreFault.
    """
    store = Store.of_profile(folders, profile.id)
    try:
        found = standings(info for info in store.pulls() if info.key.origin == origin_of(profile)).values()
    finally:
        store.close()
    fronts = [AtHand(one.front) for one in found if one.front is not None]
    behind = [AtHand(one.previous, previous=True) for one in found if one.previous is not None]
    kept = [one for one in (*fronts, *behind) if one.info.rows]
    return tuple(sorted(kept, key=lambda one: (one.previous, -one.info.updated_at.timestamp())))


def _newest(standing: Standing) -> int:
    return standing.front.id if standing.front is not None else 0
