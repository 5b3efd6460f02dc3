"""A document's tree with its references: what a ``$ref`` names, and schemas put together of their parts.

Whatever stands where something else belongs reads as empty: `mapping`, `sequence` and `text` are how the tree is looked
at. References lead to places inside the document only. Those to other files or hosts are counted in `foreign` and not
followed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import unquote

from explorer.openapi.load import DocumentFault

MOST_HOPS = 40
"""References that lead to a reference, one after the other."""
MOST_NESTED = 60
"""Schemas put together of schemas, inside each other."""
MOST_STEPS = 1_000_000
"""Members that are looked at in one document. One of 673 operations takes about 100,000."""


def mapping(value: Any) -> dict[str, Any]:
    """``value`` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: Any) -> list[Any]:
    """``value`` if it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def text(value: Any) -> str:
    """``value`` if it is a text, else an empty one."""
    return value if isinstance(value, str) else ""


@dataclass(slots=True)
class Shape:
    """What a schema says after its references and parts (``allOf``, ``anyOf``, ``oneOf``) are put together."""

    types: set[str] = field(default_factory=set)
    """``object``, ``array``, ``string``, ``integer``, ``number``, ``boolean``; empty where it says nothing."""
    nullable: bool = False
    properties: dict[str, Any] = field(default_factory=dict)
    """The schemas of an object's members by name, each to be given to `Document.shape`."""
    required: set[str] = field(default_factory=set)
    items: Any = None
    """The schema of an array's items; None where it says nothing."""
    format: str = ""
    choices: tuple[str, ...] = ()
    """The enumeration, without null."""
    default: Any = None
    description: str = ""
    example: Any = None

    @property
    def is_silent(self) -> bool:
        """Whether it says nothing of what is inside."""
        return not (self.properties or self.items is not None or self.types - {"object", "array"})

    @property
    def is_object(self) -> bool:
        """Whether it may be an object."""
        return "object" in self.types or bool(self.properties)

    def is_number(self) -> bool:
        """Whether it is a number and nothing else."""
        return bool(self.types) and self.types <= {"integer", "number"}


class Document:
    """The tree of one document, and what was noticed while reading it."""

    def __init__(self, root: dict[str, Any]) -> None:
        self.root = root
        self.foreign: Counter[str] = Counter()
        """References to other files or hosts, which were not followed, with how often each was met."""
        self.missing: Counter[str] = Counter()
        """References to places that the document does not have."""
        self._shapes: dict[int, Shape] = {}
        self._made: list[Any] = []
        """Schemas made here; kept, as `_shapes` goes by identity."""
        self._nested = 0
        self._steps = 0

    # ------------------------------------------------------------------ references

    def follow(self, value: Any) -> dict[str, Any]:
        """``value``, or what its ``$ref`` leads to in the end; empty where that is nothing or runs in a circle."""
        one = mapping(value)
        for _ in range(MOST_HOPS):
            if not isinstance(one.get("$ref"), str):
                return one
            one = mapping(self._target(one["$ref"]))
        return {}

    def _target(self, reference: str) -> Any:
        if not reference.startswith("#"):
            self.foreign[reference] += 1
            return None
        self._step(1)
        here: Any = self.root
        for part in reference[1:].split("/")[1:]:
            name = unquote(part).replace("~1", "/").replace("~0", "~")
            if isinstance(here, dict) and name in here:
                here = here[name]
            elif isinstance(here, list) and name.isdecimal() and len(name) < 7 and int(name) < len(here):
                here = here[int(name)]
            else:
                self.missing[reference] += 1
                return None
        return here

    # ------------------------------------------------------------------ schemas

    def shape(self, schema: Any) -> Shape:
        """What a schema says in all. A schema inside of itself ends with what is known of it by then.

        Raises DocumentFault when the document takes more than `MOST_STEPS` steps.
        """
        if not isinstance(schema, dict) or self._nested > MOST_NESTED:
            return Shape()
        known = self._shapes.get(id(schema))
        if known is not None:
            return known
        made = self._shapes[id(schema)] = Shape()
        self._nested += 1
        try:
            self._own(made, schema)
            if isinstance(schema.get("$ref"), str):
                self._add(made, self.shape(self._target(schema["$ref"])), "allOf")
            for part in sequence(schema.get("allOf")):
                self._add(made, self.shape(part), "allOf")
            for name in ("anyOf", "oneOf"):
                self._alternatives(made, sequence(schema.get(name)))
        finally:
            self._nested -= 1
        return made

    def _own(self, made: Shape, schema: dict[str, Any]) -> None:
        kind = schema.get("type")
        types = {each for each in (kind if isinstance(kind, list) else [kind]) if isinstance(each, str)}
        made.nullable = "null" in types or schema.get("nullable") is True
        made.types = types - {"null"}
        made.properties = dict(mapping(schema.get("properties")))
        self._step(1 + len(made.properties))
        made.required = {each for each in sequence(schema.get("required")) if isinstance(each, str)}
        if "items" in schema:
            made.items = schema["items"]
            made.types |= {"array"}
        if made.properties:
            made.types |= {"object"}
        made.format = text(schema.get("format"))
        constant = [schema["const"]] if "const" in schema else []
        made.choices = tuple(
            str(one) for one in (constant or sequence(schema.get("enum"))) if one is not None
        )
        made.nullable |= None in sequence(schema.get("enum"))
        made.default, made.example = schema.get("default"), schema.get("example")
        if made.example is None and sequence(schema.get("examples")):
            made.example = schema["examples"][0]
        made.description = text(schema.get("description"))

    def _alternatives(self, made: Shape, parts: list[Any]) -> None:
        for part in parts:
            one = self.shape(part)
            only_null = mapping(part).get("type") == "null" or mapping(part).get("enum") == [None]
            if only_null:
                made.nullable = True
            else:
                self._add(made, one, "anyOf")

    def _add(self, made: Shape, other: Shape, how: Literal["allOf", "anyOf"]) -> None:
        """Adds what ``other`` says. What both say of one member becomes a schema of both, the later one first."""
        if other is made:
            return
        self._step(1 + len(other.properties))
        made.types |= other.types
        made.nullable |= other.nullable
        for name, schema in other.properties.items():
            made.properties[name] = self._both(made.properties.get(name), schema, how)
        if how == "allOf":
            made.required |= other.required
        if other.items is not None:
            made.items = self._both(made.items, other.items, how)
        made.format = made.format or other.format
        made.choices = made.choices or other.choices
        made.default = other.default if made.default is None else made.default
        made.example = other.example if made.example is None else made.example
        made.description = made.description or other.description

    def _both(self, one: Any, other: Any, how: str) -> Any:
        if one is None or one is other or one == {}:
            return other
        both = {how: [other, one]}
        self._made.append(both)
        return both

    def _step(self, many: int) -> None:
        self._steps += many
        if self._steps > MOST_STEPS:
            raise DocumentFault("The document's schemas refer to each other in too many ways to be read.")

    # ------------------------------------------------------------------ walking

    def inner(self, shape: Shape) -> Iterator[tuple[str, Shape]]:
        """The members of an object with what each says."""
        for name, schema in shape.properties.items():
            self._step(1)
            if isinstance(name, str):
                yield name, self.shape(schema)
