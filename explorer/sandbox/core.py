"""Pipelines, connections, customers, magic links and webhooks (endpoints 13 to 18)."""

from __future__ import annotations

import base64
import functools
import hashlib
import hmac
import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urlencode

from starlette.responses import Response

from explorer.paths import resource
from explorer.sandbox.calls import Call
from explorer.sandbox.config import ORG_ID
from explorer.sandbox.conversions import MISSING
from explorer.sandbox.draw import Draw, iso
from explorer.sandbox.failures import as_json, not_found, refused
from explorer.sandbox.inputs import Input

Json = dict[str, Any]

_START = "2025-01-15T09:30:00.000Z"
_PIPELINE = ("pipe_", "pipeline")
_CONNECTION = ("conn_", "connection")
_WEBHOOKS = {"hubspot": "ok", "salesforce": "ok", "outreach": "ok", "greenhouse": "error"}
"""Connectors that take webhooks, and the status that they answer with; all others answer 501."""


def _now() -> str:
    return iso(datetime.now(UTC))


def _merged(before: Any, given: Any) -> Any:
    """The shallow merge: top-level keys only, a key set to null stays as null, null for all clears (observed)."""
    return {**before, **given} if isinstance(before, dict) and isinstance(given, dict) else given


def _put(pipeline: Json, given: Json) -> Json:
    for name, value in given.items():
        if value is not MISSING:
            merge = name in ("metadata", "streams")
            pipeline[name] = _merged(pipeline.get(name), value) if merge else value
    pipeline["updatedAt"] = _now()
    return pipeline


def create_pipeline(call: Call) -> Response:
    """Endpoint 13, which is an upsert by id (observed)."""
    read = Input(call.given, call.procedure)
    ident = read.text("id", required=True, prefix=_PIPELINE)
    given = {
        "metadata": read.anything("metadata"),
        "disabled": read.boolean("disabled"),
        "sourceId": read.text("sourceId", prefix=_CONNECTION),
        "streams": read.mapping("streams"),
        "destinationId": read.text("destinationId", prefix=_CONNECTION),
    }
    read.done()
    pipelines = call.sandbox.memory.pipelines
    if ident not in pipelines:
        pipelines[ident] = {"id": ident, "createdAt": _now(), "updatedAt": _now(), **_EMPTY_PIPELINE}
    return as_json(_put(pipelines[ident], given))


_EMPTY_PIPELINE: Json = {
    "sourceVertical": None,
    "sourceState": {},
    "destinationVertical": None,
    "destinationState": {},
    "streams": None,
    "linkOptions": [],
    "lastSyncStartedAt": None,
    "lastSyncCompletedAt": None,
    "disabled": False,
    "metadata": None,
}


def update_pipeline(call: Call) -> Response:
    """Endpoint 14: metadata and streams merge, other keys are ignored (contract 2.3, observed)."""
    ident = Input(dict(call.path), call.procedure)
    found = ident.text("id", required=True, prefix=_PIPELINE)
    ident.done()
    read = Input(call.given, call.procedure)
    given = {
        "metadata": read.anything("metadata"),
        "disabled": read.boolean("disabled"),
        "streams": read.mapping("streams", nullable=True),
    }
    read.done()
    pipeline = call.sandbox.memory.pipelines.get(found)
    if pipeline is None:
        raise not_found(f"pipeline not found: {found}", call.procedure)
    return as_json(_put(pipeline, given))


def check_connection(call: Call) -> Response:
    """Endpoint 15: the whole row with its settings, or for some connectors a bare text (observed).

    Every check changes the stored connection, whatever its flags say (observed): here its ``updatedAt``.
    `sandboxSimulateDisconnect` makes unified calls on the connection fail with 424 until `sandboxSimulateUpdate`.
    """
    path = Input(dict(call.path), call.procedure)
    ident = path.text("id", required=True, prefix=_CONNECTION)
    path.done()
    read = Input(call.given, call.procedure)
    names = ("skipCache", "import", "updateWebhook", "sandboxSimulateUpdate", "sandboxSimulateDisconnect")
    flags = {name: read.boolean(name, nullable=True) for name in names}
    read.done()
    connection = call.sandbox.connection(ident)
    if connection is None:
        raise not_found(f"conn not found: {ident}", call.procedure)
    stored = call.sandbox.memory.connections[ident] = {"updatedAt": _now()}
    gone = call.sandbox.memory.disconnected
    if flags["sandboxSimulateUpdate"] is True:
        gone.discard(ident)
    if flags["sandboxSimulateDisconnect"] is True:
        gone.add(ident)
    if connection.connector == "box":
        return as_json("Connection is healthy")
    return as_json(
        {
            "id": ident,
            "createdAt": _START,
            **stored,
            "connectorName": connection.connector,
            "displayName": f"Sandbox ({ident.removeprefix('conn_sandbox_')})",
            "customerId": "cust_sandbox",
            "integrationId": f"ccfg_{connection.connector}_sandbox",
            "settings": _settings(Draw(call.sandbox.config.seed, "settings", ident)),
            "status": "disconnected" if ident in gone else "healthy",
            "statusMessage": None,
            "metadata": {"verticals": sorted(connection.parties)},
            "disabled": False,
        }
    )


def _settings(draw: Draw) -> Json:
    """A connection's settings as the service gives them away; its credentials only look like real ones."""
    credentials = {
        "access_token": f"FAKE-ACCESS-{draw.hexadecimal(40)}",
        "refresh_token": f"FAKE-REFRESH-{draw.hexadecimal(40)}",
        "token_type": "Bearer",
        "scope": "read write offline_access",
        "expires_at": "2025-11-15T10:30:00.000Z",
    }
    return {"oauth": {"credentials": credentials}, "apiKey": f"FAKE-KEY-{draw.hexadecimal(24)}"}


def put_customer(call: Call) -> Response:
    """Endpoint 16: creates or replaces; metadata is absent if none was sent (observed)."""
    read = Input(call.given, call.procedure)
    metadata = read.anything("metadata")
    read.done()
    customer: Json = {"id": call.path["id"], "orgId": ORG_ID}
    if metadata is not MISSING:
        customer["metadata"] = metadata
    call.sandbox.memory.customers[call.path["id"]] = customer
    return as_json(customer)


_VIEWS = ("manage", "manage-deeplink", "add", "add-deeplink")
_LINK_SECRET = b"the sandbox signs its links with this, and nothing else"


def _part(value: Json) -> str:
    return base64.urlsafe_b64encode(json.dumps(value, separators=(",", ":")).encode()).decode().rstrip("=")


def _jwt(claims: Json) -> str:
    text = f"{_part({'alg': 'HS256', 'typ': 'JWT'})}.{_part(claims)}"
    signature = hmac.new(_LINK_SECRET, text.encode(), hashlib.sha256).digest()
    return f"{text}.{base64.urlsafe_b64encode(signature).decode().rstrip('=')}"


def create_magic_link(call: Call) -> Response:
    """Endpoint 17. A validity of zero or less gives a link that has ended already, with 200 (observed)."""
    read = Input(call.given, call.procedure)
    customer = read.text("customerId", required=True, shortest=1)
    validity = read.number("validityInSeconds")
    given = {
        name: read.text(name, nullable=True)
        for name in ("displayName", "redirectUrl", "connectorNames", "integrationIds", "connectionId")
    }
    given["theme"] = read.text("theme", nullable=True, choices=("light", "dark"))
    given["view"] = read.text("view", nullable=True, choices=_VIEWS)
    read.done()
    made = int(datetime.now(UTC).timestamp())
    seconds = 2_592_000 if validity is MISSING else int(validity)
    token = _jwt({"sub": customer, "org_id": ORG_ID, "role": "customer", "iat": made, "exp": made + seconds})
    shown = {name: value for name, value in given.items() if value is not MISSING and value is not None}
    query = urlencode({"token": token, **shown}, quote_via=quote)
    return as_json({"url": f"https://connect.sandbox.example/connect/portal?{query}"})


@functools.cache
def connector_names() -> frozenset[str]:
    """The names that the webhook's enumeration was seen to have."""
    text = resource("sandbox/connector_names.txt").read_text(encoding="utf-8")
    return frozenset(line.strip() for line in text.splitlines() if line.strip())


def receive_webhook(call: Call) -> Response:
    """Endpoint 18: most connectors answer 501, the others 200 with a status, `error` among them (observed)."""
    name = call.path["connector_name"]
    if name not in connector_names():
        options = sorted(connector_names())
        issue = {
            "code": "invalid_enum_value",
            "received": name,
            "options": options,
            "path": ["connector_name"],
        }
        message = f"Invalid enum value. Received '{name}'"
        raise refused(
            400, "BAD_REQUEST", "Input validation failed", call.procedure, [{**issue, "message": message}]
        )
    status = _WEBHOOKS.get(name)
    if status is None:
        message = f"{name} does not handle webhooks"
        raise refused(501, "NOT_IMPLEMENTED", message, call.procedure)
    if status == "error":
        return as_json({"status": "error", "info": {"reason": "signature missing"}})
    return as_json({"status": "ok", "info": {"received": 1, "connector": name}})
