"""What is told of a page's records while it is kept is what pydantic says of each, whatever they are."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError

from explorer.catalog.fields import fields_of
from explorer.catalog.misfits import misfits_of
from explorer.catalog.spec import ABSENT, Record, prefixed
from explorer.store import schema_validator
from explorer.store.indexed_columns import Extractor, IndexedColumns
from explorer.store.schema_validator import model_of
from explorer.store.values import ALL_FIT, Field, Fit
from explorer.ui.records.misfits import findings_of
from tests.builtin import registry
from tests.thorough import examples

MODELS: dict[type[BaseModel], IndexedColumns] = {
    resource.record: IndexedColumns(Field(c.field, c.summary, c.kind) for c in resource.columns)
    for resource in registry.resources()
    if resource.record is not None and resource.columns
}
EXTRACTORS = {model: Extractor(shape, model) for model, shape in MODELS.items()}
BARE = {model: Extractor(shape) for model, shape in MODELS.items()}
LISTED = [resource.listing.record for resource in registry.listings() if resource.listing]

texts = st.text(max_size=6).map(lambda text: json.dumps(text, ensure_ascii=len(text) % 2 == 0))
numbers = st.one_of(
    st.integers().map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.sampled_from(
        ["1.0", "-0", "-0.0", "1e400", "-1E999", "1e-9999", "9" * 400, "9" * 4300, "12" * 30 + ".5", "1E2"]
    ),
)
strange = st.sampled_from(
    ['"\\ud800"', '"\\ud83d\\ude00"', "NaN", "-Infinity", "01", "tru", '"a\x01"', "[1,]", '"\\u0000"']
)
plain = st.one_of(st.just("null"), st.sampled_from(["true", "false"]), texts, numbers)


def arrays(items: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(items, max_size=3).map(lambda made: "[" + ",".join(made) + "]")


def objects(members: st.SearchStrategy[tuple[str, str]]) -> st.SearchStrategy[str]:
    """Members in any order, keys twice among them."""
    return st.lists(members, max_size=7).map(lambda made: "{" + ", ".join(f"{k}:{v}" for k, v in made) + "}")


anything = st.recursive(
    plain | strange, lambda inner: arrays(inner) | objects(st.tuples(texts, inner)), max_leaves=4
)
open_objects = objects(st.tuples(texts, plain | arrays(plain)))


def member(name: str, value: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, str]]:
    key = st.sampled_from([json.dumps(name), f'"\\u{ord(name[0]):04x}{name[1:]}"'])
    return st.tuples(key, value)


def fitting(kind: str, items: str | None, model: type[BaseModel] | None, choices: tuple[str, ...]) -> Any:
    """Values of that kind as JSON, most of them fitting."""
    if choices:
        return st.sampled_from([json.dumps(choice) for choice in choices]) | texts
    if kind == "array":
        inner = records(model) if model else fitting(items or "any", None, None, ())
        return arrays(inner | inner | anything if model else inner | plain)
    if kind == "object":
        return records(model) if model else open_objects
    if kind == "number":
        return numbers
    return {"boolean": st.sampled_from(["true", "false"]), "any": anything}.get(kind, texts)


def records(model: type[BaseModel]) -> st.SearchStrategy[str]:
    """Records of ``model`` that fit or nearly do."""
    members = []
    required = []
    for field in fields_of(model):
        value = fitting(field.kind, field.items, field.model, field.choices)
        members += [member(field.name, value)] * 3 + [member(field.name, plain | anything)]
        if field.required:
            required.append(member(field.name, value))
    extra = st.tuples(texts, anything)
    some = st.lists(st.one_of(*members, extra), max_size=6)
    return st.tuples(st.tuples(*required), some).map(
        lambda made: "{" + ",".join(f"{key} : {value}" for key, value in (*made[0], *made[1])) + "}"
    )


def data(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def refused(model: type[BaseModel], record: bytes) -> bool:
    try:
        model.model_validate_json(record)
    except ValidationError:
        return True
    return False


def fit_of(model: type[BaseModel], record: bytes) -> Fit:
    """What pydantic refuses of a record, and whether all of that are nulls that running services send."""
    if not refused(model, record):
        return ALL_FIT
    try:
        known = all(one.is_known_null for one in misfits_of(model, record, json.loads(record)))
    except (ValueError, RecursionError):
        known = False
    return Fit(int(not known), int(known))


def held(model: type[BaseModel], page: list[bytes]) -> None:
    block, fit = EXTRACTORS[model].block_and_fit(page)
    assert fit == Fit.sum(fit_of(model, record) for record in page)
    assert block == BARE[model].block(page)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
@settings(max_examples=examples(40), deadline=None)
@given(st.data())
def test_a_page_tells_what_pydantic_says_of_each_record(model: type[BaseModel], data_: st.DataObject) -> None:
    odd = anything | st.sampled_from(["{}", "{ }", "[]", "null", '{"id":"1","id":1}'])
    held(
        model,
        [data(text) for text in data_.draw(st.lists(records(model) | records(model) | odd, max_size=5))],
    )


@settings(max_examples=examples(80), deadline=None)
@given(st.sampled_from(LISTED).flatmap(lambda model: st.tuples(st.just(model), records(model))))
def test_findings_of_a_record_and_the_count_agree(made: tuple[type[BaseModel], str]) -> None:
    model, record = made[0], data(made[1])
    try:
        json.loads(record)
        TypeAdapter(dict[str, Any]).validate_json(record)
    except (ValidationError, ValueError):
        return
    found = findings_of(record, model)
    assert EXTRACTORS[model].block_and_fit([record])[1] == (
        bool(found.broken),
        bool(found.observed and not found.broken),
    )


@settings(max_examples=examples(80), deadline=None)
@given(st.sampled_from(LISTED), st.data())
def test_a_torn_record_spoils_only_itself(model: type[BaseModel], data_: st.DataObject) -> None:
    whole = data(data_.draw(records(model)))
    at = data_.draw(st.integers(0, len(whole)))
    torn = whole[:at] + data_.draw(st.binary(max_size=2)) + whole[at + 1 :]
    try:
        json.loads(torn)
    except ValueError:
        torn = whole
    held(model, [b"{}", torn, whole])


@pytest.mark.parametrize("model", LISTED, ids=lambda model: model.__name__)
def test_no_list_of_the_catalog_needs_pydantic_for_each_record(
    model: type[BaseModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        schema_validator.SchemaValidator, "fit_of", lambda *_: pytest.fail("pydantic was asked")
    )
    page = [b'{"id":"1","raw_data":{"a":1}}', b'{"id":null}', b'{"id":2}', b'{"raw_data":{}}', b"{}"]
    assert sum(EXTRACTORS[model].block_and_fit(page)[1] or ()) == 2


def test_nulls_that_running_services_send_are_counted_apart_inside_too() -> None:
    model = registry.listing("ats/job").record
    page = [
        b'{"id":"1","offices":null}',
        b'{"id":"2","departments":[{"id":null,"name":"a"}]}',
        b'{"id":"3","offices":null,"confidential":"yes"}',
        b'{"id":"4","departments":[null]}',
        b'{"id":"5","name":"a"}',
    ]
    held(model, page)
    assert EXTRACTORS[model].block_and_fit(page)[1] == (2, 2)


class Ruled(Record):
    """A record with a rule that kinds cannot say."""

    id: Annotated[str, *prefixed("x_")] = ABSENT


@pytest.mark.parametrize(
    ("model", "fields"),
    [(Ruled, [Field("id")]), (registry.listing("ats/job").record, [Field("id")]), (Ruled, [])],
)
def test_what_kinds_cannot_say_is_asked_of_pydantic(model: type[BaseModel], fields: list[Field]) -> None:
    page = [b'{"id":"x_1","name":"a"}', b'{"id":"1","name":5}', b"{}", b"[]"]
    made = Extractor(IndexedColumns(fields), model).block_and_fit(page)[1]
    assert made == Fit.sum(fit_of(model, record) for record in page)


WRONG = (
    "null",
    "true",
    "1",
    "1.5",
    "1e400",
    '"a"',
    "[]",
    "{}",
    "[null]",
    '[{"id":1}]',
    '{"download":1}',
    '["a"]',
)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_each_kind_of_value_in_each_field(model: type[BaseModel]) -> None:
    start = "".join(f'"{field.name}":"a",' for field in fields_of(model) if field.required)
    for field in fields_of(model):
        page = [data(f'{{{start}"{field.name}":{value}}}') for value in WRONG]
        held(model, page)
        for record in page:
            held(model, [record, record])


def test_limits_of_a_reader_are_no_findings() -> None:
    model = registry.listing("ats/job").record
    deep = b'{"raw_data":{"a":' + b"[" * 300 + b"]" * 300 + b"}}"
    long = b'{"raw_data":{"a":' + b"9" * 5000 + b"}}"
    assert refused(model, deep)
    assert refused(model, long)
    assert EXTRACTORS[model].block_and_fit([deep, long, b"{}"])[1] == ALL_FIT


def test_what_is_no_utf_8_does_not_fit() -> None:
    model = registry.listing("ats/job").record
    held(model, [b'{"raw_data":{"a":"\xff"}}', b'{"id":"1"}'])
    held(model, [b'{"name":"\xed\xa0\x80"}'])


def test_a_record_too_large_to_ask_makes_the_page_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    model = registry.listing("ats/job").record
    monkeypatch.setattr(schema_validator, "CHECK_BOUND", 50)
    large = b'{"raw_data":{"a":NaN, "b":"%b"}}' % (b"x" * 50)
    assert EXTRACTORS[model].block_and_fit([b"{}", large])[1] is None
    assert EXTRACTORS[model].block_and_fit([b'{"id":1}', b'{"name":"%b"}' % (b"x" * 50)])[1] == (1, 0)
    assert EXTRACTORS[model].block_and_fit([b'{"a":NaN,"id":1}'])[1] == (1, 0)


def test_without_a_model_nothing_is_known() -> None:
    assert Extractor(IndexedColumns([Field("id")])).block_and_fit([b"{}"])[1] is None


def test_the_models_of_lists_are_found_by_their_keys() -> None:
    assert model_of("ats/job") is registry.listing("ats/job").record
    assert model_of("core/customer") is None
    assert model_of("") is None
