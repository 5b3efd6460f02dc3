"""What a list answers: where its rows are, what names a record, and where the third party's own data is.

The rows are told by the schema; names only choose between several arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from explorer.jsontext.pointer import dotted
from explorer.openapi import words
from explorer.openapi.document import Document, Shape
from explorer.openapi.extensions import StatedPaging
from explorer.openapi.operations import Operation, Parameter
from explorer.openapi.values import Level, Raw, Why

MOST_STEPS_DOWN = 3
"""Names in the path of rows, at most."""
_LONG = 12
"""An object with more members than this is a thing of its own rather than a wrapper of rows."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of an answer."""

    steps: tuple[str, ...] | None
    """The names that lead to them; none for a bare array, and None where the document does not say."""
    record: Shape
    why: Why

    @property
    def path(self) -> str | None:
        """The steps as a dotted path; ``$`` for a bare array."""
        return None if self.steps is None else dotted(self.steps) or "$"


@dataclass(frozen=True, slots=True)
class _Array:
    path: tuple[str, ...]
    item: Shape
    holder: Shape
    """The object that it stands in."""
    named: bool
    """Whether it has the resource's own name or one that rows usually have, and stands in nothing but wrappers."""
    usual: bool
    """Whether it does not have a name that other arrays beside the rows have."""

    @property
    def has_objects(self) -> bool:
        return self.item.is_object

    @property
    def order(self) -> tuple[bool, bool, bool, int]:
        """The best first."""
        return not self.has_objects, not self.usual, not self.named, len(self.path)


def find_rows(
    document: Document, operation: Operation, *, pages: bool, stated: StatedPaging | None = None
) -> Rows | None:
    """The rows of an operation; None when it is no list.

    ``pages``: whether its parameters hint at paging. ``stated``: what an extension says, which goes before all else.
    """
    answer = operation.answer
    if stated is not None and stated.rows is not None and answer is not None:
        here = answer
        for step in stated.rows:
            here = document.shape(here.properties.get(step))
        if "array" in here.types:
            record = document.shape(here.items)
            return Rows(stated.rows, record, Why("stated", f"{stated.extension} states it."))
    asks = operation.says_list and not operation.ends_in_parameter
    if answer is None or (answer.is_silent and not answer.types & {"array"}):
        if not (pages or asks) or operation.ends_in_parameter:
            return None
        why = Why(
            "asked", "the document does not say what the answer holds, so where the rows are has to be told."
        )
        return Rows(None, Shape(), why)
    if "array" in answer.types and not answer.properties:
        item = document.shape(answer.items)
        if item.types and not item.is_object:
            return None
        said = "of objects" if item.is_object else "of what the document does not say"
        return Rows(
            (), item, Why("stated" if item.is_object else "guessed", f"the answer is an array {said}.")
        )
    arrays = sorted(_arrays(document, operation, answer, (), named=True), key=lambda one: one.order)
    if not arrays:
        return None
    best = arrays[0]
    if not _is_list(best, arrays, operation, answer, pages=pages):
        return None
    return Rows(best.path, best.item, _why(best, arrays, operation))


def _arrays(
    document: Document, operation: Operation, shape: Shape, path: tuple[str, ...], *, named: bool
) -> Iterator[_Array]:
    for name, inner in document.inner(shape):
        small = words.bare(name)
        own = any(words.same_noun(name, noun) for noun in operation.nouns)
        here = (*path, name)
        if "array" in inner.types:
            item = document.shape(inner.items)
            if item.is_object or not item.types:
                known = own or small in words.ROWS or small.endswith(words.ROWS_AT_END)
                yield _Array(here, item, shape, named and known, own or small not in words.NO_ROWS)
        elif inner.properties and len(here) < MOST_STEPS_DOWN and (own or small not in words.ABOUT_ANSWER):
            wraps = own or small in words.WRAPPERS
            if wraps or (len(inner.properties) <= _LONG and "id" not in inner.properties):
                yield from _arrays(document, operation, inner, here, named=named and wraps)


def _is_list(best: _Array, arrays: list[_Array], operation: Operation, answer: Shape, *, pages: bool) -> bool:
    """Whether the array is the rows of a list, and not a part of one thing that was asked for."""
    if operation.ends_in_parameter:
        return pages and best.named
    if best.named and pages:
        return True
    one_thing = "id" in answer.properties or "id" in best.holder.properties
    if one_thing or not (best.has_objects or best.named):
        return False
    if best.named or pages or operation.says_list:
        return True
    alone = len([one for one in arrays if one.has_objects and one.usual]) == 1
    return alone and best.usual and len(answer.properties) <= _LONG


def _why(best: _Array, arrays: list[_Array], operation: Operation) -> Why:
    path = dotted(best.path)
    others = [dotted(one.path) for one in arrays[1:] if one.has_objects and one.usual]
    if not best.has_objects:
        return Why("guessed", f"{path} is an array, and the document does not say of what.")
    if not others:
        return Why("stated", f"{path} is the only array of objects in the answer.")
    beside = f"there are also {', '.join(others[:3])}"
    if best.named and not any(one.named and len(one.path) == len(best.path) for one in arrays[1:]):
        return Why("stated", f"{path} is an array of objects with a name that rows have; {beside}.")
    return Why("guessed", f"{path} is the likeliest of {len(others) + 1} arrays of objects; {beside}.")


def record_key(operation: Operation, record: Shape) -> tuple[tuple[str, ...], Why]:
    """The fields that name a record, and why."""
    fields: dict[str, Any] = record.properties
    if "id" in fields:
        return ("id",), Why("stated", "the record declares id.")
    nouns = [words.bare(noun) for noun in operation.nouns]
    singular = {
        stem for noun in nouns for stem in (noun, noun.removesuffix("s"), noun.removesuffix("ies") + "y")
    }
    for name in fields:
        if words.bare(name).removesuffix("id") in singular and words.bare(name).endswith("id"):
            return (name,), Why("guessed", f"the record has no id; {name} is named after the list.")
    for usual in ("uuid", "guid", "uid", "identifier", "recordid", "objectid", "uniquekey", "key"):
        for name in fields:
            if words.bare(name) == usual:
                return (name,), Why("guessed", f"the record has no id; {name} usually names one.")
    return (), Why("asked", "the record declares no field that names it.")


def find_raw(document: Document, operation: Operation, rows: Rows) -> tuple[Raw, Why]:
    """Where the third party's own data is, and the option that asks for it."""
    record = rows.record
    name = _raw_name(document, record)
    path: tuple[str, ...] | None = (name,) if name else None
    place: Literal["record", "envelope"] = "record"
    if path is None and operation.answer is not None:
        path, place = _in_envelope(document, operation.answer, rows), "envelope"
    option = _raw_option(document, operation, record, path[-1] if path else "")
    if path is None:
        level: Level = "guessed" if option else "stated"
        said = f"{option} asks for it, but no field is declared" if option else "no field is declared for it"
        return Raw(None, "record", option), Why(level, f"{said}.")
    field = dotted(path)
    where = "each record" if place == "record" else "the answer, once for the page,"
    asked = f", and {option} asks for it" if option else ", and no parameter asks for it"
    return Raw(field, place, option), Why("stated", f"{where} declares {field}{asked}.")


def _raw_name(document: Document, shape: Shape) -> str | None:
    ranked = [
        (rank, name)
        for name, inner in document.inner(shape)
        if (rank := words.rank(name, words.RAW_FIELDS)) is not None
        and (inner.types & {"object", "array", "string"} or not inner.types)
    ]
    return min(ranked)[1] if ranked else None


def _in_envelope(document: Document, answer: Shape, rows: Rows) -> tuple[str, ...] | None:
    """The path of the raw data in the objects around the rows, from the outermost inwards."""
    here, steps = answer, rows.steps or ()
    for deep, step in enumerate(steps):
        found = _raw_name(document, here)
        if found is not None:
            return (*steps[:deep], found)
        here = document.shape(here.properties.get(step))
    return None


def _raw_option(document: Document, operation: Operation, record: Shape, field: str) -> str | None:
    for one in operation.of("query"):
        choices = {choice.lower() for choice in one.shape.choices}
        if words.is_raw_option(one.name) and (one.shape.types <= {"boolean"} or choices == {"true", "false"}):
            return f"{one.name}=true"
    for one in operation.of("query"):
        if field and one.bare in words.CHOOSING_FIELDS:
            named = one.shape.choices or document.shape(one.shape.items).choices
            return _choosing(one, named, record, field)
    return None


def _choosing(one: Parameter, choices: tuple[str, ...], record: Shape, field: str) -> str | None:
    """``fields=id,name,raw``: all fields with the raw one last, where the parameter names fields and may name it."""
    if not choices and field not in one.description:
        return None
    if choices and field not in choices:
        return None
    if one.bare in ("include", "expand"):
        return f"{one.name}={field}"
    named = choices or tuple(record.properties)
    return f"{one.name}={','.join([*(name for name in named if name != field), field])}"
