"""Raw fields in numbered slots: ``address1_city`` and ``address2_city`` are the cities of up to two addresses.

A slot may be empty, so the first item of an array may come from any of them. Read as an array of its filled slots, such
a family of fields is compared like any other raw array.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.quality.mapping.origin import is_empty

_NUMBERED = re.compile(r"(\D+?)[_ .-]?(\d{1,2})[_ .-]?(\D.*)")
_FEWEST = 2
"""Slots and members in common, below which numbers in names mean something else, as in ``line1`` and ``line2``."""


@dataclass(frozen=True, slots=True)
class Slots:
    """One family of raw fields: the same members in several numbered slots."""

    name: str
    """How people write it: ``address1|address2``."""
    places: tuple[tuple[tuple[str, str], ...], ...]
    """For each slot its members, each with the raw field that holds it."""
    always: frozenset[str]
    """Members that have a value in every slot, also in one that is not in use, as its id."""

    def filled(self, raw: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The slots of a raw record that are in use, as objects."""
        items = [{member: raw.get(name) for member, name in place} for place in self.places]
        return [one for one in items if any(not is_empty(one[member]) for member in one.keys() - self.always)]


def slots_of(raws: Sequence[Mapping[str, Any]]) -> list[Slots]:
    """The families of numbered fields at the top of some raw records."""
    families: defaultdict[str, defaultdict[int, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for name in dict.fromkeys(name for raw in raws for name in raw):
        if (found := _NUMBERED.fullmatch(name)) is not None:
            families[found[1]][int(found[2])][found[3]] = name
    return [
        _slots(prefix, numbers, raws)
        for prefix, numbers in families.items()
        if len(numbers) >= _FEWEST and len(set.intersection(*map(set, numbers.values()))) >= _FEWEST
    ]


def _slots(prefix: str, numbers: Mapping[int, dict[str, str]], raws: Sequence[Mapping[str, Any]]) -> Slots:
    places = [numbers[number] for number in sorted(numbers)]
    always = {
        member
        for member in {member for place in places for member in place}
        if all(not is_empty(raw.get(place[member])) for place in places if member in place for raw in raws)
    }
    name = "|".join(f"{prefix}{number}" for number in sorted(numbers))
    return Slots(name, tuple(tuple(place.items()) for place in places), frozenset(always))
