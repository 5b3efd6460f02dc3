"""Fields that are one raw value in some records and another in others, with nothing that tells when.

A field may come from the first of two that has something, from the later of two, or from one for each kind of record.
Where both are there in all of them, and no raw value tells the records apart, the records are not made alike: one of
the two is not meant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from explorer.jsontext.pointer import steps
from explorer.quality.mapping.conditions import are_told_apart, is_the_later
from explorer.quality.mapping.field_state import Rows, places_of, short
from explorer.quality.mapping.judge import MappingFinding, tokens_of
from explorer.quality.mapping.name_match import has_its_name, sounds_less
from explorer.quality.mapping.normal_forms import forms, is_telling, likeness
from explorer.quality.mapping.origin import is_empty
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.transforms import is_number

_FEWEST = 20
"""The fewest records that tell anything."""
_SEVERAL = 5
"""The fewest records of each source."""
_DIFFERENT = 4
"""The fewest different values of each source."""
_WHOLE = 0.97
"""The share of records that two sources explain together."""
_THERE = 0.95
"""The share of records in which the values of both are there."""
_USUAL = 0.97
"""The share of records from which on one source is that of all."""
_LOOSE = frozenset({"custom", "metadata", "meta", "extra", "properties", "attributes", "additional"})
"""Objects in which people keep values of their own."""


def mixed_sources(
    rows: Rows, laid: Sequence[Mapping[str, Any]], raw: str, settled: Collection[str], where: str = ""
) -> Iterator[MappingFinding]:
    """The findings on some records, except for the fields in ``settled``; ``laid`` as in `DecisionTables`.

    ``where`` is the place of the raw records in words.
    """
    if len(rows) < _FEWEST:
        return
    plain: list[dict[str, Any]] = []
    for name in dict.fromkeys(name for record, _ in rows for name in record):
        mine = [_plain(record.get(name)) for record, _ in rows]
        if name in (raw, *settled) or sum(one is not None for one in mine) < _FEWEST:
            continue
        plain = plain or [{path: _plain(value) for path, value in one.items()} for one in laid]
        found = _of(name, mine, plain, rows, laid, where or raw)
        if found is not None:
            yield found


def _of(
    name: str,
    mine: Sequence[Any],
    plain: Sequence[Mapping[str, Any]],
    rows: Rows,
    laid: Sequence[Mapping[str, Any]],
    where: str,
) -> MappingFinding | None:
    held: dict[str, set[int]] = {}
    for at, value in enumerate(mine):
        for path, there in plain[at].items() if value is not None else ():
            if there == value:
                held.setdefault(path, set()).add(at)
    filled = {at for at, value in enumerate(mine) if value is not None}
    first = max(held, key=lambda path: len(held[path]), default="")
    if not first or len(held[first]) >= _USUAL * len(filled):
        return None
    second = max(held, key=lambda path: (len(held[path] - held[first]), likeness(name, path)))
    odd, kept = held[second] - held[first], held[first] - held[second]
    if len(held[first] | held[second]) < _WHOLE * len(filled) or min(len(odd), len(kept)) < _SEVERAL:
        return None
    if any(len({mine[at] for at in some}) < _DIFFERENT for some in (odd, kept)):
        return None
    both = sorted(odd | kept)
    there = [at for at in both if not any(is_empty(laid[at].get(path)) for path in (first, second))]
    if len(there) < _THERE * len(both) or _is_rule(first, second, kept, odd, laid):
        return None
    usual, other, some = (first, second, odd)
    if fits(name, second) > fits(name, first):
        usual, other, some = (second, first, kept)
    places = sorted(some)
    what = f"{name} is {where}{spoken(other)} in {len(some):,} of {len(filled):,} records, and {where}{spoken(usual)}"
    what += f" elsewhere, though both are there and nothing tells when: {short(rows[places[0]][0].get(name))}"
    examples = places_of(places, rows, name)
    return MappingFinding("same", "two ways", name, what, len(some), examples, other)


def _is_rule(
    first: str, second: str, kept: Collection[int], odd: Collection[int], laid: Sequence[Mapping[str, Any]]
) -> bool:
    """Whether something in raw data tells when the second of two is taken."""
    pairs = [[(laid[at].get(first), laid[at].get(second)) for at in some] for some in (kept, odd)]
    if is_the_later(*pairs) or is_the_later(*([(b, a) for a, b in some] for some in pairs)):
        return True
    lengths = [[len(str(one)) for one, _ in some] for some in pairs]
    if max(lengths[0]) < min(lengths[1]) or max(lengths[1]) < min(lengths[0]):
        return True
    ours, others = ([laid[at] for at in some] for some in (kept, odd))
    return are_told_apart(others, ours) or are_told_apart(ours, others)


def fits(name: str, path: str) -> tuple[float, ...]:
    """How well a raw value fits a field by its place: its name, whose it is, and how deep it stands."""
    loose = any(word in _LOOSE for one in steps(path)[:-1] for word in one.lower().split("_"))
    return (
        has_its_name(name, path),
        not sounds_less(name, path),
        not loose,
        likeness(name, path),
        -path.count("/"),
        -len(tokens_of(path.rpartition("/")[2])),
    )


def _plain(value: Any) -> Any:
    """A value that tells its source, in a form that is the same for each way of writing it; None for others."""
    if isinstance(value, bool | list | dict) or not (is_number(value) or is_telling(value)):
        return None
    return forms(value)[-1] if forms(value) else None
