"""What is read out of documents, each with the table that is expected of it beside it in ``documents``.

The documents are invented. They have every way of published unified APIs that is known to differ: where the connection
is named, where rows and the next page are, what the next page is asked with, where the third party's own data is, how a
call is authorized. A line of a table is ``value… level``, with ``-`` for nothing.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from explorer.openapi.proposal import read
from explorer.openapi.values import ListProposal, Proposal

FOLDER = Path(__file__).parent / "documents"
DOCUMENTS = sorted(path for path in FOLDER.iterdir() if ".expected" not in path.name)


def expected_of(path: Path) -> dict[str, Any]:
    """The table beside a document."""
    found: dict[str, Any] = json.loads((FOLDER / f"{path.stem}.expected.json").read_text(encoding="utf-8"))
    return found


def line(one: ListProposal, topic: str, *values: str | None) -> str:
    """The values with the level of their reason, as the tables write it."""
    return " ".join([*(value or "-" for value in values), one.why[topic].level])


def table(one: ListProposal) -> dict[str, Any]:
    """A list as the tables write it; what is not everywhere only where it is."""
    paging = one.paging
    made: dict[str, Any] = {
        "rows": line(one, "rows", one.rows),
        "paging": line(one, "paging", paging.kind, paging.parameter, paging.next, paging.size),
        "connection": line(one, "connection", *(str(part) for part in one.connection)),
        "raw": line(one, "raw", one.raw.field, one.raw.option),
        "id": line(one, "id", *one.id),
    }
    more: dict[str, Any] = {
        "total": paging.total,
        "flag": paging.flag,
        "pages": paging.pages,
        "server": one.server,
        "in_body": paging.place == "body",
        "envelope": one.raw.place == "envelope",
        "required": list(one.required),
        "parents": {each.name: each.parent for each in one.path_parameters},
        "secret": [part.name for part in one.connection if part.secret],
    }
    return {**made, **{name: value for name, value in more.items() if value}}


def documents_differ() -> set[str]:
    """Every kind of paging in the tables."""
    return {one["paging"].split()[0] for path in DOCUMENTS for one in expected_of(path)["lists"].values()}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_the_document_is_read_as_its_table_says(path: Path) -> None:
    expected, proposal = expected_of(path), read(path.read_bytes())
    assert {one.key: table(one) for one in proposal.lists} == expected["lists"]
    assert [f"{one.method} {one.path}" for one in proposal.writes] == expected["writes"]
    assert [f"{one.method} {one.path}" for one in proposal.others] == expected["others"]
    assert str(proposal.authorization) == expected["authorization"]
    assert [proposal.error.message, proposal.error.code] == expected["error"]
    assert dict(proposal.constants) == expected.get("constants", {})
    assert list(proposal.notes) == expected.get("notes", [])


def test_the_tables_have_every_kind_of_paging() -> None:
    assert documents_differ() == {"cursor", "url", "offset", "page", "none"}
    assert len(DOCUMENTS) >= 12


def proposal(name: str) -> Proposal:
    [path] = [path for path in DOCUMENTS if path.stem == name]
    return read(path.read_bytes())


def test_a_token_that_sounds_like_an_address_says_why_it_is_a_token() -> None:
    [one] = proposal("token_that_sounds_like_a_url").lists
    assert str(one.why["paging"]) == (
        "Guessed: the parameter cursor takes the token of next, though that is declared as an address: "
        "beside a cursor it is a token."
    )


def test_every_conclusion_has_a_sentence() -> None:
    for path in DOCUMENTS:
        for one in read(path.read_bytes()).lists:
            assert list(one.why) == ["rows", "paging", "connection", "raw", "id"]
            assert all(why.sentence.endswith(".") for why in one.why.values())


def test_fields_of_a_record() -> None:
    first = proposal("header_connection").lists[0].record
    assert [(f.name, f.kind, f.required, f.nullable) for f in first] == [
        ("id", "string", True, False),
        ("name", "string", False, True),
        ("emails", "array", False, False),
        ("raw_data", "object", False, False),
    ]


def test_addresses_are_proposals_and_the_token_call_is_said() -> None:
    assert proposal("header_connection").servers == ("https://gantry.example/v0",)
    assert proposal("stated_for_generators").authorization.token_url == "https://sprocket.example/token"


def test_half_a_cursor_is_completed_as_the_other_lists_have_it() -> None:
    rows = {"type": "object", "properties": {"id": {"type": "string"}}}
    whole = {"data": {"type": "array", "items": rows}, "next": {"type": "string"}}
    cursor = [{"name": "mark_cursor", "in": "query"}, {"name": "cursor", "in": "query"}]

    def get(parameters: list[Any], properties: dict[str, Any] | None) -> dict[str, Any]:
        schema = {"properties": properties} if properties else {}
        content = {"content": {"application/json": {"schema": schema}}}
        return {"get": {"summary": "List", "parameters": parameters, "responses": {"200": content}}}

    document = {
        "openapi": "3.0.0",
        "paths": {"/a": get(cursor, whole), "/b": get([], whole), "/c": get(cursor, None)},
    }
    lists = {one.path: one for one in read(json.dumps(document).encode()).lists}
    assert (lists["/b"].paging.parameter, lists["/c"].paging.next) == ("cursor", "next")
    assert {lists[path].why["paging"].level for path in ("/b", "/c")} == {"guessed"}
    assert lists["/a"].why["paging"].level == "stated"
