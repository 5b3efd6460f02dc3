"""Finds credentials in the settings of a connection, which each connector names in its own way.

The answer to a connection check may be the whole connection with its ``settings``, access tokens and keys included
(observed). `sensitive` knows names that tell a secret; here values are recognised that look like one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from explorer.catalog.spec import Operation

Steps = tuple[str | int, ...]

# Long values that are no credentials: a date, an address without parameters, words.
_PLAIN = re.compile(
    r"\d{4}-\d\d-\d\d[T ][\d:.,Z+-]*|https?://[^\s@?]*|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,12}"
    r"|[A-Za-z][a-z]*(?:[ ._-][A-Za-z]?[a-z]*)*"
)
_SHORTEST = 12


def secret_names(operation: Operation | None, body: bytes) -> frozenset[str]:
    """The JSON keys whose values are secret in ``body``, an answer or request of ``operation``, by its declaration."""
    if operation is None:
        return frozenset()
    names = credential_names(body) if operation.answers_connection else frozenset[str]()
    return names.union(operation.secret_fields)


def credential_names(body: bytes) -> frozenset[str]:
    """The keys under ``settings`` of a JSON object whose values look like credentials; empty when it is no object."""
    if b'"settings"' not in body:
        return frozenset()
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        # Cut off or broken JSON: its values cannot be told apart, so all of them are hidden.
        return frozenset({"settings"})
    if not isinstance(value, Mapping):
        return frozenset()
    others = set(value) - {
        "settings"
    }  # names are hidden in the whole body, and top-level ones (an id) must stay
    names = set()
    for path, leaf in leaves(value.get("settings")):
        name = next((step for step in reversed(path) if isinstance(step, str)), "")
        if name and name not in others and _looks_secret(leaf):
            names.add(name)
    return frozenset(names)


def leaves(value: Any) -> Iterator[tuple[Steps, Any]]:
    """Each value inside ``value`` that is neither object nor array, with its path."""
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
