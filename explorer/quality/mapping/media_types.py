"""Media types that follow the endings of names, and the records whose type is not what the same ending gives elsewhere.

A program that guesses a type by a name stumbles over capitals and over names with several dots, and then gives the type
of what it does not know. Where the third party gives no type, records with the same ending say what is meant.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from mimetypes import MimeTypes
from typing import Any

from explorer.quality.mapping.field_state import Rows, places_of, short
from explorer.quality.mapping.judge import MappingFinding
from explorer.quality.mapping.origin import ending
from explorer.quality.values.flat import leaves

_NAME, _TYPE = "name", "mime_type"
_UNKNOWN = frozenset({"application/octet-stream", "binary/octet-stream", "application/x-unknown", ""})
_FEWEST = 50
"""The fewest records that tell anything."""
_SEVERAL = 3
"""The fewest records that are odd, or that tell what is usual."""
_CLEAR = 0.5
"""The share of records up to which those of another type are wrong."""
_ALSO_USED = frozenset({"audio/wav", "audio/flac", "application/rtf", "text/md", "image/bmp", "video/avi"})
"""Types that no register has under this name, and that all programs know."""


def media_type_findings(rows: Rows, raw: str, settled: Collection[str]) -> Iterator[MappingFinding]:
    """The findings on the media types of some records; none where the field is in ``settled``."""
    if len(rows) < _FEWEST or _TYPE in settled:
        return
    held: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for at, (record, _) in enumerate(rows):
        end, stated = ending(record.get(_NAME)), record.get(_TYPE)
        if end and isinstance(stated, str) and stated not in leaves(record[raw]).values():
            held[end].append((at, stated.casefold()))
    odd, usual = list[int](), ""
    for some in held.values():
        counts = Counter(stated for _, stated in some)
        told = {one: count for one, count in counts.items() if one not in _UNKNOWN}
        if len(told) == 1 and sum(told.values()) >= _SEVERAL and len(counts) > 1:
            wrong = [at for at, stated in some if stated not in told]
            usual = usual or next(iter(told))
            odd += wrong
    # Names whose ending is known in all other records, and in no other way: of several dots, in capitals.
    if len(odd) >= _SEVERAL and len(odd) <= _CLEAR * sum(map(len, held.values())):
        record, _ = rows[odd[0]]
        what = f"{_TYPE} is {short(record[_TYPE])} of {short(record[_NAME])}, where the same ending gives"
        yield _said("by ending", f"{what} {usual} elsewhere", odd, rows)
        return
    others = [at for at, (record, _) in enumerate(rows) if _is_of_others(record, raw)]
    if len(others) >= _SEVERAL and len(others) <= _CLEAR * len(rows):
        record, _ = rows[others[0]]
        what = (
            f"{_TYPE} is {short(record[_TYPE])} of {short(record[_NAME])}, where raw data and the ending say"
        )
        yield _said("by ending", f"{what} {_usual(ending(record[_NAME]) or '')}", others, rows)
        return
    stated = [
        (at, one) for at, (record, _) in enumerate(rows) if isinstance(one := record.get(_TYPE), str) and one
    ]
    none = [at for at, one in stated if "/" not in one]
    if len(none) >= _SEVERAL and len(none) <= _CLEAR * len(stated):
        what = f"{_TYPE} is {short(rows[none[0]][0][_TYPE])}, where others are {short(_first(stated))}"
        yield _said("no type", what, none, rows)
        return
    false = [(at, end) for end, some in held.items() for at, stated in some if _is_made_up(stated, end)]
    if false:
        at, end = false[0]
        what = f"{_TYPE} is {short(rows[at][0][_TYPE])} of .{end}, which is no registered type"
        yield _said("no type", f"{what}: {_usual(end)} is", [at for at, _ in false], rows)


def _said(rule: str, what: str, odd: Sequence[int], rows: Rows) -> MappingFinding:
    examples = places_of(sorted(odd), rows, _TYPE)
    return MappingFinding(
        "alike", rule, _TYPE, f"{what}, in {len(odd):,} of {len(rows):,} records", len(odd), examples
    )


def _first(stated: Sequence[tuple[int, str]]) -> str:
    return next(one for _, one in stated if "/" in one)


@lru_cache(maxsize=1)
def _registered() -> MimeTypes:
    return MimeTypes(filenames=(), strict=True)


def _usual(end: str) -> str:
    return _registered().guess_type(f"x.{end}")[0] or ""


def _is_of_others(record: Mapping[str, Any], raw: str) -> bool:
    """Whether a type is registered for other endings alone, where raw data has the very one of the name's ending."""
    stated, end = record.get(_TYPE), ending(record.get(_NAME))
    if not end or not isinstance(stated, str) or stated in (usual := _usual(end), "") or not usual:
        return False
    its = _registered().guess_all_extensions(stated)
    held = leaves(record[raw]).values()
    return bool(its) and f".{end}" not in its and usual in held and stated not in held


@lru_cache(maxsize=4096)
def _is_made_up(stated: str, end: str) -> bool:
    """Whether a type is merely a kind and the ending, where the ending has another registered one: ``image/jpg``."""
    usual = _usual(end)
    known = {*_registered().types_map[True].values(), *_ALSO_USED}
    return stated.rpartition("/")[2] == end and stated not in known and "" != usual != stated
