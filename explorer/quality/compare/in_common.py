"""What many differences have in common: fields that change at every pull, records added or removed together.

What added or removed records have in common is the value of one field, their place, or another id.

A field that changes at every pull though no record was edited is a timestamp of the pull, a signed link, a token or a
counter. It differs in nearly all records, usually as the only one, and its values are of one of four kinds: moments
close together, all later by no round amount; links that differ only after the question mark; opaque texts without
words; whole numbers that all grew by different amounts. Any other change that occurs everywhere is a difference.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import msgspec

from explorer import words
from explorer.jsontext.strict import OBJECT, REFUSED
from explorer.quality.compare.changed_values import ChangedRecord, Sample, canonical, plain_json
from explorer.quality.compare.claims import shown, words_of
from explorer.quality.compare.explained import Sentence
from explorer.quality.compare.rows import CalledOff, PullRows, Wanted, record_at
from explorer.quality.compare.state_transforms import FIXED, proposed_between
from explorer.quality.values.date_transforms import date_readings
from explorer.quality.values.transform import equal, is_number
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


_NEARLY_ALL, _ALONE = 0.9, 0.5
_LEAST_RECORDS = 5
_OPAQUE = re.compile(r'(?:W/)?"?[A-Za-z0-9+/=_.:~-]{8,}"?', re.ASCII)
_WORDS = re.compile(r"[a-z]{6,}|[A-Z][a-z]{4,}", re.ASCII)
_LONG, _WORDLESS = 40, 0.6
"""Length of a token that contains letter sequences by chance, and the share of texts that mix letters and digits and,
where they are shorter, contain no such sequence.
"""
_ROUND = timedelta(minutes=15)
_NEAR = timedelta(minutes=10)
_ZONES = timedelta(hours=26)
"""The most by which a wrong zone moves a date."""
_TRIED = 40
"""Values in which a common transform is searched."""
_A_PULL = timedelta(hours=6)
"""The most that the timestamps of one pull may be apart."""


@dataclass(frozen=True, slots=True)
class Times:
    """When each of the two states was pulled: start and end, with zone."""

    before: tuple[datetime, datetime]
    now: tuple[datetime, datetime]


def volatile_fields(
    samples: Mapping[str, Sequence[Sample]],
    counts: Mapping[str, int],
    whole: Sequence[ChangedRecord],
    records: int,
    times: Times | None,
) -> dict[str, str]:
    """The fields that change at every pull, with the reason; ``whole`` are some of the records that differ."""
    if records < _LEAST_RECORDS:
        return {}
    found = {}
    backwards = times is not None and times.before[0] > times.now[0]
    if times is not None and backwards:
        times = Times(times.now, times.before)
    for name, count in counts.items():
        if count >= _NEARLY_ALL * records:
            pairs = [pair for one in samples[name] for pair in one.value.pairs]
            why = _why([pair[::-1] for pair in pairs] if backwards else pairs, times)
            if why:
                found[name] = why
    alone = sum(all(name in found for name in record.values) for record in whole)
    return found if found and alone >= _ALONE * len(whole) else {}


def _why(pairs: Sequence[tuple[Any, Any]], times: Times | None) -> str:
    if _are_stamps(pairs, times):
        return "time of the pull"
    if _are_links(pairs):
        return "signed link"
    if _are_counters(pairs):
        return "counter"
    return "token" if _are_tokens(pairs) else ""


def _are_stamps(pairs: Sequence[tuple[Any, Any]], times: Times | None) -> bool:
    """Timestamps of two pulls: each close together, and all later now."""
    befores, nows = [], []
    for before, now in pairs:
        one, other = _moment(before), _moment(now)
        if one is None or other is None or other <= one:
            return False
        befores.append(one)
        nows.append(other)
    if any(max(some) - min(some) > _A_PULL for some in (befores, nows)):
        return False
    if times is not None and all(_within(one, times.before) for one in befores):
        return all(_within(one, times.now) for one in nows)
    gaps = [now - before for before, now in zip(befores, nows, strict=True)]
    return any(gap % _ROUND for gap in gaps) or min(gaps) > _ZONES


def _moment(value: Any) -> datetime | None:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return None
    found = date_readings(value)
    return found[0].utc.replace(tzinfo=UTC) if found and found[0].form in ("text", "epoch") else None


def _within(moment: datetime, span: tuple[datetime, datetime]) -> bool:
    return span[0] - _NEAR <= moment <= span[1] + _NEAR


def _are_links(pairs: Sequence[tuple[Any, Any]]) -> bool:
    for before, now in pairs:
        if not (isinstance(before, str) and isinstance(now, str) and "?" in before and "?" in now):
            return False
        if (
            not before.startswith(("https://", "http://"))
            or before.partition("?")[0] != now.partition("?")[0]
        ):
            return False
    return True


def _are_counters(pairs: Sequence[tuple[Any, Any]]) -> bool:
    if not all(_whole(before) and _whole(now) and now > before >= 0 for before, now in pairs):
        return False
    return len({now - before for before, now in pairs}) > 1 and not _follows(pairs)


def _follows(pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether one transform makes half of the new values from the old ones."""
    if fitted(pairs, share=0.5):
        return True
    likely = proposed_between(pairs[:_TRIED])
    return any(sum(equal(one(before), now) for before, now in pairs) >= 0.5 * len(pairs) for one in likely)


def _whole(value: Any) -> bool:
    return is_number(value) and float(value).is_integer()


def _are_tokens(pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether texts are meaningless to people, before and now, and none recurs in another record."""
    befores, nows, wordless = set(), set(), 0
    for before, now in pairs:
        if not (_opaque(before) and _opaque(now)):
            return False
        befores.add(before)
        nows.add(now)
        wordless += _says_nothing(before) and _says_nothing(now)
    if befores & nows or wordless < _WORDLESS * len(pairs) or not (len(nows) > 1 or len(befores) == 1):
        return False
    some = pairs[: 2 * _LEAST_RECORDS]
    digests = (one for one in FIXED if all(one(before) == now for before, now in some))
    return next(digests, None) is None and not _follows(pairs)


def _says_nothing(text: str) -> bool:
    mixed = any(map(str.isdigit, text)) and any(map(str.isalpha, text))
    return mixed and (_WORDS.search(text) is None or len(text) >= _LONG)


def _opaque(value: Any) -> bool:
    return isinstance(value, str) and _OPAQUE.fullmatch(value) is not None and not date_readings(value)
