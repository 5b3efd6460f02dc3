"""Finds out how one JSON value was made from another: the transforms that explain many pairs of values at once.

`fitted` receives pairs of a source and its result. It returns the transforms that explain most of them, with the
parameters learned (a length, a unit, a table, a zone) and the pairs that each explains, which means that it yields
exactly their results. A transform that could explain anything is rejected: a table needs far fewer entries than there
are pairs, a part or a prefix must hold for several different values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import ceil
from typing import Any

from explorer.quality.values.fixed_transforms import NULLS, NUMBER, OTHERS, TEXT, TEXTS, number_of
from explorer.quality.values.learned_transforms import (
    LEAST,
    LIMITED,
    Pair,
    Proposal,
    empty_proposals,
    of_all,
    proposals,
    related,
)
from explorer.quality.values.transform import MISSING, SAME, Transform, equal, is_number

__all__ = ["MISSING", "SAME", "Fitted", "Transform", "equal", "fitted", "is_number"]

_PROBE, _TOLD, _HARD = 24, 16, 8
"""Pairs from which parameters are learned, the differing ones of them, and those on which compositions are tried."""
_MANY = 20
_BEYOND = 3
"""The fewest numbers beyond an end, not all of them the same, that show where numbers stop."""
_LIMITS = {
    40,
    50,
    64,
    80,
    100,
    120,
    128,
    150,
    191,
    200,
    250,
    255,
    256,
    500,
    512,
    1000,
    1024,
    2000,
    2048,
    4000,
    4096,
}
"""With fewer pairs a cut text does not prove a cut, except at these lengths."""
_MOST, _STEPS, _BRANCHES = 16, 3, 8
"""Transforms that are tried on all pairs, steps of a composition, and first steps that are continued."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A transform with the pairs that it explains."""

    transform: Transform
    indexes: tuple[int, ...]
    """Indexes of the pairs, in their order."""


def fitted(pairs: Sequence[Pair], *, share: float = 0.9, tables: bool = True) -> tuple[Fitted, ...]:
    """The transforms that explain at least ``share`` of some pairs of source and result, the best first.

    The best explains most, and among equals it is the simplest; one that explains nothing beyond a better one is left
    out. Empty when nothing explains enough. Compositions have up to three steps. Without ``tables`` neither a table nor
    one value for all is tried, which explain whatever there is little of.
    """
    if not pairs:
        return ()
    search = _Search(pairs, max(1, ceil(share * len(pairs) - 1e-9)))
    search.hold(chain((SAME,), _single(pairs, search.probe, share if tables else 0)))
    for steps in range(2, _STEPS + 1):
        if search.left == 0 or not search.composed(steps):
            break
    return search.best()


class _Search:
    """The transforms found so far for some pairs."""

    def __init__(self, pairs: Sequence[Pair], needed: int) -> None:
        self._pairs, self._needed = pairs, needed
        self._held: dict[Transform, tuple[int, ...]] = {}
        self._seen: set[Transform] = set()
        self._most: set[int] = set()
        apart = [at for at, (source, made) in enumerate(pairs) if not equal(source, made)]
        step = max(1, len(pairs) // _PROBE)
        self.probe = [pairs[at] for at in sorted({*range(0, len(pairs), step), *_spread(apart, _TOLD)})]
        self._apart = apart
        # Pairs with an empty source are explained last, so that they do not hinder the rest.
        self._empty = sum(pairs[at][0] is None or pairs[at][0] == "" for at in apart)

    @property
    def left(self) -> int:
        """How many pairs the best does not explain."""
        return len(self._pairs) - len(self._most)

    def hold(self, found: Iterable[Transform]) -> None:
        """Tries transforms on all pairs, and keeps those that explain enough and are backed by enough results."""
        for one in found:
            if one in self._seen:
                continue
            self._seen.add(one)
            indexes = self._explained(one)
            if indexes and _earned(one, self._pairs, indexes):
                self._held[one] = indexes
                if len(indexes) > len(self._most):
                    self._most = set(indexes)

    def _explained(self, one: Transform) -> tuple[int, ...]:
        misses, most, right = 0, len(self._pairs) - self._needed + self._empty, []
        if one is SAME:
            apart = frozenset(self._apart)
            return (
                tuple(at for at in range(len(self._pairs)) if at not in apart) if len(apart) <= most else ()
            )
        for at, (source, made) in enumerate(self._pairs):
            if equal(one(source), made):
                right.append(at)
                continue
            misses += 1
            if misses > most:
                return ()
        return tuple(right)

    def composed(self, steps: int) -> bool:
        """Tries compositions of ``steps`` steps on unexplained pairs; returns whether more may be tried."""
        left = [at for at in self._apart if at not in self._most]
        hard = [self._pairs[at] for at in _spread(left, _HARD)]
        if not hard or not self._worth(hard):
            return self._empties(left)
        counts: Counter[Transform] = Counter()
        for first in self._firsts(hard, steps - 1):
            behind = [(first(source), made) for source, made in hard]
            behind = [(source, made) for source, made in behind if source is not MISSING]
            for one, votes in _voted(behind):
                counts[first.then(one)] += votes
        self.hold(
            one for one, votes in counts.most_common(_MOST) if votes >= 0.5 * len(hard) or len(left) < 4
        )
        self._empties([at for at in self._apart if at not in self._most])
        return True

    def _worth(self, hard: list[Pair]) -> bool:
        plain = [(source, made) for source, made in hard if source is not None and source != ""]
        return bool(plain) and sum(related(source, made) for source, made in plain) >= 0.5 * len(plain)

    def _firsts(self, hard: list[Pair], steps: int) -> Iterator[Transform]:
        """Candidates for all steps but the last: fixed transforms that change something, one after another."""
        first = _nearer(hard)
        if steps < 2:
            yield from first
            yield from (one for one in tuple(self._held) if one.name not in _WHOLE)
            return
        for one in first:
            behind = [(one(source), made) for source, made in hard]
            behind = [(source, made) for source, made in behind if source is not MISSING]
            yield from (one.then(other) for other in _nearer(behind) if other.name != one.name or one.lossy)

    def _empties(self, left: Sequence[int]) -> bool:
        """Explains empty sources: null written out, or a default, after the transform of the rest."""
        empty = [self._pairs[at] for at in left if self._pairs[at][0] in (None, "")]
        if empty and self._held:
            base = max(self._held, key=lambda one: len(self._held[one]))
            found = [one for one in NULLS if any(equal(one(source), made) for source, made in empty)]
            found += [one for one, _ in _voted_of(empty, empty_proposals)][:4]
            self.hold(base.then(one) for one in found)
        return False

    def best(self) -> tuple[Fitted, ...]:
        """The transform that explains most, then those that explain further pairs."""
        enough = [one for one in self._held if len(self._held[one]) >= self._needed]
        ranked = sorted(enough, key=lambda one: (-len(self._held[one]), one.cost, one.lossy, one.words))
        made: list[Fitted] = []
        covered: list[set[int]] = []
        for one in ranked:
            mine = set(self._held[one])
            if not any(mine <= other for other in covered):
                covered.append(mine)
                made.append(Fitted(one, self._held[one]))
        return tuple(made)


def _single(pairs: Sequence[Pair], probe: Sequence[Pair], share: float) -> Iterator[Transform]:
    apart = [(source, made) for source, made in probe if not equal(source, made)]
    if not apart:
        return
    voted = _voted(apart)
    yield from (one for one, _ in voted)
    yield from NULLS
    yield from (one for one, _ in _voted_of(apart, empty_proposals))
    if share:
        yield from of_all(pairs, share)


def _voted(apart: Sequence[Pair]) -> list[tuple[Transform, int]]:
    """The fixed and learned transforms that explain some pairs, with how many, the most frequent first."""
    counts: Counter[Transform] = Counter()
    texts = [pair for pair in apart if isinstance(pair[0], str)]
    others = [pair for pair in apart if not isinstance(pair[0], str)]
    for fixed, some in ((TEXTS, texts), (OTHERS, others)):
        for one in fixed if some else ():
            votes = sum(equal(one(source), made) for source, made in some)
            if votes:
                counts[one] = votes
    for one, votes in _voted_of(apart, proposals):
        counts[one] = votes
    # A number written as text, and a text read as a number, are determined by the value before that last step.
    said = [(source, number_of(made)) for source, made in others if is_number(source)]
    read = [(source, str(made)) for source, made in texts if is_number(made)]
    for last, some in ((TEXT, said), (NUMBER, read)):
        for one, votes in _voted_of([pair for pair in some if pair[1] is not MISSING], proposals):
            counts[one.then(last)] = votes
    return counts.most_common(_MOST)


_WHOLE = ("same", "constant", "table", "there", "not there")
"""Transforms after which no other step makes sense."""


def _voted_of(apart: Sequence[Pair], propose: Any) -> list[tuple[Transform, int]]:
    votes: Counter[Proposal] = Counter()
    unhashed: list[Proposal] = []
    for source, made in apart:
        for proposal in propose(source, made):
            try:
                votes[proposal] += 1
            except TypeError:
                unhashed.append(proposal)
    chosen = [(make(*given), count) for (make, given), count in votes.most_common(_MOST)]
    return chosen + [(make(*given), 1) for make, given in unhashed[:1]]


def _nearer(pairs: Sequence[Pair]) -> list[Transform]:
    """The fixed transforms that bring some sources closer to their results, the most frequent first."""
    near = []
    for one in chain(TEXTS, OTHERS):
        votes = sum(_is_nearer(source, one(source), made) for source, made in pairs)
        if votes >= 0.3 * len(pairs):
            near.append((-votes, one.cost, one))
    return [one for _, _, one in sorted(near, key=lambda entry: entry[:2])[:_BRANCHES]]


def _is_nearer(source: Any, between: Any, made: Any) -> bool:
    if between is MISSING or between is None or equal(source, between):
        return False
    if type(between) is not type(source):
        numeral = is_number(made) or number_of(made) is not MISSING
        return type(between) is type(made) or (is_number(between) and numeral)
    if not isinstance(between, str) or not isinstance(made, str):
        return True
    return _shared(between, made) > _shared(source, made) or _shared(between[::-1], made[::-1]) > _shared(
        source[::-1], made[::-1]
    )


def _shared(one: str, other: str) -> int:
    """The length of the common beginning of two texts."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _earned(one: Transform, pairs: Sequence[Pair], indexes: Sequence[int]) -> bool:
    """Whether enough different results support a transform."""
    names = one.name.split(", ")
    least = max((LEAST.get(name, 1) for name in names), default=1)
    if "cut" in names and len(pairs) >= _MANY and not any(_at_limit(*pairs[at]) for at in indexes):
        # A text that begins like another occurs by chance: several are needed.
        least = max(least, 3)
    if one.name == "same":
        return True
    if LIMITED in names:
        beyond = [repr(pairs[at][0]) for at in indexes if not equal(*pairs[at])]
        return len(beyond) >= _BEYOND and len(set(beyond)) > 1
    if "default" in one.name:
        empty = [
            at for at, (source, made) in enumerate(pairs) if source in (None, "") and not equal(source, made)
        ]
        right = len(set(empty) & set(indexes))
        if right < 2 or right < 0.5 * len(empty):
            return False
    told: set[str] = set()
    for at in indexes:
        source, made = pairs[at]
        if not equal(source, made) or one.name in ("constant", "table"):
            told.add(repr(made)[:200])
            if len(told) >= least:
                return True
    return False


def _at_limit(source: Any, made: Any) -> bool:
    """Whether a text other than its source has a length at which database columns end."""
    return isinstance(made, str) and len(made) in _LIMITS and made != source


def _spread(places: Sequence[int], most: int) -> list[int]:
    step = max(1, len(places) // most)
    return list(places[::step][:most])
