"""A reading in calls: what each sends, what was asked so far, and what came back for it."""

import json
from typing import Any

import pytest

from explorer.api.answer import Answer
from explorer.catalog.builtin.envelopes import TYPE_A
from explorer.catalog.request import Request, build
from explorer.ui.pages.crm.account_rows import findings_of
from explorer.ui.pages.crm.account_run import BatchRun, ids_in, rows_of
from tests.builtin import registry

READ = registry.operation("crm/account/batch_read")


def asking(body: Any) -> Request:
    return build(READ, body=body)


def answer(rows: Any) -> Answer:
    body = rows if isinstance(rows, bytes) else json.dumps(rows).encode()
    return Answer(200, (), body, 2.0, 7, "")


def test_each_call_has_its_ids_and_all_else_as_it_was() -> None:
    body = b'{"ids":["a","b","c"],"properties":["Name"],"more":{"n":1.10}}'
    run = BatchRun(asking(body), 2)
    assert [run.call(n).body for n in run.left] == [
        b'{"ids":["a","b"],"properties":["Name"],"more":{"n":1.10}}',
        b'{"ids":["c"],"properties":["Name"],"more":{"n":1.10}}',
    ]
    assert BatchRun(asking(body), 3).call(0).body == body


@pytest.mark.parametrize("body", [b"[1", b"null", b'{"ids":[1]}', b'{"ids":[]}', b'{"ids":"a"}', b"[]"])
def test_what_holds_no_list_of_texts_goes_once_as_it_is(body: bytes) -> None:
    run = BatchRun(asking(body), 1)
    assert [run.call(n).body for n in run.left] == [body]
    assert run.ids == ()


def test_only_what_was_asked_so_far_can_be_missing() -> None:
    run = BatchRun(asking({"ids": ["a", "b", "c", "d"], "properties": []}), 2)
    assert run.how_far("loading") == "Call 1 of 2: 0 ids answered, 0 rows"
    run.take(answer([{"id": "b"}]))
    assert run.asked == ("a", "b")
    assert run.answered().missing == ("a",)
    assert run.how_far("stopped") == "2 of 4 ids asked, 1 row"
    assert run.goes_on_with(run.request, 2)
    assert not run.goes_on_with(run.request, 3)
    assert not run.goes_on_with(asking({"ids": ["a"], "properties": []}), 2)
    run.take(answer([{"id": "d"}, {"id": "c"}, {"id": "c"}, {"id": "x"}, {"id": 5}, {}, 7]))
    assert not run.goes_on_with(run.request, 2), "it is done"
    found = {one.name: one for one in findings_of(run, run.answered())}
    assert found["missing"].ids == ("a",)
    assert found["not asked for"].ids == ("x", "5")
    assert found["more than once"].lines == ("c\t2 times",)
    assert found["in another order"].lines == (
        "d\trequested at position 4, returned at position 2",
        "c\trequested at position 3, returned at position 3",
    )
    assert (run.answered().without_id, run.answered().as_number) == (2, 1)
    assert [run.rows.page_at(n).number for n in range(3)] == [1, 2, 2]


@pytest.mark.parametrize(
    ("body", "rows", "note"),
    [
        (b'[{"id":1}, {"id":NaN}]', 2, "not strict JSON"),
        (b"[]", 0, ""),
        (b'{"items":[{}]}', 1, "inside an object"),
        (b"{}", 0, "is an object"),
        (b"<html>", 0, "not a JSON array"),
        (b"null", 0, "not a JSON array"),
        (b"", 0, "not a JSON array"),
    ],
)
def test_rows_of_any_answer(body: bytes, rows: int, note: str) -> None:
    found, notes = rows_of(body, TYPE_A)
    assert len(found) == rows
    assert note in " ".join(notes)
    assert bool(notes) == bool(note)


def test_ids_of_a_body() -> None:
    assert ids_in({"ids": ["a", "b"]}) == ("a", "b")
    assert ids_in({"ids": ["a", 1]}) == ids_in(None) == ids_in([]) == ()
