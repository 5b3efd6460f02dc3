"""What a form reads from a model."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field as PydanticField
from pydantic import StringConstraints

from explorer.catalog.fields import Field, fields_of
from explorer.catalog.spec import ABSENT, Input, Observed, prefixed


class Inner(Input):
    """Inside."""

    a: str


class Form(Input):
    """One field of each sort."""

    id: Annotated[str, *prefixed("conn_")]
    name: Annotated[str, StringConstraints(min_length=1)] = PydanticField(ABSENT, description="Who")
    nick: Annotated[str, StringConstraints(min_length=3)] = ABSENT
    mode: Literal["full", "incremental"] | None = ABSENT
    seconds: float | int = PydanticField(ABSENT, json_schema_extra={"assumed": 60})
    share: float = PydanticField(ABSENT, ge=0, le=1)
    tags: list[str] = ABSENT
    inner: Inner = ABSENT
    inners: list[Inner] | None = ABSENT
    seen: Annotated[str, Observed(choices=("y", "x"))] = PydanticField(ABSENT, examples=["x"])
    free: Any = ABSENT


def field(name: str) -> Field:
    return {f.name: f for f in fields_of(Form)}[name]


def test_order_is_as_declared() -> None:
    assert [f.name for f in fields_of(Form)] == list(Form.model_fields)


def test_what_the_contract_asks_is_said_in_words() -> None:
    assert field("id").rule == "required, must start with conn_"
    assert field("name").rule == "must not be empty"
    assert field("nick").rule == "at least 3 characters"
    assert field("mode").rule == "one of full, incremental"
    assert field("free").rule == ""


def test_null_default_bounds_and_insides() -> None:
    assert [f.name for f in fields_of(Form) if f.nullable] == ["mode", "inners", "free"]
    assert field("seconds").default == 60
    assert field("name").default is ABSENT
    assert field("share").bounds == (0, 1)
    assert (field("tags").kind, field("tags").items, field("tags").model) == ("array", "text", None)
    assert (field("inner").kind, field("inner").model) == ("object", Inner)
    assert (field("inners").items, field("inners").model) == ("object", Inner)


def test_suggestions_are_examples_then_what_was_seen() -> None:
    assert field("seen").suggestions == ("x", "y")
    assert field("seen").choices == ()
    assert field("id").suggestions == ()


@pytest.mark.parametrize("name", ["seconds", "name"])
def test_an_assumed_default_is_never_sent(name: str) -> None:
    sent = Form(id="conn_1").model_dump(exclude_unset=True)
    assert name not in sent
