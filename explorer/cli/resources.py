"""``resources``: lists the endpoints of an interface, the built-in one where none is named."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from explorer.catalog.fields import Field, fields_of
from explorer.catalog.spec import Listing, Operation
from explorer.cli import options
from explorer.cli.forms import write_json
from explorer.cli.registry import registry_of_whom
from explorer.cli.words import in_columns


def resources(
    context: typer.Context,
    interface: options.InterfaceName = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, with every parameter and field.")] = False,
) -> None:
    """List the endpoints: what `pull` and `call` take."""
    registry = registry_of_whom(options.target_options(context, options.TargetOptions(interface=interface)))
    if as_json:
        write_json([_described(o) for o in registry.operations()])
        return
    rows = [
        (o.key, "pull, call" if isinstance(o, Listing) else "call", o.method, o.path, o.title)
        for vertical in registry.interface.verticals
        for resource in vertical.resources
        for o in resource.operations
    ]
    sys.stdout.writelines(in_columns(rows))


def _described(one: Operation) -> dict[str, Any]:
    return {
        "key": one.key,
        "title": one.title,
        "method": one.method,
        "path": one.path,
        "pull": isinstance(one, Listing),
        "writes": one.writes,
        "credential": "bearer token" if one.bearer else "api key",
        "path_parameters": [_field(f) for f in fields_of(one.path_input)],
        "query": [_field(f) for f in fields_of(one.query)],
        "body": [_field(f) for f in fields_of(one.body)] if one.body else None,
        "note": one.note,
    }


def _field(one: Field) -> dict[str, Any]:
    kind = "string" if one.kind in ("id", "text", "date") else one.kind
    inner = {"fields": [_field(f) for f in fields_of(one.model)]} if one.model else {}
    seen = {"in_contract": not (one.observed and one.observed.only_observed)}
    return {"name": one.name, "type": kind, "rule": one.rule, "null": one.nullable, **seen, **inner}
