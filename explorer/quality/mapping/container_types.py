"""Records that others lie within by their paths, and that are told as something in which nothing can lie.

Raw data may call a folder what it likes: that the paths of others begin with its own shows what it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from explorer.catalog.fields import fields_of
from explorer.catalog.spec import ABSENT, Resource
from explorer.quality.engine.check import Example
from explorer.quality.engine.finding_collector import PLACES
from explorer.quality.mapping.judge import MappingFinding
from explorer.quality.mapping.origin import ending
from explorer.quality.mapping.record_batch import RecordBatch, Seen

_MOST = 20_000
"""The most entries that are remembered."""
_FEWEST = 3
"""The fewest entries within another by which it is a container."""
_USUAL = 0.5
"""The share of containers up to which those of another kind are wrong."""
_PATH, _SUFFIX = "path", "_id"
_TEXTS = frozenset((str, type(None), type(ABSENT)))


class ContainerTypes:
    """The records of one list whose entries have paths and are of kinds, one of which holds others."""

    def __init__(self, resource: Resource, choices: Mapping[str, Sequence[str]]) -> None:
        """``choices`` are the words of each field, where it has some.

        A word is of those that hold others where the list can be narrowed by its id: ``folder`` by ``folder_id``.
        """
        params = fields_of(resource.listing.query) if resource.listing is not None else ()
        holders = {one.name.removesuffix(_SUFFIX) for one in params if one.name.endswith(_SUFFIX)}
        kinds = [(name, word) for name, words in choices.items() for word in words if word in holders]
        self._field, self._holder = kinds[0] if kinds else ("", "")
        self._held: dict[int, int] = {}
        """How many records lie directly within a path, by its hash."""
        self._others: dict[int, Example] = {}
        """Records of another kind whose name has no ending, by the hash of their path."""
        self._boxes: set[int] = set()

    def __bool__(self) -> bool:
        return bool(self._field)

    def look(self, record: Mapping[str, Any], seen: Seen) -> None:
        """Looks at one more record."""
        path, kind = record.get(_PATH), record.get(self._field)
        if not isinstance(path, str) or not isinstance(kind, str) or len(self._held) >= _MOST:
            return
        above = path.rstrip("/").rpartition("/")[0]
        if above:
            self._held[hash(above)] = self._held.get(hash(above), 0) + 1
        if kind == self._holder:
            self._boxes.add(hash(path.rstrip("/")))
        elif ending(path) is None and len(self._others) < _MOST:
            self._others[hash(path.rstrip("/"))] = seen(kind)

    def look_all(self, many: RecordBatch) -> None:
        """Looks at several more; those with the same path and kind are read once."""
        paths, kinds = many.column(_PATH), many.column(self._field)
        may_be_full = max(len(self._held), len(self._others)) + len(many) >= _MOST
        if may_be_full or not paths.types | kinds.types <= _TEXTS:
            for record, seen in many:
                self.look(record, seen)
            return
        pairs = list(zip(paths.values, kinds.values, strict=True))
        last = dict(zip(pairs, range(len(pairs)), strict=True))
        others: dict[int, int] = {}
        for (path, kind), times in Counter(pairs).items():
            if type(path) is not str or type(kind) is not str:
                continue
            whole = path.rstrip("/")
            above = whole.rpartition("/")[0]
            if above:
                self._held[hash(above)] = self._held.get(hash(above), 0) + times
            if kind == self._holder:
                self._boxes.add(hash(whole))
            elif ending(path) is None:
                others[hash(whole)] = max(last[path, kind], others.get(hash(whole), 0))
        for at, place in others.items():
            self._others[at] = many.seen[place](kinds.values[place])

    def findings(self) -> list[MappingFinding]:
        """The finding, where most of what others lie within is of the kind that holds them."""
        odd = [example for at, example in self._others.items() if self._held.get(at, 0) >= _FEWEST]
        known = sum(at in self._held for at in self._boxes)
        if not odd or len(odd) > _USUAL * known:
            return []
        what = f"{self._field} is {odd[0].value} where others lie within, by their {_PATH}, in {len(odd):,} records"
        return [MappingFinding("alike", "holds others", self._field, what, len(odd), tuple(odd[:PLACES]))]
