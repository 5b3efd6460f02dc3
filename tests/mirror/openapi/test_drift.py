"""A newer document against the older: each thing that a reader of rows notices is told once, and nothing else is."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from explorer.openapi.drift import Change, corrected, drift
from explorer.openapi.pack import read_pack
from explorer.openapi.proposal import read

Document = dict[str, Any]


def listing(rows: str = "data", **fields: Any) -> Document:
    """The GET of a list that is paged by cursor."""
    record = {
        "type": "object",
        "required": ["id"],
        "properties": {
            "id": {"type": "string"},
            "email": {"type": "string"},
            "state": {"type": "string", "enum": ["open", "won"]},
            "raw": {"type": "object"},
            **fields,
        },
    }
    page = {
        "type": "object",
        "properties": {rows: {"type": "array", "items": record}, "next": {"type": "string"}},
    }
    return {
        "parameters": [
            {"name": name, "in": "query", "schema": {"type": "string"}}
            for name in ("cursor", "page_size", "since")
        ],
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": page}}}},
    }


def document() -> Document:
    body = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
    post = {
        "requestBody": {"content": {"application/json": {"schema": body}}},
        "responses": {"201": {"description": "made"}},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Deals", "version": "1"},
        "security": [{"key": []}],
        "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
        "paths": {"/v1/deals": {"get": listing(), "post": post}, "/v1/people": {"get": listing()}},
    }


def fields(given: Document) -> Document:
    schema = given["paths"]["/v1/deals"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    properties: Document = schema["properties"]["data"]["items"]["properties"]
    return properties


def told(change: Callable[[Document], object]) -> list[Change]:
    newer = copy.deepcopy(document())
    change(newer)
    return drift(*(read(json.dumps(one).encode()) for one in (document(), newer)))


def rename(given: Document, old: str, new: str) -> None:
    given["paths"][new] = given["paths"].pop(old)


DEALS = "GET /v1/deals"
ONE: list[tuple[Callable[[Document], object], str, str, str, bool]] = [
    (lambda d: fields(d).pop("email"), DEALS, "field", "email is gone.", True),
    (lambda d: fields(d).update(phone={"type": "string"}), DEALS, "field", "phone is new.", False),
    (
        lambda d: fields(d).update(email={"type": "integer"}),
        DEALS,
        "field",
        "email was string, is integer.",
        True,
    ),
    (lambda d: fields(d)["state"]["enum"].remove("won"), DEALS, "field", "state no longer has won.", True),
    (lambda d: fields(d)["state"]["enum"].append("lost"), DEALS, "field", "state may be lost now.", True),
    (
        lambda d: fields(d).update(email={"type": ["string", "null"]}),
        DEALS,
        "field",
        "email may be null now.",
        True,
    ),
    (lambda d: d["paths"].pop("/v1/people"), "GET /v1/people", "gone", "The list is gone.", True),
    (
        lambda d: d["paths"].update({"/v1/tasks": {"get": listing()}}),
        "GET /v1/tasks",
        "new",
        "A new list.",
        False,
    ),
    (
        lambda d: rename(d, "/v1/people", "/v2/crm/people"),
        "GET /v1/people",
        "moved",
        "It has moved to GET /v2/crm/people.",
        True,
    ),
    (
        lambda d: d["paths"]["/v1/deals"].update(get=listing("deals")),
        DEALS,
        "rows",
        "Rows: was data, is deals.",
        True,
    ),
    (
        lambda d: d["paths"]["/v1/deals"]["get"]["parameters"][0].update(name="after"),
        DEALS,
        "paging",
        "Paging's parameter: was cursor, is after.",
        True,
    ),
    (
        lambda d: d["paths"]["/v1/deals"]["get"]["parameters"][2].update(required=True),
        DEALS,
        "input",
        "It needs since now.",
        True,
    ),
    (
        lambda d: d["paths"]["/v1/deals"]["post"].update(servers=[{"url": "https://write.example"}]),
        "POST /v1/deals",
        "moved",
        "Address of its own: was none, is https://write.example.",
        True,
    ),
    (
        lambda d: d["paths"]["/v1/deals"].pop("post"),
        "POST /v1/deals",
        "gone",
        "It can no longer be called.",
        True,
    ),
    (
        lambda d: d["components"]["securitySchemes"].update(
            key={"type": "apiKey", "in": "header", "name": "X-Key"}
        ),
        "",
        "authorization",
        "Authorization: was bearer, prefix Bearer, is header X-Key.",
        True,
    ),
]


@pytest.mark.parametrize(
    ("change", "operation", "what", "sentence", "breaks"), ONE, ids=[one[3] for one in ONE]
)
def test_one_change_is_told_once(
    change: Callable[[Document], object], operation: str, what: str, sentence: str, breaks: bool
) -> None:
    (found,) = told(change)
    assert (found.operation, found.what, found.sentence, found.breaks) == (operation, what, sentence, breaks)


def test_nothing_and_words_alone_are_no_drift_and_a_line_that_no_longer_fits_is() -> None:
    assert told(lambda d: None) == []
    assert told(lambda d: fields(d)["email"].update(description="other words")) == []
    newer = document()
    rename(newer, "/v1/people", "/v2/humans")
    pack = read_pack(b'id = "email"\n"GET /v1/people".rows = "data"\n')
    after, changes = corrected(read(json.dumps(newer).encode()), pack)
    assert [one.id for one in after.lists] == [("email",), ("email",)]
    (lost,) = changes
    assert (lost.operation, lost.what) == ("GET /v1/people", "pack")
    assert lost.sentence.startswith("The pack no longer fits. Line 2, column 25: no operation fits")
