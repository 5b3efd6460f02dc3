"""Magic link."""

import re

import pytest
from pydantic import ValidationError

from explorer.catalog.builtin.connect import (
    VALIDITY_SECONDS,
    MagicLink,
    MagicLinkBody,
    WebhookAnswer,
    WebhookPath,
    connector_names,
)
from explorer.catalog.fields import fields_of


def test_validity_is_thirty_days_and_not_sent() -> None:
    assert VALIDITY_SECONDS == 30 * 24 * 60 * 60
    assert MagicLinkBody(customerId="c").model_dump(exclude_unset=True) == {"customerId": "c"}
    assert {f.name for f in fields_of(MagicLinkBody) if f.default} == {"validityInSeconds"}


@pytest.mark.parametrize("text", ['{"customerId":""}', '{"theme":"blue"}', '{"view":"edit"}'])
def test_what_breaks_the_contract(text: str) -> None:
    with pytest.raises(ValidationError):
        MagicLinkBody.model_validate_json(text)


@pytest.mark.parametrize("seconds", ["0", "-1", "0.5"])
def test_the_contract_sets_no_bounds_on_validity(seconds: str) -> None:
    body = MagicLinkBody.model_validate_json(f'{{"validityInSeconds":{seconds}}}')
    assert body.validityInSeconds == float(seconds)


def test_a_link_is_required() -> None:
    with pytest.raises(ValidationError):
        MagicLink.model_validate_json("{}")


def test_the_names_are_whole() -> None:
    names = connector_names()
    assert len(names) == len(set(names)) == 171
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)
    assert {"hubspot", "greenhouse", "acme-oauth2"} <= set(names)


def test_names_are_offered_and_no_rule() -> None:
    (field,) = fields_of(WebhookPath)
    assert field.suggestions == connector_names()
    assert field.choices == ()
    assert WebhookPath(connector_name="brand-new").connector_name == "brand-new"


@pytest.mark.parametrize("text", ["{}", '{"status":"fine"}', '{"status":null}'])
def test_status_is_ok_or_error(text: str) -> None:
    with pytest.raises(ValidationError):
        WebhookAnswer.model_validate_json(text)


def test_info_is_anything() -> None:
    assert WebhookAnswer.model_validate_json('{"status":"error","info":[1]}').info == [1]
