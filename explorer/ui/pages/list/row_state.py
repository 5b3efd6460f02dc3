"""What was asked of a list and the chosen row as JSON values, for the next start; a filter made of a row's value.

The text of the find field is not saved: it is often a person's name or address that leads to one record, it is of no
use tomorrow, and the layout's file is readable text. Filters and order are chosen on purpose, are visible as chips and
in the head, and are what a person wants to find again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from explorer.catalog.spec import Column
from explorer.jsontext.read import read_loosely
from explorer.session import Filter, QueryFault, paths_in, steps_of
from explorer.ui.records.cells import field_bytes

MOST = 20
"""Connections whose filters are saved for one list: those used last."""
_LONGEST = 1000
"""Most characters of a filter's value that is saved; a longer one was probably pasted for one use."""
OPS = ("contains", "equals", "<", ">", "between", "is null", "is absent", "is empty")
"""The conditions of a filter."""


def kept(filters: Sequence[Filter], sort: Sequence[tuple[str, bool]]) -> dict[str, Any]:
    """Filters and order as JSON values."""
    told = [
        {"column": f.column, "path": f.path, "op": f.op, "values": [_out(f.value), _out(f.upper)]}
        for f in filters
        if not any(isinstance(v, str) and len(v) > _LONGEST for v in (f.value, f.upper))
    ]
    return {"filters": told, "sort": [list(by) for by in sort]}


def filters_of(state: Any, columns: Iterable[Column]) -> list[Filter]:
    """The filters of what `kept` gave. One that cannot be read, or whose column no longer exists, is left out."""
    known = {c.field for c in columns}
    made = []
    for one in _list(state, "filters"):
        with contextlib.suppress(
            KeyError, TypeError, ValueError, ArithmeticError, AttributeError, QueryFault
        ):
            if one["column"] in known and one["op"] in OPS:
                value, upper = (_in(v) for v in one["values"])
                path = one.get("path", "")
                if path:
                    steps_of(path)
                made.append(Filter(one["column"], one["op"], value, upper, path))
    return made


def sort_of(state: Any, columns: Iterable[Column]) -> tuple[str, bool] | None:
    """The field that the rows were sorted by, and whether descending; None for none."""
    known = {c.field for c in columns}
    for by in _list(state, "sort"):
        if isinstance(by, list) and len(by) == 2 and by[0] in known:
            return by[0], bool(by[1])
    return None


def kept_place(row: int, ident: str) -> list[Any]:
    """The row that the user is on and its record's id, where that is of no size, as JSON values; empty for none."""
    known = ident if len(ident) <= _LONGEST else ""
    return [row, known] if row >= 0 or known else []


def place_of(state: Any) -> tuple[int, str] | None:
    """The row and the id that `kept_place` gave; None for none."""
    found = _list(state, "place")
    return (found[0], found[1]) if [type(one) for one in found] == [int, str] else None


def parameters_of(state: Any) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The declared and the further parameters that were saved."""
    query = state.get("query")
    pairs = [(str(pair[0]), str(pair[1])) for pair in _list(state, "extra") if len(pair) == 2]
    return query if isinstance(query, dict) else {}, pairs


def of_connection(saved: Any, connection: str) -> dict[str, Any]:
    """What `with_connection` saved for that connection; empty where nothing is."""
    mine = saved.get(connection) if isinstance(saved, dict) else None
    return mine if isinstance(mine, dict) else {}


def with_connection(saved: Any, connection: str, mine: dict[str, Any]) -> dict[str, Any]:
    """``saved`` with ``mine`` as the last: each connection has its own, as that of one makes no sense for another."""
    others = {k: v for k, v in saved.items() if k != connection} if isinstance(saved, dict) else {}
    last = list(others.items())[1 - MOST :]
    return dict(last) | ({connection: mine} if any(mine.values()) else {})


def _list(state: Any, name: str) -> list[Any]:
    found = state.get(name) if isinstance(state, dict) else None
    return found if isinstance(found, list) else []


def _out(value: Any) -> Any:
    return (
        {"number": str(value)} if isinstance(value, (Decimal, int)) and not isinstance(value, bool) else value
    )


def _in(value: Any) -> Any:
    if isinstance(value, dict):
        number = Decimal(value["number"])
        if not number.is_finite():
            raise ValueError(value)
        return number
    if value is not None and not isinstance(value, (str, bool)):
        raise TypeError(value)
    return value


def filter_of(column: Column, held: bytes | str) -> Filter | None:
    """A filter for the rows with the same value in ``column`` as ``held``, the bytes of a record.

    Arrays and objects are compared by the text that they are shown as. ``held`` may also be a condition without a
    value, such as ``is null``. None when there is nothing to compare.
    """
    if isinstance(held, str):
        return Filter(column.field, held)  # type: ignore[arg-type]  # one of the conditions that need no value
    value = _value(held, column.field)
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict):
        value = value.get(column.summary)
    if value is None or isinstance(value, (list, dict)) or value == "":
        return None
    return Filter(column.field, "equals", value)


def paths_below(records: Iterable[bytes], field: str) -> list[str]:
    """The paths inside ``field`` that lead to a value in one of ``records``. For a thread."""
    return paths_in(_value(record, field) for record in records)


def _value(record: bytes, field: str) -> Any:
    found = field_bytes(record, field)
    if found is None:
        return None
    try:
        return read_loosely(found, number=Decimal)
    except (ValueError, ArithmeticError):
        return None
