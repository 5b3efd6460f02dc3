"""Texts joined from two pieces of which one is a raw value and the other is made of one: decoded, cut, a part of it.

A path made of the folder's address, unescaped, and the file's name is neither a raw value nor a text joined from raw
values. It is told by its pieces: the one that is a raw value as it is, at the text's beginning or end, shows where the
other begins. What is learned may explain a part of the records alone: chance does not put two pieces together.
"""

from __future__ import annotations

import html
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from explorer.jsontext.pointer import step
from explorer.quality.mapping.normal_forms import is_telling
from explorer.quality.mapping.origin import Origin, each, is_empty, reader
from explorer.quality.mapping.sample import FEWEST
from explorer.quality.values.fixed_transforms import TEXTS
from explorer.quality.values.flat import containers, leaves
from explorer.quality.values.learned_transforms import related
from explorer.quality.values.transforms import SAME, Transform, fitted, is_number

_HALF = 0.5
"""The share of records that a way of joining has to explain before it is tried on."""
_SAMPLE = 120
"""The most records that are learned from."""
_TRIED = 4
"""The most raw paths that are tried."""
_SKIPPED = 3
"""The most first items of an array that are left out."""
_ESCAPED: tuple[tuple[Callable[[str], str], str], ...] = (
    (unquote, "escaped for URLs"),
    (html.unescape, "escaped for HTML"),
)


def joined_of(records: Sequence[Mapping[str, Any]], name: str, raw: str) -> Origin | None:
    """How a text is joined from two pieces; None where at most half of the records are explained so."""
    rows = [(record[name], record[raw]) for record in records if isinstance(record.get(name), str)]
    rows = [(value, its) for value, its in rows if value and isinstance(its, dict)][:_SAMPLE]
    if len(rows) < 4 * FEWEST:
        return None
    return _best(rows) or _escaped(rows)


def _escaped(rows: Sequence[tuple[str, Any]]) -> Origin | None:
    """The same for texts that are escaped as a whole."""
    for undo, name in _ESCAPED:
        plain = [(undo(value), raw) for value, raw in rows]
        if sum(one[0] != other[0] for one, other in zip(plain, rows, strict=True)) <= _HALF * len(rows):
            continue
        origin = _best(plain)
        for one in TEXTS if origin is not None else ():
            if origin is not None and one.name.startswith(name):
                right = sum(one(origin.read(raw)) == value for value, raw in rows)
                if right > _HALF * len(rows):
                    return replace(origin, transform=one, support=right / len(rows))
    return None


def _best(rows: Sequence[tuple[str, Any]]) -> Origin | None:
    laid = [leaves(its) for _, its in rows]
    made = [
        one
        for at_end in (True, False)
        for path in _pieces(rows, laid, at_end)
        for one in _of(rows, path, at_end)
    ]
    best = max(made, key=lambda one: one.support, default=None)
    return best if best is not None and best.support > _HALF else None


def _pieces(rows: Sequence[tuple[str, Any]], laid: Sequence[Mapping[str, Any]], at_end: bool) -> list[str]:
    """The raw paths whose values many of the texts end (or begin) with, and are more than."""
    told: defaultdict[str, set[str]] = defaultdict(set)
    counts: Counter[str] = Counter()
    for (value, _), flat in zip(rows, laid, strict=True):
        for path, piece in flat.items():
            fits = isinstance(piece, str) and is_telling(piece) and len(piece) < len(value)
            if fits and (value.endswith(piece) if at_end else value.startswith(piece)):
                counts[path] += 1
                told[path].add(piece)
    usual = (path for path, count in counts.most_common(_TRIED) if count > _HALF * len(rows))
    return [path for path in usual if len(told[path]) >= 2 * FEWEST]


def _of(rows: Sequence[tuple[str, Any]], path: str, at_end: bool) -> Iterator[Origin]:
    """The ways in which the rest of the texts is made, and how often both pieces together are the whole."""
    read = reader(path)
    rests: list[tuple[str, Any]] = []
    for value, raw in rows:
        piece = read(raw)
        if (
            isinstance(piece, str)
            and piece
            and (value.endswith(piece) if at_end else value.startswith(piece))
        ):
            rests.append((value[: -len(piece)] if at_end else value[len(piece) :], raw))
    betweens = Counter(_between(rest, at_end) for rest, _ in rests)
    between = betweens.most_common(1)[0][0]
    bare = [
        (rest[: len(rest) - len(between)] if at_end else rest[len(between) :], raw)
        for rest, raw in rests
        if (rest.endswith(between) if at_end else rest.startswith(between))
    ]
    for other, its, transform in (*_made(bare, path), *_listed(bare)):
        make = _both(read, its, transform, between, at_end)
        right = [value for value, raw in rows if make(raw) == value]
        paths = (other, path) if at_end else (path, other)
        yield Origin(paths, "parts", make, SAME, False, len(right) / len(rows), len(set(right)))


def _between(rest: str, at_end: bool) -> str:
    """The signs that stand between the rest of a text and its other piece."""
    own = rest[::-1] if at_end else rest
    signs = own[: next((at for at, sign in enumerate(own) if sign.isalnum()), len(own))]
    return signs[:1] if not signs.strip() or at_end else signs


def _listed(bare: Sequence[tuple[str, Any]]) -> Iterator[tuple[str, Callable[[Any], Any], Transform]]:
    """The raw array of which the rests are all items, joined: the folders of a path, without the first or two."""
    votes: Counter[tuple[str, str, int, str, str]] = Counter()
    for rest, raw in bare:
        for path, box in containers(raw).items():
            items = box if isinstance(box, list) else []
            members = (
                [f"/{step(one)}" for one in items[-1]] if items and isinstance(items[-1], dict) else [""]
            )
            for inner in members:
                texts = each(path, inner)(raw) or []
                if len(texts) < 2 or not all(isinstance(one, str) and one for one in texts):
                    continue
                for skipped in range(min(_SKIPPED, len(texts) - 1)):
                    some = texts[skipped:]
                    first, found, behind = rest.partition(some[0])
                    between = behind.partition(some[1])[0]
                    if found and f"{first}{between.join(some)}" == rest:
                        votes[path, inner, skipped, first, between] += 1
                        break
    for (path, inner, skipped, first, between), count in votes.most_common(1):
        if count >= FEWEST:
            yield f"{path}/*{inner}", _all_from(each(path, inner), skipped, first, between), SAME


def _all_from(read: Callable[[Any], Any], skipped: int, first: str, between: str) -> Callable[[Any], Any]:
    def make(raw: Any) -> Any:
        texts = [str(one) for one in read(raw) or ()][skipped:]
        return f"{first}{between.join(texts)}" if texts else ""

    return make


def _made(
    bare: Sequence[tuple[str, Any]], without: str
) -> Iterator[tuple[str, Callable[[Any], Any], Transform]]:
    """The raw paths that the rests are made of, each with how."""
    filled = [(rest, raw) for rest, raw in bare if rest]
    if len({rest for rest, _ in filled}) < FEWEST:
        return
    counts: Counter[str] = Counter()
    for rest, raw in filled[:: max(1, len(filled) // 12)]:
        counts.update(
            path
            for path, source in leaves(raw).items()
            if path != without and (isinstance(source, str) or is_number(source)) and related(source, rest)
        )
    for path, _ in counts.most_common(_TRIED):
        read = reader(path)
        pairs = [(source, rest) for rest, raw in bare if not is_empty(source := read(raw))]
        fits = fitted(pairs, share=_HALF) if len(pairs) > _HALF * len(bare) else ()
        if fits and not {"constant", "table"} & set(fits[0].transform.name.split(", ")):
            yield path, read, fits[0].transform


def _both(
    read: Callable[[Any], Any], other: Callable[[Any], Any], transform: Transform, between: str, at_end: bool
) -> Callable[[Any], Any]:
    def make(raw: Any) -> Any:
        piece, rest = read(raw), transform(other(raw))
        if not isinstance(piece, str) or not isinstance(rest, str) or not piece:
            return None
        return f"{rest}{between}{piece}" if at_end else f"{piece}{between}{rest}"

    return make
