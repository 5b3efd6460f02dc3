"""What a record model accepts, field by field, where the types of values decide: for who checks many records at once.

Pydantic takes one record at a time. The store holds each page against this while it is kept, a quality run its records
a hundred at a time; what types cannot say (validators, bounds) is left to pydantic.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from pydantic import BaseModel

from explorer.catalog.spec import ABSENT, Observed, ThirdPartysOwn

_NULL = type(None)


class Undecidable(Exception):
    """The model has a rule that the types of values cannot decide."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """What a field, or an item of an array, accepts. In an object, a field without an entry may be anything."""

    types: frozenset[type]
    """Compared exactly, as Python reads them from JSON; that of `ABSENT` for a field that may be left out."""
    choices: frozenset[str] | None = None
    item: Accepted | None = None
    fields: Mapping[str, Accepted] = field(default_factory=dict)
    known_null: bool = False
    """Whether running services are known to send null there."""


@cache
def accepted_by(model: type[BaseModel]) -> Mapping[str, Accepted]:
    """What each field of ``model`` accepts, without fields that may be anything or absent.

    Raises Undecidable, also where a rule is not known to give strict pydantic's result.
    """
    rules, config = model.__pydantic_decorators__, model.model_config
    if rules.validators or rules.field_validators or rules.root_validators or rules.model_validators:
        raise Undecidable
    if not config.get("strict") or config.get("extra") != "allow":
        raise Undecidable
    made: dict[str, Accepted] = {}
    for name, info in model.model_fields.items():
        marks = all(isinstance(mark, Observed | ThirdPartysOwn) for mark in info.metadata)
        if info.alias or info.validation_alias or not marks:
            raise Undecidable
        if info.annotation is Any and not info.is_required():
            continue
        one = _accepted(info.annotation)
        absent = frozenset[type]() if info.is_required() else {type(ABSENT)}
        seen = next((mark for mark in info.metadata if isinstance(mark, Observed)), None)
        made[name] = replace(one, types=one.types | absent, known_null=seen is not None and seen.nullable)
    return made


def _accepted(annotation: Any) -> Accepted:
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        rest = [arg for arg in args if arg is not _NULL]
        numbers = set(rest) == {int, float}
        if len(rest) > 1 and not numbers:
            raise Undecidable
        one = Accepted(frozenset({int, float})) if numbers else _accepted(rest[0])
        return replace(one, types=one.types | {_NULL}) if len(rest) < len(args) else one
    if annotation in (str, bool):
        return Accepted(frozenset({annotation}))
    if annotation == dict[str, Any]:
        return Accepted(frozenset({dict}))
    if origin is typing.Literal and all(type(choice) is str for choice in args):
        return Accepted(frozenset({str}), choices=frozenset(args))
    if origin is list:
        return Accepted(frozenset({list}), item=_accepted(args[0]))
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return Accepted(frozenset({dict}), fields=accepted_by(annotation))
    raise Undecidable
