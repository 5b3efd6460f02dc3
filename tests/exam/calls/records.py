"""Contacts, pipelines, customers and the check of a connection, as a correct service does them."""

from __future__ import annotations

from typing import Any

from tests.exam.calls.web import Request, issue, refused, third_party
from tests.exam.calls.world import Row, World, now
from tests.exam.frame import CONNECTION

ORGANIZATION = "org_exam01"
INPUT = {"first_name": "firstname", "last_name": "lastname", "email": "email", "phone": "phone"}
"""Fields of a contact, and what HubSpot calls them."""


def bad(message: str, *path: str, code: str = "custom") -> Exception:
    """Input that breaks the contract."""
    return refused(400, "BAD_REQUEST", "Input validation failed", issues=[issue(code, message, *path)])


class Records:
    """What can be written. What a defect changes has a method of its own."""

    world: World

    # ------------------------------------------------------------ contacts

    def record(self, request: Request) -> Row:
        """The record of a body, looked at."""
        record = request.body().get("record")
        if not isinstance(record, dict):
            raise bad("Required", "record", code="invalid_type")
        for name in INPUT:
            if not isinstance(record.get(name), str | None):
                raise bad("Expected string", "record", name, code="invalid_type")
        return record

    def kept(self, field: str, value: Any) -> Any:
        """What the third party makes of a value."""
        return value

    def contact_id(self) -> str:
        return str(self.world.next_id() * 211)

    def made_contact(self, record: Row) -> Row:
        """Creates a contact at the third party."""
        at = now()
        contact: Row = {
            "id": self.contact_id(),
            "properties": {},
            "createdAt": at,
            "updatedAt": at,
            "archived": False,
        }
        self.world.contacts[contact["id"]] = contact
        self.changed_contact(contact, record)
        return contact

    def changed_contact(self, contact: Row, record: Row) -> None:
        """Sets the fields that were sent, and no other."""
        properties = contact["properties"]
        for field, name in INPUT.items():
            if field in record:
                properties[name] = self.kept(field, record[field])
        properties.update(record.get("passthrough_fields") or {})
        contact["updatedAt"] = now()

    def contact(self, contact: Row) -> Row:
        """A contact as the interface wants it."""
        properties = contact["properties"]
        return {
            "id": contact["id"],
            "updated_at": contact["updatedAt"],
            "raw_data": {**contact, "properties": dict(properties)},
            **{field: properties[name] for field, name in INPUT.items() if properties.get(name) is not None},
        }

    def found(self, contact: str) -> Row:
        if contact not in self.world.contacts:
            words = f"[404 Not Found] PATCH https://api.hubapi.example/crm/v3/objects/contacts/{contact}\n"
            raise third_party(404, words + '{"status":"error","message":"resource not found"}')
        return self.world.contacts[contact]

    def matching(self, values: list[str]) -> list[Row]:
        """The contacts with one of these addresses."""
        wanted = {one.casefold() for one in values}
        return [
            one
            for one in self.world.contacts.values()
            if str(one["properties"].get("email") or "").casefold() in wanted - {""}
        ]

    def contact_create(self, request: Request, _: str) -> Any:
        return {"record": self.contact(self.made_contact(self.record(request)))}

    def contact_update(self, request: Request, contact: str) -> Any:
        record = self.record(request)
        held = self.found(contact)
        self.changed_contact(held, record)
        return {"record": self.contact(held)}

    def contact_upsert(self, request: Request, _: str) -> Any:
        record, upsert_on = self.record(request), request.body().get("upsert_on")
        if not isinstance(upsert_on, dict) or upsert_on.get("key") != "email":
            raise bad("Invalid literal value, expected email", "upsert_on", "key")
        values = upsert_on.get("values")
        if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
            raise bad("Expected array of string", "upsert_on", "values")
        return {"record": self.contact(self.upserted(values, record))}

    def upserted(self, values: list[str], record: Row) -> Row:
        matches = self.matching(values)
        if len(matches) > 1:
            raise refused(400, "BAD_REQUEST", f"{len(matches)} contacts match")
        if not matches:
            return self.made_contact({**({"email": values[0]} if values else {}), **record})
        self.changed_contact(matches[0], record)
        return matches[0]

    # ------------------------------------------------------------ pipelines

    def pipeline_input(self, body: Row) -> None:
        """Looks at what a pipeline's body has."""
        for name in ("sourceId", "destinationId"):
            self.looked_at(body.get(name), "conn_", name)
        if not isinstance(body.get("disabled", False), bool):
            raise bad("Expected boolean", "disabled", code="invalid_type")
        if not isinstance(body.get("streams"), dict | None):
            raise bad("Expected object", "streams", code="invalid_type")

    def looked_at(self, value: Any, prefix: str, *path: str) -> None:
        """An id has to have its prefix."""
        if value is not None and not str(value).startswith(prefix):
            kind = "pipeline" if prefix == "pipe_" else "connection"
            raise bad(f"Is not a valid {kind} id, expecting {prefix}", *path)

    def known_connection(self, connection: Any) -> None:
        if connection != CONNECTION:
            raise refused(404, "NOT_FOUND", f"conn not found: {connection}")

    def merged(self, old: Any, new: Any) -> Any:
        """Metadata of an update: merged at the top level only."""
        if isinstance(old, dict) and isinstance(new, dict):
            return {**old, **new}
        return new

    def pipeline_create(self, request: Request, _: str) -> Any:
        body = request.body()
        if not isinstance(body.get("id"), str):
            raise bad("Required", "id", code="invalid_type")
        self.looked_at(body["id"], "pipe_", "id")
        self.pipeline_input(body)
        for name in ("sourceId", "destinationId"):
            self.known_connection(body.get(name))
        return self.pipeline(self.made_pipeline(body))

    def made_pipeline(self, body: Row) -> Row:
        at = now()
        fresh: Row = {
            "id": body["id"],
            "createdAt": at,
            "updatedAt": at,
            "sourceState": {},
            "sourceVertical": None,
            "streams": None,
            "destinationState": {},
            "destinationVertical": None,
            "linkOptions": [],
            "lastSyncStartedAt": None,
            "lastSyncCompletedAt": None,
            "disabled": False,
            "metadata": None,
        }
        row = self.world.pipelines.setdefault(body["id"], fresh)
        names = ("sourceId", "destinationId", "metadata", "disabled", "streams")
        row.update({name: body[name] for name in names if name in body})
        row["updatedAt"] = at
        return row

    def pipeline_update(self, request: Request, pipeline: str) -> Any:
        self.looked_at(pipeline, "pipe_", "id")
        body = request.body()
        self.pipeline_input({name: body[name] for name in ("disabled", "streams") if name in body})
        if pipeline not in self.world.pipelines:
            raise refused(404, "NOT_FOUND", f"pipeline not found: {pipeline}")
        row = self.world.pipelines[pipeline]
        self.changed_pipeline(row, body)
        return self.pipeline(row)

    def changed_pipeline(self, row: Row, body: Row) -> None:
        for name in ("metadata", "streams"):
            if name in body:
                row[name] = self.merged(row[name], body[name])
        if "disabled" in body:
            row["disabled"] = body["disabled"]
        row["updatedAt"] = now()

    def pipeline(self, row: Row) -> Row:
        """A pipeline as it is answered."""
        return dict(row)

    # ------------------------------------------------------------ customers, connections

    def customer_put(self, request: Request, customer: str) -> Any:
        return self.customer(self.kept_customer(customer, request.body()))

    def kept_customer(self, customer: str, body: Row) -> Row:
        row: Row = {"id": customer, "orgId": ORGANIZATION}
        if "metadata" in body:
            row["metadata"] = body["metadata"]
        self.world.customers[customer] = row
        return row

    def customer(self, row: Row) -> Row:
        return dict(row)

    def connection_check(self, request: Request, connection: str) -> Any:
        self.looked_at(connection, "conn_", "id")
        request.body()
        self.known_connection(connection)
        return self.connection()

    def connection(self) -> Row:
        """The connection's row, without what opens the third party."""
        return {
            "id": CONNECTION,
            "createdAt": "2025-02-03T09:14:00.000Z",
            "updatedAt": now(),
            "connectorName": "hubspot",
            "customerId": "acme-7",
            "integrationId": "ccfg_hubspot_01",
            "status": "healthy",
            "settings": {
                "portal": "exam-portal",
                "scopes": ["crm.objects.contacts.write", "crm.objects.companies.read"],
            },
        }
