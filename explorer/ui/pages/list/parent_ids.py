"""The ids that fill in a list's path parameters: those of the parent list's stored rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from explorer.catalog.request import PARAMETER, query_text

if TYPE_CHECKING:
    from explorer.catalog.spec import Listing, Resource
    from explorer.session import Pull, Session

_MOST = 200
"""Rows whose ids are offered: they are read while the list opens, and nobody looks through more."""


class ParentIds:
    """Reads them from the store whenever they are asked for, so that rows loaded meanwhile are among them."""

    def __init__(self, session: Session, listing: Listing, given: Callable[[], Mapping[str, Any]]) -> None:
        """``given``: the parameters as they are now, by name."""
        self._session, self._given = session, given
        found = ((name, session.registry.match("GET", path)) for name, path in listing.parents)
        listed = ((name, session.registry.listed(one.key)) for name, one in found if one is not None)
        self._parents = {name: resource for name, resource in listed if resource is not None}

    def title(self, name: str) -> str:
        """What the rows are that ``name`` is the id of."""
        return self._parents[name].title if name in self._parents else "the parent list"

    def of(self, name: str) -> list[tuple[str, str]]:
        """Id and name of the first stored rows of the list that the parameter ``name`` belongs to."""
        parent = self._parents.get(name)
        pull = self._pull(parent) if parent is not None else None
        if parent is None or pull is None:
            return []
        try:
            return list(_ids(parent, pull))
        finally:
            pull.close()

    def _pull(self, parent: Resource) -> Pull | None:
        """The parent's stored rows; where it is a list below another, those of the same row there."""
        if parent.listing is None:
            return None
        needed = PARAMETER.findall(parent.listing.path)
        if not needed:
            return self._session.at_hand(parent.listing)
        given = self._given()
        above = {name: given[name] for name in needed if name in given}
        return self._session.pull(parent.listing, above) if len(above) == len(needed) else None


def _ids(parent: Resource, pull: Pull) -> Iterator[tuple[str, str]]:
    ids = parent.listing.ids if parent.listing is not None else ()
    for raw in pull.window(0, min(pull.rows, _MOST)):
        row = json.loads(raw)
        if not isinstance(row, dict) or not ids or row.get(ids[0]) in (None, ""):
            continue
        named = (row.get(field) for field in parent.label if field != ids[0])
        yield query_text(row[ids[0]]), next((one for one in named if isinstance(one, str)), "")
