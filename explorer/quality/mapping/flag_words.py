"""Flags and the words of raw data that are called alike: what one says, the other has to say as well.

``confidential`` is what ``CONFIDENTIAL`` says wherever it is the word for it, and ``type`` is folder where
``is_folder`` is set. A word that is there is no yes: what is available is not deleted, whatever stands under its state,
and "No" is an answer as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from explorer.jsontext.pointer import steps
from explorer.quality.mapping.conditions import are_told_apart
from explorer.quality.mapping.field_state import Rows, places_of, short
from explorer.quality.mapping.judge import MappingFinding, tokens_of
from explorer.quality.mapping.origin import is_empty
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.fixed_transforms import is_no, is_yes
from explorer.quality.values.flat import leaves

_FEWEST = 50
"""The fewest records that tell anything."""
_SEVERAL = 3
"""The fewest of each kind of them."""
_WORDS = 12
"""The most words of a flag's column."""
_RARELY = 0.02
"""The share of records that may be otherwise."""
_SOME = 0.05
"""The share of records that are more than a few."""
_ASKED = frozenset({"is", "was", "has", "c", "flag"})
_STATES = frozenset({"status", "state", "stage"})
_LIVE = frozenset(
    {"available", "active", "live", "enabled", "published", "open", "current", "normal", "valid"}
)
"""Words of states in which a record is there."""
_GONE = frozenset({"deleted", "trashed", "trash", "removed", "archived"})


def flags_against_words(
    rows: Rows,
    laid: Sequence[Mapping[str, Any]],
    raw: str,
    choices: Mapping[str, Sequence[str]],
    settled: Collection[str],
) -> Iterator[MappingFinding]:
    """The findings on some records, except for the fields in ``settled``.

    ``laid`` is as in `DecisionTables`; ``choices`` are the words of each field.
    """
    if len(rows) < _FEWEST:
        return
    columns = {
        path: [its.get(path) for its in laid] for path in dict.fromkeys(path for its in laid for path in its)
    }
    for name in dict.fromkeys(name for record, _ in rows for name in record):
        values = [record.get(name) for record, _ in rows]
        if name in settled or name == raw:
            continue
        if {*map(type, values)} >= {bool} and all(one is None or isinstance(one, bool) for one in values):
            yield from _of_flag(name, values, columns, rows, raw, laid)
            yield from _of_nothing(name, values, rows)
        elif choices.get(name):
            yield from _of_words(name, choices[name], values, columns, rows, raw, laid)


def _of_flag(
    name: str,
    values: Sequence[Any],
    columns: Mapping[str, Sequence[Any]],
    rows: Rows,
    raw: str,
    laid: Sequence[Mapping[str, Any]],
) -> Iterator[MappingFinding]:
    own = _words(name)
    for path, column in columns.items():
        words = {one for one in column if isinstance(one, str) and one}
        if not 1 < len(words) <= _WORDS or not all(one is None or isinstance(one, str) for one in column):
            continue
        yes = [at for at, one in enumerate(column) if one and _words(one) == own]
        odd = [at for at in yes if values[at] is False]
        right = [at for at in yes if values[at] is True]
        others = sum(value is True for value in values) - len(right)
        is_its = min(len(odd), len(right)) >= _SEVERAL and others <= _RARELY * len(rows)
        if (
            not is_its
            and min(len(odd), others) >= _SEVERAL
            and (path_ := _by_another(name, values, rows, raw))
        ):
            wrong = [at for at, one in enumerate(column) if one and (values[at] is True) != (at in set(yes))]
            what = f"{name} comes from {raw}{spoken(path_)}, although {raw}{spoken(path)} has the very word for it"
            what += f" and differs in {len(wrong):,} of {len(rows):,} records"
            yield MappingFinding(
                "same", "another source", name, what, len(wrong), places_of(wrong, rows, name)
            )
            return
        if is_its and not are_told_apart([laid[at] for at in odd], [laid[at] for at in right]):
            what = (
                f"{name} is false where {raw}{spoken(path)} is {short(column[odd[0]])}, which it is true for"
            )
            what += f" elsewhere, in {len(odd):,} of {len(yes):,} records"
            yield MappingFinding(
                "alike", "against its word", name, what, len(odd), places_of(odd, rows, name)
            )
            return
        there = [at for at, one in enumerate(column) if not is_empty(one)]
        agrees = all((values[at] is True) == (not is_empty(one)) for at, one in enumerate(column))
        no = [at for at in there if is_no(column[at])]
        has_yes = any(is_yes(column[at]) for at in there)
        is_called_so = bool(own & _words(steps(path)[-1]))
        varies = len(rows) - len(there) >= _SEVERAL
        if agrees and len(no) >= _SEVERAL and (has_yes or is_called_so) and (varies or is_called_so):
            what = f"{name} is true wherever {raw}{spoken(path)} is not empty, also where it is"
            what += f" {short(column[no[0]])}, in {len(no):,} of {len(rows):,} records"
            yield MappingFinding("alike", "no is a yes", name, what, len(no), places_of(no, rows, name))
            return
        live = [at for at in there if _words(column[at]) & _LIVE and not _words(column[at]) & _GONE]
        is_state = bool(own & _GONE) and bool(_words(steps(path)[-1]) & _STATES)
        if is_state and agrees and len(live) >= _SEVERAL:
            what = f"{name} is true wherever {raw}{spoken(path)} is not empty, also where it is"
            what += f" {short(column[live[0]])}, in {len(live):,} of {len(rows):,} records"
            yield MappingFinding(
                "alike", "there is no yes", name, what, len(live), places_of(live, rows, name)
            )
            return


def _of_nothing(name: str, values: Sequence[Any], rows: Rows) -> Iterator[MappingFinding]:
    """A flag that is true throughout, though the list of what it says is there is empty in some of the records."""
    if any(value is not True for value in values):
        return
    for other in dict.fromkeys(other for record, _ in rows for other in record):
        lists = [record.get(other) for record, _ in rows]
        if (
            not _stem(name)
            or _stem(name) not in tokens_of(other)
            or not all(isinstance(one, list) for one in lists)
        ):
            continue
        odd = [at for at, one in enumerate(lists) if not one]
        if min(len(odd), len(rows) - len(odd)) >= max(_SEVERAL, _SOME * len(rows)):
            what = f"{name} is true in all {len(rows):,} records, although {other} has nothing in {len(odd):,} of them"
            yield MappingFinding("alike", "nothing to it", name, what, len(odd), places_of(odd, rows, name))


def _stem(name: str) -> str:
    """The word of what can be done: ``export`` of ``exportable``."""
    return name.removesuffix("able") if name.endswith("able") else ""


def _by_another(name: str, values: Sequence[Any], rows: Rows, raw: str) -> str:
    """The raw flag of another name that a flag is; empty where there is none, or one of its own name has values."""
    laid = [leaves(record[raw]) for record, _ in rows]
    flags = dict.fromkeys(path for its in laid for path, value in its.items() if isinstance(value, bool))
    if any(_words(name) == _words(steps(path)[-1]) for path in flags):
        return ""
    equal = (
        path for path in flags if all(its.get(path) is one for its, one in zip(laid, values, strict=True))
    )
    return next(equal, "")


def _of_words(
    name: str,
    choices: Sequence[str],
    values: Sequence[Any],
    columns: Mapping[str, Sequence[Any]],
    rows: Rows,
    raw: str,
    laid: Sequence[Mapping[str, Any]],
) -> Iterator[MappingFinding]:
    """A field of few words that is another one than a raw flag of one of them says."""
    told = Counter(one for one in values if isinstance(one, str))
    for path, column in columns.items():
        if not {True, False} <= {*column} or not all(one is None or isinstance(one, bool) for one in column):
            continue
        word = next((one for one in choices if _words(steps(path)[-1]) == _words(one)), "")
        yes = [at for at, one in enumerate(column) if one is True]
        right = [at for at in yes if values[at] == word]
        odd = [at for at in yes if values[at] in choices and values[at] != word]
        if not word or min(len(odd), len(right)) < _SEVERAL or told[word] - len(right) > _RARELY * len(rows):
            continue
        if not are_told_apart([laid[at] for at in odd], [laid[at] for at in right]):
            what = f"{name} is {short(values[odd[0]])} where {raw}{spoken(path)} is true, which gives {short(word)}"
            what += f" elsewhere, in {len(odd):,} of {len(yes):,} records"
            yield MappingFinding(
                "alike", "against its flag", name, what, len(odd), places_of(odd, rows, name)
            )
            return


def _words(text: str) -> frozenset[str]:
    return frozenset(tokens_of(text)) - _ASKED
