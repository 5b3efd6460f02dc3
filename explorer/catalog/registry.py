"""The verticals in sidebar order, and how to find a resource, an operation, or the operation behind an
address.
"""

from __future__ import annotations

import re
from functools import cache

from explorer.catalog.accounting import ACCOUNTING
from explorer.catalog.ats import ATS
from explorer.catalog.connect import CONNECT
from explorer.catalog.core import CORE
from explorer.catalog.crm import CRM
from explorer.catalog.file_storage import FILE_STORAGE
from explorer.catalog.sales_engagement import SALES_ENGAGEMENT
from explorer.catalog.spec import Listing, Operation, Resource, Vertical
from explorer.catalog.webhook import WEBHOOK

VERTICALS: tuple[Vertical, ...] = (
    CRM,
    ATS,
    FILE_STORAGE,
    SALES_ENGAGEMENT,
    ACCOUNTING,
    CORE,
    CONNECT,
    WEBHOOK,
)


def resources() -> tuple[Resource, ...]:
    """Every resource, in sidebar order."""
    return tuple(r for v in VERTICALS for r in v.resources)


def operations() -> tuple[Operation, ...]:
    """All endpoints, by their number in the interface."""
    return tuple(sorted((o for r in resources() for o in r.operations), key=lambda o: o.number))


def listings() -> tuple[Resource, ...]:
    """The resources that are walked by cursor."""
    return tuple(r for r in resources() if r.listing)


def resource(key: str) -> Resource:
    """The resource of that key. Raises KeyError."""
    return {r.key: r for r in resources()}[key]


def operation(key: str) -> Operation:
    """The operation of that key. Raises KeyError."""
    return {o.key: o for o in operations()}[key]


def listing(key: str) -> Listing:
    """The list operation of the resource of that key. Raises KeyError when there is none."""
    found = resource(key).listing
    if found is None:
        raise KeyError(key)
    return found


def match(method: str, path: str) -> Operation | None:
    """The operation that a method and a path (percent-encoded, no query) lead to, or None.

    A fixed segment wins over a parameter: POST …/contact/_upsert is the upsert. A parameter is never a dot
    segment: such an address leads elsewhere once it is resolved.
    """
    for one in sorted(operations(), key=lambda o: o.path.count("{")):
        if one.method == method.upper() and _pattern(one.path).fullmatch(path):
            return one
    return None


_SEGMENT = r"(?!(?:\.|%2[eE]){1,2}(?:/|$))[^/?#]+"


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(
        "".join(_SEGMENT if p.startswith("{") else re.escape(p) for p in re.split(r"(\{\w+\})", template))
    )
