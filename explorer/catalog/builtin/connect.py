"""Connect: the magic link with which a customer manages connections (contract 2.13, endpoint 17), and webhooks.

A webhook is a call to the receiver of one named connector (contract 2.15, endpoint 18).
"""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from explorer.catalog.spec import ABSENT, Input, Observed, Record, Resource, Vertical, Write
from explorer.paths import resource

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


def connector_names() -> tuple[str, ...]:
    """The connector names that were observed in August 2025, in order. The set grows: other names are valid too."""
    lines = resource("connector_names.txt").read_text("utf-8").splitlines()
    return tuple(name for line in lines if (name := line.strip()))


class WebhookPath(Input):
    """Path of endpoint 18. The contract speaks of a fixed set of about 170 names and does not list them."""

    connector_name: Annotated[
        str, Observed("names seen in August 2025; the set grows", choices=connector_names())
    ]


class WebhookAnswer(Record):
    """Answer of endpoint 18 (contract 2.15)."""

    status: Literal["ok", "error"]
    info: Any = ABSENT


SEND_WEBHOOK = Resource(
    key="webhook",
    title="Send webhook",
    icon="webhook",
    record=WebhookAnswer,
    label=(),
    operations=(
        Write(
            key="webhook",
            number=18,
            title="Send webhook",
            method="POST",
            path="/v1/webhook/{connector_name}",
            path_input=WebhookPath,
            answer=WebhookAnswer,
            bearer=True,
            free_body=True,
            note="Takes a bearer token. Connectors without webhooks answer 501; errors may have status 200.",
        ),
    ),
)

WEBHOOK = Vertical(key="webhook", title="Webhooks", resources=(SEND_WEBHOOK,))
