"""From values to the wire: nothing is lost, nothing is added, no value changes the path."""

import json
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.catalog.request import PathFault, QueryFault, build, encode, fill, query_text
from tests.builtin import registry

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUE = TEXT.filter(lambda v: v not in ("", ".", ".."))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=12,
)


@given(first=VALUE, second=VALUE)
def test_a_value_stays_inside_its_segment(first: str, second: str) -> None:
    path = fill("/a/{x}/b/{y}", {"x": first, "y": second})
    split = urlsplit("http://host" + path)
    assert (split.netloc, split.query, split.fragment) == ("host", "", "")
    assert [unquote(p, errors="strict") for p in split.path.split("/")] == ["", "a", first, "b", second]


def test_a_value_is_no_template() -> None:
    assert fill("/{x}/{y}", {"x": "{y}", "y": "1"}) == "/%7By%7D/1"


@pytest.mark.parametrize("value", ["", ".", "..", "\ud800"])
def test_a_value_that_cannot_stand_in_a_path(value: str) -> None:
    with pytest.raises(PathFault, match="id"):
        fill("/a/{id}/_check", {"id": value})
    with pytest.raises(PathFault, match="id is missing"):
        fill("/a/{id}", {})


@given(pairs=st.lists(st.tuples(TEXT, TEXT), max_size=5), cursor=TEXT)
def test_no_query_value_is_lost_or_changed(pairs: list[tuple[str, str]], cursor: str) -> None:
    request = build(registry.operation("ats/job"), query={"cursor": cursor}, extra=iter(pairs))
    split = urlsplit("http://host" + request.target)
    assert split.path == "/v0/unified/ats/job"
    assert split.fragment == ""
    assert parse_qsl(split.query, keep_blank_values=True, strict_parsing=True) == [("cursor", cursor), *pairs]


def test_what_was_not_set_is_not_sent() -> None:
    request = build(registry.operation("ats/job"), query={"cursor": None})
    assert (request.target, request.body, request.query) == ("/v0/unified/ats/job", None, ())
    link = build(registry.operation("connect/magic-link"), body={"customerId": "c"})
    assert link.body == b'{"customerId":"c"}'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (False, "false"),
        (100.0, "100"),
        (0.5, "0.5"),
        (2**70, str(2**70)),
        (1e22, "1e+22"),
        ("", ""),
        ([1, "a"], '[1,"a"]'),
        ({"a": None}, '{"a":null}'),
    ],
)
def test_query_text(value: Any, text: str) -> None:
    assert query_text(value) == text


@pytest.mark.parametrize("pair", [("a", "\udc00"), ("\udc00", "a")])
def test_half_a_character_has_no_place_in_a_query(pair: tuple[str, str]) -> None:
    with pytest.raises(QueryFault):
        build(registry.operation("ats/job"), extra=[pair])
    with pytest.raises(QueryFault):
        build(registry.operation("ats/job"), query=dict([pair]))


@given(JSON)
def test_a_body_arrives_as_it_was_given(body: Any) -> None:
    data = encode(body)
    back = json.loads(data.decode("utf-8"))
    assert back == body
    assert json.dumps(back) == json.dumps(body)


def test_half_a_character_in_a_body_goes_as_its_escape() -> None:
    assert encode({"a": "\ud83d"}) == b'{"a":"\\ud83d"}'
    assert encode({"a": "é"}) == '{"a":"é"}'.encode()


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_json_is_not_made(number: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        encode([number])


def test_bytes_go_as_they_are() -> None:
    raw = b'{ "a" : 1.00 }'
    assert build(registry.operation("core/customer/put"), path={"id": "c"}, body=raw).body is raw


def test_null_and_false_bodies() -> None:
    put = registry.operation("core/customer/put")
    assert build(put, path={"id": "c"}, body=None).body is None
    assert build(put, path={"id": "c"}, body=b"null").body == b"null"
    assert build(put, path={"id": "c"}, body=False).body == b"false"
    assert build(put, path={"id": "c"}, body={"metadata": None}).body == b'{"metadata":null}'
