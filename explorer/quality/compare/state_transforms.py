"""Transforms that are more likely between two states of a field than between a source and its field.

They complement those of `explorer.quality.values.transforms`: an amount added, a piece of text replaced, characters
left out, a member of an object, a digest in place of a value.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from decimal import Decimal
from functools import lru_cache, partial
from itertools import chain
from typing import Any

from explorer.quality.compare.formats import formats
from explorer.quality.compare.ignored_fields import is_vague
from explorer.quality.values.date_transforms import (
    DateFormat,
    DateReading,
    date_readings,
    date_transform,
    write_date,
)
from explorer.quality.values.transform import MISSING, Transform, equal, is_number, of_number, of_text

_LONGEST = 2_000
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_BREAKS = ("\n", "\r\n")
_BETWEEN = "/\\.:@|"
"""Characters between the parts of paths, addresses and names."""
_PIECE = 40
"""Longest piece of text, in characters, that is told as replaced: a sentence shows all of it."""
_DIGITS = 300
"""Longest numeral in digits that is calculated with."""
_LIKELIEST = 12
"""Transforms of each kind that are proposed."""
_HIDDEN = re.compile(r"([*•#xX])\1{2,}")


def proposed_between(pairs: Iterable[tuple[Any, Any]]) -> list[Transform]:
    """The transforms that may have turned some values into others, those that fit most of the pairs first."""
    votes: Counter[tuple[Callable[..., Transform], tuple[Any, ...]]] = Counter()
    fixed: Counter[Transform] = Counter()
    for before, now in pairs:
        for proposal in _proposals(before, now):
            votes[proposal] += 1
        for one in chain(FIXED, formats(before, now)):
            if equal(one(before), now):
                fixed[one] += 1
    found = [(count, make(*given)) for (make, given), count in votes.most_common(_LIKELIEST)]
    found += [(count, one) for one, count in fixed.most_common(_LIKELIEST)]
    return [one for _, one in sorted(found, key=lambda each: (-each[0], each[1].cost))]


def _proposals(before: Any, now: Any) -> Iterator[tuple[Callable[..., Transform], tuple[Any, ...]]]:
    if is_number(before) and is_number(now):
        yield added, (_less(now, before),)
        yield from _of_units(before, now)
    elif isinstance(before, str) and isinstance(now, str):
        if len(before) <= _LONGEST and len(now) <= _LONGEST:
            yield from _of_texts(before, now)
    elif isinstance(before, dict):
        yield from ((member, (name,)) for name in list(before)[:40] if equal(before[name], now))
    elif isinstance(before, list) and isinstance(now, list) and 0 < len(now) < len(before):
        yield first_items, (len(now),)
    if isinstance(now, dict) and len(now) == 1:
        [(name, inner)] = now.items()
        if equal(inner, before):
            yield wrapped, (name,)


def _of_texts(before: str, now: str) -> Iterator[tuple[Callable[..., Transform], tuple[Any, ...]]]:
    here, there = date_readings(before), date_readings(now)
    if here and there:
        gap = there[0].utc - here[0].utc
        if gap:
            yield shifted, (gap,)
            if here[0].zone and there[0].form == "text" and not there[0].zone:
                yield shifted_without_zone, (gap, there[0].style, there[0].digits, there[0].seconds)
        return
    if len(before) == len(now):
        other = {(a, b) for a, b in zip(before, now, strict=True) if a != b}
        if len(other) == 1:
            yield replaced, (*other.pop(), True)
    elif len(now) < len(before):
        for sign in sorted(set(before) - set(now))[:12]:
            if before.replace(sign, "") == now:
                yield replaced, (sign, "", True)
    elif now.isdecimal() and now.lstrip("0") == before.lstrip("0"):
        yield padded, (len(now),)
    if (
        len(now) > len(before)
        and (inner := _decoded(now)) is not None
        and before in inner
        and before != inner
    ):
        lead, _, tail = inner.partition(before)
        yield in_base64, (lead, tail)
    elif before and before in now:
        lead, _, tail = now.partition(before)
        if lead and tail:
            yield put_between, (lead, tail)
    if before.isdecimal() and now.isdecimal() and len(before) <= _DIGITS:
        yield added_text, (int(now) - int(before),)
        yield from ((scaled_text, given) for _, given in _of_units(int(before), int(now)))
    if len(now) < len(before) and before.endswith(now[1:]):
        yield from ((without_part, (sign,)) for sign in set(_BETWEEN) & set(before))
    yield from _of_pieces(before, now)
    hidden = _HIDDEN.search(now)
    if (
        hidden is not None
        and before.startswith(now[: hidden.start()])
        and before.endswith(now[hidden.end() :])
    ):
        behind = len(now) - hidden.end()
        as_long = len(now) == len(before)
        if as_long and (not behind) is not (not hidden.start()):
            yield masked_end, (len(hidden[0]), hidden[1], not behind)
        yield masked, (hidden.start(), behind, hidden[1], 0 if as_long else len(hidden[0]))


def _of_pieces(before: str, now: str) -> Iterator[tuple[Callable[..., Transform], tuple[Any, ...]]]:
    """One piece replaced by another: the differing part alone, and extended to whole words."""
    start = next(
        (at for at, (a, b) in enumerate(zip(before, now, strict=False)) if a != b), min(len(before), len(now))
    )
    most = min(len(before), len(now)) - start
    end = next((at for at in range(most) if before[-1 - at] != now[-1 - at]), most)
    for left, right in ((start, end), (_word_start(before, start), _word_end(before, end))):
        old, new = before[left : len(before) - right], now[left : len(now) - right]
        if old and old != before and max(len(old), len(new)) <= _PIECE and before.replace(old, new, 1) == now:
            yield replaced, (old, new, False)
            if before.replace(old, new) == now:
                yield replaced, (old, new, True)


def _word_start(text: str, at: int) -> int:
    while at and text[at - 1].isalnum():
        at -= 1
    return at


def _word_end(text: str, at: int) -> int:
    while at and text[-at].isalnum():
        at -= 1
    return at


@lru_cache(maxsize=1024)
def _decoded(text: str) -> str | None:
    try:
        return base64.b64decode(text, validate=True).decode() if len(text) % 4 == 0 else None
    except ValueError:
        return None


def _less(one: float, other: float) -> float:
    made = Decimal(str(one)) - Decimal(str(other))
    return int(made) if made == made.to_integral_value() else float(made)


_FACTORS = (10, 12, 24, 60, 100, 1_000, 1_024, 3_600, 10_000, 10**6, 1_024**2, 10**9, 1_024**3)


def _of_units(before: float, now: float) -> Iterator[tuple[Callable[..., Transform], tuple[Any, ...]]]:
    """Exact multiples, in decimal, because a product of floats is often off in its last digit."""
    if not before or not now:
        return
    one, other = Decimal(str(before)), Decimal(str(now))
    yield from ((scaled, (times, True)) for times in _FACTORS if one * times == other)
    yield from ((scaled, (times, False)) for times in _FACTORS if other * times == one)


def scaled(times: int, larger: bool) -> Transform:
    """A number in another unit, without any loss."""

    @of_number
    def make(value: Any) -> Any:
        exact = Decimal(str(value)) * times if larger else Decimal(str(value)) / times
        return int(exact) if exact == exact.to_integral_value() else float(exact)

    words = f"is × {times:,}" if larger else f"is ÷ {times:,}"
    return Transform("unit", words, False, make, 1)


def added(amount: float) -> Transform:
    """A number larger or smaller by an amount."""

    @of_number
    def make(value: Any) -> Any:
        made = Decimal(str(value)) + Decimal(str(amount))
        return int(made) if made == made.to_integral_value() else float(made)

    words = f"is larger by {amount:,}" if amount > 0 else f"is smaller by {-amount:,}"
    return Transform("amount added", words, False, make, 4)


def added_text(amount: int) -> Transform:
    """A numeral larger or smaller by an amount."""

    def make(value: Any) -> Any:
        numeral = isinstance(value, str) and value.isdecimal() and len(value) <= _DIGITS
        return str(int(value) + amount) if numeral and str(int(value)) == value else MISSING

    words = f"{added(amount).words}, as text"
    return Transform("amount added to a numeral", words, False, make, 4)


def without_part(sign: str) -> Transform:
    """A path, address or name without its first part."""

    @of_text
    def make(value: str) -> Any:
        lead = sign if value.startswith(sign) else ""
        first, _, kept = value.removeprefix(lead).partition(sign)
        return f"{lead}{kept}" if first and kept else MISSING

    return Transform("part left out", f"is without its first part at {quoted(sign)}", True, make, 4)


def shifted(gap: timedelta) -> Transform:
    """A date in the same form, earlier or later."""

    def make(value: Any) -> Any:
        here = next(iter(date_readings(value)), None) if isinstance(value, str) else None
        if here is None or (here.form == "slashed"):
            return MISSING
        there = DateReading(
            here.wall + gap, here.ahead, here.form, here.style, here.zone, here.digits, here.seconds
        )
        return write_date(there, DateFormat(here.form, here.style, "keep", "keep", here.seconds), here)

    return Transform(
        "date moved", f"is {_span(gap)} {'later' if gap > timedelta() else 'earlier'}", False, make, 5
    )


def shifted_without_zone(gap: timedelta, style: str, digits: int, seconds: bool) -> Transform:
    """A date earlier or later, and without its time zone; the others say how it is written."""
    form = DateFormat("text", style, "", digits, seconds)
    return shifted(gap).then(date_transform("", "dropped", timedelta(), False, form))


def _span(gap: timedelta) -> str:
    seconds = abs(gap).total_seconds()
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")):
        if seconds % size == 0:
            number = int(seconds // size)
            return f"{number:,} {name}{'' if number == 1 else 's'}"
    return f"{seconds:,} seconds"


def replaced(old: str, new: str, every: bool) -> Transform:
    """One piece of text replaced by another: each occurrence or only the first."""

    def make(value: Any) -> Any:
        if not isinstance(value, str) or old not in value:
            return MISSING
        return value.replace(old, new) if every else value.replace(old, new, 1)

    which = "" if every else "first "
    words = f"has {quoted(new)} in place of {quoted(old)}" if new else f"is without its {which}{quoted(old)}"
    cost = 1 if old in _BREAKS and every else 5 + (not every)  # more specific than "white space"
    return Transform("text replaced" if new else "text left out", words, False, make, cost)


def quoted(text: str) -> str:
    """A piece of text as a sentence shows it."""
    shown = text if len(text) <= _PIECE else text[: _PIECE - 1] + "…"
    if text in _BREAKS:
        return "line break"
    return (
        "space"
        if shown == " "
        else f'"{shown.encode("unicode_escape").decode() if not shown.isprintable() else shown}"'
    )


def padded(length: int) -> Transform:
    """A numeral with leading zeros."""

    def make(value: Any) -> Any:
        return value.zfill(length) if isinstance(value, str) and value.isdecimal() else MISSING

    return Transform("zeros added", f"is padded with zeros to {length} digits", False, make, 3)


def masked(lead: int, tail: int, sign: str, length: int) -> Transform:
    """A text with only some characters at its ends readable; ``length`` of the hidden part, 0: unchanged."""

    def make(value: Any) -> Any:
        if not isinstance(value, str) or len(value) < lead + tail:
            return MISSING
        hidden = length or len(value) - lead - tail
        return value[:lead] + sign * hidden + value[len(value) - tail :]

    return Transform("masked", f'is masked with "{sign}"', True, make, 4)


def masked_end(count: int, sign: str, last: bool) -> Transform:
    """A text with ``count`` characters at one end unreadable."""

    def make(value: Any) -> Any:
        if not isinstance(value, str) or len(value) < count:
            return MISSING
        return value[: len(value) - count] + sign * count if last else sign * count + value[count:]

    words = f'has its {"last" if last else "first"} {count} characters masked with "{sign}"'
    return Transform("masked", words, True, make, 4)


def in_base64(lead: str, tail: str) -> Transform:
    """A text with an affix, in Base64."""

    def make(value: Any) -> Any:
        return (
            base64.b64encode(f"{lead}{value}{tail}".encode()).decode() if isinstance(value, str) else MISSING
        )

    words = f"is encoded as Base64, behind {quoted(lead)}" if lead else "is encoded as Base64"
    words += f" and before {quoted(tail)}" if tail else ""
    return Transform("Base64", words, False, make, 3)


def put_between(lead: str, tail: str) -> Transform:
    """A text with more before and after it."""
    words = f"is wrapped in {quoted(lead)} and {quoted(tail)}"
    return Transform("put between", words, False, of_text(lambda value: f"{lead}{value}{tail}"), 4)


def scaled_text(times: int, larger: bool) -> Transform:
    """A numeral in another unit."""

    def make(value: Any) -> Any:
        if not isinstance(value, str) or not value.isdecimal():
            return MISSING
        made = scaled(times, larger)(int(value))
        return str(made) if isinstance(made, int) else MISSING

    words = f"is × {times:,}, as text" if larger else f"is ÷ {times:,}, as text"
    return Transform("unit", words, False, make, 2)


def member(name: str) -> Transform:
    """One member of an object in place of it."""
    return Transform("member", f"is only its member {name}", True, lambda value: value.get(name, MISSING), 3)


def wrapped(name: str) -> Transform:
    """An object with the value as its only member."""
    return Transform("wrapped", f"is put into an object as {name}", False, lambda value: {name: value}, 3)


def first_items(count: int) -> Transform:
    """The beginning of an array."""

    def make(value: Any) -> Any:
        if not isinstance(value, list) or len(value) <= count:
            return MISSING
        kept, gone = value[:count], value[count:]
        vague = any(is_vague(item) and any(equal(item, other) for other in kept) for item in gone)
        return MISSING if vague else kept

    words = "has only its first item" if count == 1 else f"has only its first {count} items"
    return Transform("items cut", words, True, make, 3)


_short = partial(of_text, longest=_LONGEST)


def _digest(name: str) -> Callable[[Any], Any]:
    return _short(lambda text: hashlib.new(name, text.encode(), usedforsecurity=False).hexdigest())


def _spelled(between: str) -> Callable[[Any], Any]:
    return _short(lambda text: between.join(word.lower() for word in _words(text)) or MISSING)


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text)) if len(text) <= 200 and any(map(str.isalpha, text)) else ()


def _line(text: str) -> str:
    return " ".join(_words(text))


def _camel(text: str) -> Any:
    parts = _words(text)
    return parts[0].lower() + "".join(one.capitalize() for one in parts[1:]) if parts else MISSING


def _turned(between: str) -> Callable[[str], Any]:
    def turned(text: str) -> Any:
        first, _, last = text.rpartition(" ")
        return f"{last}{between}{first}" if first else MISSING

    return turned


def _turned_back(text: str) -> Any:
    last, comma, first = text.partition(", ")
    return f"{first} {last}" if comma else MISSING


def _once(value: Any) -> Any:
    if not isinstance(value, list):
        return MISSING
    made: list[Any] = []
    for item in value[:500]:
        if not any(equal(item, other) for other in made):
            made.append(item)
        elif is_vague(item):
            return MISSING
    return made if len(value) <= 500 else MISSING


def _wrapped_at(bits: int) -> Callable[[Any], Any]:
    half = 2 ** (bits - 1)
    return lambda value: (
        (value + half) % (2 * half) - half if is_number(value) and value == int(value) else MISSING
    )


def _exponent(value: Any) -> Any:
    return f"{value:e}" if is_number(value) else MISSING


def _numeral(make: Callable[[str], Any]) -> Callable[[Any], Any]:
    """``make`` for numerals and whole numbers, as text."""

    def made(value: Any) -> Any:
        text = str(value) if is_number(value) else value
        return make(text) if isinstance(text, str) and text.isdecimal() and len(text) <= _DIGITS else MISSING

    return made


def _names_of_true(value: Any) -> Any:
    """The names of the true members in an object of truth values."""
    if not isinstance(value, dict) or not all(isinstance(given, bool) for given in value.values()):
        return MISSING
    return [name for name, given in value.items() if given]


T = Transform
FIXED: tuple[Transform, ...] = (
    T("digest", "is its MD5 digest", True, _digest("md5"), 2),
    T("digest", "is its SHA-1 digest", True, _digest("sha1"), 2),
    T("digest", "is its SHA-256 digest", True, _digest("sha256"), 2),
    T("Base64", "is written as Base64", False, _short(lambda t: base64.b64encode(t.encode()).decode()), 2),
    T("Base64", "is decoded from Base64", False, _short(lambda t: base64.b64decode(t, validate=True).decode()), 2),
    T("spelling", "is spelled in snake_case", False, _spelled("_"), 3),
    T("spelling", "is spelled in kebab-case", False, _spelled("-"), 3),
    T("spelling", "is spelled in camelCase", False, _short(_camel), 3),
    T("spelling", "is spelled in SNAKE_CASE", False, _short(lambda t: "_".join(_words(t)).upper()), 3),
    T("spelling", "is spelled in PascalCase", False, _short(lambda t: _camel(t)[:1].upper() + _camel(t)[1:]), 3),
    T("spelling", "is spelled as words in lower case", False, _spelled(" "), 3),
    T("spelling", "is spelled as words, the first in upper case", False, _short(lambda t: _line(t).capitalize()), 3),
    T("spelling", "is spelled as words, each in upper case", False, _short(lambda t: _line(t).title()), 3),
    T("text turned", "has its last word first", False, _short(_turned(" ")), 3),
    T("text turned", "has its last word first, with a comma", False, _short(_turned(", ")), 3),
    T("text turned", "has what stood behind the comma first", False, _short(_turned_back), 3),
    T("text turned", "is written backwards", True, _short(lambda t: t[::-1]), 3),
    T("text turned", "has its words in reverse order", False, _short(lambda t: " ".join(t.split()[::-1])), 3),
    T("32 bits", "is wrapped at 32 bits", True, _wrapped_at(32), 2),
    T("number as text", "is written as text with an exponent", True, _exponent, 2),
    T("hexadecimal", "is written in hexadecimal", False, _numeral(lambda t: f"{int(t):x}"), 2),
    T("hexadecimal", "is written in hexadecimal, in upper case", False, _numeral(lambda t: f"{int(t):X}"), 2),
    T("hexadecimal", "is written in hexadecimal, with 0x before it", False, _numeral(lambda t: hex(int(t))), 2),
    T("digits alone", "has its digits alone", True, _short(lambda t: "".join(filter(str.isdigit, t)) or MISSING), 2),
    T("names of true", "is a list of the names of what is true", False, _names_of_true, 2),
    T("doubles gone", "has each item once", False, _once, 2),
)  # fmt: skip
