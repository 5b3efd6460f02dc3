"""Contacts and accounts: what is refused, what is not."""

import pytest
from pydantic import ValidationError

from explorer.catalog.builtin.crm import Account, AccountBatchBody, Contact, ContactBody, ContactUpsertBody


def test_nothing_of_a_contact_is_required() -> None:
    assert ContactBody.model_validate_json('{"record":{}}').record.model_fields_set == set()
    assert Contact.model_validate_json("{}").model_fields_set == set()


def test_upsert_keeps_what_was_given_and_nothing_else() -> None:
    text = '{"upsert_on":{"key":"email","values":["a@b.c"]},"record":{"email":"a@b.c"}}'
    assert ContactUpsertBody.model_validate_json(text).model_dump_json(exclude_unset=True) == text


@pytest.mark.parametrize("missing", ["ids", "properties"])
def test_batch_read_needs_both(missing: str) -> None:
    body = {"ids": ["1"], "properties": ["name"]}
    AccountBatchBody.model_validate(body)
    del body[missing]
    with pytest.raises(ValidationError) as caught:
        AccountBatchBody.model_validate(body)
    assert [(e["type"], e["loc"]) for e in caught.value.errors()] == [("missing", (missing,))]


def test_an_account_with_an_unknown_stage_or_address_type() -> None:
    with pytest.raises(ValidationError, match="lifecycle_stage"):
        Account.model_validate_json('{"id":"1","updated_at":"x","lifecycle_stage":"friend"}')
    seen = Account.model_validate_json('{"id":"1","updated_at":"x","addresses":[{"address_type":"moon"}]}')
    assert seen.addresses
    assert seen.addresses[0].address_type == "moon"
