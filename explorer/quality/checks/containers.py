"""Which container (drive, folder) a list's records say they are in.

Each third party says it in its raw record in its own way (``parentReference.driveId``, ``parents[0]``). Which path of
the raw record it is, is learned: the one whose values are ids of known containers more often than any other's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer.jsontext.pointer import at, dotted, steps
from explorer.quality.checks.reference_fields import Named
from explorer.quality.engine.check import Check, Result
from explorer.quality.engine.record_check import RecordCheck, Walked
from explorer.quality.engine.row import Row
from explorer.quality.engine.rows import Rows
from explorer.quality.engine.shared_pages import Placed
from explorer.quality.mapping.origin import reader
from explorer.quality.values.flat import leaves

_MOST = 2_000
"""At most this many containers from the list itself are remembered, with their own place."""
_LEARNED = 200
"""After this many records a path whose values are nearly all different is dropped: it identifies the record."""
_DIFFERENT = 0.9
_WIDEST = 20_000
"""A path with more different values than this is dropped."""
_LONGEST = 200
_TEXTS = frozenset((str, type(None)))
_SOUNDS = re.compile(
    r"(?i)id$|ids$|key$|ref|parent|folder|drive|collection|container|director|librar|site|space"
)
"""What the last two names of a path must contain for it to be tried; plain figures may be ids by chance."""


@dataclass(slots=True)
class Containers(RecordCheck):
    """Watches a list for records that are containers themselves, and for which container each record says it is in."""

    kinds: Sequence[tuple[str, str]]
    """Pairs of field and value by which a record of the list is known to be a container, as ``type`` and ``folder``."""
    raw: str = ""
    """The field that holds the third party's raw record."""
    others: Sequence[str] = ()
    """Keys of the other lists whose records narrow this one."""
    found: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    named: dict[str, Named] = field(default_factory=dict)
    """By path of the raw record: the values found there, without the records' own ids."""
    checks: tuple[Check, ...] = ()
    _has_raw: bool = False
    """Whether any record had a raw record that could have named its container."""
    _own: dict[str, dict[str, str]] = field(default_factory=dict)
    """By id of a record that is a container: the values of its own raw record, by path."""
    _rows: int = 0

    def row(self, row: Row) -> None:
        """Remembers which containers a record names, and whether it is one itself."""
        record = row.record
        if record is None or not row.id or row.spoiled:
            return
        self._has_raw = self._has_raw or bool(record.get(self.raw))
        places = self._places(record.get(self.raw), row.id)
        for path, value in places.items():
            named = self.named.setdefault(path, Named())
            named.add(value, row)
            if len(named.counts) > _WIDEST:
                del self.named[path]
        self._rows += 1
        if self._rows == _LEARNED:
            self._forget()
        for kind in self.kinds:
            if record.get(kind[0]) == kind[1] and len(self._own) < _MOST:
                self.found.setdefault(kind, []).append(row.id)
                self._own[row.id] = places

    def passes(self, rows: Rows) -> bool:
        """Handles several records at once, while some path may still tell their container."""
        if not rows.are_sound:
            return False
        if self._rows < _LEARNED or any(value in rows.column(name).values for name, value in self.kinds):
            for row in rows.rows:
                self.row(row)
            return True
        raws, ids = rows.column(self.raw).values, rows.ids
        self._rows += len(ids)
        for path, values in list(self.named.items()):
            found = list(map(reader(path), raws))
            # Most records are in a container that is known by now: those are counted together.
            left = _count_known(values.counts, found, ids) if all(ids) else range(len(found))
            for place in left:
                if ids[place] and (ident := _ident(found[place])) and ident != ids[place]:
                    values.add(ident, rows.rows[place])
            if len(values.counts) > _WIDEST:
                del self.named[path]
        return True

    def end(self, walked: Walked) -> list[Result]:
        """No results: other checks use what was collected."""
        return []

    def _places(self, raw: object, own: str) -> dict[str, str]:
        """Values that may be ids, by path; once paths were dropped, only the remaining ones are read."""
        if self._rows >= _LEARNED:
            found = {path: reader(path)(raw) for path in self.named}
        else:
            found = {path: value for path, value in leaves(raw).items() if _sounds(path)}
        ids = {path: ident for path, value in found.items() if (ident := _ident(value))}
        return {path: ident for path, ident in ids.items() if ident != own}

    def _forget(self) -> None:
        """Drops paths whose values are nearly all different: they identify the records themselves."""
        for path, named in list(self.named.items()):
            if len(named.counts) > _DIFFERENT * sum(named.counts.values()):
                del self.named[path]

    def link(self, ids: Collection[str]) -> str:
        """The path whose values include most of ``ids``, at least two of them; empty where there is none."""
        known = {path: len(named.counts.keys() & set(ids)) for path, named in self.named.items()}
        best = max(known, key=lambda path: (known[path], -len(path)), default="")
        return best if best and known[best] > 1 else ""

    def called(self, word: str) -> list[str]:
        """The ids at the path of raw data that is called ``word``, where several records share each; else none."""
        for path, named in self.named.items():
            shared = len(named.counts) > 1 and len(named.counts) <= _DIFFERENT * sum(named.counts.values())
            if shared and any(word in name.lower() for name in steps(path)[-2:]):
                return list(named.counts)
        return []

    def names_none(self, ids: Collection[str]) -> bool:
        """Whether raw data exists and mentions none of ``ids``: then nothing says that records belong to them."""
        return self._has_raw and not any(named.counts.keys() & set(ids) for named in self.named.values())

    def placed(self, link: str) -> Placed | None:
        """A function that reads from a record which container it says it is in; None where no path is known."""
        return (lambda record: _ident(at(record.get(self.raw), link))) if link else None

    def spans(self, link: str) -> bool:
        """Whether the whole list has records of several containers."""
        return bool(link) and len(self.named[link].counts) > 1

    def count(self, link: str, ident: str) -> int:
        """How many records say that they are in this container."""
        return self.named[link].counts.get(ident, 0) if link else 0

    def page_of(self, link: str, ident: str) -> int:
        """The page of the first record that says it is in this container; 1 where there is none."""
        place = self.named[link].places.get(ident) if link else None
        return place[0] or 1 if place is not None else 1

    def is_inside(self, link: str, place: str, ident: str) -> bool:
        """Whether ``place`` is the container ``ident``, or lies in it at any depth."""
        seen = set[str]()
        while place and place not in seen:
            if place == ident:
                return True
            seen.add(place)
            place = self._own.get(place, {}).get(link, "")
        return False


def _count_known(counts: dict[str, int], found: Sequence[Any], owns: Sequence[str]) -> Sequence[int]:
    """Counts the values that are known ids of others; returns the places of the rest that may be ids."""
    if not set(map(type, found)) <= _TEXTS:
        return range(len(found))
    times = Counter(found)
    rest = {value for value in times if value not in counts} | times.keys() & owns
    for value in times.keys() - rest:
        counts[value] += times[value]
    return [place for place, value in enumerate(found) if value in rest] if rest - {None} else ()


def dotted_of(link: str) -> str:
    """A path in the dotted form that people write."""
    return dotted(tuple(steps(link)))


def _sounds(path: str) -> bool:
    return any(_SOUNDS.search(name) for name in steps(path)[-2:])


def _ident(value: object) -> str:
    """A value as the text of an id; empty where it cannot be one."""
    if type(value) is not str and type(value) is not int:
        return ""
    text = str(value)
    return text if len(text) <= _LONGEST and text.split() == [text] else ""
