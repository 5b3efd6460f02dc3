"""Raw records of another shape than nearly all others of their list: flattened, cut, written as text, or none.

A third party may leave out what is empty. It does not leave out half of what each of its other records has, nor
write an object as text in a few of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from explorer.quality.mapping.field_state import Group
from explorer.quality.mapping.many import Seen
from explorer.quality.values.flat import BOXES

_SHAPES, _FEWEST, _USUAL, _RARE, _LACKING = 400, 30, 0.97, 0.1, 2
"""The most shapes that are counted; the fewest records that have a usual shape; the share of records that have what is
usual, that of records that may be odd, and the fewest members that an odd one lacks.
"""
_Shape = tuple[tuple[str, ...], tuple[type, ...]]


class RawShapes:
    """The members of the raw records of one list, and of which of them are objects and arrays."""

    def __init__(self) -> None:
        self._shapes: dict[_Shape, Group] = {}
        self._count = 0

    def look_all(self, raws: Sequence[Mapping[str, Any]], seen: Sequence[Seen]) -> None:
        """Looks at the raw data of several records."""
        self._count += len(raws)
        for raw, its in zip(raws, seen, strict=True):
            shape = tuple(raw), tuple(map(type, raw.values()))
            group = self._shapes.get(shape)
            if group is None:
                if len(self._shapes) >= _SHAPES:
                    continue
                group = self._shapes[shape] = Group()
            group.see(its, None)

    def odd(self) -> Iterator[tuple[str, str, Group]]:
        """The rule, the words and the records of what is of another shape, where few are."""
        if self._count < _FEWEST or len(self._shapes) >= _SHAPES:
            return
        there, boxes = Counter[str](), Counter[str]()
        for (names, types), group in self._shapes.items():
            for name, kind in zip(names, types, strict=True):
                there[name] += group.count
                boxes[name] += group.count * issubclass(kind, BOXES)
        usual = {name for name, count in there.items() if count >= _USUAL * self._count}
        boxed = {name for name, count in boxes.items() if count >= (1 - _RARE) * self._count}
        usual |= boxed
        lacking, flat = Group(), Group()
        for (names, types), group in self._shapes.items():
            gone = usual - set(names)
            texts = [name for name, kind in zip(names, types, strict=True) if kind is str and name in boxed]
            if len(gone) >= _LACKING and (2 * len(gone) >= len(usual) or gone >= boxed != set()):
                _add(lacking, group, ", ".join(sorted(gone)[:3]))
            elif texts:
                _add(flat, group, ", ".join(texts[:3]))
        for rule, group, words in (
            ("another shape", lacking, "lacks {}, which nearly all others have"),
            ("as text", flat, "has {} as text, where nearly all others have an object or array"),
        ):
            if 0 < group.count <= _RARE * self._count:
                yield rule, words.format(group.words), group


def _add(group: Group, some: Group, words: str) -> None:
    group.count += some.count
    group.words = group.words or words
    group.examples += some.examples
