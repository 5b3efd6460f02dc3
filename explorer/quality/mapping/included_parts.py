"""Raw records that refer to parts of themselves by type and id, kept elsewhere in the record: JSON:API's ``included``.

A reader of such a record looks up the referenced parts; so does this module, before arrays are compared with the places
they come from. The record as received stays unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.jsontext.pointer import steps
from explorer.quality.mapping.origin import reader
from explorer.quality.values.flat import containers

_NAMES = frozenset({"id", "type"})
"""An object with only these members just refers to another one."""
_FEWEST = 5
Key = tuple[str | None, Any]
_NONE: Key = (None, None)
"""The key of an object without id."""


@dataclass(frozen=True, slots=True)
class Links:
    """Where the raw records of a list refer to parts of themselves, and where these are."""

    places: tuple[str, ...]
    """Pointers to objects that refer to a part, and to arrays of them."""
    pools: tuple[str, ...]
    """Pointers to the arrays that contain the parts."""

    def followed(self, raw: Any) -> Any:
        """The record with each part in the place that refers to it; the same object where there is no reference."""
        known = {key: item for pool in self.pools for key, item in _parts(reader(pool)(raw))}
        for place in self.places if known else ():
            named = reader(place)(raw)
            if isinstance(named, list):
                raw = _put(raw, steps(place), [known.get(_key(one) or _NONE, one) for one in named])
            elif (key := _key(named)) is not None and key in known:
                raw = _put(raw, steps(place), known[key])
        return raw


def links_of(raws: Sequence[Any]) -> Links | None:
    """How some raw records refer to parts of themselves; None where hardly any does."""
    pools, places = dict[str, int](), dict[str, int]()
    for raw in raws:
        boxes = containers(raw)
        parts = {
            path: {key for key, _ in _parts(box)} for path, box in boxes.items() if isinstance(box, list)
        }
        known = set().union(*parts.values())
        named = {path: keys for path, box in boxes.items() if known and (keys := set(_named(box)) & known)}
        for path in named:
            places[path] = places.get(path, 0) + 1
        for path, keys in parts.items():
            if not keys.isdisjoint(set().union(*named.values())):
                pools[path] = pools.get(path, 0) + 1
    often = [path for path, count in places.items() if count >= _FEWEST]
    return Links(tuple(often), tuple(pools)) if often else None


def _key(item: Any) -> Key | None:
    """The key of an object that has an id; None for anything else."""
    if not isinstance(item, Mapping) or not isinstance(item.get("id"), str | int):
        return None
    kind = item.get("type")
    return (kind if isinstance(kind, str) else None, item["id"])


def _parts(items: Any) -> Iterator[tuple[Key, Any]]:
    """The entries of an array that have more than an id, each with its key."""
    for item in items if isinstance(items, list) else ():
        if (key := _key(item)) is not None and not item.keys() <= _NAMES:
            yield key, item


def _named(box: Any) -> Iterator[Key]:
    """The keys to which an object, or the entries of an array, refer without further content."""
    for item in box if isinstance(box, list) else (box,):
        if (key := _key(item)) is not None and item.keys() <= _NAMES:
            yield key


def _put(raw: Any, names: Sequence[str], value: Any) -> Any:
    """A record with another value in one place; unaffected parts are shared with the original."""
    if not names:
        return value
    return {**raw, names[0]: _put(raw[names[0]], names[1:], value)}
