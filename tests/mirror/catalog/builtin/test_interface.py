"""The built-in interface against the tables written out by hand."""

import dataclasses

import pytest

from explorer.catalog.interfaces import BUILTIN
from explorer.catalog.spec import Batch, Listing
from tests.builtin import registry
from tests.mirror.catalog.builtin.contract import ENDPOINTS, SIDEBAR, TYPE_A, Endpoint, described, lines


def test_the_sidebar_has_every_group_and_entry_in_order() -> None:
    seen = [(v.title, [(r.key, r.title, r.reads) for r in v.resources]) for v in BUILTIN.verticals]
    assert seen == SIDEBAR


def test_there_is_every_endpoint_of_the_contract_and_no_more() -> None:
    """Their numbers count on as the contract does; the sidebar's order is asserted above."""
    by_number = sorted((o.number, o.key) for o in registry.operations())
    assert by_number == [(row.number, row.key) for row in ENDPOINTS]
    of_one = [[o.number for o in resource.operations] for resource in registry.resources()]
    assert of_one == [sorted(numbers) for numbers in of_one]
    assert [row.number for row in ENDPOINTS] == list(range(1, len(ENDPOINTS) + 1))
    assert len({o.key for o in registry.operations()}) == len(ENDPOINTS)


def test_the_lists_are_those_of_the_contract() -> None:
    assert {r.key for r in registry.listings()} == {row.key for row in ENDPOINTS if row.kind == "Listing"}
    assert [r for r in registry.resources() if r.listing] == list(registry.listings())
    for row in ENDPOINTS:
        if row.kind == "Listing":
            assert registry.listing(row.key).number == row.number


def test_who_asks_and_on_which_connection_stands_in_the_headers_of_the_contract() -> None:
    assert (BUILTIN.key_header, BUILTIN.connection_header) == ("x-apikey", "x-connection-id")


@pytest.mark.parametrize("row", ENDPOINTS, ids=lambda row: f"{row.number}-{row.key}")
def test_endpoint_is_as_the_contract_says(row: Endpoint) -> None:
    one = registry.operation(row.key)
    assert (one.number, one.method, one.path, one.writes) == (row.number, row.method, row.path, row.writes)
    assert type(one).__name__ == row.kind
    assert described(one.path_input) == lines(row.path_input)
    assert described(one.query) == lines(row.query)
    assert (one.body is None) == (row.body is None)
    assert described(one.body) == lines(row.body)
    assert (one.answer is None) == (row.answer is None)
    assert described(one.answer) == lines(row.answer)
    assert (one.answer_is_array, one.bearer, one.free_body) == (row.array, row.bearer, row.free_body)
    assert getattr(one, "entries", "") == row.entries
    if isinstance(one, Listing):
        assert dataclasses.astuple(one.envelope) == (*(row.envelope or ()), "", "", "")
        assert one.cursor_param == "cursor"
    else:
        assert row.envelope is None
    if isinstance(one, Batch):
        assert dataclasses.astuple(one.envelope) == (*TYPE_A, "", "", "")
    if isinstance(one, Listing | Batch):
        assert described(one.record) == lines(row.record)
