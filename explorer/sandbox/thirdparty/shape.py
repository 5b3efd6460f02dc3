"""How a third party keeps one resource: a record drawn from its model, written in the third party's own form.

What is drawn (`drawn`) goes by the kinds and names of the fields, and is neither raw nor unified yet: dates are
moments, and ids are the numbers of the records that they name. None is what a third party has no value for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from explorer.catalog.fields import Field, fields_of
from explorer.sandbox.conversions import CONVERSIONS, MISSING
from explorer.sandbox.draw import Draw, Moments, words
from explorer.sandbox.identifiers import Ids, counted
from explorer.sandbox.mapping import MAPPINGS, Source, plain_mapping, put

Json = dict[str, Any]
Texts = dict[str, Callable[[int], str]]

_PLAIN_IDS = counted(1000)
_PLAIN_EXTRAS = {"/object": "{resource}", "/etag": "{hex}", "/notes": ["{sentences}", "", None]}
_WITHOUT = 0.2
"""Share of records without a value where the contract or what was observed allows it."""
_TRUE = 0.1
_OTHERS = 40
"""How many records of another kind there are to be named by an id."""


@dataclass(frozen=True)
class Shape:
    """One resource of one third party. With nothing but names and model it is a plain one.

    Attributes:
        resource: as `job`; with the party it names the true mapping.
        ids: field or relation to the form of its ids; `id` is the record's own.
        extras: JSON pointer to what stands there and is mapped to nothing: a text, or values of which one is drawn.
            Texts are formats of `number`, `resource`, the texts that follow from the number (`id`, relations, dates
            by the name of their field) and the lists of the vocabulary.
        change: puts what has a meaning of its own into the drawn record.
        parts: raw members that follow from each other or from the record, which it may change as well.
        entries: array of records to the forms of the ids in its entries.
        related: numbers of other records that follow from a record's number, by the name of a field or relation.
    """

    resource: str
    party: str
    model: type[BaseModel]
    ids: Mapping[str, Ids] = field(default_factory=dict)
    extras: Mapping[str, str | Sequence[Any]] = field(default_factory=lambda: _PLAIN_EXTRAS)
    change: Callable[[Draw, int, Json], None] = lambda draw, number, record: None
    parts: Callable[[Draw, int, Json], Json] = lambda draw, number, record: {}
    entries: Mapping[str, Mapping[str, Ids]] = field(default_factory=dict)
    related: Callable[[int], dict[str, int]] = lambda number: {}

    @cached_property
    def mapping(self) -> Mapping[str, Source]:
        """The true mapping."""
        return MAPPINGS.get((self.resource, self.party)) or plain_mapping(self.model)

    def ids_of(self, name: str) -> Ids:
        """How the ids of a field or relation are written."""
        return self.ids.get(name, _PLAIN_IDS)

    def number(self, ident: str) -> int | None:
        """The record's number behind an id, or None when the id is none of this third party's."""
        return self.ids_of("id").number(ident)

    def raw(self, draw: Draw, number: int) -> Json:
        """The raw record with a number; all that varies beyond `texts` comes from the draw."""
        record = drawn(self.model, draw, number, self.resource)
        self.change(draw, number, record)
        record |= self.related(number)
        parts = self.parts(draw, number, record)
        raw: Json = {}
        for name, source in self.mapping.items():
            self._write(raw, record[name], name, source, self.ids, name in self._nullable)
            if name == "id":
                raw |= parts
        facts: Json = {name: text(number) for name, text in self._numbered.items()}
        facts |= {"number": number, "resource": self.resource}
        for pointer, choices in self.extras.items():
            value = choices if isinstance(choices, str) else draw.pick(choices)
            put(raw, pointer, draw.filled(value, facts) if isinstance(value, str) else value)
        return raw

    def texts(self, number: int) -> tuple[str, ...]:
        """The texts that follow from a record's number alone, raw and unified, where the record has them.

        A template made for one number becomes the record of another by replacing them.
        """
        return tuple(text(number) for text in self._numbered.values())

    @cached_property
    def _nullable(self) -> frozenset[str]:
        return frozenset(one.name for one in fields_of(self.model) if one.nullable)

    @cached_property
    def _numbered(self) -> Texts:
        """The texts that follow from a number, by name."""
        found: Texts = {"id": self.ids_of("id").text}
        found |= {name: self._relation(name) for name in self.related(0).keys() & self.ids.keys()}
        for one in fields_of(self.model):
            how = self.mapping[one.name].how if one.name in self.mapping else "day"
            if one.kind == "date" and how != "day":
                found |= _date_texts(one.name, how)
        forms = forms_of_number(self.model, self.resource)
        forms |= {one: one for one in self.extras.values() if isinstance(one, str) and "{number" in one}
        return found | {name: _formatted(form) for name, form in forms.items()}

    def _relation(self, name: str) -> Callable[[int], str]:
        return lambda number: self.ids[name].text(self.related(number)[name])

    def _write(
        self, raw: Json, value: Any, name: str, source: Source, ids: Mapping[str, Ids], nullable: bool
    ) -> None:
        """Writes one field of a drawn record where the mapping reads it."""
        conversion = CONVERSIONS[source.how]
        if conversion.write is None:
            return
        if value is None:
            # Null where it leaves the field out or the field may be null; else the raw record lacks it too.
            if nullable or conversion.read(None) is MISSING:
                put(raw, source.path, None)
        elif source.each is not None:
            put(raw, source.path, [self._entry(entry, name, source.each) for entry in value])
        elif name == "id" or name.endswith("_id"):
            put(raw, source.path, ids.get(name, _PLAIN_IDS).raw(value))
        elif name.endswith("_ids"):
            put(raw, source.path, [ids.get(name, _PLAIN_IDS).raw(one) for one in value])
        else:
            put(raw, source.path, conversion.write(value))

    def _entry(self, entry: Json, name: str, each: Mapping[str, Source]) -> Json:
        raw: Json = {}
        for inner, source in each.items():
            self._write(raw, entry[inner], inner, source, self.entries.get(name, {}), False)
        return raw


def _formatted(form: str) -> Callable[[int], str]:
    return lambda number: form.format(number=number)


def _date_texts(name: str, how: str) -> Texts:
    """A date as the third party writes it, and as it comes out where that is another text."""
    conversion = CONVERSIONS[how]
    write = conversion.write or str

    def raw(number: int) -> str:
        return str(write(Moments(number).of(name)))

    def unified(number: int) -> str:
        return str(conversion.read(write(Moments(number).of(name))))

    return {name: raw} if raw(1) == unified(1) else {name: raw, f"{name} unified": unified}


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
