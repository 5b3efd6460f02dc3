"""Webhook: names are offered, others allowed."""

import re

import pytest
from pydantic import ValidationError

from explorer.catalog.builtin.webhook import WebhookAnswer, WebhookPath, connector_names
from explorer.catalog.fields import fields_of


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
