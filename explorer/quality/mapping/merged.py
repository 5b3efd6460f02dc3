"""Words of raw data that a field merges into one, or cuts.

A table explains both: each raw word has one result. That the contract has a word of its own for one of them, or that
one ends within itself, shows that something is lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from explorer.quality.mapping.field_state import EXAMPLES, FieldState, short
from explorer.quality.mapping.judge import Judged
from explorer.quality.mapping.many import Seen
from explorer.quality.mapping.trace import spoken

_FEWEST, _SEVERAL, _SHORTEST, _MOST = 50, 3, 5, 0.5
"""The fewest records and words that tell anything, the shortest text that is cut, the largest odd share."""
Rows = Sequence[tuple[Mapping[str, Any], Seen]]


class Merged:
    """Some records of one list, with the words that each field is known to have."""

    def __init__(self, rows: Rows, raw: str, choices: Mapping[str, Collection[str]]) -> None:
        self._rows, self._raw, self._choices = rows, raw, choices

    def judged(self, states: Mapping[str, FieldState], settled: Collection[str]) -> Iterator[Judged]:
        """The findings on fields that are not in ``settled``."""
        for name, state in states.items() if len(self._rows) >= _FEWEST else ():
            if name in settled or state.origin is None or "." in name:
                continue
            where = f"{self._raw}{spoken(state.origin.paths[0])}"
            pairs = [(state.origin.read(one[self._raw]), one.get(name)) for one, _ in self._rows]
            told = self._merged(name, where, pairs) or self._cut(name, where, pairs)
            if told is not None:
                yield told

    def _merged(self, name: str, where: str, pairs: Sequence[tuple[Any, Any]]) -> Judged | None:
        """Raw words that the contract has as well, told as another one."""
        known = {_bare(one): one for one in self._choices.get(name, ())}
        meant = [known.get(_bare(source)) if isinstance(source, str) else None for source, _ in pairs]
        kept = {own for own, (_, value) in zip(meant, pairs, strict=True) if own and own == value}
        odd = [
            at
            for at, (own, (_, value)) in enumerate(zip(meant, pairs, strict=True))
            if own and value in known.values() and own != value
        ]
        if not odd or len(kept) < 2 or len(odd) > _MOST * len(pairs):
            return None
        source, value = pairs[odd[0]]
        what = f"{name} is {short(value)} where {where} is {short(source)}, for which the contract has "
        return self._said("merged", name, f"{what}{short(meant[odd[0]])}", odd)

    def _cut(self, name: str, where: str, pairs: Sequence[tuple[Any, Any]]) -> Judged | None:
        """A word that ends within itself, at the length that no other exceeds."""
        texts = [
            (at, source, value)
            for at, (source, value) in enumerate(pairs)
            if isinstance(source, str) and isinstance(value, str)
        ]
        longest = max((len(value) for _, _, value in texts), default=0)
        same = {value for _, source, value in texts if source == value}
        odd = [at for at, source, value in texts if source != value and source.startswith(value)]
        lost = {pairs[at][0] for at in odd}
        whole = all(len(pairs[at][1]) == longest and _is_within(*pairs[at]) for at in odd)
        over = any(len(source) > longest and source == value for _, source, value in texts)
        if not odd or not whole or over or longest < _SHORTEST or len(same) < _SEVERAL:
            return None
        if len(lost) > len(same) or len(same) > len(texts) / _SEVERAL:
            return None  # texts of many kinds are looked at as they are learned
        what = f"{name} is cut at {longest} characters: {short(pairs[odd[0]][1])} where {where} is "
        return self._said("cut", name, f"{what}{short(pairs[odd[0]][0])}", odd, "lossless")

    def _said(self, rule: str, name: str, what: str, odd: Sequence[int], kind: Any = "alike") -> Judged:
        examples = tuple(self._rows[at][1](self._rows[at][0].get(name)) for at in odd[:EXAMPLES])
        what += f", in {len(odd):,} of {len(self._rows):,} records"
        return Judged(kind, rule, name, what, len(odd), examples)


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _is_within(source: str, value: str) -> bool:
    """Whether a text ends between two small letters of the other."""
    at = len(value)
    return source[at - 1].isalpha() and source[at].islower()
