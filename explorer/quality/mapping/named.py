"""Which raw path has the very name of a unified field, and which paths sound less like it.

A name is taken apart into words; words that mean the same are one (``modified``, ``updated``, ``changed``), those that
say nothing of what is meant (``is``, ``last``, ``data``, ``text``) are left aside.
"""

from __future__ import annotations

import re
from functools import lru_cache

from explorer.jsontext.pointer import steps

_SPLIT = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])")
_SAME = (
    ("updated", "modified", "changed", "update", "modify", "change", "edited", "modification", "updating"),
    ("created", "added", "inserted", "create", "creation", "born"),
    ("name", "title", "label"),
    ("owner", "assignee"),
    ("description", "descr", "desc"),
    ("email", "mail"),
    ("website", "homepage"),
    ("deleted", "removed", "trashed", "archived"),
    ("mime", "content"),
    ("download", "downloadable"),
    ("export", "exportable"),
    ("size", "bytes", "length"),
)
_ONE = {word: words[0] for words in _SAME for word in words}
_IDLE = frozenset(
    {
        *(
            "at",
            "on",
            "date",
            "time",
            "datetime",
            "timestamp",
            "stamp",
            "utc",
            "iso",
            "is",
            "has",
            "can",
            "was",
        ),
        *(
            "last",
            "data",
            "attributes",
            "relationships",
            "fields",
            "properties",
            "value",
            "text",
            "plain",
            "html",
        ),
        *(
            "raw",
            "full",
            "display",
            "formatted",
            "main",
            "primary",
            "values",
            "record",
            "item",
            "the",
            "of",
            "c",
        ),
        *("current", "default", "public", "type", "number", "num", "no", "count", "ms", "z"),
    }
)
_BOXES = frozenset(
    {
        *(
            "attributes",
            "relationships",
            "data",
            "fields",
            "properties",
            "profile",
            "details",
            "info",
            "meta",
        ),
        *(
            "metadata",
            "item",
            "resource",
            "object",
            "body",
            "payload",
            "result",
            "node",
            "entity",
            "record",
            "core",
        ),
    }
)
"""Steps that only hold what is below them."""
_PLAIN = frozenset(
    {"id", "name", "description", "email", "created", "updated", "state", "status", "size", "url"}
)
"""Words that say something only with what they are of: the name of the folder is not the file's."""


@lru_cache(maxsize=4_096)
def words_of_name(name: str) -> frozenset[str]:
    """The telling words of a name, each as the first of those that mean the same."""
    words = [part.lower() for part in _SPLIT.split(name) if part]
    kept = [_ONE.get(word, word) for word in words if word not in _IDLE]
    return frozenset(kept or [_ONE.get(word, word) for word in words])


@lru_cache(maxsize=16_384)
def words_of_path(path: str) -> frozenset[str]:
    """The telling words of the last steps of a path: ``/relationships/user/data/id`` has ``user`` and ``id``."""
    names = [one for one in steps(path) if one and not one.isdigit()]
    if not names:
        return frozenset()
    words = words_of_name(names[-1])
    for outer in reversed(names[:-1]):
        if words - {"id"} and not words <= _IDLE:
            break
        words = (
            (words - _IDLE) | words_of_name(outer)
            if words <= _IDLE
            else words | (words_of_name(outer) - _IDLE)
        )
    return words


def is_of_another(field: str, path: str) -> bool:
    """Whether a path lies in a part of the raw record that is about something else: ``/folder/name``."""
    wanted, its = words_of_name(_last(field)), words_of_path(path)
    if its - _PLAIN or not its:
        return False
    outer = [one for one in steps(path)[:-1] if one.lower() not in _BOXES]
    return any(not words_of_name(one) <= wanted for one in outer)


def has_its_name(field: str, path: str) -> bool:
    """Whether a raw path has a field's very name, but for words that mean the same and words that say nothing."""
    wanted = words_of_name(_last(field))
    return bool(wanted) and wanted == words_of_path(path) and not is_of_another(field, path)


def sounds_less(field: str, path: str) -> bool:
    """Whether a path sounds clearly less like a field than one that has its name: it has words of its own."""
    wanted, its = words_of_name(_last(field)), words_of_path(path)
    return bool(its - wanted) or is_of_another(field, path)


def _last(field: str) -> str:
    return field.rpartition(".")[2].rpartition("[]")[2]
