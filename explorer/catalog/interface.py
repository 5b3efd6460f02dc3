"""An interface as a value: all resources of a service, and the headers that carry key and connection id.

A profile names its interface by key. What belongs to one interface and to no single operation is declared here, so that
nothing outside of the interface's own folder knows it by name.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from explorer.catalog.spec import Vertical


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """One interface. Raises ValueError when two of its groups, resources or operations have the same key."""

    key: str
    """Its name in profiles and on the command line."""
    title: str
    """Its name for display."""
    verticals: tuple[Vertical, ...]
    """The groups of the sidebar, in order."""
    key_header: str
    """The header that carries an API key, in lower case. A bearer token goes into ``authorization``."""
    connection_header: str
    """The header with the connection id of a call, in lower case. Answers name the connection in the same header."""

    def __post_init__(self) -> None:
        """Checks the keys when the module is imported, so that a wrong declaration is never used."""
        resources = [r for v in self.verticals for r in v.resources]
        operations = [o for r in resources for o in r.operations]
        for kind, parts in (("groups", self.verticals), ("resources", resources), ("operations", operations)):
            twice = [key for key, count in Counter(part.key for part in parts).items() if count > 1]
            if twice:
                raise ValueError(f"{self.key}: two {kind} have the same key: {', '.join(twice)}")
