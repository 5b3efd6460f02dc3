"""What a list's records say of where they are: in which drive, in which folder.

Third parties say it in their own record (``parentReference.driveId``, ``parents[0]``) and each in its own way. Which
path of raw_data it is, is learned: the one whose values are ids of known containers more often than any other's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from explorer.jsontext.pointer import at, dotted, steps
from explorer.quality.checks.named import Named
from explorer.quality.engine.check import Check, Result
from explorer.quality.engine.reasked import Placed
from explorer.quality.engine.record_check import RecordCheck, Walked
from explorer.quality.engine.row import Row
from explorer.quality.engine.rows import Rows
from explorer.quality.mapping.origin import reader
from explorer.quality.values.flat import leaves

_MOST = 2_000
"""Containers of one's own that are remembered, with what they say of where they are themselves."""
_LEARNED = 200
"""Records after which a path whose values are nearly all different is left aside: it names the record."""
_DIFFERENT = 0.9
_WIDEST = 20_000
"""Different values of one path that are counted; a path with more is left aside."""
_LONGEST = 200
_SOUNDS = re.compile(
    r"(?i)id$|ids$|key$|ref|parent|folder|drive|collection|container|director|librar|site|space"
)
"""How the last two names of a path sound that leads to a container; figures may be ids by chance."""


@dataclass(slots=True)
class Containers(RecordCheck):
    """Watches a list for records of its own that can narrow it, and for where its records say that they are."""

    kinds: Sequence[tuple[str, str]]
    """Field and value by which a record of the list itself can be named."""
    raw: str = ""
    """The field that holds the third party's own record."""
    others: Sequence[str] = ()
    """Keys of the other lists whose records narrow this one."""
    found: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    named: dict[str, Named] = field(default_factory=dict)
    """By path of the raw record: the values that records have there, but for their own ids."""
    checks: tuple[Check, ...] = ()
    _has_raw: bool = False
    """Whether a record came with the third party's own, which might have said where it is."""
    _own: dict[str, dict[str, str]] = field(default_factory=dict)
    """By the id of a record that is a container: what its raw record holds, by path."""
    _rows: int = 0

    def row(self, row: Row) -> None:
        """Remembers where a record is, and whether it is a container."""
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
        """Several records: each says where it is, as long as a path is known that may tell it."""
        if not rows.are_sound:
            return False
        if self._rows <= _LEARNED or any(value in rows.column(name).values for name, value in self.kinds):
            for row in rows.rows:
                self.row(row)
            return True
        raws, ids = rows.column(self.raw).values, [row.id for row in rows.rows]
        self._rows += len(ids)
        for path, values in list(self.named.items()):
            counts = values.counts
            for row, own, found in zip(rows.rows, ids, map(reader(path), raws), strict=True):
                if type(found) is str and found in counts and found != own and own:
                    counts[found] += 1
                elif own and (ident := _ident(found)) and ident != own:
                    values.add(ident, row)
            if len(values.counts) > _WIDEST:
                del self.named[path]
        return True

    def end(self, walked: Walked) -> list[Result]:
        """Nothing is said of them here."""
        return []

    def _places(self, raw: object, own: str) -> dict[str, str]:
        """What may be an id, by path; once they are learned only the paths that stayed are looked at."""
        if self._rows > _LEARNED:
            found = {path: reader(path)(raw) for path in self.named}
        else:
            found = {path: value for path, value in leaves(raw).items() if _sounds(path)}
        ids = {path: ident for path, value in found.items() if (ident := _ident(value))}
        return {path: ident for path, ident in ids.items() if ident != own}

    def _forget(self) -> None:
        """Paths whose values are nearly all different name the records themselves."""
        for path, named in list(self.named.items()):
            if len(named.counts) > _DIFFERENT * sum(named.counts.values()):
                del self.named[path]

    def link(self, ids: Collection[str]) -> str:
        """The path that names most of ``ids``, two at least; empty where none does."""
        known = {path: len(named.counts.keys() & set(ids)) for path, named in self.named.items()}
        best = max(known, key=lambda path: (known[path], -len(path)), default="")
        return best if best and known[best] > 1 else ""

    def names_none(self, ids: Collection[str]) -> bool:
        """Whether raw data is there and names none of ``ids`` anywhere: nothing says that records belong to them."""
        return self._has_raw and not any(named.counts.keys() & set(ids) for named in self.named.values())

    def placed(self, link: str) -> Placed | None:
        """Reads of a record in which container it says that it is; None where no path is known that tells."""
        return (lambda record: _ident(at(record.get(self.raw), link))) if link else None

    def spans(self, link: str) -> bool:
        """Whether the whole list has records of several containers."""
        return bool(link) and len(self.named[link].counts) > 1

    def count(self, link: str, ident: str) -> int:
        """How many records say that they are in a container."""
        return self.named[link].counts.get(ident, 0) if link else 0

    def page_of(self, link: str, ident: str) -> int:
        """The page of the first record that says it is in a container; 1 where none does."""
        place = self.named[link].places.get(ident) if link else None
        return place[0] or 1 if place is not None else 1

    def is_inside(self, link: str, place: str, ident: str) -> bool:
        """Whether what is in ``place`` is in ``ident``, itself or in a container inside it."""
        seen = set[str]()
        while place and place not in seen:
            if place == ident:
                return True
            seen.add(place)
            place = self._own.get(place, {}).get(link, "")
        return False


def dotted_of(link: str) -> str:
    """A path as people write it."""
    return dotted(tuple(steps(link)))


def _sounds(path: str) -> bool:
    return any(_SOUNDS.search(name) for name in steps(path)[-2:])


def _ident(value: object) -> str:
    """A value as the text of an id; empty where it can be none."""
    if type(value) is not str and type(value) is not int:
        return ""
    text = str(value)
    return text if len(text) <= _LONGEST and text.split() == [text] else ""
