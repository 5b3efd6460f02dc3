"""CRM: contacts (contract 2.1, endpoints 1 to 3) and accounts (contract 2.2, endpoint 4)."""

from typing import Annotated, Any, Literal

from pydantic import Field

from explorer.catalog.builtin.envelopes import TYPE_A
from explorer.catalog.spec import (
    ABSENT,
    NULL_WAS_SEEN,
    RAW,
    Batch,
    Column,
    Input,
    Observed,
    Record,
    Resource,
    Vertical,
    Write,
    columns_of,
)


class Contact(Record):
    """A contact in an answer (contract 2.1)."""

    id: Annotated[str, Observed("always there")] = ABSENT
    updated_at: Annotated[str, Observed("always there")] = ABSENT
    raw_data: Annotated[dict[str, Any], NULL_WAS_SEEN, RAW] = ABSENT
    first_name: Annotated[str, NULL_WAS_SEEN] = ABSENT
    last_name: Annotated[str, NULL_WAS_SEEN] = ABSENT
    email: Annotated[str, NULL_WAS_SEEN] = ABSENT
    phone: Annotated[str, NULL_WAS_SEEN] = ABSENT


class ContactAnswer(Record):
    """Answer of endpoints 1, 2 and 3: one contact under ``record`` (contract 4, rule 3)."""

    record: Contact = ABSENT


class ContactInput(Input):
    """A contact in a request (contract 2.1, which does not show which fields are required)."""

    first_name: Annotated[str, NULL_WAS_SEEN] = ABSENT
    last_name: Annotated[str, NULL_WAS_SEEN] = ABSENT
    email: Annotated[str, NULL_WAS_SEEN] = ABSENT
    phone: Annotated[str, NULL_WAS_SEEN] = ABSENT
    passthrough_fields: Annotated[dict[str, Any], NULL_WAS_SEEN] = Field(
        ABSENT, description="The third party's own fields, by its own names"
    )


class ContactPath(Input):
    """Path of endpoint 2."""

    id: str


class ContactBody(Input):
    """Body of endpoints 1 and 2."""

    record: ContactInput = ABSENT


class UpsertOn(Input):
    """The field and its values by which an existing contact is matched."""

    key: str = Field(ABSENT, examples=["email"])
    values: list[str] = ABSENT


class ContactUpsertBody(Input):
    """Body of endpoint 3."""

    upsert_on: Annotated[
        UpsertOn, Observed("no match creates, one match updates, two or more are refused")
    ] = ABSENT
    record: ContactInput = ABSENT


_ADDRESS_TYPES = Observed(choices=("primary", "mailing", "other", "billing", "shipping"))


class Address(Record):
    """An address of an account. Allowed values of its type are not in the contract."""

    address_type: Annotated[str, _ADDRESS_TYPES] = ABSENT
    city: str = ABSENT
    country: str = ABSENT
    postal_code: str = ABSENT
    state: str = ABSENT
    street_1: str = ABSENT
    street_2: str = ABSENT


class PhoneNumber(Record):
    """A phone number of an account. Allowed values of its type are not in the contract."""

    phone_number: str = ABSENT
    phone_number_type: Annotated[str, Observed(choices=("primary", "mobile", "fax", "other"))] = ABSENT


LifecycleStage = Literal[
    "subscriber",
    "lead",
    "marketingqualifiedlead",
    "salesqualifiedlead",
    "opportunity",
    "customer",
    "evangelist",
    "other",
]


class Account(Record):
    """An account (contract 2.2)."""

    id: str
    updated_at: str = Field(json_schema_extra={"format": "date"})
    raw_data: Annotated[dict[str, Any], RAW] = ABSENT
    name: str | None = ABSENT
    is_deleted: bool | None = ABSENT
    website: str | None = ABSENT
    industry: str | None = ABSENT
    number_of_employees: float | int | None = ABSENT
    owner_id: str | None = ABSENT
    created_at: str | None = ABSENT
    description: str | None = ABSENT
    last_activity_at: str | None = Field(ABSENT, json_schema_extra={"format": "date-time"})
    addresses: list[Address] | None = ABSENT
    phone_numbers: list[PhoneNumber] | None = ABSENT
    lifecycle_stage: LifecycleStage | None = ABSENT
    last_modified_at: str | None = ABSENT


class AccountBatchBody(Input):
    """Body of endpoint 4."""

    ids: Annotated[
        list[str], Observed("unknown ids are left out of the response, which may be in another order")
    ] = Field(json_schema_extra={"row": 1})
    properties: Annotated[
        list[str], Observed("names as in the third party; a property not requested is absent")
    ] = Field(json_schema_extra={"row": 1})


CONTACTS = Resource(
    key="crm/contact",
    title="Contacts",
    icon="people",
    record=Contact,
    label=("first_name", "last_name", "email"),
    columns=columns_of(Contact, hidden=("raw_data",)),
    operations=(
        Write(
            key="crm/contact/create",
            number=1,
            title="Create contact",
            method="POST",
            path="/v0/unified/crm/contact",
            body=ContactBody,
            answer=ContactAnswer,
        ),
        Write(
            key="crm/contact/update",
            number=2,
            title="Update contact",
            method="PATCH",
            path="/v0/unified/crm/contact/{id}",
            path_input=ContactPath,
            body=ContactBody,
            answer=ContactAnswer,
        ),
        Write(
            key="crm/contact/upsert",
            number=3,
            title="Upsert contact",
            method="POST",
            path="/v0/unified/crm/contact/_upsert",
            body=ContactUpsertBody,
            answer=ContactAnswer,
        ),
    ),
)

ACCOUNTS = Resource(
    key="crm/account",
    title="Accounts",
    record=Account,
    label=("name", "website"),
    columns=(
        Column("id", "id", 150),
        Column("name", "text", 200),
        Column("lifecycle_stage", "text", 130),
        Column("industry", "text", 140),
        Column("number_of_employees", "number", 110),
        Column("website", "text", 170),
        Column("owner_id", "id", 130),
        Column("is_deleted", "boolean", 90),
        Column("addresses", "array", 150, summary="city"),
        Column("phone_numbers", "array", 150, summary="phone_number"),
        Column("updated_at", "date", 150),
        Column("created_at", "date", 150),
        Column("last_activity_at", "date", 150),
        Column("last_modified_at", "date", 150),
        Column("description", "text", 200),
        Column("raw_data", "object", 140, hidden=True),
    ),
    operations=(
        Batch(
            key="crm/account/batch_read",
            number=4,
            title="Read accounts",
            method="POST",
            path="/v0/unified/crm/account/_batch_read",
            body=AccountBatchBody,
            answer=Account,
            answer_is_array=True,
            record=Account,
            envelope=TYPE_A,
            note="Reads many accounts by their ids in one call.",
        ),
    ),
)

CRM = Vertical(key="crm", title="CRM", resources=(CONTACTS, ACCOUNTS))
