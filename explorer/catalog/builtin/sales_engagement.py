"""Sales engagement: mailboxes (contract 2.7, endpoint 8) and sequence states (contract 2.8, endpoint 9)."""

from typing import Annotated, Any

from explorer.catalog.builtin.envelopes import TYPE_B
from explorer.catalog.spec import ABSENT, RAW, Column, Input, Listing, Record, Resource, Vertical


class Mailbox(Record):
    """A mailbox (contract 2.7)."""

    id: str = ABSENT
    email: str = ABSENT
    created_at: str = ABSENT
    updated_at: str = ABSENT
    last_modified_at: str = ABSENT
    user_id: str = ABSENT
    is_deleted: bool = ABSENT
    raw_data: Annotated[dict[str, Any], RAW] = ABSENT


class SequenceState(Record):
    """The state of a contact in a sequence (contract 2.8). ``state`` is a free text."""

    id: str = ABSENT
    state: str = ABSENT
    created_at: str = ABSENT
    updated_at: str = ABSENT
    last_modified_at: str = ABSENT
    sequence_id: str = ABSENT
    contact_id: str = ABSENT
    mailbox_id: str = ABSENT
    user_id: str = ABSENT
    is_deleted: bool = ABSENT
    raw_data: Annotated[dict[str, Any], RAW] = ABSENT


class CursorQuery(Input):
    """Query of endpoints 8 and 9."""

    cursor: str | None = ABSENT


MAILBOXES = Resource(
    key="sales-engagement/mailbox",
    title="Mailboxes",
    icon="mail",
    record=Mailbox,
    label=("email",),
    columns=(
        Column("id", "id", 150),
        Column("email", "text", 260),
        Column("user_id", "id", 150),
        Column("is_deleted", "boolean", 90),
        Column("updated_at", "date", 150),
        Column("created_at", "date", 150),
        Column("last_modified_at", "date", 150),
        Column("raw_data", "object", 140, hidden=True),
    ),
    operations=(
        Listing(
            key="sales-engagement/mailbox",
            number=8,
            title="List mailboxes",
            method="GET",
            path="/v0/unified/sales-engagement/mailbox",
            query=CursorQuery,
            envelope=TYPE_B,
            record=Mailbox,
        ),
    ),
)

SEQUENCE_STATES = Resource(
    key="sales-engagement/sequence_state",
    title="Sequence states",
    record=SequenceState,
    label=("state",),
    columns=(
        Column("id", "id", 150),
        Column("state", "text", 130),
        Column("sequence_id", "id", 150),
        Column("contact_id", "id", 150),
        Column("mailbox_id", "id", 150),
        Column("user_id", "id", 150),
        Column("is_deleted", "boolean", 90),
        Column("updated_at", "date", 150),
        Column("created_at", "date", 150),
        Column("last_modified_at", "date", 150),
        Column("raw_data", "object", 140, hidden=True),
    ),
    operations=(
        Listing(
            key="sales-engagement/sequence_state",
            number=9,
            title="List sequence states",
            method="GET",
            path="/v0/unified/sales-engagement/sequence_state",
            query=CursorQuery,
            envelope=TYPE_B,
            record=SequenceState,
        ),
    ),
)

SALES_ENGAGEMENT = Vertical(
    key="sales-engagement", title="Sales engagement", resources=(MAILBOXES, SEQUENCE_STATES)
)
