"""What added or removed records have in common: the value of one field, their place, or another id."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from explorer import words
from explorer.jsontext.strict import OBJECT, REFUSED
from explorer.quality.compare.changed_values import canonical, plain_json
from explorer.quality.compare.claims import shown, words_of
from explorer.quality.compare.explained import Sentence
from explorer.quality.compare.rows import CalledOff, PullRows, Wanted, record_at
from explorer.quality.values.transforms import fitted

_LEAST = 3
"""With fewer records, a common feature is insignificant."""
_RARE = 0.05
"""The share of the other records that may have the same value while it still counts as distinctive."""
_MOST_SAID = 2
_MOST_MATCHED = 100_000
_PAIRS = 400
_LONGEST = 200
Lone = Literal["added", "gone"]
_Members = dict[str, msgspec.Raw]


def in_common(what: Lone, rows: PullRows, lone: array[int], wanted: Wanted) -> list[Sentence]:
    """Sentences about the records in the rows ``lone``, which are ascending. Raises StoreFault, CalledOff."""
    if len(lone) < _LEAST:
        return []
    made = [*_place(what, rows, lone)]
    shared = _shared(rows, lone, wanted)
    others = rows.about.rows - len(lone)
    if not shared or others <= 0:
        return made
    counts = _had_by_others(rows, set(lone), shared, wanted)
    rare = sorted((counts[name], name) for name in shared if counts[name] <= _RARE * others)
    for had, name in rare[:_MOST_SAID]:
        more = f"as {had:,} of {words.count(others, 'other')} do" if had else "and no other record does"
        value = shown(plain_json(bytes(shared[name])))
        text = f"All {words.count(len(lone), f'{what} record')} have {name} {value}, {more}"
        made.append(Sentence(text, "in common", {name: len(lone)}, len(lone), "edited", what=what))
    return made


def _place(what: Lone, rows: PullRows, lone: Sequence[int]) -> list[Sentence]:
    first, last, total = lone[0], lone[-1], rows.about.rows
    if last - first + 1 != len(lone) or len(lone) == total:
        return []
    where = f"rows {first + 1:,} to {last + 1:,} of {total:,}"
    if last + 1 == total:
        where = f"the last {len(lone):,} of {total:,}"
    elif first == 0:
        where = f"the first {len(lone):,} of {total:,}"
    stood = "stood" if what == "gone" else "stand"
    text = f"All {words.count(len(lone), f'{what} record')} {stood} one behind another: {where}"
    return [Sentence(text, "one piece", {}, len(lone), "suspect" if what == "gone" else "edited", what=what)]


def _leaf_by_leaf(rows: PullRows, wanted: Wanted, see: Callable[[int, bytes], bool]) -> None:
    """Passes each record with its row to ``see`` until that returns False."""
    for leaf in rows.leaves():
        if not wanted():
            raise CalledOff
        for place, record in enumerate(leaf.records()):
            if not see(leaf.first + place, record):
                return


def _members(record: bytes) -> _Members:
    try:
        return OBJECT.decode(record)
    except REFUSED:
        return {}


def _shared(rows: PullRows, lone: array[int], wanted: Wanted) -> _Members:
    """The members of which all these records have the same value, as written."""
    shared: _Members | None = None
    for number, row in enumerate(lone):
        if number % 200 == 0 and not wanted():
            raise CalledOff
        mine = _members(record_at(rows, row))
        if shared is None:
            shared = {name: raw for name, raw in mine.items() if name != "id" and _telling(bytes(raw))}
        else:
            shared = {name: raw for name, raw in shared.items() if mine.get(name) == raw}
        if not shared:
            break
    return shared or {}


def _telling(raw: bytes) -> bool:
    return raw[:1] not in (b"{", b"[") and len(raw) <= _LONGEST and raw != b"null"


def _had_by_others(rows: PullRows, lone: set[int], shared: _Members, wanted: Wanted) -> dict[str, int]:
    counts = dict.fromkeys(shared, 0)

    def see(row: int, record: bytes) -> bool:
        if row not in lone:
            mine = _members(record)
            for name, raw in shared.items():
                counts[name] += mine.get(name) == raw
        return True

    _leaf_by_leaf(rows, wanted, see)
    return counts


def under_other_ids(
    sides: tuple[PullRows, PullRows],
    gone: array[int],
    added: array[int],
    pruned: Callable[[Any], Any],
    wanted: Wanted,
) -> list[Sentence]:
    """A sentence where most of the removed records exist again with another id; ``pruned`` removes masked fields."""
    if min(len(gone), len(added)) < _LEAST or max(len(gone), len(added)) > _MOST_MATCHED:
        return []
    before: dict[bytes, Any] = {}
    for ident, digest in _contents(sides[0], gone, pruned, wanted):
        before[digest] = None if digest in before else ident
    pairs = [
        (before[digest], ident)
        for ident, digest in _contents(sides[1], added, pruned, wanted)
        if before.get(digest) is not None
    ]
    if len(pairs) < max(_LEAST, len(gone) // 2):
        return []
    text = f"{words.count(len(pairs), 'gone record')} {'exists' if len(pairs) == 1 else 'exist'} under another id"
    if len(pairs) == len(gone):
        text = f"All {text}"
    some = pairs[:: max(1, len(pairs) // _PAIRS)]
    found = next(iter(fitted(some, share=1.0)), None)
    if found is not None and all(canonical(found.transform(a)) == canonical(b) for a, b in pairs):
        text += f": id {words_of(found.transform)}"
    return [Sentence(text, "other ids", {"id": len(pairs)}, len(pairs), "suspect", what="gone")]


def _contents(
    rows: PullRows, lone: array[int], pruned: Callable[[Any], Any], wanted: Wanted
) -> list[tuple[Any, bytes]]:
    made = []
    for number, row in enumerate(lone):
        if number % 200 == 0 and not wanted():
            raise CalledOff
        try:
            record = plain_json(record_at(rows, row))
        except ValueError:
            continue
        if isinstance(record, dict) and len(record) > 1:
            ident = record.pop("id", None)
            text = canonical(pruned(record)).encode("utf-8", "surrogatepass")
            made.append((ident, hashlib.blake2b(text, digest_size=16).digest()))
    return made
