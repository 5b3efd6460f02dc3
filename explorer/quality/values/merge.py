"""A preview of a pipeline's metadata (or streams) after an update, before it is sent.

The contract (2.3, 4) merges at the top level only: a nested object in the patch replaces the stored one entirely, so
that its other keys are lost. Observed: a key set to null stays, as null; null in place of the object clears all of it;
a stored value that is not an object, or a patch that is not one, is replaced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from explorer.catalog.spec import ABSENT
from explorer.jsontext.pointer import Path, value_at
from explorer.jsontext.read import equal


@dataclass(frozen=True, slots=True)
class MergePreview:
    """The result and its differences from the stored value, as paths of keys. An array counts as one value."""

    result: Any
    """ABSENT when nothing is stored and nothing is sent."""
    lost: tuple[Path, ...] = ()
    """Stored keys, with values that are not objects or are empty ones, that will be gone."""
    changed: tuple[Path, ...] = ()
    """Keys that stay, with another value."""
    added: tuple[Path, ...] = ()
    nulled: tuple[Path, ...] = ()
    """Top-level keys that the patch sets to null: they stay, as null."""
    known: bool = True
    """False when the stored value is unknown: then keys may be lost that cannot be named."""


@dataclass(frozen=True, slots=True)
class Patch:
    """The smallest patch that turns one object into another, and what no patch can do."""

    patch: dict[str, Any]
    unremovable: tuple[str, ...] = ()
    """Top-level keys absent from the target: a merge cannot remove a key, only set it to null."""


def preview(old: Any, patch: Any) -> MergePreview:
    """The result of merging ``patch`` (ABSENT: not sent) into ``old`` (ABSENT: unknown)."""
    if patch is ABSENT:
        return MergePreview(old, known=old is not ABSENT)
    merges = isinstance(old, Mapping) and isinstance(patch, Mapping)
    result = {**old, **patch} if merges else patch
    nulled = tuple((name,) for name, value in patch.items() if value is None) if merges else ()
    if old is ABSENT:
        return MergePreview(result, added=tuple(leaves(result)), known=False)
    before, after = dict.fromkeys(leaves(old)), dict.fromkeys(leaves(result))
    both = [path for path in {**before, **after} if has(old, path) and has(result, path)]
    return MergePreview(
        result,
        lost=tuple(path for path in before if not has(result, path)),
        changed=tuple(path for path in both if not equal(value_at(old, path), value_at(result, path))),
        added=tuple(path for path in after if not has(old, path)),
        nulled=nulled,
    )


def patch_for(old: Mapping[str, Any], new: Mapping[str, Any]) -> Patch:
    """The top-level keys of ``new`` that differ from ``old``: sending only these has the same result."""
    differs = {name: value for name, value in new.items() if name not in old or not equal(old[name], value)}
    return Patch(differs, tuple(name for name in old if name not in new))


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """The path of each key of an object, at any depth, whose value is not an object or is an empty one."""
    if not isinstance(value, Mapping):
        return
    waiting: list[tuple[Path, Any]] = [
        ((*path, name), inner) for name, inner in reversed(list(value.items()))
    ]
    while waiting:
        here, inner = waiting.pop()
        if isinstance(inner, Mapping) and inner:
            waiting += [((*here, name), below) for name, below in reversed(list(inner.items()))]
        else:
            yield here


def has(value: Any, path: Path) -> bool:
    """Whether ``path`` exists in ``value``."""
    return value_at(value, path, ABSENT) is not ABSENT
