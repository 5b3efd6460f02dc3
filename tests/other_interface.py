"""An interface beside the built-in one, made up for the tests: other headers, paths, envelope, records and raw field.

The name of its key's header gives away by itself no more than the name of its raw field does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from explorer.catalog.interface import Authorization, ConnectionPart, Interface
from explorer.catalog.interfaces import REGISTRIES
from explorer.catalog.registry import Registry
from explorer.catalog.spec import (
    ABSENT,
    RAW,
    Column,
    Envelope,
    Input,
    Listing,
    Record,
    Resource,
    Vertical,
    Write,
)

ROWS = Envelope("rows", items="people", cursor="after", flag=None)


class Person(Record):
    """A person."""

    id: str
    name: str = ABSENT
    grade: int = ABSENT
    origin: Annotated[dict[str, Any], RAW] = ABSENT


class PersonQuery(Input):
    """What the list takes."""

    after: str = ABSENT


PEOPLE = Resource(
    key="hr/person",
    title="People",
    record=Person,
    columns=(
        Column("id", "id", 90),
        Column("name"),
        Column("grade", "number", 90),
        Column("origin", "object", hidden=True),
    ),
    operations=(
        Listing(
            key="hr/person",
            number=1,
            title="List people",
            method="GET",
            path="/people",
            query=PersonQuery,
            envelope=ROWS,
            record=Person,
            cursor_param="after",
            whole=(("scope", "every"),),
        ),
        Write(
            key="hr/person/hire",
            number=2,
            title="Hire",
            method="POST",
            path="/people",
            secret_fields=("badge",),
        ),
    ),
)
OTHER = Interface(
    key="people",
    title="People API",
    verticals=(Vertical(key="hr", title="Human resources", resources=(PEOPLE,)),),
    authorization=Authorization("header", "x-people"),
    connection=(ConnectionPart("x-tenant"),),
)


@contextmanager
def known() -> Iterator[Registry]:
    """As long as it lasts a profile may name it."""
    made = REGISTRIES[OTHER.key] = Registry(OTHER)
    try:
        yield made
    finally:
        del REGISTRIES[OTHER.key]
