"""One interface as a value: everything that can be asked of a service, and in which headers it is told who asks.

A profile names its interface by key. Whatever is about one interface and about no single operation belongs here, so
that nothing outside the interface's own folder knows it by name.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from explorer.catalog.spec import Vertical


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """One interface. Making one raises ValueError where two of its parts have the same key."""

    key: str
    """How profiles and the command line name it."""
    title: str
    """How people name it."""
    verticals: tuple[Vertical, ...]
    """The groups of the sidebar, in order."""
    key_header: str
    """The header that carries an API key, in lower case. A bearer token goes into ``authorization``."""
    connection_header: str
    """The header that says on which connection a call is made, in lower case. Answers name theirs in the same one."""

    def __post_init__(self) -> None:
        """Fail at import where a look-up by key would find one of two: a wrong declaration never starts."""
        resources = [r for v in self.verticals for r in v.resources]
        operations = [o for r in resources for o in r.operations]
        for kind, parts in (("groups", self.verticals), ("resources", resources), ("operations", operations)):
            twice = [key for key, count in Counter(part.key for part in parts).items() if count > 1]
            if twice:
                raise ValueError(f"{self.key}: two {kind} have the same key: {', '.join(twice)}")
