"""Where a value breaks the contract, as sentences that are shown under their field.

Pydantic finds the faults; the words come from the field (catalog.fields), so that they are the contract's. What the
contract does not state is not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from explorer.catalog.fields import Field, fields_of
from explorer.ui.forms.exact import RawJson, plain

Path = tuple[str | int, ...]

_KINDS = {
    "id": "text",
    "text": "text",
    "date": "text",
    "number": "a number",
    "boolean": "true or false",
    "object": "an object, as { … }",
    "array": "a list, as [ … ]",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: its path and what is required, such as ``("sourceId",)`` and ``Must start with conn_``."""

    path: Path
    sentence: str
    source: Literal["contract", "json", "service"] = "contract"
    """``json``: the text is no JSON. ``service``: the service said so in its last answer; it does not hold back."""

    @property
    def name(self) -> str:
        """The path as a person writes it: ``record.values[2]``."""
        return path_text(self.path)


def path_text(path: Path) -> str:
    """``("a", 0, "b")`` as ``a[0].b``."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def path_of(text: str) -> Path:
    """Parses the text of a path; both ``a[0].b`` and ``a.0.b`` are understood."""
    steps = [step for step in re.split(r"[.\[\]]+", text) if step]
    return tuple(int(step) if step.isdecimal() else step for step in steps)


def faults_of(model: type[BaseModel], values: Mapping[str, Any]) -> list[Fault]:
    """Where ``values`` break ``model``, at most one fault a field, in the order of its fields.

    Raw pieces that are no JSON are the editor's to report, and large ones are not looked into; here both count as any
    value.
    """
    pieces: set[Path] = set()
    try:
        model.model_validate(_without_raw(plain(values), (), pieces))
    except ValidationError as error:
        found: dict[Path, Fault] = {}
        for one in error.errors(include_url=False, include_context=True):
            path, field = _resolve(model, one["loc"])
            raw = any(path[:length] in pieces for length in range(1, len(path) + 1))
            if path and not raw and not _observed_null(one, field):
                found.setdefault(path, Fault(path, _words(one, field)))
        order = {field.name: place for place, field in enumerate(fields_of(model))}
        return sorted(found.values(), key=lambda fault: order.get(str(fault.path[0]), len(order)))
    return []


def _without_raw(values: Mapping[str, Any], at: Path, pieces: set[Path]) -> dict[str, Any]:
    """``values`` without raw pieces, down through objects; where these were goes into ``pieces``."""
    kept: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, RawJson):
            pieces.add((*at, name))
        else:
            kept[name] = _without_raw(value, (*at, name), pieces) if isinstance(value, Mapping) else value
    return kept


def issues_as_faults(issues: Iterable[tuple[str, str]]) -> list[Fault]:
    """The issues of a refused input (InvalidInput.issues) as faults of the service, with its own words."""
    return [Fault(path_of(path), f"The service says: {message}", "service") for path, message in issues]


def _observed_null(error: Any, field: Field | None) -> bool:
    """Null where it was seen to be taken: the contract is silent on it, so nothing is held against it."""
    return (
        error["input"] is None
        and field is not None
        and field.observed is not None
        and field.observed.nullable
    )


def _resolve(model: type[BaseModel], loc: tuple[int | str, ...]) -> tuple[Path, Field | None]:
    """The path of a value and its field: pydantic also puts the tags of unions into a location."""
    path: list[int | str] = []
    field: Field | None = None
    inner: type[BaseModel] | None = model
    for step in loc:
        known = {one.name: one for one in fields_of(inner)} if inner is not None else {}
        if isinstance(step, str) and step in known:
            field = known[step]
            inner = field.model
            path.append(step)
        elif (isinstance(step, int) and field is not None) or field is None:
            path.append(step)
    return tuple(path), field


def _words(error: Any, field: Field | None) -> str:
    kind, context, given = error["type"], error.get("ctx") or {}, error["input"]
    if kind == "missing":
        return (
            "Required" if field is None or not field.prefix else f"Required, must start with {field.prefix}"
        )
    if given is None:
        return "May not be null"
    if kind == "prefix":
        return f"Must start with {context['prefix']}"
    if kind == "literal_error" and field is not None:
        return "Must be one of " + ", ".join(field.choices)
    if kind == "string_too_short":
        least = context["min_length"]
        return "Must not be empty" if least == 1 else f"Must have at least {least} characters"
    if kind.startswith(("greater_than", "less_than")):
        return _bound(kind, context)
    if field is not None and (
        kind.endswith(("_type", "_parsing")) or kind in ("is_instance_of", "finite_number")
    ):
        inside = isinstance(error["loc"][-1], int)
        wanted = _KINDS.get((field.items if inside else field.kind) or "any", "")
        if wanted:
            return ("Each must be " if inside else "Must be ") + wanted
    return str(error["msg"])


def _bound(kind: str, context: Mapping[str, Any]) -> str:
    words = {
        "greater_than": ("more than", "gt"),
        "greater_than_equal": ("at least", "ge"),
        "less_than": ("less than", "lt"),
        "less_than_equal": ("at most", "le"),
    }
    told, key = words[kind]
    return f"Must be {told} {context[key]:g}"
