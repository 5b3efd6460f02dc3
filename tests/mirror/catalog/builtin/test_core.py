"""Pipelines, connection check, customers."""

import pytest
from pydantic import BaseModel, ValidationError

from explorer.catalog.builtin.core import (
    ConnectionCheckBody,
    ConnectionPath,
    Customer,
    Pipeline,
    PipelineCreateBody,
    PipelinePath,
    PipelineUpdateBody,
)


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (PipelinePath, '{"id":"conn_1"}'),
        (ConnectionPath, '{"id":"pipe_1"}'),
        (PipelineCreateBody, '{"id":"p"}'),
        (PipelineCreateBody, '{"sourceId":"pipe_1"}'),
        (PipelineCreateBody, '{"destinationId":""}'),
        (PipelineCreateBody, '{"streams":null}'),
        (Pipeline, '{"id":"p_1","createdAt":"x","updatedAt":"x"}'),
        (Pipeline, '{"id":"pipe_1","createdAt":"x"}'),
        (Pipeline, '{"id":"pipe_1","createdAt":"x","updatedAt":"x","sourceId":"x"}'),
        (Pipeline, '{"id":"pipe_1","createdAt":"x","updatedAt":"x","linkOptions":null}'),
        (ConnectionCheckBody, '{"import":"true"}'),
        (Customer, '{"id":"1"}'),
    ],
)
def test_what_breaks_the_contract(model: type[BaseModel], text: str) -> None:
    with pytest.raises(ValidationError):
        model.model_validate_json(text)


def test_update_tells_null_from_absent() -> None:
    assert PipelineUpdateBody.model_validate_json('{"streams":null,"metadata":null}').model_fields_set == {
        "streams",
        "metadata",
    }


def test_a_field_named_import_goes_by_its_own_name() -> None:
    body = ConnectionCheckBody.model_validate_json('{"import":true,"skipCache":null}')
    assert body.model_fields_set == {"import", "skipCache"}
    assert body.model_dump(exclude_unset=True) == {"skipCache": None, "import": True}
