"""Whether several records fit a model, decided by the types of each column.

Pydantic takes one record at a time, which is some twenty times as slow. Rules that types cannot express (validators,
bounds) are left to it, and so is describing what does not fit.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Container
from functools import cache
from typing import Any

from pydantic import BaseModel

from explorer.catalog.spec import ABSENT, Observed, ThirdPartysOwn
from explorer.quality.engine.rows import Column, Rows

_NULL, _ABSENT = type(None), type(ABSENT)


class _Unsaid(Exception):
    """The model has a rule that types cannot express."""


class _Place:
    """The values that one field accepts."""

    def __init__(self, *accepts: type) -> None:
        self.accepts = frozenset(accepts)
        self.choices: frozenset[str] | None = None
        self.item: _Place | None = None
        self.fields: dict[str, _Place] = {}

    def takes(self, column: Column, *, null: bool = False) -> bool:
        """Whether it accepts all values of a column; ``null``: as if null were accepted."""
        if not column.types <= self.accepts and not (null and column.types <= self.accepts | {_NULL}):
            return False
        if self.choices is not None and not self.choices.issuperset(column.filled):
            return False
        if self.item is not None:
            return self.item.takes(Column([one for items in column.filled for one in items]))
        return all(
            place.takes(Column([one.get(name, ABSENT) for one in column.filled]))
            for name, place in self.fields.items()
        )


def all_fit(model: type[BaseModel], rows: Rows, nulls: Container[str] = ()) -> bool:
    """Whether all records certainly fit, null in the fields ``nulls`` allowed. The records have to be sound."""
    places = _places_of(model)
    return places is not None and all(
        place.takes(rows.column(name), null=name in nulls) for name, place in places.items()
    )


@cache
def _places_of(model: type[BaseModel]) -> dict[str, _Place] | None:
    """The fields of a model that do not accept just any value; None where only pydantic can decide."""
    try:
        return _fields_of(model)
    except _Unsaid:
        return None


def _fields_of(model: type[BaseModel]) -> dict[str, _Place]:
    rules, config = model.__pydantic_decorators__, model.model_config
    if rules.validators or rules.field_validators or rules.root_validators or rules.model_validators:
        raise _Unsaid
    if not config.get("strict") or config.get("extra") != "allow":
        raise _Unsaid
    made: dict[str, _Place] = {}
    for name, info in model.model_fields.items():
        marks = all(isinstance(mark, Observed | ThirdPartysOwn) for mark in info.metadata)
        if info.alias or info.validation_alias or not marks:
            raise _Unsaid
        if info.annotation is Any and not info.is_required():
            continue
        made[name] = place = _place_of(info.annotation)
        if not info.is_required():
            place.accepts |= {_ABSENT}
    return made


def _place_of(annotation: Any) -> _Place:
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        rest = [arg for arg in args if arg is not _NULL]
        numbers = set(rest) == {int, float}
        if len(rest) > 1 and not numbers:
            raise _Unsaid
        place = _Place(int, float) if numbers else _place_of(rest[0])
        if len(rest) < len(args):
            place.accepts |= {_NULL}
    elif annotation in (str, bool):
        place = _Place(annotation)
    elif annotation == dict[str, Any]:
        place = _Place(dict)
    elif origin is typing.Literal and all(type(choice) is str for choice in args):
        place = _Place(str)
        place.choices = frozenset(args)
    elif origin is list:
        place = _Place(list)
        place.item = _place_of(args[0])
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        place = _Place(dict)
        place.fields = _fields_of(annotation)
    else:
        raise _Unsaid
    return place
