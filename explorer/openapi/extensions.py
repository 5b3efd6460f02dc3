"""Paging as documents state it for generators of clients: ``x-speakeasy-pagination`` and ``x-fern-pagination``.

Both say which parameter carries the token, offset or page, and where in the answer the next one is. What they leave out
stays None and is found by names. A JSONPath that is more than names, such as ``$.data[-1].id``, cannot be followed as a
path of the answer: it counts as left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from explorer.jsontext.pointer import dotted
from explorer.openapi import words
from explorer.openapi.document import Document, mapping, sequence, text
from explorer.openapi.operations import Operation
from explorer.openapi.values import PagingKind

OWN = "x-unified-explorer"
"""Under this name a document or an operation says what a pack would, with the fields of a pack."""
_STEP = re.compile(r"\.([\w$@-]+)|\[['\"]([^'\"\]]+)['\"]\]")


@dataclass(frozen=True, slots=True)
class StatedPaging:
    """What an extension says."""

    extension: str
    """Its name."""
    kind: PagingKind
    parameter: str | None = None
    in_body: bool = False
    size: str | None = None
    rows: tuple[str, ...] | None = None
    """The names that lead to the rows; none for a bare array."""
    next: str | None = None


def stated_paging(document: Document, operation: Operation) -> StatedPaging | None:
    """What the extensions of an operation say of its paging; None where it has none that can be read."""
    speakeasy = document.follow(operation.raw.get("x-speakeasy-pagination"))
    if speakeasy and (stated := _speakeasy(speakeasy)) is not None:
        return stated
    fern: Any = operation.raw.get("x-fern-pagination")
    if fern is True:  # the one that the whole document has
        fern = document.root.get("x-fern-pagination")
    return _fern(document.follow(fern)) if fern else None


def _speakeasy(said: dict[str, Any]) -> StatedPaging | None:
    inputs = {
        text(one.get("type")): (text(one.get("name")), one.get("in") == "requestBody")
        for one in map(mapping, sequence(said.get("inputs")))
    }
    outputs = mapping(said.get("outputs"))
    rows, size = _path(outputs.get("results")), inputs.get("limit", (None, False))[0]
    name = "x-speakeasy-pagination"
    if said.get("type") == "url":
        return StatedPaging(name, "url", None, False, size, rows, _dotted(outputs.get("nextUrl")))
    if said.get("type") == "cursor" and "cursor" in inputs:
        parameter, body = inputs["cursor"]
        return StatedPaging(name, "cursor", parameter, body, size, rows, _dotted(outputs.get("nextCursor")))
    if said.get("type") == "offsetLimit":
        kind: PagingKind = "offset" if "offset" in inputs else "page"
        if kind in inputs:
            parameter, body = inputs[kind]
            return StatedPaging(name, kind, parameter, body, size, rows)
    return None


def _fern(said: dict[str, Any]) -> StatedPaging | None:
    rows, name = _path(said.get("results")), "x-fern-pagination"
    if "next_uri" in said:
        return StatedPaging(name, "url", None, False, None, rows, _dotted(said["next_uri"]))
    size = ".".join(_path(said.get("step")) or ()) or None
    for key in ("cursor", "offset"):
        steps = _path(said.get(key))
        if steps:
            body = len(steps) > 1 and steps[0] == "body"
            parameter = ".".join(steps[1:] if len(steps) > 1 and steps[0] in ("body", "query") else steps)
            kind: PagingKind = "cursor" if key == "cursor" else "offset"
            if kind == "offset" and words.rank(parameter, words.PAGE_PARAMETERS) is not None:
                kind = "page"
            following = _dotted(said.get("next_cursor"))
            return StatedPaging(name, kind, parameter, body, size, rows, following)
    return None


def _dotted(given: Any) -> str | None:
    """`_path` as a dotted path of the answer."""
    steps = _path(given)
    return dotted(steps) if steps else None


def _path(given: Any) -> tuple[str, ...] | None:
    """The names in ``$.data.next`` or ``$response.data.next``; None for what is no path of names."""
    said = text(given)
    for root in ("$response", "$request", "$"):
        if said.startswith(root):
            rest = said[len(root) :]
            steps = _STEP.findall(rest)
            if "".join(found[0] for found in _STEP.finditer(rest)) != rest:
                return None
            return tuple(one or other for one, other in steps)
    return None
