"""Credentials in the settings of a connection, under whatever names its connector has for them.

The answer to a connection check may be the whole connection, ``settings`` with its access tokens and keys included
(observed). Names that give a secret away are known to `sensitive`; the rest is found by how the values look.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

Steps = tuple[str | int, ...]

# What is long and still no credential: a date, an address without parameters, words.
_PLAIN = re.compile(
    r"\d{4}-\d\d-\d\d[T ][\d:.,Z+-]*|https?://[^\s@?]*|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,12}"
    r"|[A-Za-z][a-z]*(?:[ ._-][A-Za-z]?[a-z]*)*"
)
_SHORTEST = 12


def credential_names(body: bytes) -> frozenset[str]:
    """The keys under ``settings`` of a JSON object whose values look like a credential; none where it is no object."""
    if b'"settings"' not in body:
        return frozenset()
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        # Cut off or broken: what is in it cannot be told apart, so all of it is hidden.
        return frozenset({"settings"})
    if not isinstance(value, Mapping):
        return frozenset()
    others = set(value) - {"settings"}  # a name is hidden wherever it stands, and an id must stay
    names = set()
    for path, leaf in leaves(value.get("settings")):
        name = next((step for step in reversed(path) if isinstance(step, str)), "")
        if name and name not in others and _looks_secret(leaf):
            names.add(name)
    return frozenset(names)


def leaves(value: Any) -> Iterator[tuple[Steps, Any]]:
    """Each value below ``value`` that is no object and no array, with its path."""
    waiting: list[tuple[Steps, Any]] = [((), value)]
    while waiting:
        path, here = waiting.pop()
        if isinstance(here, Mapping):
            waiting += [((*path, str(name)), inner) for name, inner in here.items()]
        elif isinstance(here, list):
            waiting += [((*path, place), inner) for place, inner in enumerate(here)]
        else:
            yield path, here


def _looks_secret(leaf: Any) -> bool:
    if not isinstance(leaf, str) or len(leaf) < _SHORTEST or " " in leaf:
        return False
    return _PLAIN.fullmatch(leaf) is None
