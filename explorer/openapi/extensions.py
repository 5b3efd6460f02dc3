"""Paging as documents state it for generators of clients: ``x-speakeasy-pagination`` and ``x-fern-pagination``.

Both say which parameter carries the token, offset or page, and where in the answer the next one is. What they leave out
stays None and is found by names. A JSONPath that is more than names, such as ``$.data[-1].id``, cannot be followed as a
path of the answer: it counts as left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from explorer.openapi import words
from explorer.openapi.document import Document, mapping, sequence, text
from explorer.openapi.operations import Operation
from explorer.openapi.values import PagingKind

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
    rows: str | None = None
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
        return StatedPaging(name, "url", None, False, size, rows, _path(outputs.get("nextUrl")))
    if said.get("type") == "cursor" and "cursor" in inputs:
        parameter, body = inputs["cursor"]
        return StatedPaging(name, "cursor", parameter, body, size, rows, _path(outputs.get("nextCursor")))
    if said.get("type") == "offsetLimit":
        kind: PagingKind = "offset" if "offset" in inputs else "page"
        if kind in inputs:
            parameter, body = inputs[kind]
            return StatedPaging(name, kind, parameter, body, size, rows)
    return None


def _fern(said: dict[str, Any]) -> StatedPaging | None:
    rows, name = _path(said.get("results")), "x-fern-pagination"
    if "next_uri" in said:
        return StatedPaging(name, "url", None, False, None, rows, _path(said["next_uri"]))
    size = _path(said.get("step")) or None
    for key in ("cursor", "offset"):
        parameter = _path(said.get(key))
        if parameter is not None:
            body = text(said.get(key)).startswith("$request.body.")
            parameter = parameter.removeprefix("body.") if body else parameter.removeprefix("query.")
            kind: PagingKind = "cursor" if key == "cursor" else "offset"
            if kind == "offset" and words.rank(parameter, words.PAGE_PARAMETERS) is not None:
                kind = "page"
            following = _path(said.get("next_cursor"))
            return StatedPaging(name, kind, parameter, body, size, rows, following)
    return None


def _path(given: Any) -> str | None:
    """``$.data.next`` or ``$response.data.next`` as ``data.next``; ``$`` stays; None for what is no path of names."""
    said = text(given)
    for root in ("$response", "$request", "$"):
        if said.startswith(root):
            rest = said[len(root) :]
            steps = _STEP.findall(rest)
            if "".join(found[0] for found in _STEP.finditer(rest)) != rest:
                return None
            return ".".join(one or other for one, other in steps) or "$"
    return None
