"""Connect: the magic link that a customer opens to manage or add connections (contract 2.13, endpoint 17)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from explorer.catalog.spec import ABSENT, Input, Observed, Record, Resource, Vertical, Write

VALIDITY_SECONDS = 2_592_000
"""The validity that the service assumes when none is sent: 30 days (contract 8)."""


class MagicLink(Record):
    """Answer of endpoint 17. The address is a credential: whoever holds it acts as that customer."""

    url: str


class MagicLinkBody(Input):
    """Body of endpoint 17."""

    customerId: Annotated[str, StringConstraints(min_length=1)] = Field(
        ABSENT, description="The customer who receives the link", json_schema_extra={"row": 1}
    )
    validityInSeconds: Annotated[
        float | int, Observed("zero or less gives a link that has already ended")
    ] = Field(
        ABSENT,
        description="How long the link is valid",
        json_schema_extra={"assumed": VALIDITY_SECONDS, "row": 3},
    )
    displayName: str | None = Field(ABSENT, description="What to call the user", json_schema_extra={"row": 2})
    redirectUrl: str | None = Field(
        ABSENT,
        description="Where to send the user after connecting, or on back",
        json_schema_extra={"row": 5},
    )
    connectorNames: str | None = Field(
        ABSENT,
        description="Connector names, comma-separated; only these are offered",
        json_schema_extra={"row": 6},
    )
    integrationIds: str | None = Field(
        ABSENT,
        description="Integration ids, comma-separated; only these are offered",
        json_schema_extra={"row": 7},
    )
    connectionId: str | None = Field(
        ABSENT, description="Only this connection is managed", json_schema_extra={"row": 8}
    )
    theme: Literal["light", "dark"] | None = Field(ABSENT, json_schema_extra={"row": 3})
    view: Literal["manage", "manage-deeplink", "add", "add-deeplink"] | None = Field(
        ABSENT, json_schema_extra={"row": 4}
    )


MAGIC_LINK = Resource(
    key="connect/magic-link",
    title="Magic link",
    icon="link",
    record=MagicLink,
    label=(),
    operations=(
        Write(
            key="connect/magic-link",
            number=17,
            title="Create magic link",
            method="POST",
            path="/v0/connect/magic-link",
            body=MagicLinkBody,
            answer=MagicLink,
            secret_fields=("url",),
            note="The link is a credential: whoever has it acts as that customer.",
        ),
    ),
)

CONNECT = Vertical(key="connect", title="Connect", resources=(MAGIC_LINK,))
