"""Parents and children among the items of arrays, compared between records: the same item has the same children.

Raw data of one record may have only a part of the tree. Where one record tells a child of an item, and that child names
the item as its parent, a list of the same item's children without it is not that of the tree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from explorer.quality.engine.check import Example
from explorer.quality.engine.finding_collector import PLACES
from explorer.quality.mapping.field_state import Rows
from explorer.quality.mapping.judge import MappingFinding

_FEWEST = 3
_ID, _PARENT, _CHILD = "id", "parent", "child"


def unlike_children(rows: Rows, raw: str, settled: Collection[str]) -> Iterator[MappingFinding]:
    """The findings on the lists of children that items of arrays have, except for fields in ``settled``."""
    names = {
        name
        for record, _ in rows
        for name, value in record.items()
        if isinstance(value, list) and name != raw
    }
    for name in sorted(names - {*settled}):
        yield from _of(name, rows, raw)


def _of(name: str, rows: Rows, raw: str) -> Iterator[MappingFinding]:
    parents: defaultdict[str, set[str]] = defaultdict(set)
    children: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for record, _ in rows:
        for item in _items(record.get(name)):
            for inner, value in item.items():
                if isinstance(value, str) and inner.startswith(_PARENT):
                    parents[item[_ID]].add(value)
                elif isinstance(value, list) and inner.startswith(_CHILD):
                    children[inner][item[_ID]].update(one for one in value if isinstance(one, str))
    for inner, told in children.items():
        odd: list[Example] = []
        for record, seen in rows:
            lacking = [item for item in _items(record.get(name)) if _lacks(item, inner, told, parents, raw)]
            if lacking:
                odd.append(seen(", ".join(item[_ID] for item in lacking)))
        if len(odd) >= _FEWEST:
            field = f"{name}[].{inner}"
            what = (
                f"{field} lacks what the same item has in other records, and what names it as its parent, in "
            )
            what += f"{len(odd):,} of {len(rows):,} records"
            yield MappingFinding("alike", "contradicts", field, what, len(odd), tuple(odd[:PLACES]))


def _items(value: Any) -> list[Mapping[str, Any]]:
    items = value if isinstance(value, list) else ()
    return [one for one in items if isinstance(one, dict) and isinstance(one.get(_ID), str)]


def _lacks(
    item: Mapping[str, Any],
    inner: str,
    told: Mapping[str, set[str]],
    parents: Mapping[str, set[str]],
    raw: str,
) -> bool:
    """Whether an item lacks one of its children, and its own raw data does not tell which it has."""
    value = item.get(inner)
    if not isinstance(value, list):
        return False
    own = item[_ID]
    lost = {one for one in told[own].difference(map(str, value)) if parents.get(one) == {own}}
    there = item.get(raw)
    lists = [one for one in there.values() if isinstance(one, list)] if isinstance(there, dict) else []
    return bool(lost) and not any(list(map(str, one)) == list(map(str, value)) for one in lists)
