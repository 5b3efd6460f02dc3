"""A recipe: the options of a run in a small TOML file that the window and the command line share.

It is flat: one line for each name, with a text, a number, true or false, or an array of texts. Absent names keep their
defaults. It holds no key, no address and no profile. `failed_of` makes options that repeat what failed in earlier runs.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from explorer.catalog.registry import Registry
from explorer.quality.engine.all_checks import check_ids, groups
from explorer.quality.engine.check import Run
from explorer.quality.engine.run_options import RunOptions

_TEXTS = ("resources", "only", "connections", "ids", "properties", "transactions", "mask")
_TEXT = ("customer", "connector")
_WHOLE = ("max_calls", "max_records", "max_pages")
_WHETHER = ("writes", "prove", "quick", "offline")
_NAMES = (*_TEXTS, *_TEXT, *_WHETHER, *_WHOLE, "max_seconds")
_BUDGET = {"max_calls": "calls", "max_records": "records", "max_pages": "pages", "max_seconds": "seconds"}
MASKS = ("emails", "phones", "names")


class RecipeFault(ValueError):
    """A recipe that cannot be used. The text is one plain sentence with the line."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """The content of a recipe."""

    asked: RunOptions = field(default_factory=RunOptions)
    connections: tuple[str, ...] = ()
    """Empty: the profile's own."""
    mask: tuple[str, ...] = ()
    """What is masked in a bundle besides keys: some of `MASKS`."""


def read_recipe(text: str, registry: Registry) -> Recipe:
    """The recipe in a TOML text, checked against ``registry``. Raises RecipeFault."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RecipeFault(f"The recipe is not valid TOML: {error}.") from None
    for name, value in found.items():
        wrong = _wrong(name, value, registry)
        if wrong:
            raise RecipeFault(f"Line {_line(text, name)} of the recipe: {wrong}.")
    lists: dict[str, Any] = {name: tuple(found.get(name, ())) for name in _TEXTS}
    connections, mask = lists.pop("connections"), lists.pop("mask")
    budget = {field_: found[name] for name, field_ in _BUDGET.items() if name in found}
    texts = {name: found[name] for name in _TEXT if name in found}
    whether = {name: found[name] for name in _WHETHER if name in found}
    asked = RunOptions(**lists, **texts, **budget, **whether)
    return Recipe(asked, connections, mask)


def written(recipe: Recipe) -> str:
    """The TOML text of a recipe, which `read_recipe` reads as the same; ends with a line feed."""
    asked = recipe.asked
    values: dict[str, object] = {name: getattr(asked, name, ()) for name in (*_TEXTS, *_TEXT, *_WHETHER)}
    values |= {"connections": recipe.connections, "mask": recipe.mask}
    values |= {name: getattr(asked, field_) for name, field_ in _BUDGET.items()}
    lines = ["# A quality run: `unified-explorer check --recipe FILE`, or Open recipe in the window."]
    lines += [
        f"{name} = {_toml(values[name])}" for name in _NAMES if values[name] not in ((), "", None, False)
    ]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    """A text, number, truth value or array of texts as TOML: as JSON, except for the character DEL."""
    value = list(value) if isinstance(value, tuple) else value
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _wrong(name: str, value: object, registry: Registry) -> str:
    """What is wrong with one entry, in words; empty when nothing is."""
    if name not in _NAMES:
        return f"{name} is not a recipe setting; settings are {', '.join(_NAMES)}"
    if name in _TEXTS:
        if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
            return f"{name} has to be an array of texts"
        return _unknown(name, value, registry)
    if name in _TEXT:
        return "" if isinstance(value, str) else f"{name} has to be a text"
    if name in _WHETHER:
        return "" if isinstance(value, bool) else f"{name} has to be true or false"
    kinds = (int,) if name in _WHOLE else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds) or not value > 0 or value == float("inf"):
        return f"{name} has to be a {'whole ' if name in _WHOLE else ''}number above 0"
    return ""


def _unknown(name: str, values: list[str], registry: Registry) -> str:
    """The sentence on a resource, check or mask that does not exist; empty when all do."""
    known: dict[str, tuple[str, set[str]]] = {
        "resources": ("resource", {resource.key for resource in registry.resources()}),
        "only": ("check or group", {*check_ids(), *groups()}),
        "mask": ("kind to mask", set(MASKS)),
    }
    if name not in known:
        return ""
    noun, there = known[name]
    odd = next((value for value in values if value not in there), None)
    return "" if odd is None else f"there is no {noun} {odd!r}"


def _line(text: str, name: str) -> int:
    """The line, counted from 1, in which a name is given its value."""
    pattern = re.compile(rf"\s*(\[+\s*)?[\"']?{re.escape(name)}[\"']?\s*[=.\]]")
    found = (number for number, line in enumerate(text.splitlines(), 1) if pattern.match(line))
    return next(found, 1)


@dataclass(frozen=True, slots=True)
class Again:
    """One connection on which checks are repeated."""

    connection: str
    asked: RunOptions


def failed_of(runs: Sequence[Run], asked: RunOptions | None = None) -> tuple[Again, ...]:
    """The connections with findings, each with the options that repeat only what failed or was suspect, with its
    inputs.

    The inputs in ``asked`` (ids, customer, budget, …) take precedence over those of the earlier run. A check that no
    longer exists is left out.
    """
    made = []
    for run in runs:
        bad = [result for result in (*run.bad, *run.undone) if result.check.id in check_ids()]
        if not bad:
            continue
        alone = all(result.check.alone and result.resource for result in bad)
        resources = dict.fromkeys(r.resource for r in bad) if alone else run.resources
        base = asked or RunOptions()
        told = {name: value for name, value in _told(run.options).items() if not getattr(base, name)}
        only = tuple(dict.fromkeys(result.check.id for result in bad))
        made.append(Again(run.connection, replace(base, resources=tuple(resources), only=only, **told)))
    return tuple(made)


def _told(options: Sequence[str]) -> dict[str, Any]:
    """The inverse of `RunOptions.options`; unknown options are ignored."""
    told: dict[str, Any] = {}
    words = iter(options)
    for word in words:
        name = word.removeprefix("--")
        if word in ("--writes", "--prove", "--quick"):
            told[name] = True
        elif name in ("ids", "properties", "transactions"):
            told[name] = tuple(next(words, "").split(","))
        elif name in ("customer", "connector"):
            told[name] = next(words, "")
    return told
