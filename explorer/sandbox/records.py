"""The records of a connection's lists, as bytes ready to be sent."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import msgspec

from explorer.sandbox.connections import Connection
from explorer.sandbox.defects import BY_ID
from explorer.sandbox.draw import Draw
from explorer.sandbox.mapping import mapped
from explorer.sandbox.messy_rows import OF_BEFORE, shows_in, spoiled
from explorer.sandbox.resources import MODELS, VERTICAL
from explorer.sandbox.thirdparty import ats, crm, file_storage, sales_engagement
from explorer.sandbox.thirdparty.shape import Shape

Json = dict[str, Any]

SHAPES: dict[tuple[str, str], Shape] = {
    (shape.resource, shape.party): shape
    for vertical in (ats, crm, file_storage, sales_engagement)
    for shape in vertical.SHAPES
}
"""What has a form of its own; all else is drawn from its model alone."""
_TEMPLATES = 250
"""A multiple of the folder step, so that a folder's template is used for folders only."""
_KEPT = 8_000
"""Records kept: all of one connection that is not large, in some 12 MB. The same come in pages of several sizes and on
connections that differ by a defect."""


@functools.cache
def shape_of(resource: str, party: str) -> Shape:
    """How a third party keeps a resource."""
    return SHAPES.get((resource, party)) or Shape(resource, party, MODELS[resource])


def unified(shape: Shape, raw: Json) -> Json:
    """The unified record of a raw one, the raw one included."""
    return {**mapped(raw, shape.mapping), "raw_data": raw}


class Records:
    """Makes records for a seed. Templates are kept, and of the other records those that were made last."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._encoded = functools.lru_cache(_KEPT)(self._encode)
        self._templates: dict[tuple[str, str, int], tuple[bytes, tuple[bytes, ...]]] = {}

    def raw(self, shape: Shape, number: int) -> Json:
        """The raw record with a number."""
        return shape.raw(Draw(self._seed, shape.party, shape.resource, number), number)

    def rows(self, connection: Connection, resource: str, numbers: Sequence[int]) -> list[bytes]:
        """The records with these numbers, each as the bytes of its JSON."""
        shape = shape_of(resource, connection.parties[VERTICAL[resource]])
        if connection.templated:
            return [self._refilled(shape, number) for number in numbers]
        if not connection.defects:
            return [self._encoded(shape.resource, shape.party, number) for number in numbers]
        return [self._spoiled(connection, shape, number) for number in numbers]

    def _encode(self, resource: str, party: str, number: int) -> bytes:
        shape = shape_of(resource, party)
        return msgspec.json.encode(unified(shape, self.raw(shape, number)))

    def _record(self, shape: Shape, number: int) -> Json:
        """A record of the caller's own, to be spoiled: its raw one shares nothing with it."""
        record: Json = msgspec.json.decode(self._encoded(shape.resource, shape.party, number))
        return record

    def _spoiled(self, connection: Connection, shape: Shape, number: int) -> bytes:
        record = self._record(shape, number)
        for defect, field in OF_BEFORE.items():
            if (
                defect in connection.defects
                and BY_ID[defect].resource == shape.resource
                and shows_in(defect, number)
            ):
                record[field] = self._record(shape, number - 1)[field]
        return spoiled(connection.defects, shape.resource, number, record)

    def _refilled(self, shape: Shape, number: int) -> bytes:
        key = (shape.resource, shape.party, number % _TEMPLATES)
        found = self._templates.get(key)
        if found is None:
            row = self._encode(*key)
            found = row, tuple(text.encode() for text in shape.texts(key[2]))
            self._templates[key] = found
        row, before = found
        for old, new in zip(before, shape.texts(number), strict=True):
            row = row.replace(old, new.encode())
        return row
