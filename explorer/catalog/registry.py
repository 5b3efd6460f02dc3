"""Look-ups in one interface: a resource, an operation, or the operation that a method and path lead to."""

from __future__ import annotations

import re
from functools import cache

from explorer.catalog.interface import Interface
from explorer.catalog.spec import FILLED, Listing, Operation, Resource


class Registry:
    """The resources and operations of one interface, indexed. Immutable."""

    def __init__(self, interface: Interface) -> None:
        self.interface = interface
        every = tuple(r for v in interface.verticals for r in v.resources)
        self._resources = {r.key: r for r in every}
        self._operations = {o.key: o for o in sorted((o for r in every for o in r.operations), key=_number)}
        # A fixed segment wins over a parameter, so fewer parameters come first.
        self._by_list = {r.listing.key: r for r in every if r.listing is not None}
        self._by_path = sorted(self._operations.values(), key=lambda o: o.path.count("{"))

    def resources(self) -> tuple[Resource, ...]:
        """Every resource, in sidebar order."""
        return tuple(self._resources.values())

    def operations(self) -> tuple[Operation, ...]:
        """All endpoints, by their number in the interface."""
        return tuple(self._operations.values())

    def listings(self) -> tuple[Resource, ...]:
        """The resources that are walked by cursor, in sidebar order."""
        return tuple(self._by_list.values())

    @property
    def example_path(self) -> str:
        """A path of this interface, as an example in a sentence: that of its first list, else its first operation."""
        first = [r.listing for r in self._by_list.values()] + list(self._operations.values())
        return next((one.path for one in first if one is not None), "/")

    def resource(self, key: str) -> Resource:
        """The resource with that key. Raises KeyError."""
        return self._resources[key]

    def operation(self, key: str) -> Operation:
        """The operation with that key. Raises KeyError."""
        return self._operations[key]

    def listing(self, key: str) -> Listing:
        """The list operation of the resource with that key. Raises KeyError when there is none."""
        found = self._resources[key].listing
        if found is None:
            raise KeyError(key)
        return found

    def listed(self, key: str) -> Resource | None:
        """The resource whose list operation has that key (stored pulls have it); None when there is none."""
        return self._by_list.get(key)

    def match(self, method: str, path: str) -> Operation | None:
        """The operation that a method and a path (percent-encoded, without query) lead to; None when there is none.

        A literal segment wins over a parameter: POST …/contact/_upsert is the upsert. A parameter never matches a dot
        segment, as such a path leads elsewhere once it is resolved.
        """
        for one in self._by_path:
            if one.method == method.upper() and _pattern(one.path).fullmatch(path):
                return one
        return None


def _number(operation: Operation) -> int:
    return operation.number


_SEGMENT = r"(?!(?:\.|%2[eE]){1,2}(?:/|$))[^/?#]+"


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(
        "".join(_SEGMENT if p.startswith("{") else re.escape(p) for p in FILLED.split(template))
    )
