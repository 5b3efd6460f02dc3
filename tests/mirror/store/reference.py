"""The order, the filters and the search in plain Python, written from their words and not from their code."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from explorer.store.query import Filter

GONE = object()
"""In place of a value: the field is left out."""


class Digits:
    """A number as it is written."""

    def __init__(self, token: str) -> None:
        self.token = token

    def __repr__(self) -> str:
        return self.token


def written(value: Any, *, escapes: bool) -> str:
    """JSON with ``escapes`` for everything outside ASCII, or none but the ones that must be."""
    if isinstance(value, Digits):
        return value.token
    if isinstance(value, dict):
        inner = (
            f"{written(k, escapes=escapes)}:{written(v, escapes=escapes)}"
            for k, v in value.items()
            if v is not GONE
        )
        return "{" + ",".join(inner) + "}"
    if isinstance(value, list):
        return "[" + ",".join(written(v, escapes=escapes) for v in value) + "]"
    return json.dumps(value, ensure_ascii=escapes)


def searched(value: Any) -> str:
    """The same JSON with every escape resolved."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        return "{" + ",".join(f"{searched(k)}:{searched(v)}" for k, v in value.items() if v is not GONE) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(searched, value)) + "]"
    return written(value, escapes=False)


def _text(text: str) -> tuple[Any, ...]:
    cut = text[:256]
    return cut.casefold(), cut, len(text) > 256


def _label(value: Any, summary: str) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = value.get(summary, "")
    return value if isinstance(value, str) else ""


def place(value: Any, summary: str = "name") -> tuple[Any, ...]:
    """What a cell is sorted by."""
    if value is GONE:
        return (0,)
    if value is None:
        return (1,)
    if isinstance(value, bool):
        return (2, value)
    if isinstance(value, (int, Digits)):
        token = repr(value)
        if token in ("NaN", "Infinity", "-Infinity"):
            return (3, {"-Infinity": 0, "Infinity": 2, "NaN": 3}[token], 0)
        return (3, 1, Fraction(token))
    if isinstance(value, str):
        return (4, *_text(value))
    if not value:
        return (5, 0, isinstance(value, dict))
    return (5, 1, _text(_label(value, summary)), len(value) if isinstance(value, list) else 0)


def ordered(
    values: Sequence[Any], *, descending: bool = False, rows: Sequence[int] | None = None
) -> list[int]:
    """Row numbers in order; equal ones stay."""
    numbers = range(len(values)) if rows is None else rows
    return sorted(numbers, key=lambda row: place(values[row]), reverse=descending)


def passes(value: Any, given: Filter) -> bool:
    """Whether a cell passes a filter."""
    wanted: Any = given.value
    if given.op == "is null":
        return value is None
    if given.op == "is absent":
        return value is GONE
    if given.op == "is empty":
        return value in ("", [], {}) if isinstance(value, (str, list, dict)) else False
    if given.op == "equals":
        if isinstance(wanted, str) and isinstance(value, (list, dict)) and value:
            return _label(value, "name") == wanted
        return type(value) is not object and place(value) == place(_given(wanted)) and _whole(value, wanted)
    if given.op == "contains":
        return value is not GONE and value is not None and str(wanted).casefold() in _words(value)
    at, low = place(value), place(_given(wanted))
    if at[0] != low[0]:
        return False
    if given.op == "between":
        return low <= at <= place(_given(given.upper))
    return at < low if given.op == "<" else at > low


def _whole(value: Any, wanted: Any) -> bool:
    return value == wanted if isinstance(wanted, str) else True


def _given(value: Any) -> Any:
    return Digits(str(value)) if isinstance(value, Decimal) else value


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value.casefold()
    if isinstance(value, (int, Digits)):
        number = Decimal(repr(value))
        return f"{number.normalize():f}" if number else "0"
    if not value:
        return ""
    return _label(value, "name").casefold()


def same(a: str, b: str) -> bool:
    """Whether two characters are one when case does not count."""
    if a.isascii() or b.isascii():
        return a.lower() == b.lower() if a.isascii() and b.isascii() else False
    return a == b or (len(a.casefold()) == 1 and not a.casefold().isascii() and a.casefold() == b.casefold())


def holds(text: str, sought: str, *, case: bool) -> bool:
    """Whether ``sought`` stands in ``text``."""
    if case:
        return sought in text
    ends = range(len(text) - len(sought) + 1)
    return any(all(same(text[at + n], c) for n, c in enumerate(sought)) for at in ends)


# -------------------------------------------------------------------- made data

odd_letters = st.sampled_from([*list('aAbBzZ éÉßſKkÅåµμςσΣ\n\t\x0b\x00"\\/~12😀'), "\ud800", "İ", "ﬀ"])
texts = st.text(odd_letters, max_size=6) | st.text(max_size=5)
long_texts = st.builds(lambda c, n, t: c * n + t, st.sampled_from("aÉ"), st.integers(250, 258), texts)
numbers = st.one_of(
    st.integers(-3, 3),
    st.integers(-(2**70), 2**70),
    st.decimals(allow_nan=False, allow_infinity=False).map(
        lambda d: Digits(f"{d:E}" if d.adjusted() < 300 else "7")
    ),
    st.sampled_from(
        ["1.0", "1e0", "10E-1", "0.10", "-0", "1e400", "1e-400", "-1.50", "12345678901234567890.5"]
    ).map(Digits),
)
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
items = scalars | st.fixed_dictionaries({}, optional={"name": scalars, "other": scalars})
cells = st.one_of(
    st.just(GONE),
    scalars,
    long_texts,
    st.lists(items, max_size=3),
    st.fixed_dictionaries({}, optional={"name": scalars, "x": scalars}),
    st.sampled_from(["NaN", "Infinity", "-Infinity"]).map(Digits),
)
