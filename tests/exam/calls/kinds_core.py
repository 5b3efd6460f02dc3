"""Pipelines, customers and the check of a connection that are written otherwise than they were sent."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.exam.calls.kinds import ANY, kind
from tests.exam.calls.service import Service
from tests.exam.calls.web import Answer, Request, refused
from tests.exam.calls.world import Row, now
from tests.exam.frame import Expected

GROUP = "core"
PIPELINE = Expected("core/pipeline")
CUSTOMER = Expected("core/customer")
CHECK = Expected("core/connection")


def pipeline_field(*fields: str) -> Expected:
    return Expected("core/pipeline", fields)


def customer_field(*fields: str) -> Expected:
    return Expected("core/customer", fields)


def deep(old: Any, new: Any) -> Any:
    """A merge at every level."""
    if isinstance(old, dict) and isinstance(new, dict):
        return {**old, **{name: deep(old.get(name), value) for name, value in new.items()}}
    return new


def rewritten(value: Any, change: Any) -> Any:
    """JSON with every object and every plain value put through `change`."""
    if isinstance(value, dict):
        return change({name: rewritten(one, change) for name, one in value.items()})
    if isinstance(value, list):
        return [rewritten(one, change) for one in value]
    return change(value)


class Stored(Service):
    """Metadata is rewritten before it is stored."""

    def rewritten(self, value: Any) -> Any:
        return value

    def made_pipeline(self, body: Row) -> Row:
        return super().made_pipeline(self._body(body))

    def changed_pipeline(self, row: Row, body: Row) -> None:
        super().changed_pipeline(row, self._body(body))

    def kept_customer(self, customer: str, body: Row) -> Row:
        return super().kept_customer(customer, self._body(body))

    def _body(self, body: Row) -> Row:
        return {**body, "metadata": self.rewritten(body["metadata"])} if "metadata" in body else body


@kind(GROUP, "pipeline: metadata is merged at every level", pipeline_field("metadata"), writes=True)
class DeepMerge(Service):
    def merged(self, old: Any, new: Any) -> Any:
        return deep(old, new)


@kind(GROUP, "pipeline: a null in metadata keeps the old value", pipeline_field("metadata"), writes=True)
class NullAsAbsent(Service):
    def merged(self, old: Any, new: Any) -> Any:
        kept = (
            {name: value for name, value in new.items() if value is not None}
            if isinstance(new, dict)
            else new
        )
        return super().merged(old, kept)


@kind(GROUP, "pipeline: metadata is replaced, not merged", pipeline_field("metadata"), writes=True)
class Replaced(Service):
    def merged(self, old: Any, new: Any) -> Any:
        return new


@kind(GROUP, "pipeline: an update's metadata is dropped", pipeline_field("metadata"), writes=True)
class MetadataIgnored(Service):
    def changed_pipeline(self, row: Row, body: Row) -> None:
        super().changed_pipeline(row, {name: value for name, value in body.items() if name != "metadata"})


@kind(GROUP, "pipeline: false, zero and empty text are lost in metadata", PIPELINE, CUSTOMER, writes=True)
class FalsyLost(Stored):
    def rewritten(self, value: Any) -> Any:
        return {name: one for name, one in value.items() if one} if isinstance(value, dict) else value


@kind(GROUP, "pipeline: numbers and booleans in metadata become text", PIPELINE, CUSTOMER, writes=True)
class NumbersAsText(Stored):
    def rewritten(self, value: Any) -> Any:
        return rewritten(value, lambda one: json.dumps(one) if isinstance(one, int | float) else one)


@kind(GROUP, "pipeline: keys of metadata turn from camelCase to snake_case", PIPELINE, CUSTOMER, writes=True)
class SnakeKeys(Stored):
    def rewritten(self, value: Any) -> Any:
        def snake(one: Any) -> Any:
            if not isinstance(one, dict):
                return one
            return {
                re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower(): inner for name, inner in one.items()
            }

        return rewritten(value, snake)


@kind(GROUP, "pipeline: disabled is lost when it is created", pipeline_field("disabled"), writes=True)
class DisabledLost(Service):
    def made_pipeline(self, body: Row) -> Row:
        return super().made_pipeline({name: value for name, value in body.items() if name != "disabled"})


@kind(GROUP, "pipeline: disabled cannot be changed", pipeline_field("disabled"), writes=True)
class DisabledFixed(Service):
    def changed_pipeline(self, row: Row, body: Row) -> None:
        super().changed_pipeline(row, {name: value for name, value in body.items() if name != "disabled"})


@kind(GROUP, "pipeline: an update without disabled sets it to false", pipeline_field("disabled"), writes=True)
class DisabledReset(Service):
    def changed_pipeline(self, row: Row, body: Row) -> None:
        super().changed_pipeline(row, {"disabled": False, **body})


@kind(GROUP, "pipeline: an update of anything clears the streams", pipeline_field("streams"), writes=True)
class StreamsReset(Service):
    def changed_pipeline(self, row: Row, body: Row) -> None:
        super().changed_pipeline(row, body)
        if "streams" not in body:
            row["streams"] = None


@kind(GROUP, "pipeline: a stream's own settings are lost", pipeline_field("streams"), writes=True)
class StreamSettingsLost(Service):
    def pipeline(self, row: Row) -> Row:
        streams = row["streams"]
        return {**super().pipeline(row), "streams": {name: {} for name in streams} if streams else streams}


@kind(GROUP, "pipeline: streams come back under other names", pipeline_field("streams"), writes=True)
class StreamsRenamed(Service):
    def pipeline(self, row: Row) -> Row:
        streams = row["streams"]
        renamed = {f"public.{name}": value for name, value in streams.items()} if streams else streams
        return {**super().pipeline(row), "streams": renamed}


@kind(GROUP, "pipeline: the prefix of its id is not looked at", PIPELINE, writes=True)
class PipePrefixIgnored(Service):
    def looked_at(self, value: Any, prefix: str, *path: str) -> None:
        if prefix != "pipe_":
            super().looked_at(value, prefix, *path)


@kind(GROUP, "pipeline: the answer's id lacks its prefix", pipeline_field("id"), writes=True)
class PipePrefixLost(Service):
    def pipeline(self, row: Row) -> Row:
        return {**super().pipeline(row), "id": str(row["id"]).removeprefix("pipe_")}


@kind(
    GROUP,
    "pipeline: the connections lack their prefix",
    pipeline_field("sourceId", "destinationId"),
    writes=True,
)
class ConnPrefixLost(Service):
    def pipeline(self, row: Row) -> Row:
        shown = {name: str(row[name]).removeprefix("conn_") for name in ("sourceId", "destinationId")}
        return {**super().pipeline(row), **shown}


@kind(GROUP, "pipeline: createdAt is missing", pipeline_field("createdAt"), writes=True)
class CreatedAtMissing(Service):
    def pipeline(self, row: Row) -> Row:
        return {name: value for name, value in super().pipeline(row).items() if name != "createdAt"}


@kind(GROUP, "pipeline: createdAt moves with every update", pipeline_field("createdAt"), writes=True)
class CreatedAtMoves(Service):
    def changed_pipeline(self, row: Row, body: Row) -> None:
        super().changed_pipeline(row, body)
        row["createdAt"] = now()


@kind(GROUP, "pipeline: disabled is told as text", pipeline_field("disabled"), writes=True)
class DisabledAsText(Service):
    def pipeline(self, row: Row) -> Row:
        return {**super().pipeline(row), "disabled": str(row["disabled"]).lower()}


@kind(GROUP, "pipeline: an update answers another pipeline", PIPELINE, writes=True)
class AnotherPipeline(Service):
    def pipeline_update(self, request: Request, pipeline: str) -> Any:
        return {
            **super().pipeline_update(request, pipeline),
            "id": "pipe_nightly",
            "metadata": {"owner": "ops"},
        }


@kind(GROUP, "pipeline: an update fails within an answer of 200", PIPELINE, writes=True)
class PipelineErrorAs200(Service):
    def pipeline_update(self, request: Request, pipeline: str) -> Any:
        super().pipeline_update(request, pipeline)
        words = "duplicate key value violates unique constraint"
        return {"message": words, "code": "INTERNAL_SERVER_ERROR", "data": {"httpStatus": 500}}


@kind(GROUP, "pipeline: what was created is unknown to the update", PIPELINE, writes=True)
class PipelineNeverStored(Service):
    def pipeline_create(self, request: Request, path_id: str) -> Any:
        made = super().pipeline_create(request, path_id)
        del self.world.pipelines[made["id"]]
        return made


@kind(GROUP, "customer: the second PUT is merged into the first", CUSTOMER, writes=True)
class CustomerMerged(Service):
    def kept_customer(self, customer: str, body: Row) -> Row:
        known = self.world.customers.get(customer, {}).get("metadata")
        return super().kept_customer(customer, {**body, "metadata": deep(known, body.get("metadata"))})


@kind(GROUP, "customer: the second PUT changes nothing", CUSTOMER, writes=True)
class CustomerFirstStays(Service):
    def kept_customer(self, customer: str, body: Row) -> Row:
        return self.world.customers.get(customer) or super().kept_customer(customer, body)


@kind(GROUP, "customer: the second PUT is refused as a duplicate", CUSTOMER, writes=True)
class CustomerConflict(Service):
    def kept_customer(self, customer: str, body: Row) -> Row:
        if customer in self.world.customers:
            raise refused(409, "CONFLICT", f"Customer {customer} already exists", path="core.upsertCustomer")
        return super().kept_customer(customer, body)


@kind(GROUP, "customer: metadata comes back as text of JSON", customer_field("metadata"), writes=True)
class MetadataAsText(Service):
    def customer(self, row: Row) -> Row:
        return (
            {**row, "metadata": json.dumps(row["metadata"])} if row.get("metadata") is not None else dict(row)
        )


@kind(GROUP, "customer: metadata is lost", customer_field("metadata"), writes=True)
class CustomerMetadataLost(Service):
    def customer(self, row: Row) -> Row:
        return {**row, "metadata": {}}


@kind(GROUP, "customer: another id than the one in the path", customer_field("id"), writes=True)
class CustomerId(Service):
    def customer(self, row: Row) -> Row:
        return {**row, "id": f"cus_{row['id']}"}


@kind(GROUP, "customer: orgId is missing", customer_field("orgId"), writes=True)
class OrgMissing(Service):
    def customer(self, row: Row) -> Row:
        return {name: value for name, value in row.items() if name != "orgId"}


@kind(GROUP, "customer: the answer is an array", CUSTOMER, writes=True)
class CustomerAsArray(Service):
    def customer_put(self, request: Request, customer: str) -> Any:
        return [super().customer_put(request, customer)]


@kind(GROUP, "connection: the check takes an id without its prefix", CHECK, writes=True)
class CheckWithoutPrefix(Service):
    def connection_check(self, request: Request, connection: str) -> Any:
        if connection.startswith("conn_"):
            return super().connection_check(request, connection)
        return self.connection()


@kind(GROUP, "connection: the check answers another connection", CHECK, ANY, writes=True)
class CheckOfAnother(Service):
    def connection(self) -> Row:
        return {**super().connection(), "id": "conn_hubspot_9x2", "customerId": "globex-2"}


@kind(GROUP, "connection: the check breaks off in the middle of its JSON", CHECK, writes=True)
class CheckCutOff(Service):
    def connection_check(self, request: Request, connection: str) -> Any:
        whole = json.dumps(super().connection_check(request, connection)).encode()
        return Answer(content=whole[: len(whole) // 2])
