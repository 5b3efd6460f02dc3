"""Packs: what each line does to a proposal, and that a wrong one is refused with its line and column."""

from pathlib import Path

import pytest

from explorer.openapi.load import DocumentFault
from explorer.openapi.pack import apply, read_pack, written
from explorer.openapi.proposal import read
from explorer.openapi.values import ListProposal, Proposal

FOLDER = Path(__file__).parent / "documents"


def packed(pack: str, document: str = "never_silently_unpaged.yaml") -> Proposal:
    return apply(read((FOLDER / document).read_bytes()), read_pack(pack.encode()))


def one(pack: str, path: str, document: str = "never_silently_unpaged.yaml") -> ListProposal:
    return next(each for each in packed(pack, document).lists if each.path == path)


def test_a_line_for_one_list() -> None:
    changed = one('"GET /limits".paging = "offset"\n"GET /limits".parameter = "skip"\n', "/limits")
    assert (changed.paging.kind, changed.paging.parameter, changed.paging.size) == ("offset", "skip", "limit")
    assert str(changed.why["paging"]) == "Stated: the pack says so (line 2)."
    assert one('"GET /limits".paging = "offset"', "/more").paging.kind == "none"


def test_a_line_for_every_list_leaves_unpaged_ones_unpaged() -> None:
    pack = 'next = "meta.next"\nsize = "many"\nid = ["tenant", "id"]\nconnection = ["header:X-Tenant-Token", "path:id"]'
    changed = one(pack, "/nexts")
    assert (changed.paging.next, changed.paging.size, changed.id) == ("meta.next", "many", ("tenant", "id"))
    assert [(str(part), part.secret) for part in changed.connection] == [("header:X-Tenant-Token", True)]
    assert one(pack, "/since").paging.next is None


def test_a_pattern_and_a_path_without_method() -> None:
    proposal = packed('"GET /crm/*".raw = "third"\n"/crm/*".raw_option = "with=third"', "two_headers.yaml")
    assert [(each.raw.field, each.raw.option) for each in proposal.lists] == [
        ("third", "with=third"),
        (None, None),
    ]


def test_an_operation_that_was_no_list_becomes_one() -> None:
    proposal = packed('"GET /elsewhere".rows = "things"', "several_kinds.yaml")
    assert proposal.lists[-1].key == "GET /elsewhere"
    assert (proposal.lists[-1].rows, proposal.others) == ("things", ())
    with pytest.raises(
        DocumentFault, match=r'GET /elsewhere has no rows: add "GET /elsewhere".rows to the pack'
    ):
        packed('"GET /elsewhere".id = "key"', "several_kinds.yaml")


@pytest.mark.parametrize(
    ("said", "authorization"),
    [
        ("bearer", "bearer, prefix Bearer"),
        ("basic", "basic, prefix Basic"),
        ("header:X-Key", "header X-Key"),
        ("header:Authorization Token", "header Authorization, prefix Token"),
        ("query:key", "query parameter key"),
        ("token:https://quarry.example/token", "token call, prefix Bearer"),
    ],
)
def test_authorization(said: str, authorization: str) -> None:
    assert str(packed(f'authorization = "{said}"').authorization) == authorization


def test_what_belongs_to_the_document() -> None:
    proposal = packed('server = "https://quarry.example"\nconstant = "X-Version: 2"\n')
    assert (proposal.servers, proposal.constants) == (("https://quarry.example",), (("X-Version", "2"),))
    replaced = packed('constant = ["x-deck-app-id: shop"]', "raw_in_envelope.yaml")
    assert replaced.constants == (("x-deck-version", "2024-01"), ("x-deck-app-id", "shop"))


def test_a_flag_for_all_lists_is_for_those_of_which_the_document_says_nothing() -> None:
    made = {each.path: each for each in packed('flag = "more"', "hints_in_answers.yaml").lists}
    assert (made["/unread"].paging.kind, made["/unread"].paging.flag) == ("none", "more")
    assert made["/unread"].why["paging"].level == "stated", "the pull can tell that more follows"
    assert (made["/totals"].paging.flag, made["/pages"].paging.flag) == (None, None)
    assert made["/resources"].paging.flag == "more"
    assert one('next = "a.b"', "/unread", "hints_in_answers.yaml").why["paging"].level == "asked"


def test_operations_at_an_address_of_their_own() -> None:
    lines = (
        '"GET /limits".server = "https://hooks.example"\n"POST /webhook/*".server = "https://more.example"'
    )
    made = packed(lines + '\n"GET /customer".server = ""', "two_addresses.yaml")
    every = {one.path: one.server for one in (*made.lists, *made.writes)}
    assert every == {
        "/limits": "https://hooks.example",
        "/customer": "",
        "/webhook/{connector_name}": "https://more.example",
    }
    with pytest.raises(DocumentFault, match=r'no operation fits "GET /nothing"'):
        packed('"GET /nothing".server = "https://hooks.example"')


def test_which_value_asks_for_all_is_read_of_the_choices_or_said() -> None:
    name = "hints_in_answers.yaml"
    assert {one.path: one.whole for one in packed("", name).lists if one.whole} == {
        "/resources": (("mode", "full"), ("state", "all"))
    }
    said = packed('"GET /totals".whole = ["depth=whole", "state=*=1"]\n"GET /resources".whole = ""', name)
    assert {one.path: one.whole for one in said.lists if one.whole} == {
        "/totals": (("depth", "whole"), ("state", "*=1"))
    }


def test_nothing_is_an_empty_text_and_raw_may_be_in_the_envelope() -> None:
    assert one('"GET /nexts".next = ""', "/nexts").paging.next is None
    assert one('"GET /nexts".raw = "envelope:meta.raw"', "/nexts").raw.place == "envelope"
    assert one('"GET /addresses".paging = "none"', "/addresses").paging.next is None


@pytest.mark.parametrize(
    ("pack", "said"),
    [
        ('rows = "data"\nnxt = "x"', "Line 2, column 1: there is no field nxt; it is one of authorization,"),
        ("# first\n\nrows = data", "Line 3, column 8: invalid value"),
        ('rows = "data', "Line 1, column 13: "),
        ('[lists]\nrows = "x"', "Line 1, column 1: a line is field"),
        ('a.b.c = "x"', "Line 1, column 1: a line is field"),
        ('paging = "cursors"', "Line 1, column 10: paging is one of cursor, url, offset, page, none."),
        ("  next = 5", "Line 1, column 10: a text in quotes is expected."),
        ("id = [1]", "Line 1, column 6: a text in quotes is expected, or several in brackets."),
        ('rows = "a b"', "Line 1, column 8: rows is a dotted path such as data.results, or $."),
        ('connection = "X-Id"', "Line 1, column 14: a connection is header:NAME, path:NAME or query:NAME."),
        ('constant = "X-Id"', 'Line 1, column 12: a constant header is "Name: value".'),
        ('authorization = "secret"', "Line 1, column 17: authorization is bearer,"),
        ('raw_option = "yes"', "Line 1, column 14: raw_option is name=value."),
        ('whole = ["a=b", "full"]', "Line 1, column 9: whole is name=value."),
        ('"GET /a=b".authorization = "x"', "Line 1, column 1: there is no field authorization"),
        (
            '"GET /nowhere".rows = "x"',
            'Line 1, column 23: no operation fits "GET /nowhere"; write it as in the',
        ),
        ("\n".join(['id = "id"'] * 16), "Line 16, column 6: a pack has at most 15 lines."),
        ('rows = """\nx"""', "Line 1, column 11: "),
    ],
)
def test_a_wrong_line_is_refused_with_its_place(pack: str, said: str) -> None:
    with pytest.raises(DocumentFault) as refused:
        packed(pack)
    assert str(refused.value).startswith(said)
    assert "\n" not in str(refused.value)


def test_a_pack_that_is_no_text_or_too_large() -> None:
    for data in (b"\xff", b"#" * 30_000):
        with pytest.raises(DocumentFault):
            read_pack(data)


def test_a_list_that_is_left_out_stays_an_operation_to_call() -> None:
    proposal = packed('"GET /limits".include = "no"\n"GET /more".include = "yes"')
    assert "/limits" not in [each.path for each in proposal.lists]
    assert "/more" in [each.path for each in proposal.lists]
    assert [each.path for each in proposal.others] == ["/limits"]
    posted = packed('"POST /application/query".include = "no"', "lists_by_post.json")
    assert "/application/query" in [each.path for each in posted.writes]
    with pytest.raises(DocumentFault, match=r"Line 1, column 25: include is yes or no"):
        packed('"GET /limits".include = "maybe"')


def test_paging_as_it_is_changes_nothing_but_the_reason() -> None:
    before, after = one("", "/limits"), one('"GET /limits".paging = "none"', "/limits")
    assert (after.paging, after.why["paging"].level) == (before.paging, "stated")
    assert before.paging.size == "limit"


def test_what_is_written_is_read_the_same() -> None:
    lines: list[tuple[str, str, str | tuple[str, ...]]] = [
        ("GET /a b", "next", 'meta["a.\\u00e9"]'),
        ("", "id", ("tenant", "id")),
        ("", "connection", ()),
        ("", "constant", ("X-A: 1\x7f\t",)),
    ]
    read_back = read_pack(written(lines).encode())
    assert [(line.lists, line.field, line.value) for line in read_back] == lines
