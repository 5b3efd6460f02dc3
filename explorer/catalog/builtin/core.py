"""Core: pipelines (contract 2.3, endpoints 13 and 14), connection check (15), customers (2.12, 16)."""

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, create_model

from explorer.catalog.spec import (
    ABSENT,
    Column,
    Input,
    Observed,
    Record,
    Resource,
    Vertical,
    Write,
    columns_of,
    prefixed,
)


class Pipeline(Record):
    """A pipeline: a sync link from a source connection to a destination connection (contract 2.3)."""

    id: Annotated[str, *prefixed("pipe_")]
    createdAt: str
    updatedAt: str
    sourceId: Annotated[str, *prefixed("conn_")] = ABSENT
    sourceState: dict[str, Any] = ABSENT
    sourceVertical: str | None = ABSENT
    streams: dict[str, Any] | None = ABSENT
    destinationId: Annotated[str, *prefixed("conn_")] = ABSENT
    destinationState: dict[str, Any] = ABSENT
    destinationVertical: str | None = ABSENT
    linkOptions: list[Any] = ABSENT
    lastSyncStartedAt: str | None = ABSENT
    lastSyncCompletedAt: str | None = ABSENT
    disabled: bool = ABSENT
    metadata: Any = ABSENT


_STREAMS = Observed("a map from a stream's name to {disabled?: boolean, fields?: [string]}")


class PipelineCreateBody(Input):
    """Body of endpoint 13. Which fields are required is not in the contract."""

    id: Annotated[str, *prefixed("pipe_"), Observed("an id that exists is updated", required=True)] = ABSENT
    metadata: Any = Field(ABSENT, description="Any JSON object of your own")
    disabled: bool = ABSENT
    sourceId: Annotated[str, *prefixed("conn_")] = ABSENT
    streams: Annotated[dict[str, Any], _STREAMS] = ABSENT
    destinationId: Annotated[str, *prefixed("conn_")] = ABSENT


class PipelinePath(Input):
    """Path of endpoint 14."""

    id: Annotated[str, *prefixed("pipe_")]


class PipelineUpdateBody(Input):
    """Body of endpoint 14."""

    metadata: Annotated[
        Any,
        Observed("a nested object is replaced whole; a key set to null stays as null; null clears all of it"),
    ] = Field(ABSENT, description="Merged into the existing metadata at the top level only")
    disabled: bool = ABSENT
    streams: Annotated[dict[str, Any] | None, Observed(f"merged at the top level only; {_STREAMS.note}")] = (
        ABSENT
    )


class ConnectionPath(Input):
    """Path of endpoint 15."""

    id: Annotated[str, *prefixed("conn_")]


def _in_row(number: int) -> Any:
    """A flag in a row of its own: side by side their names are cut in a narrow window."""
    return Field(ABSENT, json_schema_extra={"row": number})


if TYPE_CHECKING:

    class ConnectionCheckBody(Input):
        """Body of endpoint 15. Its fields are declared below: one has a Python keyword as its name (``import``)."""

else:
    ConnectionCheckBody = create_model(
        "ConnectionCheckBody",
        __base__=Input,
        __module__=__name__,
        __doc__="Body of the connection check: flags, each true, false or null.",
        **{
            "skipCache": (bool | None, _in_row(1)),
            "import": (
                Annotated[bool | None, Observed("if left out, it imports; only false prevents it")],
                _in_row(2),
            ),
            "updateWebhook": (bool | None, _in_row(3)),
            "sandboxSimulateUpdate": (bool | None, _in_row(4)),
            "sandboxSimulateDisconnect": (bool | None, _in_row(5)),
        },
    )


class CustomerPath(Input):
    """Path of endpoint 16."""

    id: str


class CustomerBody(Input):
    """Body of endpoint 16."""

    metadata: Any = ABSENT


class Customer(Record):
    """A customer (contract 2.12)."""

    id: str
    orgId: str
    metadata: Annotated[Any, Observed("absent if none was sent")] = ABSENT


PIPELINES = Resource(
    key="core/pipeline",
    title="Pipelines",
    icon="flow",
    record=Pipeline,
    label=(),
    columns=(
        Column("id", "id", 180),
        Column("sourceId", "id", 170),
        Column("destinationId", "id", 170),
        Column("disabled", "boolean", 90),
        Column("sourceVertical", "text", 120),
        Column("destinationVertical", "text", 130),
        Column("streams", "object", 140),
        Column("metadata", "any", 140),
        Column("lastSyncStartedAt", "date", 150),
        Column("lastSyncCompletedAt", "date", 150),
        Column("createdAt", "date", 150),
        Column("updatedAt", "date", 150),
        Column("sourceState", "object", 140, hidden=True),
        Column("destinationState", "object", 140, hidden=True),
        Column("linkOptions", "array", 140, hidden=True),
    ),
    operations=(
        Write(
            key="core/pipeline/create",
            number=13,
            title="Create pipeline",
            method="POST",
            path="/v0/core/pipeline",
            body=PipelineCreateBody,
            answer=Pipeline,
        ),
        Write(
            key="core/pipeline/update",
            number=14,
            title="Update pipeline",
            method="PATCH",
            path="/v0/core/pipeline/{id}",
            path_input=PipelinePath,
            body=PipelineUpdateBody,
            answer=Pipeline,
            note="Metadata is merged at the top level only: a nested object replaces the stored one.",
        ),
    ),
)

CONNECTION = Resource(
    key="core/connection",
    title="Connection check",
    icon="plug",
    operations=(
        Write(
            key="core/connection/check",
            number=15,
            title="Check connection",
            method="POST",
            path="/v0/core/connection/{id}/_check",
            path_input=ConnectionPath,
            body=ConnectionCheckBody,
            answers_connection=True,
            note=(
                "A check is a write: the service may change the stored connection, whatever the flags "
                "say, even with all of them false or left out. The response may hold the connection's "
                "own access tokens and keys."
            ),
        ),
    ),
)

CUSTOMERS = Resource(
    key="core/customer",
    title="Customers",
    icon="user",
    record=Customer,
    label=(),
    columns=columns_of(Customer, metadata=300),
    operations=(
        Write(
            key="core/customer/put",
            number=16,
            title="Create or replace customer",
            method="PUT",
            path="/v0/core/customer/{id}",
            path_input=CustomerPath,
            body=CustomerBody,
            answer=Customer,
            note="Replaces the whole customer with that id, or creates it.",
        ),
    ),
)

CORE = Vertical(key="core", title="Core", resources=(PIPELINES, CONNECTION, CUSTOMERS))
