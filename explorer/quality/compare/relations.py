"""Claims about what old and new values have in common, whatever the cause: rounding, letters, other fields."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any
from urllib.parse import unquote, unquote_plus

from explorer.catalog.spec import ABSENT
from explorer.jsontext.pointer import value_at
from explorer.quality.compare.changed_values import ChangedRecord, ChangedValue, Sample, canonical
from explorer.quality.compare.claims import (
    Claim,
    Holds,
    copy_of,
    leaves,
    steps_of,
    telling,
    words_of,
)
from explorer.quality.compare.state_transforms import quoted
from explorer.quality.values.fixed_transforms import number_of
from explorer.quality.values.transform import Transform, equal, is_number
from explorer.quality.values.transforms import fitted

_LOOKED_AT, _LEAVES, _ENDS = 40, 300, 6
_SIGNS = 3
"""Escaped characters that a sentence shows."""
_NEAR = Decimal("1e-9")
_UNITS = (1, 10, 12, 24, 60, 100, 1000, 1024, 3600, 10**6, 1024**2, 10**9, 1024**3)
_ROUGHLY = Decimal("0.005")
_TELLING, _LARGEST = 20, 1e15
_OF_EACH = 8
"""Records with true and with false in which two fields have to agree."""
_MOST_OF = 0.8
_SAY_NOTHING = {"same", "constant", "table", "there", "not there", "default"}
_ALIKE: tuple[tuple[str, str, Callable[[str], str]], ...] = (
    ("spaces", "differs in spaces alone", lambda text: "".join(text.split())),
    ("case", "differs in upper and lower case alone", str.casefold),
    ("Unicode form", "differs in Unicode form alone", lambda text: unicodedata.normalize("NFKD", text)),
    ("punctuation", "differs only in punctuation and spaces", lambda text: re.sub(r"[\W_]", "", text)),
    (
        "case and punctuation",
        "differs only in case, punctuation and spaces",
        lambda text: re.sub(r"[\W_]", "", text.casefold()),
    ),
)


def alike(name: str) -> Iterator[Claim]:
    """Claims about two texts with the same letters and digits, whatever their differences."""

    def holds(part: Callable[[str], str]) -> Holds:
        def of(value: ChangedValue, _: ChangedRecord) -> bool:
            texts = all(isinstance(a, str) and isinstance(b, str) for a, b in value.pairs)
            return texts and all(part(a) == part(b) != "" for a, b in value.pairs)

        return of

    for at, (kind, words, part) in enumerate(_ALIKE):
        yield Claim(name, kind, words, "harmless", holds(part), 20 + at, exact=True)


_JSON_ESCAPE = re.compile(
    r'\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\["\\/bfnrt]'
)


def _of_json(text: str) -> str:
    return _JSON_ESCAPE.sub(lambda found: json.loads(f'"{found[0]}"'), text)


_ESCAPES: tuple[tuple[str, re.Pattern[str], tuple[Callable[[str], str], ...]], ...] = (
    ("HTML", re.compile(r"&(?:#\d+|#[xX][\da-fA-F]+|[a-zA-Z][a-zA-Z\d]*);?"), (html.unescape,)),
    (
        "URLs",
        re.compile(r"%[0-7][\da-fA-F]|%[c-fC-F][\da-fA-F](?:%[89abAB][\da-fA-F])+"),
        (unquote, unquote_plus),
    ),
    ("JSON", _JSON_ESCAPE, (_of_json,)),
)


def escaped_in_part(name: str, pairs: Sequence[tuple[Any, Any]]) -> Iterator[Claim]:
    """Texts that read as before once they are unescaped, whichever of their characters are escaped and however."""
    for form, escape, readings in _ESCAPES:

        def reads(before: Any, now: Any, readings: tuple[Callable[[str], str], ...] = readings) -> bool:
            texts = isinstance(before, str) and isinstance(now, str)
            return texts and before != now and any(read(now) == before for read in readings)

        def holds(value: ChangedValue, _: ChangedRecord, reads: Callable[..., bool] = reads) -> bool:
            return all(reads(*pair) for pair in value.pairs)

        signs = Counter(
            (plain, sign)
            for before, now in pairs
            if reads(before, now)
            for sign in escape.findall(now)
            if (plain := readings[0](sign)) != sign
        )
        if signs:
            some = [f"{quoted(plain)} as {quoted(sign)}" for (plain, sign), _ in signs.most_common(_SIGNS)]
            told = " and ".join(filter(None, (", ".join(some[:-1]), some[-1])))
            words = f"is now escaped for {form} (some characters only, such as {told})"
            yield Claim(name, f"escaped for {form}", words, "suspect", holds, 3, exact=True)


def as_json(name: str) -> Claim:
    """An object or array that is now JSON text with the same content, except for some of its values."""

    def holds(value: ChangedValue, _: ChangedRecord) -> bool:
        return all(isinstance(b, str) and _reads_as(a, b) for a, b in value.pairs)

    return Claim(
        name, "JSON text", "is written as JSON text now, as a string", "suspect", holds, 10, exact=True
    )


def _reads_as(before: Any, now: str) -> bool:
    if not isinstance(before, dict | list) or not before or now[:1] not in "[{":
        return False
    try:
        found = json.loads(now)
    except (ValueError, RecursionError):
        return False
    if not isinstance(before, dict):
        return isinstance(found, list) and len(found) == len(before)
    return isinstance(found, dict) and len(before.keys() & found.keys()) >= 0.5 * len(before)


def in_ranges(name: str, pairs: Sequence[tuple[Any, Any]]) -> Iterator[Claim]:
    """One text for each range of numbers."""
    some = sorted((a, b) for a, b in pairs if is_number(a) and isinstance(b, str))
    ends: dict[str, tuple[Any, Any]] = {}
    last = None
    for before, now in some:
        if now != last and now in ends:
            return
        ends[now] = (ends[now][0] if now in ends else before, before)
        last = now
    distinct = len({before for before, _ in some})
    if not 2 <= len(ends) <= 12 or distinct < 3 * len(ends):
        return
    known = list(ends.items())

    def told(number: float) -> set[str]:
        """The texts possible for a number: two between ranges."""
        made = {text for text, (low, high) in known if low <= number <= high}
        below = [text for text, (_, high) in known if high < number][-1:]
        above = [text for text, (low, _) in known if low > number][:1]
        return made or {*below, *above}

    def holds(value: ChangedValue, _: ChangedRecord) -> bool:
        return all(is_number(a) and isinstance(b, str) and b in told(a) for a, b in value.pairs)

    shown = ", ".join(f'"{text}"' for text, _ in known[:3]) + (", …" if len(known) > 3 else "")
    words = f"is text now, one of {len(known)} ranges of numbers ({shown})"
    yield Claim(name, "ranges", words, "suspect", holds, 7, exact=True)


def of_varied_ends(name: str, pairs: Sequence[tuple[Any, Any]]) -> Iterator[Claim]:
    """Additional text before or after, different in each record, with the same separator."""
    texts = [(a, b) for a, b in pairs if isinstance(a, str) and isinstance(b, str) and a and len(b) > len(a)]
    for front in (True, False):
        more = [_more(a, b, front) for a, b in texts]
        some = [one for one in more if one]
        if len(some) < 5:
            continue
        [(joint, _)] = Counter(_joint(one, front) for one in some).most_common(1)
        usual = Counter(one for one in some if _joint(one, front) == joint)
        if joint and len(usual) >= 3 and usual.most_common(1)[0][1] <= 0.5 * len(some):
            yield _with_more(name, front, joint, next(iter(usual)))


def _more(before: Any, now: Any, front: bool) -> str:
    if not isinstance(before, str) or not isinstance(now, str) or not before or len(now) <= len(before):
        return ""
    if front:
        return now[: -len(before)] if now.endswith(before) else ""
    return now[len(before) :] if now.startswith(before) else ""


def _joint(more: str, front: bool) -> str:
    """The characters next to the text that are not letters or digits."""
    found = re.search(r"[\W_]+$" if front else r"^[\W_]+", more)
    return found[0] if found else ""


def _with_more(name: str, front: bool, joint: str, example: str) -> Claim:
    def holds(value: ChangedValue, _: ChangedRecord) -> bool:
        more = [_more(a, b, front) for a, b in value.pairs]
        return all(one and _joint(one, front) == joint for one in more)

    where, side = ("prefix", "in front of") if front else ("suffix", "behind")
    words = f'has a {where} that is not always the same put {side} it, like "{example}"'
    return Claim(name, f"{where} of several", words, "edited", holds, 12)


# ---------------------------------------------------------------- numbers


def of_numbers(name: str, pairs: Sequence[tuple[Any, Any]]) -> list[Claim]:
    """A factor that numbers have in common, allowing for rounding."""
    some = [(Decimal(str(a)), Decimal(str(b))) for a, b in pairs if is_number(a) and is_number(b) and a and b]
    some = sorted(some[:: max(1, len(some) // _LOOKED_AT)], key=lambda pair: -abs(pair[0]))
    if len(some) < 3:
        return []
    places = max(-int(now.normalize().as_tuple().exponent) for _, now in some)
    votes: Counter[Decimal] = Counter()
    for before, now in some:
        ratio = now / before
        found = {round(ratio, digits).normalize() for digits in (0, 1, 2, 3, 4, 6)}
        whole = round(1 / ratio)
        votes.update(found | ({1 / Decimal(whole)} if abs(ratio) < 1 and whole else set()))
    return [_scaled(name, one, places) for one, often in votes.most_common(6) if often >= 3 and one]


def _scaled(name: str, factor: Decimal, places: int) -> Claim:
    """A multiple of the number, rounded: within half of its last place, whichever way halves are rounded."""
    half = Decimal(10) ** -places / 2 * (1 + _NEAR)

    def near(before: Any, now: Any) -> bool:
        if not is_number(before) or not is_number(now):
            return False
        other = Decimal(str(now))
        return abs(Decimal(str(before)) * factor - other) <= half and round(other, places) == other

    rounded = (
        f"rounded to {places} place{'' if places == 1 else 's'}" if places > 0 else "rounded to whole numbers"
    )
    if places < 0:
        rounded = f"rounded to whole {10**-places:,}s"
    words, kind = f"is now {rounded}", "rounded"
    if factor != 1:
        size = (
            f"{factor:,f} times larger"
            if factor > 1
            else f"{round(1 / factor, 6).normalize():,f} times smaller"
        )
        words, kind = f"is now {size}, {rounded}", "unit, rounded"
    return Claim(name, kind, words, "suspect", lambda value, _: all(near(*pair) for pair in value.pairs), 8)


# ---------------------------------------------------------------- other fields


def _sources(record: ChangedRecord) -> dict[str, Any]:
    """The possible sources of a field: the other values of the record; for changed ones their earlier value."""
    made = {path: value for path, value in leaves(record.now()) if path not in record.values}
    for other in record.values.values():
        if len(other.befores) == 1 and other.befores[0] is not ABSENT:
            made.update(leaves(other.befores[0], other.field))
    made.update(_first_items(record.now()))
    return made


def _earlier(record: ChangedRecord, source: str) -> Any:
    """A possible source before, as what is left out of the comparison may have changed as well; ABSENT without one."""
    if source in record.values:
        return record.values[source].befores[0]
    was = record.before()
    return ABSENT if was is None else dict(leaves(was)).get(source, ABSENT)


def _first_items(record: Any) -> Iterator[tuple[str, Any]]:
    """The values in the first item of each array of the record."""
    for field, value in record.items() if isinstance(record, dict) else ():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield from leaves(value[0], f"{field}[0]")


def of_sources(name: str, samples: Sequence[Sample]) -> Iterator[Claim]:
    """Two other fields joined, or one transformed."""
    joins: Counter[tuple[str, str, str]] = Counter()
    near: Counter[str] = Counter()
    texts = [
        (_sources(one.record), one.value.nows[0])
        for one in samples[:_LOOKED_AT]
        if len(one.value.nows) == 1 and isinstance(one.value.nows[0], str)
    ]
    for sources, now in texts:
        some = [(path, one) for path, one in sources.items() if isinstance(one, str) and one][:_LEAVES]
        ends = [(path, one) for path, one in some if now.endswith(one)][:_ENDS]
        for first, one in [(path, one) for path, one in some if now.startswith(one)][:_ENDS]:
            for last, other in ends:
                between = len(now) - len(one) - len(other)
                if first != last and 0 <= between <= 4:
                    joins[first, now[len(one) : len(one) + between], last] += 1
        folded = now.casefold()
        near.update(
            path for path, one in some if path != name and len(one) > 2 and _holds(one.casefold(), folded)
        )
    yield from (_joined(name, *each) for each, often in joins.most_common(2) if often >= 3)
    for path, often in near.most_common(3):
        if often >= max(3, 0.5 * len(texts)):
            found = fitted([(sources.get(path), now) for sources, now in texts], share=0.9)
            some_of = (one.transform for one in found)
            yield from (
                _made_of(name, path, one) for one in some_of if one.name not in {"same", "constant", "table"}
            )


def of_number_sources(name: str, samples: Sequence[Sample]) -> Iterator[Claim]:
    """Another field's number: as text where it was a number, or in another unit."""
    votes: Counter[str] = Counter()
    some = [one for one in samples[:_LOOKED_AT] if len(one.value.nows) == 1]
    numbers = [(_sources(one.record), _number(one.value.nows[0])) for one in some]
    for sources, now in numbers:
        if now is not None and abs(now) >= _TELLING:
            found = [(path, _number(one)) for path, one in list(sources.items())[:_LEAVES] if path != name]
            votes.update(path for path, one in found if one is not None and _in_a_unit(one, now))
    for path, often in votes.most_common(2):
        if often >= max(3, _MOST_OF * len(some)):
            pairs = [
                (sources.get(path), one.value.nows[0])
                for (sources, _), one in zip(numbers, some, strict=True)
            ]
            made = (one.transform for one in fitted(pairs, share=_MOST_OF))
            yield from (_made_of(name, path, one) for one in made if one.name not in _SAY_NOTHING)


def of_truth_sources(name: str, samples: Sequence[Sample]) -> Iterator[Claim]:
    """Another field's truth value, in too many records for a coincidence."""
    some = [
        one
        for one in samples[:_LOOKED_AT]
        if len(one.value.nows) == 1 and isinstance(one.value.nows[0], bool)
    ]
    nows = [one.value.nows[0] for one in some]
    if min(nows.count(True), nows.count(False)) < _OF_EACH:
        return
    votes: Counter[str] = Counter()
    for one, now in zip(some, nows, strict=True):
        votes.update(path for path, leaf in list(_sources(one.record).items())[:_LEAVES] if leaf is now)
    same = sorted(path for path, often in votes.items() if often == len(some) and path != name)
    yield from (replace(copy_of(name, path), exact=True) for path in same[:2])


def _number(value: Any) -> Decimal | None:
    found = value if is_number(value) else number_of(value)
    return Decimal(str(found)) if is_number(found) and abs(found) < _LARGEST else None


def _in_a_unit(one: Decimal, other: Decimal) -> bool:
    ratio = abs(one / other)
    return any(abs(ratio / unit - 1) < _ROUGHLY or abs(ratio * unit - 1) < _ROUGHLY for unit in _UNITS)


def _holds(one: str, other: str) -> bool:
    return one in other or other in one


def _joined(name: str, first: str, between: str, last: str) -> Claim:
    def holds(value: ChangedValue, record: ChangedRecord) -> bool:
        sources = _sources(record)
        one, other = sources.get(first), sources.get(last)
        texts = isinstance(one, str) and isinstance(other, str) and len(value.nows) == 1
        if not texts or value.nows[0] != f"{one}{between}{other}":
            return False
        was = (_earlier(record, first), _earlier(record, last))
        return ABSENT in was or value.befores[0] != between.join(map(str, was))

    words = f"is now made of {first} and {last}" + (f', with "{between}" between' if between else "")
    return Claim(name, "joined of fields", words, "edited", holds, 3)


def _made_of(name: str, source: str, one: Transform) -> Claim:
    def holds(value: ChangedValue, record: ChangedRecord) -> bool:
        found = _sources(record).get(source, ABSENT)
        if len(value.nows) != 1 or found is ABSENT or not equal(one(found), value.nows[0]):
            return False
        was = _earlier(record, source)
        return was is ABSENT or not equal(one(was), value.befores[0])

    words = f"is now made of {source}, which {words_of(one)}"
    if one.name in ("number as text", "number read"):
        words = f"is now the value of {source}, as {'text' if one.name == 'number as text' else 'a number'}"
    if re.fullmatch(r'is the last part, split at "\."', one.words):
        words = f'is now the extension of {source}, the text after its last "."'
    return Claim(name, f"of another field, {one.name}", words, "suspect", holds, 6)


def of_places(name: str, gone: Sequence[Sample]) -> Iterator[Claim]:
    """Where the value of a removed field is now."""
    votes: Counter[str] = Counter()
    for value, record in gone[:_LOOKED_AT]:
        if len(value.befores) == 1 and telling(value.befores[0]):
            text = canonical(value.befores[0])
            for _, (path, now) in zip(range(_LEAVES), leaves(record.now()), strict=False):
                votes[path] += telling(now) and canonical(now) == text
    yield from (_moved(name, path) for path, often in votes.most_common(1) if often)


def _is_at_or_below(path: str, other: str) -> bool:
    return path == other or path.startswith((f"{other}.", f"{other}["))


def _moved(name: str, path: str) -> Claim:
    steps = steps_of(path)

    def holds(value: ChangedValue, record: ChangedRecord) -> bool:
        alone = len(value.nows) == 1 and value.nows[0] is ABSENT
        new = any(_is_at_or_below(path, other) for other in record.values)
        return alone and new and equal(value_at(record.now(), steps, ABSENT), value.befores[0])

    return Claim(name, "moved", f"is now at {path}", "suspect", holds, 2)
