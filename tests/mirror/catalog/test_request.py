"""From values to the wire: nothing is lost, nothing is added, no value changes the path."""

import dataclasses
import json
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.catalog.registry import _pattern
from explorer.catalog.request import (
    PathFault,
    QueryFault,
    build,
    encode,
    fill,
    fill_connection,
    lacking,
    list_request,
    query_text,
)
from explorer.catalog.spec import ABSENT, Envelope, Input
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


def test_values_of_a_list_go_by_their_names() -> None:
    class Body(Input):
        filter: dict[str, Any] = ABSENT

    one = dataclasses.replace(
        registry.listing("ats/job"),
        method="POST",
        path="/{@conn}/job/{job-id}",
        body=Body,
        cursor_in="body",
        cursor_param="page.after",
        size_param="page.size",
    )
    given = {"filter": {"a": None}, "job-id": "a b/c", "page.size": 5, "q": True, "none": None}
    made = list_request(one, given, [("extra", "1")], cursor="c", page=2)
    assert made.path == "/{@conn}/job/a%20b%2Fc"
    assert made.query == (("q", "true"), ("extra", "1"))
    assert json.loads(made.body or b"") == {"filter": {"a": None}, "page": {"size": 5, "after": "c"}}
    counted = dataclasses.replace(one, paging="offset", envelope=Envelope("rows", items="rows"))
    assert json.loads(list_request(counted, {}, [("job-id", "x")], cursor="20").body or b"") == {
        "page": {"after": 20}
    }
    with pytest.raises(PathFault, match="job-id is missing"):
        list_request(one, {})
    plain = dataclasses.replace(one, body=None, cursor_in="query", path="/job")
    assert list_request(plain, {}).body is None


def test_raw_data_is_asked_for_unless_the_user_says_otherwise() -> None:
    one = dataclasses.replace(registry.listing("ats/job"), raw_option=("raw", "true"))
    assert list_request(one, {"q": "x"}, cursor="2").query == (("raw", "true"), ("q", "x"), ("cursor", "2"))
    assert list_request(one, {"raw": "no"}).query == (("raw", "no"),)
    assert list_request(one, {"raw": None}).query == ()
    assert list_request(one, {}, [("raw", "some")]).query == (("raw", "some"),)


def test_the_connection_fills_its_own_places() -> None:
    assert fill_connection("/{@a}/x/{@b-c}", {"a": "c:1", "b-c": "ü"}) == "/c%3A1/x/%C3%BC"
    assert fill_connection("/x/%7B@a%7D", {}) == "/x/%7B@a%7D"
    for value in ("", ".", "..", "a/b", "a\\b"):
        with pytest.raises(PathFault, match="The connection's a"):
            fill_connection("/{@a}", {"a": value})


def test_a_template_matches_with_the_connection_in_it_or_in_its_place() -> None:
    template = "/{@conn}/job/{job-id}"
    for path, fits in (
        ("/{@conn}/job/1", True),
        ("/c1/job/1", True),
        ("/c1/x/job/1", False),
        ("/../job/1", False),
    ):
        assert bool(_pattern(template).fullmatch(path)) == fits


class Since(Input):
    """A list that wants to know from when on."""

    since: str
    cursor: str
    limit: int = ABSENT


@pytest.mark.parametrize(
    ("query", "extra", "lacks"),
    [
        ({}, [], ("job", "since")),
        ({"job": "", "since": None}, [], ("job", "since")),
        ({"job": "7"}, [], ("since",)),
        ({"since": ""}, [("job", "7")], ()),
        ({"job": 0, "since": "x"}, [], ()),
    ],
)
def test_what_a_list_cannot_be_asked_for_without(
    query: dict[str, Any], extra: list[tuple[str, str]], lacks: tuple[str, ...]
) -> None:
    listing = dataclasses.replace(registry.listing("ats/job"), path="/{@c}/job/{job}/opening", query=Since)
    assert lacking(listing, query, extra) == lacks


def test_the_built_in_lists_lack_nothing() -> None:
    assert {lacking(registry.listing(r.key), {}) for r in registry.listings()} == {()}
