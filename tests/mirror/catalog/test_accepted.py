"""What the types of values decide of a model. That pydantic says the same is held by tests of the store and quality."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, field_validator

from explorer.catalog.accepted import Accepted, Undecidable, accepted_by
from explorer.catalog.builtin.ats import Job
from explorer.catalog.spec import ABSENT, NULL_WAS_SEEN, Record

_ABSENT, _NULL = type(ABSENT), type(None)


class Inner(Record):
    at: float | int


class Outer(Record):
    name: str
    state: Literal["open", "closed"] | None = ABSENT
    inner: list[Inner] = ABSENT
    said: Annotated[bool, NULL_WAS_SEEN] = ABSENT
    any: Any = ABSENT
    must: dict[str, Any]


def test_each_field_says_its_types_and_what_is_within() -> None:
    number = Accepted(frozenset({int, float}))
    assert accepted_by(Outer) == {
        "name": Accepted(frozenset({str})),
        "state": Accepted(frozenset({str, _NULL, _ABSENT}), choices=frozenset({"open", "closed"})),
        "inner": Accepted(
            frozenset({list, _ABSENT}), item=Accepted(frozenset({dict}), fields={"at": number})
        ),
        "said": Accepted(frozenset({bool, _ABSENT}), known_null=True),
        "must": Accepted(frozenset({dict})),
    }


def test_records_of_the_built_in_interface_are_decided() -> None:
    assert accepted_by(Job)["offices"].known_null


class Validated(Record):
    name: str

    @field_validator("name")
    @classmethod
    def _checked(cls, name: str) -> str:
        return name


class Bounded(Record):
    name: str = Field(min_length=1)


class Renamed(Record):
    name: str = Field(alias="title")


class Either(Record):
    name: str | bool


class Loose(BaseModel):
    model_config = ConfigDict(extra="allow")
    name: str


class Around(Record):
    inner: list[Bounded]


@pytest.mark.parametrize("model", [Validated, Bounded, Renamed, Either, Loose, Around])
def test_what_types_cannot_say_is_left_to_pydantic(model: type[BaseModel]) -> None:
    with pytest.raises(Undecidable):
        accepted_by(model)
