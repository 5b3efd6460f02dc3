"""The fields of a model in the catalog's terms: kind, required, nullable, choices and bounds.

Forms, the command line and the checks use this and never inspect pydantic models themselves.
"""

from __future__ import annotations

import types
import typing
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from annotated_types import Ge, GroupedMetadata, Gt, Le, Lt, MinLen
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from explorer.catalog.spec import ABSENT, RAW, Kind, Observed, Prefix, kind_of


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a model."""

    name: str
    kind: Kind
    """For ``array`` and ``object`` see `items` and `model` for what is inside, where that is known."""
    required: bool
    """Whether the contract requires it."""
    nullable: bool
    """Whether the contract allows null."""
    choices: tuple[str, ...] = ()
    """The contract's enumeration."""
    prefix: str = ""
    min_length: int = 0
    bounds: tuple[float | None, float | None] = (None, None)
    default: Any = ABSENT
    """The value that the service assumes when the field is left out, by the contract. It is shown and never sent."""
    description: str = ""
    observed: Observed | None = None
    model: type[BaseModel] | None = None
    """The model of an object, or of an array's items."""
    items: Kind | None = None
    """The kind of an array's items."""
    format: str = ""
    """The format of a text by the contract: ``date`` (ISO 8601), ``date-time``, or empty where it says nothing."""
    examples: tuple[str, ...] = ()
    """Values that the contract shows as examples, not as an enumeration."""
    row: int = 0
    """Where it stands in a form: fields of one number side by side, the rows in order; 0: wherever there is room."""
    is_raw: bool = False
    """Whether it is the raw field, which holds the third party's own record."""

    @property
    def suggestions(self) -> tuple[str, ...]:
        """Values to offer beside free text, without enforcing them: the contract's examples, then observed values."""
        seen = self.observed.choices if self.observed else ()
        return tuple(dict.fromkeys((*self.examples, *seen)))

    @property
    def rule(self) -> str:
        """The contract's rules in words, such as ``required, must start with conn_``; empty when there are none."""
        parts = ["required"] if self.required else []
        if self.prefix:
            parts.append(f"must start with {self.prefix}")
        if self.min_length:
            parts.append(
                "must not be empty" if self.min_length == 1 else f"at least {self.min_length} characters"
            )
        if self.choices:
            parts.append("one of " + ", ".join(self.choices))
        return ", ".join(parts)


@cache
def fields_of(model: type[BaseModel]) -> tuple[Field, ...]:
    """The fields of ``model`` in declared order."""
    return tuple(_field(name, info) for name, info in model.model_fields.items())


def _field(name: str, info: FieldInfo) -> Field:
    annotation, nullable = _without_null(info.annotation)
    marks = [m for mark in info.metadata for m in (mark if isinstance(mark, GroupedMetadata) else (mark,))]
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    low, high = _bounds(marks)
    item = typing.get_args(annotation)[0] if typing.get_origin(annotation) is list else None
    return Field(
        name=name,
        kind=kind_of(annotation, name),
        required=info.is_required(),
        nullable=nullable,
        choices=tuple(str(c) for c in typing.get_args(annotation))
        if typing.get_origin(annotation) is Literal
        else (),
        prefix=next((m.text for m in marks if isinstance(m, Prefix)), ""),
        min_length=next((m.min_length for m in marks if isinstance(m, MinLen)), 0),
        bounds=(low, high),
        default=extra.get("assumed", ABSENT),
        description=info.description or "",
        observed=next((m for m in marks if isinstance(m, Observed)), None),
        model=_model(item) or _model(annotation),
        items=kind_of(item) if item is not None else None,
        format=str(extra.get("format", "")),
        examples=tuple(str(e) for e in info.examples or ()),
        row=int(str(extra.get("row", 0))),
        is_raw=RAW in marks,
    )


def _without_null(annotation: Any) -> tuple[Any, bool]:
    if typing.get_origin(annotation) not in (typing.Union, types.UnionType):
        return annotation, annotation is Any
    args = typing.get_args(annotation)
    rest = [a for a in args if a is not type(None)]
    if len(rest) == len(args):
        return annotation, False
    return (rest[0] if len(rest) == 1 else typing.Union[tuple(rest)]), True  # noqa: UP007 - made at run time


def _model(annotation: Any) -> type[BaseModel] | None:
    return annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None


def _bounds(marks: list[Any]) -> tuple[float | None, float | None]:
    low = next((m.ge if isinstance(m, Ge) else m.gt for m in marks if isinstance(m, Ge | Gt)), None)
    high = next((m.le if isinstance(m, Le) else m.lt for m in marks if isinstance(m, Le | Lt)), None)
    return typing.cast("float | None", low), typing.cast("float | None", high)
