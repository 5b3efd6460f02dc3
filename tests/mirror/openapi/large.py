"""Makes documents of any number of operations, as large unified APIs have them: by hand, and the same each time."""

from __future__ import annotations

import json
from typing import Any

KINDS = ("string", "integer", "number", "boolean")
NOUNS = (
    "account",
    "candidate",
    "employee",
    "invoice",
    "ticket",
    "folder",
    "message",
    "order",
    "payment",
    "vendor",
)


def document(operations: int, fields: int = 30) -> dict[str, Any]:
    """A document with so many operations: each resource has a list, one to make, one to read and one to delete."""
    paths: dict[str, Any] = {}
    schemas: dict[str, Any] = {
        "Meta": {"type": "object", "properties": {"next": {"type": "string", "nullable": True}}}
    }
    for number in range((operations + 3) // 4):
        noun = f"{NOUNS[number % len(NOUNS)]}_{number}"
        schemas[noun] = record(number, fields)
        left = operations - 4 * number
        one, many = f"/v1/{noun}s/{{id}}", f"/v1/{noun}s"
        made = [(many, "get", listing(noun)), (many, "post", write(noun)), (one, "get", write(noun))]
        for path, method, operation in [*made, (one, "delete", write(noun))][:left]:
            paths.setdefault(path, {})[method] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "Large", "version": "1", "description": "A long story. " * 200},
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
            "schemas": schemas,
        },
    }


def record(number: int, fields: int) -> dict[str, Any]:
    """A record of many fields, some of them objects and references to another record."""
    properties: dict[str, Any] = {"id": {"type": "string", "description": "What names it."}}
    for place in range(fields):
        kind = KINDS[(number + place) % len(KINDS)]
        properties[f"field_{place}"] = {
            "type": [kind, "null"],
            "description": f"The field number {place}, which the third party may leave out of what it answers.",
        }
    properties["owner"] = {"anyOf": [{"$ref": f"#/components/schemas/{NOUNS[0]}_0"}, {"type": "null"}]}
    properties["remote_data"] = {"type": "object"}
    return {"type": "object", "required": ["id"], "properties": properties}


def listing(noun: str) -> dict[str, Any]:
    """The operation of a list with a cursor."""
    rows = {"type": "array", "items": {"$ref": f"#/components/schemas/{noun}"}}
    envelope = {
        "allOf": [
            {"properties": {"meta": {"$ref": "#/components/schemas/Meta"}}},
            {"properties": {"data": rows}},
        ]
    }
    return {
        "operationId": f"list_{noun}",
        "description": f"Returns the {noun} records of one connection, the newest first. " * 3,
        "parameters": [
            {"name": "x-connection-id", "in": "header", "required": True, "schema": {"type": "string"}},
            {"name": "cursor", "in": "query", "schema": {"type": "string"}},
            {"name": "page_size", "in": "query", "schema": {"type": "integer"}},
        ],
        "responses": {"200": {"description": "Rows", "content": {"application/json": {"schema": envelope}}}},
    }


def write(noun: str) -> dict[str, Any]:
    """An operation about one record."""
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{noun}"}}}
    return {
        "operationId": f"one_{noun}",
        "requestBody": {"content": content},
        "responses": {"200": {"content": content}},
    }


def as_yaml(value: Any, indent: int = 0) -> str:
    """The tree as block YAML, without a library."""
    before = "  " * indent
    if isinstance(value, dict) and value:
        return "".join(f"{before}{json.dumps(name)}:{_below(each, indent)}" for name, each in value.items())
    if isinstance(value, list) and value:
        return "".join(f"{before}-{_below(each, indent)}" for each in value)
    return f"{before}{json.dumps(value)}\n"


def _below(value: Any, indent: int) -> str:
    if isinstance(value, dict | list) and value:
        return "\n" + as_yaml(value, indent + 1)
    return f" {json.dumps(value)}\n"
