"""A query over stored rows: find, filters and sort as values, and the test of single cells against a filter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from explorer.store import keys as order
from explorer.store.find import QueryFault
from explorer.store.keys import EMPTY, FALSE, NESTED, NULL, NUMBER, TEXT, TEXT_BOUND, TRUE, key_of, text_part

Op = Literal["contains", "equals", "<", ">", "between", "is one of", "is null", "is absent", "is empty"]
Value = str | int | float | Decimal | bool | None

_GROUPS = {FALSE: "b", TRUE: "b", NUMBER: "n", TEXT: "t"}


@dataclass(frozen=True, slots=True, eq=False)
class Filter:
    """One condition on one column. A row matches a query when all its conditions hold.

    ``contains`` ignores case (casefold) and searches texts, the label of an array or object, numbers in decimal
    notation, ``true`` and ``false``. ``equals`` is exact in type and value; a text also equals an array or object with
    that label. ``<``, ``>`` and ``between`` (both ends included) compare texts with texts, numbers with numbers and
    booleans with booleans, in the order of `explorer.store.keys`; for any other pair they do not hold. ``is one of``
    takes texts, a line each, and finds numbers by their digits too.
    """

    column: str
    op: Op
    value: Value = None
    upper: Value = None
    """For ``between`` only."""
    path: str = ""
    """Where inside the column it looks (see `explorer.store.inside`); empty: at the column's own values. Of several
    values there one that the condition holds for is enough.
    """

    def _said(self) -> tuple[object, ...]:
        values = (self.value, self.upper)
        return self.column, self.path, self.op, values, tuple(type(value) is bool for value in values)

    def __eq__(self, other: object) -> bool:
        """Whether both select the same rows. ``0`` and ``False`` are equal in Python and select different rows."""
        return isinstance(other, Filter) and self._said() == other._said()

    def __hash__(self) -> int:
        return hash(self._said())


@dataclass(frozen=True, slots=True)
class Query:
    """Find, filters and sort over the stored rows. The empty query gives all rows in the order received."""

    find: str = ""
    regex: bool = False
    case: bool = False
    filters: tuple[Filter, ...] = ()
    sort: tuple[tuple[str, bool], ...] = field(default=())
    """Columns, most significant first, each with True for descending. Equal rows stay in the order received."""
    unfit: bool = False
    """Only records that do not fit their contract."""
    observed: bool = False
    """Only records that fit but for nulls that running services are known to send; with ``unfit``, either."""

    @property
    def picks(self) -> bool:
        """Whether it selects rows (find, filters or misfits), and does not only sort them."""
        return bool(self.find or self.filters or self.unfit or self.observed)

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column whose keys it filters or sorts by, once."""
        filtered = [f.column for f in self.filters if not f.path]
        return tuple(dict.fromkeys(filtered + [name for name, _ in self.sort]))


class Condition:
    """A filter prepared for testing keys. Raises QueryFault when it has no usable value, as ``<`` without one."""

    def __init__(self, given: Filter) -> None:
        self.column = given.column
        self._long = isinstance(given.value, str) and len(given.value) > TEXT_BOUND
        self._wanted = given.value
        maker = _TESTS.get(given.op)
        if maker is None:
            raise QueryFault(f"There is no filter {given.op}.")
        self._test = maker(given)
        self._looks_further = given.op == "contains" or (given.op == "equals" and self._long)
        self._op = given.op

    def places(
        self, keys: list[str | None], among: Iterable[int] | None, full: Callable[[int], str | None]
    ) -> list[int]:
        """The positions in ``keys`` that match, in order; of ``among`` alone where that is given.

        ``full`` returns the whole text of the cell at a position whose key holds only the beginning of it.
        """
        test = self._test
        if not self._looks_further:
            if among is None:
                return [place for place, key in enumerate(keys) if test(key)]
            return [place for place in among if test(keys[place])]
        found = []
        for place in range(len(keys)) if among is None else among:
            key = keys[place]
            if key is not None and len(key) > TEXT_BOUND and order.is_cut(key):
                if (self._op == "contains" or test(key)) and self._holds_for(full(place)):
                    found.append(place)
            elif test(key):
                found.append(place)
        return found

    def holds(self, values: Sequence[Any]) -> bool:
        """Whether it holds for one of the values that stand at a path in a record; without any the path is absent."""
        if not values:
            return self._test(None)
        return any(self._holds_at(value) for value in values)

    def _holds_at(self, value: Any) -> bool:
        key = key_of(value)
        if self._looks_further and isinstance(value, str) and order.is_cut(key):
            return (self._op == "contains" or self._test(key)) and self._holds_for(value)
        return self._test(key)

    def _holds_for(self, text: str | None) -> bool:
        if text is None:
            return False
        if self._op == "equals":
            return text == self._wanted
        return str(self._wanted).casefold() in text.casefold()


def _contains(given: Filter) -> Callable[[str | None], bool]:
    sought = str(given.value).casefold()
    low = re.compile("[\x00-\x0b]").search(sought) is not None

    def test(key: str | None) -> bool:
        if key is None or key == NULL:
            return False
        kind = key[0]
        if kind in (TEXT, NESTED):
            if not low and sought not in key:
                return False
            folded = order.folded(key)
            return folded is not None and sought in folded
        return sought in order.text_of(key).casefold()

    return test


def _equals(given: Filter) -> Callable[[str | None], bool]:
    wanted = key_of(given.value)
    if wanted[:1] != TEXT:
        return lambda key: key == wanted
    label = f"{NESTED}1{text_part(str(given.value))}\n"
    return lambda key: key == wanted or (key is not None and key.startswith(label))


def _is_one_of(given: Filter) -> Callable[[str | None], bool]:
    texts = str(given.value).split("\n")
    keys = {key_of(one) for one in texts}
    keys |= {key_of(int(one)) for one in texts if one.isascii() and one.isdecimal() and str(int(one)) == one}
    return lambda key: key in keys


def _compares(given: Filter) -> Callable[[str | None], bool]:
    wanted, group = _end(given.value, given.op)
    if given.op == "<":
        return lambda key: key is not None and key < wanted and _GROUPS.get(key[0]) == group
    if given.op == ">":
        return lambda key: key is not None and key > wanted and _GROUPS.get(key[0]) == group
    upper, other = _end(given.upper, given.op)
    if other != group:
        raise QueryFault("Between needs two numbers or two texts.")
    return lambda key: key is not None and wanted <= key <= upper and _GROUPS.get(key[0]) == group


def _end(value: Value, op: str) -> tuple[str, str]:
    key = key_of(value)
    if key[0] not in _GROUPS:
        raise QueryFault(f"The filter {op} needs a value.")
    return key, _GROUPS[key[0]]


_TESTS: dict[str, Callable[[Filter], Callable[[str | None], bool]]] = {
    "contains": _contains,
    "equals": _equals,
    "<": _compares,
    ">": _compares,
    "between": _compares,
    "is one of": _is_one_of,
    "is null": lambda _: lambda key: key == NULL,
    "is absent": lambda _: lambda key: key is None,
    "is empty": lambda _: lambda key: key in EMPTY,
}
