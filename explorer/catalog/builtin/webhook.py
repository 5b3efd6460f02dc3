"""Webhooks: a call to the receiver of one named connector (contract 2.15, endpoint 18)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from explorer.catalog.spec import ABSENT, Input, Observed, Record, Resource, Vertical, Write
from explorer.paths import resource


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
