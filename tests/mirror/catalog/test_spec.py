"""Declarations: absent is not null, strict types, extra fields kept, wrong declarations fail at once."""

import copy
import dataclasses
import pickle
from typing import Annotated, Any, Literal

import pytest
from pydantic import ValidationError

from explorer.catalog.spec import (
    ABSENT,
    Column,
    Envelope,
    Input,
    Kind,
    Observed,
    Record,
    Resource,
    columns_of,
    kind_of,
    prefixed,
)
from tests.builtin import registry


class Thing(Record):
    """A record with one field of each sort."""

    id: Annotated[str, *prefixed("thing_")] = ABSENT
    name: str | None = ABSENT
    size: float | int = ABSENT
    on: bool = ABSENT
    state: Literal["a", "b"] = ABSENT
    any: Any = ABSENT


def test_absent_null_and_a_value_are_three_things() -> None:
    absent, null, value = (Thing.model_validate_json(t) for t in ("{}", '{"name":null}', '{"name":"x"}'))
    assert (absent.name, absent.model_fields_set) == (ABSENT, set())
    assert (null.name, null.model_fields_set) == (None, {"name"})
    assert (value.name, value.model_fields_set) == ("x", {"name"})
    assert absent.model_dump(exclude_unset=True) == {}
    assert null.model_dump(exclude_unset=True) == {"name": None}


def test_absent_is_one_thing_and_false() -> None:
    assert not ABSENT
    assert repr(ABSENT) == "ABSENT"
    assert copy.copy(ABSENT) is ABSENT
    assert copy.deepcopy([ABSENT])[0] is ABSENT
    assert pickle.loads(pickle.dumps(ABSENT)) is ABSENT
    assert type(ABSENT)() is ABSENT


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('{"id":"other_1"}', "id"),
        ('{"id":1}', "id"),
        ('{"name":1}', "name"),
        ('{"size":"1"}', "size"),
        ('{"size":true}', "size"),
        ('{"size":null}', "size"),
        ('{"on":"true"}', "on"),
        ('{"on":1}', "on"),
        ('{"state":"c"}', "state"),
    ],
)
def test_what_does_not_fit_is_a_fault_of_that_field(text: str, field: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Thing.model_validate_json(text)
    assert {e["loc"][0] for e in caught.value.errors()} == {field}


def test_numbers_stay_exact() -> None:
    big = 2**64 + 1
    seen = Thing.model_validate_json(f'{{"size":{big}}}').size
    assert (seen, type(seen)) == (big, int)
    assert type(Thing.model_validate_json('{"size":1.0}').size) is float


def test_extra_fields_are_kept() -> None:
    thing = Thing.model_validate_json('{"new":{"a":[1]},"name":"x"}')
    assert thing.model_extra == {"new": {"a": [1]}}
    assert thing.model_dump(exclude_unset=True) == {"name": "x", "new": {"a": [1]}}

    class Given(Input):
        """An input with one field."""

        a: str = ABSENT

    assert Given(a="1", b=2).model_dump(exclude_unset=True) == {"a": "1", "b": 2}  # type: ignore[call-arg]


def test_prefix_fault_is_in_the_words_of_the_contract() -> None:
    with pytest.raises(ValidationError) as caught:
        Thing(id="x")
    assert caught.value.errors()[0]["msg"] == "must start with thing_"


@pytest.mark.parametrize(
    ("columns", "label"),
    [((Column("nam"),), ("name",)), ((), ("nam",)), ((Column("name"), Column("name")), ("name",))],
)
def test_a_column_or_label_that_is_no_field_never_starts(
    columns: tuple[Column, ...], label: tuple[str, ...]
) -> None:
    with pytest.raises(ValueError, match=r"^a/thing: "):
        Resource(key="a/thing", title="Thing", operations=(), record=Thing, columns=columns, label=label)


def test_a_column_needs_a_record() -> None:
    with pytest.raises(ValueError, match="name"):
        Resource(key="a/thing", title="Thing", operations=(), columns=(Column("name"),))


def test_columns_of_a_record() -> None:
    made = columns_of(Thing, hidden=("any",), name=300)
    assert [(c.field, c.kind, c.hidden) for c in made] == [
        ("id", "id", False),
        ("name", "text", False),
        ("size", "number", False),
        ("on", "boolean", False),
        ("state", "text", False),
        ("any", "any", True),
    ]
    assert made[1].width == 300


@pytest.mark.parametrize(
    ("annotation", "name", "kind"),
    [
        (str, "user_id", "id"),
        (str, "sourceId", "id"),
        (str, "updated_at", "date"),
        (str | None, "createdAt", "date"),
        (str, "paid", "text"),
        (float | int, "", "number"),
        (float | int | None, "", "number"),
        (bool | None, "", "boolean"),
        (list[str] | None, "", "array"),
        (dict[str, Any], "", "object"),
        (Thing, "", "object"),
        (Literal["a"], "", "text"),
        (Any, "", "any"),
        (str | int, "", "any"),
    ],
)
def test_kinds(annotation: object, name: str, kind: Kind) -> None:
    assert kind_of(annotation, name) == kind


def test_observed_enforces_nothing() -> None:
    class Seen(Input):
        """A field that one service refused to miss."""

        a: Annotated[str, Observed(required=True, choices=("x",))] = ABSENT

    assert Seen().model_fields_set == set()
    assert Seen(a="y").a == "y"


def test_a_list_has_no_paging_that_its_method_cannot_have() -> None:
    jobs = registry.listing("ats/job")
    with pytest.raises(ValueError, match="only a GET can go on"):
        dataclasses.replace(jobs, method="POST", paging="url")
    with pytest.raises(ValueError, match="a GET has no body for cursor"):
        dataclasses.replace(jobs, cursor_in="body")
    with pytest.raises(ValueError, match="only a cursor or an address"):
        dataclasses.replace(jobs, paging="offset")
    bare = Envelope("bare", items="$")
    with pytest.raises(ValueError, match="and then it has to"):
        dataclasses.replace(jobs, envelope=bare)
    counted = [
        k for k in ("offset", "page", "none") if dataclasses.replace(jobs, envelope=bare, paging=k).is_counted
    ]
    assert counted == ["offset", "page"]
    assert not jobs.is_counted
