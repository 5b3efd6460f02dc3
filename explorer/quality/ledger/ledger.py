"""The field ledger: for each field of a list, declared or seen, a summary of its values in the given rows.

Fields inside objects and items of arrays have entries of their own: ``departments[].name``. Memory is bounded: there is
a limit on fields and on different values of a field; anything beyond is counted together and reported.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from pydantic import BaseModel

from explorer.api.answer import Answer
from explorer.api.pages import PageWalk
from explorer.catalog.fields import fields_of
from explorer.catalog.registry import Registry
from explorer.catalog.request import Request
from explorer.catalog.spec import Listing
from explorer.jsontext.pointer import dotted
from explorer.jsontext.read import read_exact
from explorer.quality.compare.rows import CalledOff, PullRows, Wanted, always
from explorer.quality.ledger.seen import Declared, FieldSeen, Node

FIELDS = 1_000
"""Most fields with an entry of their own, including all that the contract declares."""
MEMBERS = 200
"""Most names in one object: with more they are rather values (ids, dates)."""
DEPTH = 40
_DECODER = json.JSONDecoder(parse_float=Decimal)


@dataclass(frozen=True, slots=True)
class Ledger:
    """The summary of one list's fields."""

    name: str
    """A connection, a snapshot, or another name for the rows."""
    resource: str
    rows: int
    unreadable: int
    """Rows that are not readable JSON."""
    no_objects: int
    """Rows that are not objects, and so have no fields."""
    fields: tuple[FieldSeen, ...]
    left_out: int
    """Values in fields without an entry, because there are too many fields or they are nested too deeply."""
    why: str = ""
    """Why not the whole list was read; empty when it was."""

    def field(self, path: str) -> FieldSeen | None:
        """The field with that path."""
        return next((one for one in self.fields if one.path == path), None)

    @property
    def never_seen(self) -> tuple[str, ...]:
        """Fields that are declared and occur in no row."""
        return tuple(one.path for one in self.fields if one.declared and one.of and not one.present)

    @property
    def undeclared(self) -> tuple[str, ...]:
        """Fields that occur and are not declared, where the contract says which fields there are."""
        return tuple(one.path for one in self.fields if not (one.declared or one.free))


class Counting:
    """Builds a ledger: `add` each row, then call `ledger`. Used by one thread at a time."""

    def __init__(self, listing: Listing) -> None:
        self._listing = listing
        self._root = Node("")
        self._nodes = 0
        self.rows = self._unreadable = self._no_objects = self._left_out = 0
        self._declare(self._root, listing.record)

    def add(self, record: bytes) -> None:
        """Counts one record, as received. Never raises."""
        self.rows += 1
        try:
            value = _DECODER.decode(record.decode())
        except (ValueError, RecursionError, ArithmeticError):
            try:
                value = read_exact(record)
            except (ValueError, RecursionError):
                self._unreadable += 1
                return
        if not isinstance(value, dict):
            self._no_objects += 1
            return
        self._object(self._root, value, 0)

    def ledger(self, name: str, why: str = "") -> Ledger:
        """The ledger so far."""
        fields = tuple(_flat(self._root))
        return Ledger(
            name,
            self._listing.key,
            self.rows,
            self._unreadable,
            self._no_objects,
            fields,
            self._left_out,
            why,
        )

    # ------------------------------------------------------------------ values

    def _object(self, node: Node, value: Mapping[str, Any], depth: int) -> None:
        node.saw("object")
        if not value:
            node.empty += 1
            return
        members = node.members
        for name, inner in value.items():
            member = members.get(name) or self._new(node, name, depth)
            if member is None:
                self._left_out += 1
            else:
                self._value(member, inner, depth + 1)

    def _value(self, node: Node, value: Any, depth: int) -> None:
        if isinstance(value, str):
            node.text(value)
        elif value is None:
            node.saw("null")
        elif isinstance(value, bool):
            node.boolean(value)
        elif isinstance(value, int | Decimal | float):
            node.number(value)
        elif isinstance(value, dict):
            self._object(node, value, depth)
        else:
            self._array(node, value, depth)

    def _array(self, node: Node, value: list[Any], depth: int) -> None:
        node.saw("array")
        if not value:
            node.empty += 1
            return
        node.item_count += len(value)
        if node.items is None:
            if self._nodes >= FIELDS or depth >= DEPTH:
                self._left_out += len(value)
                return
            self._nodes += 1
            node.items = Node(node.path + "[]", free=node.free or _is_open(node.declared))
        for item in value:
            self._value(node.items, item, depth + 1)

    def _new(self, node: Node, name: str, depth: int) -> Node | None:
        if self._nodes >= FIELDS or len(node.members) >= MEMBERS or depth >= DEPTH:
            return None
        self._nodes += 1
        free = node.free or _is_open(node.declared)
        made = node.members[name] = Node(_joined(node.path, name), free=free)
        return made

    # ------------------------------------------------------------------ the contract

    def _declare(self, node: Node, model: type[BaseModel]) -> None:
        for one in fields_of(model):
            declared = Declared(one.kind, one.required, one.nullable or one.kind == "any", one.choices)
            self._nodes += 1
            made = node.members[one.name] = Node(_joined(node.path, one.name), declared)
            if one.kind == "date":
                made.dates = True
            if one.kind == "array":
                items = Declared("object" if one.model else one.items or "any", nullable=one.items == "any")
                self._nodes += 1
                made.items = Node(made.path + "[]", items)
                if one.model is not None:
                    self._declare(made.items, one.model)
                else:
                    made.items.free = _is_open(items)
            elif one.model is not None:
                self._declare(made, one.model)
            else:
                # An object for which the contract shows no fields.
                made.free = _is_open(declared)


def ledger_of(
    rows: PullRows,
    registry: Registry,
    name: str = "",
    wanted: Wanted = always,
    on_rows: Callable[[int], None] | None = None,
) -> Ledger:
    """The ledger of stored rows of a list in ``registry``. Blocks: for a worker thread.

    Raises StoreFault, CalledOff; KeyError for a resource that is not a list.
    """
    counting = Counting(registry.listing(rows.about.resource))
    for leaf in rows.leaves():
        for record in leaf.records():
            counting.add(record)
        if not wanted():
            raise CalledOff
        if on_rows is not None:
            on_rows(counting.rows)
    why = "" if rows.about.state == "complete" else "the list was not read to its end"
    return counting.ledger(name or rows.name, why)


async def walk_ledger(
    send: Callable[[Request], Awaitable[Answer]],
    listing: Listing,
    name: str,
    *,
    most: int | None = None,
) -> Ledger:
    """The ledger of a list that is requested now and not stored, to its end or to ``most`` rows.

    Raises the errors of `explorer.api.errors`.
    """
    walk, counting = PageWalk(send, listing, {}), Counting(listing)
    while walk.state == "ready" and (most is None or counting.rows < most):
        for record in (await walk.advance()).records:
            counting.add(record)
    why = ""
    if walk.state == "stopped" and walk.why is not None:
        why = walk.why.sentence
    elif walk.state == "ready":
        why = f"no more than {most:,} rows were requested" if most else ""
    return counting.ledger(name, why)


def _flat(node: Node) -> Iterator[FieldSeen]:
    """Each field below a node, those of the contract first, in its order."""
    objects = node.types.get("object", 0)
    for member in node.members.values():
        yield member.result(objects)
        yield from _flat(member)
    if node.items is not None and (node.items.types or node.items.declared):
        yield node.items.result(node.item_count)
        yield from _flat(node.items)


def _is_open(declared: Declared | None) -> bool:
    """Whether the contract does not say which fields are inside."""
    return declared is not None and declared.json_type in ("object", "array", "")


def _joined(path: str, name: str) -> str:
    shown = dotted((name,))
    return shown if not path else path + shown if shown.startswith("[") else f"{path}.{shown}"
