"""A record drawn from its model: values that go by the kinds and names of its fields.

What is drawn is neither raw nor unified yet. Dates are moments, and ids are the numbers of the records that they
name: how both are written is a third party's own matter. None is what a third party has no value for.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from explorer.catalog.fields import Field, fields_of
from explorer.sandbox.draw import Draw, Moments, words

Json = dict[str, Any]

_WITHOUT = 0.2
"""Share of records without a value where the contract or what was observed allows it."""
_TRUE = 0.1
_OTHERS = 40
"""How many records of another kind there are to be named by an id."""


def drawn(model: type[BaseModel], draw: Draw, number: int, resource: str) -> Json:
    """The record with a number: every field of the model but the third party's own record."""
    return {
        field.name: _value(field, draw, number, resource) for field in fields_of(model) if not field.is_raw
    }


def forms_of_number(model: type[BaseModel], resource: str) -> dict[str, str]:
    """Those fields whose text follows from the record's number alone, with its format."""
    forms = {name: _form(name, resource) for name in model.model_fields}
    return {name: form for name, form in forms.items() if form.count("{") == form.count("{number") == 1}


def _may_lack(field: Field) -> bool:
    """Whether a sound record may be without it. Names, ids of its own, dates and booleans are always there."""
    allowed = field.nullable or (field.observed is not None and field.observed.nullable)
    return allowed and field.kind not in ("date", "boolean") and field.name not in ("id", "name")


def _value(field: Field, draw: Draw, number: int, resource: str) -> Any:
    if _may_lack(field) and draw.chance(_WITHOUT):
        return None
    if field.kind == "id":
        return number if field.name == "id" else draw.below(_OTHERS)
    if field.kind == "date":
        return Moments(number).of(field.name)
    if field.kind == "boolean":
        return draw.chance(_TRUE)
    if field.kind == "number":
        return draw.below(20_000)
    if field.kind == "array":
        return [_inner(field, draw, draw.below(1000), resource) for _ in range(draw.below(3))]
    if field.kind in ("object", "any"):
        return _inner(field, draw, draw.below(1000), resource)
    return _text(field, draw, number, resource)


def _inner(field: Field, draw: Draw, number: int, resource: str) -> Any:
    """One item of an array, or an object; where the contract shows no fields, a name with its id."""
    if field.model is not None:
        return drawn(field.model, draw, number, resource)
    if field.items == "id" or field.name.endswith("_ids"):
        return number
    name = _text(field, draw, number, resource)
    return name if field.items == "text" else {"id": str(number), "name": name}


def _text(field: Field, draw: Draw, number: int, resource: str) -> str:
    if field.choices or field.suggestions:
        return draw.pick(field.choices or field.suggestions)
    name = field.name.removesuffix("s") if field.kind == "array" else field.name
    return draw.filled(_form(name, resource), {"number": number})


def _form(name: str, resource: str) -> str:
    """The format of a field's texts, from the bundled seed data."""
    forms: dict[str, str] = words()["fields"]
    return forms.get(f"{resource}.{name}") or forms.get(name, "{sentences}")
