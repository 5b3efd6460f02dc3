"""The transforms whose parameters are learned from pairs of values: lengths, units, affixes, indexes, tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from explorer.quality.values.date_transforms import date_readings, date_transform, proposed
from explorer.quality.values.fixed_transforms import number_of, text_of
from explorer.quality.values.flat import BOXES
from explorer.quality.values.sign_transforms import LEAST as OF_SIGNS
from explorer.quality.values.sign_transforms import sign_proposals
from explorer.quality.values.transform import MISSING, Transform, equal, is_number, of_number, of_text

Pair = tuple[Any, Any]
Proposal = tuple[Callable[..., Transform], tuple[Any, ...]]
"""A function that makes a transform, and its parameters."""

_UNITS: tuple[tuple[int, int], ...] = (
    (100, 1), (1, 100), (1000, 1), (1, 1000), (1024, 1), (1, 1024), (1024**2, 1), (1, 1024**2), (1024**3, 1),
    (1, 1024**3), (10**6, 1), (1, 10**6), (60, 1), (1, 60), (3600, 1), (1, 3600), (10, 1), (1, 10), (-1, 1),
    (8, 1), (1, 8), (24, 1), (1, 24), (12, 1), (1, 12), (10**9, 1), (1, 10**9), (10**4, 1), (1, 10**4),
)  # fmt: skip
_NEAR = 1e-9
_PLAIN = (str, int, float)
_BETWEEN = (
    ", ",
    "; ",
    " - ",
    " / ",
    "::",
    " ",
    ",",
    ";",
    "@",
    "/",
    "|",
    ":",
    "-",
    "_",
    ".",
    "#",
    "=",
    "\\",
    "\n",
)
_LONGEST = 20_000
_ZEROS = (1, 2, 3)
_PLACES = (0, 1, 2, -1, -2)
RUN_TOGETHER = "items run together"
LEAST = {"prefix added": 3, "suffix added": 3, "prefix removed": 3, "suffix removed": 3, "part": 3, "unit": 2}
LEAST |= {
    "rounded": 2,
    "joined": 2,
    RUN_TOGETHER: 2,
    "split": 2,
    "item": 3,
    "zone moved": 2,
    "there": 2,
    "not there": 2,
}
LEAST |= {"boolean inverted": 2, "thousands misread": 5, "slash dropped": 3, **OF_SIGNS}
"""The differing pairs, with as many different results, that a family of transforms needs to be accepted."""
LIMITED = "limited"
"""The transform of numbers that stop at an end: all that differ have one result."""
_ENTRIES = 60
"""The most entries of a table."""
_ROWS_AN_ENTRY = 4
"""The pairs that each entry of a table needs on average."""


def cut(at: int, more: str = "", of_bytes: bool = False) -> Transform:
    """Cut at a length; ``more`` is appended to a cut text, within that length."""

    @of_text
    def make(value: str) -> Any:
        if of_bytes:
            return value.encode()[:at].decode("utf-8", "ignore")
        return value if len(value) <= at else value[: at - len(more)] + more

    words = f"is cut at {at} {'bytes' if of_bytes else 'characters'}" + (f' with "{more}"' if more else "")
    return Transform("cut", words, True, make, 2 + bool(more) + of_bytes)


def unit(times: int, by: int, how: str = "") -> Transform:
    """A number in another unit; ``how`` is the treatment of its fraction."""

    @of_number
    def make(value: Any) -> Any:
        if how == "product":
            return value * (times / by)
        made = value * times / by if by != 1 else value * times
        if how == "down":
            return int(made // 1)
        if how == "up":
            return int(-(-made // 1))
        return made if not how or how == "exact" else _nearest(made, int(how))

    what = f"is × {times:,}" if by == 1 else f"is ÷ {by:,}"
    if times == -1:
        what = "has the opposite sign"
    named = {"down": " and loses its fraction", "up": " and is rounded up", "product": "", "": ""}
    words = what + named.get(how, f" and is rounded to {how} places")
    return Transform(
        "unit", words, by != 1 or bool(how) or times == -1, make, 2 + (how not in ("", "product"))
    )


def _nearest(number: float, places: int) -> float:
    """Rounded half away from zero, as most services do."""
    if places < 0:
        step: int = 10**-places
        return round(_nearest(number / step, 0)) * step
    scale = 10**places
    near: float = int(abs(number) * scale + 0.5 + 1e-9) / scale
    return -near if number < 0 else near


def rounded(places: int, how: str = "nearest") -> Transform:
    """A number with fewer decimals, or without its last digits where ``places`` is negative."""

    @of_number
    def make(value: Any) -> Any:
        if how == "nearest":
            return _nearest(value, places)
        if how == "even":
            return round(value, places)
        return int(value * 10**places) / 10**places if places >= 0 else value - value % 10**-places

    words = {"nearest": f"is rounded to {places} places", "down": f"is cut to {places} places"}
    if not places:
        words = {"nearest": "is rounded to a whole number", "down": "loses its fraction"}
    if places < 0:
        words = {
            "nearest": f"is rounded to whole {10**-places:,}s",
            "down": f"is cut to whole {10**-places:,}s",
        }
    said = words.get(how, words["nearest"])
    return Transform(
        "rounded" if how != "down" else "fraction lost", said, True, make, 2 + (how != "nearest")
    )


def limited(end: float, which: str) -> Transform:
    """A number that is never above, or never below, an end."""
    least = which == "least"

    @of_number
    def make(value: Any) -> Any:
        return max(value, end) if least else min(value, end)

    words = f"is never {'below' if least else 'above'} {_shown(end)}"
    return Transform(LIMITED, words, True, make, 4)


def fixed_places(places: int) -> Transform:
    """A number as text with a fixed number of decimals."""
    words = f"is written as text with {places} places"
    return Transform("number as text", words, False, of_number(lambda value: f"{value:.{places}f}"), 2)


def affix(kind: str, text: str) -> Transform:
    """A prefix or suffix added or removed."""

    @of_text
    def make(value: str) -> Any:
        if kind == "prefix added":
            return text + value
        if kind == "suffix added":
            return value + text
        if kind == "prefix removed":
            return value[len(text) :] if value.startswith(text) else MISSING
        return value[: -len(text)] if value.endswith(text) else MISSING

    where, _, what = kind.partition(" ")
    side = "before" if where == "prefix" else "behind"
    shown = f'"{text}"' if text.strip() else {" ": "a space", "\n": "a line break"}.get(text, "white space")
    words = f"has {shown} put {side} it"
    if what != "added":
        words = f"is without the {shown.removeprefix('a ')} {side} it"
    return Transform(kind, words, False, make, 3)


def part(between: str, place: int | str) -> Transform:
    """One part of a text: by its index, or all before the last or after the first separator."""

    def make(value: Any) -> Any:
        if not isinstance(value, str) or between not in value:
            return value if isinstance(value, str) and place in (0, -1, "start") else MISSING
        if place == "rest":
            return value.partition(between)[2]
        if place == "start":
            return value.rpartition(between)[0]
        parts = value.split(between)
        return parts[int(place)] if -len(parts) <= int(place) < len(parts) else MISSING

    named: dict[int | str, str] = {0: "first", 1: "second", 2: "third", -1: "last", -2: "last but one"}
    where = {"rest": "all behind the first", "start": "all before the last"}.get(str(place))
    shown = {" ": "space", "\n": "line break"}.get(between, f'"{between}"')
    words = f"is {where} {shown}" if where else f"is the {named.get(place, '')} part, split at {shown}"
    # Of two parts either may be meant, except for a name without its extension.
    whole = place == "rest" or (place == "start" and between != ".")
    dotted = between == "." and place == 0
    return Transform("part", words, False, make, 3 + len(between.strip() or " ") // 2 + (whole or dotted))


def item(place: int) -> Transform:
    """One entry of an array."""

    def make(value: Any) -> Any:
        return value[place] if isinstance(value, list) and len(value) > place else MISSING

    return Transform("item", f"is item {place + 1}", False, make, 3)


def joined(between: str) -> Transform:
    """The entries of an array as one text."""

    def make(value: Any) -> Any:
        if not isinstance(value, list):
            return MISSING
        texts = [one if isinstance(one, str) else text_of(one) for one in value if one is not None]
        return between.join(texts)

    words = f'is all items joined with "{between}"' if between else "is all items with nothing between them"
    return Transform("joined" if between else RUN_TOGETHER, words, not between, make, 2)


def split(between: str) -> Transform:
    """A text as an array of its parts."""

    @of_text
    def make(value: str) -> Any:
        return [one.strip() for one in value.split(between)] if value.strip() else []

    shown = "spaces" if between == " " else f'"{between}"'
    return Transform("split", f"is split at {shown}", False, make, 2)


def default(value: Any) -> Transform:
    """A value where the source has none."""
    words = f"is {_shown(value)} where the source is empty"
    return Transform("default", words, False, lambda it: value if it is None or it == "" else it, 2, True)


def constant(value: Any) -> Transform:
    """Always the same value."""
    return Transform("constant", f"is always {_shown(value)}", True, lambda _: value, 6, True)


def table(entries: dict[tuple[str, Any], Any]) -> Transform:
    """A value for each value of the source."""
    known = {_entry(made) for made in entries.values()}
    words = f"follows a table of {len(entries)} values"
    if len(entries) <= 3:
        words = "is " + ", ".join(f"{_shown(made)} for {_shown(key[1])}" for key, made in entries.items())
    cost = 4 + len(entries) // 4 + (len(known) < len(entries))
    return Transform("table", words, False, lambda value: entries.get(_entry(value), MISSING), cost, True)


def _entry(value: Any) -> tuple[str, Any]:
    if isinstance(value, BOXES):
        return ("box", "")
    return ("number" if is_number(value) else type(value).__name__, value)


def _shown(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value[:40]}"' if isinstance(value, str) else str(value)[:40]


def proposals(source: Any, made: Any) -> Iterator[Proposal]:
    """The parameters with which each family may explain one pair that differs."""
    if isinstance(made, str):
        if isinstance(source, str):
            # Of two dates, the zone or the time is better evidence than the letters.
            dated = len(source) <= 40 and bool(date_readings(source)) and bool(date_readings(made))
            if len(source) <= _LONGEST and len(made) <= _LONGEST and not dated:
                yield from _of_texts(source, made)
        elif is_number(source):
            places = len(made.partition(".")[2])
            if 0 < places <= 6:
                yield fixed_places, (places,)
        elif isinstance(source, list):
            yield from _of_joined(source, made)
    elif is_number(made) and is_number(source):
        yield from _of_numbers(source, made)
    elif isinstance(made, list) and isinstance(source, str):
        yield from ((split, (between,)) for between in _BETWEEN if between in source)
    if isinstance(source, list) and not isinstance(made, list):
        for place, one in enumerate(source[1:6], 1):
            if equal(one, made):
                yield item, (place,)
    if isinstance(source, _PLAIN) and isinstance(made, _PLAIN):
        yield from ((date_transform, each) for each in proposed(source, made))


def empty_proposals(source: Any, made: Any) -> Iterator[Proposal]:
    """The same for a pair whose source is null or empty."""
    if (source is None or source == "") and made is not None and not isinstance(made, dict):
        yield (
            default,
            (tuple(made) if isinstance(made, list) else made,) if not isinstance(made, list) else ([],),
        )


def _of_texts(source: str, made: str) -> Iterator[Proposal]:
    yield from sign_proposals(source, made)
    if len(made) < len(source):
        yield from _of_cut(source, made)
        if made and source.endswith(made):
            yield affix, ("prefix removed", source[: -len(made)])
        if made and source.startswith(made):
            yield affix, ("suffix removed", source[len(made) :])
        yield from _of_parts(source, made)
    elif source and len(made) > len(source):
        if made.endswith(source):
            yield affix, ("prefix added", made[: -len(source)])
        if made.startswith(source):
            yield affix, ("suffix added", made[len(source) :])


def _of_cut(source: str, made: str) -> Iterator[Proposal]:
    if len(made) < 3 or date_readings(source):
        return  # a date loses its zone or time, not characters
    if source.startswith(made):
        yield cut, (len(made),)
        if not source.isascii():
            size = len(made.encode("utf-8", "replace"))
            for at in range(size, size + 4):
                yield cut, (at, "", True)
    for more in ("…", "..."):
        if made.endswith(more) and source.startswith(made[: -len(more)]):
            yield cut, (len(made), more)


def _of_parts(source: str, made: str) -> Iterator[Proposal]:
    at = source.find(made)
    if at < 0 or not made:
        return
    for between in _BETWEEN:
        if between not in source:
            continue
        parts = source.split(between)
        for place in _PLACES:
            if -len(parts) <= place < len(parts) and parts[place] == made:
                yield part, (between, place)
        if source.partition(between)[2] == made:
            yield part, (between, "rest")
        if source.rpartition(between)[0] == made:
            yield part, (between, "start")


def _of_joined(source: list[Any], made: str) -> Iterator[Proposal]:
    texts = [one if isinstance(one, str) else text_of(one) for one in source[:50] if one is not None]
    if len(texts) > 1 and all(isinstance(one, str) for one in texts) and texts[0] and texts[1]:
        behind = made.removeprefix(texts[0])
        between = behind.partition(texts[1])[0]
        if behind != made and len(between) <= 5:
            yield joined, (between,)


def _of_numbers(source: float, made: float) -> Iterator[Proposal]:
    yield limited, (made, "most" if made < source else "least")
    if not source or not made or abs(source) > 1e300 or abs(made) > 1e300:
        return
    places = len(str(made).partition(".")[2]) if not float(made).is_integer() else 0
    if abs(source - made) < 1 and places < 6:
        for how in ("nearest", "even", "down"):
            yield rounded, (places, how)
    for zeros in _ZEROS if source != made and places == 0 else ():
        if made % 10**zeros == 0 and abs(source - made) < 10**zeros:
            yield rounded, (-zeros, "nearest")
            yield rounded, (-zeros, "even")
            yield rounded, (-zeros, "down")
    ratio = made / source
    for times, by in _UNITS:
        factor = times / by
        if abs(ratio / factor - 1) < _NEAR:
            yield unit, (times, by)
            yield unit, (times, by, "product")
        elif factor < 1 and abs(source * factor - made) <= 10**-places and (places <= 3):
            yield from (
                (unit, (times, by, how)) for how in (str(places), *(("down", "up") if not places else ()))
            )


def of_all(pairs: Sequence[Pair], share: float) -> Iterator[Transform]:
    """The transforms that need all pairs together: a constant, and a table much smaller than the pairs it explains."""
    counts = Counter(_entry(made) for _, made in pairs if not isinstance(made, BOXES))
    if len(pairs) < 5 or not counts:
        return
    (_, usual), most = counts.most_common(1)[0]
    sources = {_entry(source) for source, _ in pairs}
    if most >= share * len(pairs) and usual is not None and len(sources) > 1:
        yield constant(usual)
    if 1 < len(sources) <= min(_ENTRIES, len(pairs) // _ROWS_AN_ENTRY) and len(counts) > 1:
        found = _table(pairs, share, most)
        if found is not None:
            yield found


def _table(pairs: Sequence[Pair], share: float, most: int) -> Transform | None:
    groups: dict[tuple[str, Any], Counter[tuple[str, Any]]] = defaultdict(Counter)
    for source, made in pairs:
        groups[_entry(source)][_entry(made)] += 1
    entries, right = {}, 0
    for key, group in groups.items():
        (_, usual), often = group.most_common(1)[0]
        if sum(group.values()) > 1 and key[0] != "box":
            entries[key] = usual
            right += often
    told = {_entry(made) for made in entries.values()}
    # If one value is nearly always right, a constant guess is as good as a table.
    better = right - most >= 0.5 * (len(pairs) - most) and right - most >= 3
    return table(entries) if right >= share * len(pairs) and better and len(told) > 1 else None


def related(source: Any, made: Any) -> bool:
    """Whether one text may have been made from another: they share runs of letters, or all digits."""
    if all(is_number(one) or number_of(one) is not MISSING for one in (source, made)):
        return True
    one, other = _ground(source), _ground(made)
    if not one or not other:
        return bool(source) and bool(made) and not (one or other)
    if len(other) < 3 or len(one) < 3:
        return one in other or other in one
    return _runs(one, other) >= 0.3 or _runs(other, one) >= 0.3


def _runs(one: str, other: str) -> float:
    """The share of three-character runs of one text that occur in another."""
    runs = [one[at : at + 3] for at in range(0, min(len(one), 120) - 2, 2)]
    return sum(run in other for run in runs) / len(runs)


def _ground(value: Any) -> str:
    if isinstance(value, str):
        return "".join(sign for sign in value[:400].lower() if sign.isascii() and sign.isalnum())
    return str(value) if is_number(value) else ""
