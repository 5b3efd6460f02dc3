"""What the page Interface shows of a document, and what each edit makes of the pack."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.openapi.kept import proposal_of
from explorer.openapi.load import DocumentFault
from explorer.openapi.pack import read_pack
from explorer.openapi.proposal import read
from explorer.ui.pages.interface.interface_state import (
    SERVICE,
    TOPICS,
    Draft,
    Setting,
    lines_of,
    without_place,
)

DOCUMENTS = Path(__file__).parents[3] / "openapi" / "documents"
LIMITS, AFTERS, SILENT = "GET /limits", "GET /afters", "GET /silent"


def draft(name: str = "never_silently_unpaged.yaml", pack: str = "") -> Draft:
    """A document that was read, with the pack that is saved for it."""
    document = (DOCUMENTS / name).read_bytes()
    base = read(document)
    lines = lines_of(pack.encode(), base)
    return Draft(base, document, name, "kept" if pack else "", lines, lines)


def setting(of: Draft, key: str, name: str) -> Setting:
    return next(one for one in of.settings(key) if one.field == name)


def test_lists_below_their_groups_with_what_was_guessed() -> None:
    first, rest = draft().groups()
    assert [line.spoken for line in first.lines] == ["Whole service, 1 guessed"]
    assert (rest.title, rest.words) == ("Quarry", "8")
    assert rest.lines[0].spoken == "Limits, none, 2 guessed"
    assert [line.title for group in draft().groups("AFTER") for line in group.lines] == ["Afters"]
    assert draft().groups("nothing like it") == []
    assert draft().include(LIMITS, False).groups()[1].lines[0].spoken == "Limits, none, left out"


def test_what_stands_above_the_lists() -> None:
    found, paged, guessed = draft().summary
    assert found == "8 lists found"
    assert paged == "in 8 operations · OpenAPI 3.0.2  ·  cursor 3  url 1  page 1  none 3"
    assert guessed == "15 settings guessed in 8 lists"
    assert draft().include(LIMITS, False).guessed_words == "13 settings guessed in 7 lists"


@pytest.mark.parametrize(
    ("key", "fields"),
    [
        (LIMITS, ["rows", "paging", "id", "raw", "raw_option", "connection"]),
        (AFTERS, ["rows", "paging", "next", "parameter", "size", "id", "raw", "raw_option", "connection"]),
        ("GET /addresses", ["rows", "paging", "next", "size", "id", "raw", "raw_option", "connection"]),
        ("GET /numbers", ["rows", "paging", "parameter", "size", "id", "raw", "raw_option", "connection"]),
        (SERVICE, ["authorization", "server"]),
    ],
)
def test_a_list_has_the_settings_of_its_kind_of_paging(key: str, fields: list[str]) -> None:
    assert [one.field for one in draft().settings(key)] == fields


@pytest.mark.parametrize(
    ("key", "name", "text", "pack"),
    [
        (LIMITS, "rows", "items", '"GET /limits".rows = "items"\n'),
        (LIMITS, "paging", "offset", '"GET /limits".paging = "offset"\n'),
        (LIMITS, "id", " tenant, id ", '"GET /limits".id = ["tenant", "id"]\n'),
        (LIMITS, "id", "key", '"GET /limits".id = "key"\n'),
        (LIMITS, "raw", "envelope:raw", '"GET /limits".raw = "envelope:raw"\n'),
        (LIMITS, "raw_option", "with=raw", '"GET /limits".raw_option = "with=raw"\n'),
        (LIMITS, "connection", "header:X-A", '"GET /limits".connection = "header:X-A"\n'),
        (AFTERS, "next", 'meta["a.b"]', '"GET /afters".next = "meta[\\"a.b\\"]"\n'),
        (AFTERS, "size", "", ""),
        (SERVICE, "authorization", "header:X-Key Token", 'authorization = "header:X-Key Token"\n'),
        (SERVICE, "server", "https://a.example", 'server = "https://a.example"\n'),
    ],
)
def test_an_edit_is_a_line_of_the_pack_that_says_the_same(key: str, name: str, text: str, pack: str) -> None:
    made = draft().changed(key, name, text)
    assert made.pack == pack
    assert lines_of(made.pack.encode(), made.base) == dict(made.lines)
    if pack:
        assert made.is_changed
        assert setting(made, key, name).text == text.strip()
        topic = next(one for one in made.settings(key) if one.edited)
        assert (topic.why, topic.guessed) == ("Set by you.", False)
        back = made.put_back(key, TOPICS[name])
        assert back.lines == {}
        assert back.proposal == draft().proposal
        assert made.changed(key, name, str(setting(draft(), key, name).text)).lines == {}, (
            "typed back by hand"
        )


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("rows", "data results", "Rows is a dotted path such as data.results, or $."),
        ("connection", "X-A", "A connection is header:NAME, path:NAME or query:NAME."),
        ("raw_option", "raw", "Raw_option is name=value."),
    ],
)
def test_what_cannot_be_is_refused_in_words(name: str, text: str, said: str) -> None:
    with pytest.raises(DocumentFault) as refused:
        draft().changed(LIMITS, name, text)
    assert without_place(refused.value) == said


def test_keep_takes_the_mark_off_with_one_line() -> None:
    paging = setting(draft(), LIMITS, "paging")
    assert (paging.guessed, paging.keeps, paging.spoken) == (True, True, "Paging, none, guessed")
    kept = draft().keep(LIMITS, "paging")
    assert kept.pack == '"GET /limits".paging = "none"\n'
    assert not setting(kept, LIMITS, "paging").guessed
    assert kept.guesses(LIMITS) == ["connection"]
    assert kept.by_key[LIMITS].paging == draft().by_key[LIMITS].paging
    assert not setting(draft(), SILENT, "rows").keeps, "what is not known cannot be kept"
    unread = draft("hints_in_answers.yaml")
    assert unread.by_key["GET /unread"].why["paging"].level == "asked"
    assert setting(unread, "GET /unread", "paging").keeps, "that there is one page"
    common = draft().keep(LIMITS, "connection")
    assert common.pack == "connection = []\n", "all lists have it"
    assert all("connection" not in common.guesses(key) for key in common.by_key)
    assert common.put_back(AFTERS, "connection").lines == {}


def test_f8_goes_through_all_guesses_and_around() -> None:
    now, seen = draft().next_guess(LIMITS, ""), []
    while now is not None and now not in seen:
        seen.append(now)
        now = draft().next_guess(*now)
    assert now == seen[0]
    assert len(seen) == 16, "fifteen of lists and that of the key"
    assert seen[:3] == [(LIMITS, "paging"), (LIMITS, "connection"), (AFTERS, "paging")]
    no_more = draft("header_connection.json").keep("GET /core/connection", "connection")
    assert no_more.next_guess(SERVICE, "") is None


def test_lists_that_share_a_value_share_a_line_where_a_pattern_fits_them_alone() -> None:
    made = draft("two_headers.yaml")
    keys = list(made.by_key)
    for key in keys:
        made = made.changed(key, "raw", "third")
    assert made.pack == '"GET /*".raw = "third"\n'
    applied = proposal_of(made.document, made.pack.encode())
    assert [one.raw for one in applied.lists] == [one.raw for one in made.proposal.lists]
    apart = draft().changed(LIMITS, "id", "a").changed("GET /more", "id", "a")
    assert len(apart.pack.splitlines()) == 2


def test_why_it_cannot_be_saved() -> None:
    assert draft("header_connection.json").lacks == ""
    whole = draft()
    assert whole.lacks == f"{SILENT} has no rows: say where, or leave the list out."
    without = whole.include(SILENT, False)
    assert without.lacks == ""
    assert SILENT not in [one.key for one in proposal_of(without.document, without.pack.encode()).lists]
    assert (
        whole.changed(SILENT, "rows", "items").lacks
        == f"{SILENT} has no id: say where, or leave the list out."
    )
    many = without
    for key in without.by_key:
        for name in ("raw", "raw_option", "id"):
            many = many.changed(key, name, f"{name}=of{key[-2:]}")
    assert many.lacks.startswith("The pack has 25 lines, and up to 15 are read")
    with pytest.raises(DocumentFault):
        read_pack(many.pack.encode())


def test_a_saved_pack_with_patterns_is_kept_as_it_is() -> None:
    pack = '"GET /*".raw = "third"\nconstant = "X-Version: 2"\n'
    saved = draft(pack=pack)
    assert (saved.pack, saved.is_changed) == (pack, False)
    assert setting(saved, LIMITS, "raw").text == "third"
    assert not saved.sends_otherwise
    assert saved.changed(LIMITS, "raw", "own").pack == pack + '"GET /limits".raw = "own"\n'
    assert saved.changed(SERVICE, "authorization", "bearer").sends_otherwise


def test_lists_that_a_pattern_leaves_out_are_left_out_one_by_one() -> None:
    saved = draft(pack='"GET /*".include = "no"\n')
    assert not any(map(saved.includes, saved.by_key))
    assert (saved.is_changed, saved.lacks, saved.pack) == (False, "", '"GET /*".include = "no"\n')
    again = saved.include(LIMITS, True)
    assert [key for key in again.by_key if again.includes(key)] == [LIMITS]
    assert [one.key for one in proposal_of(again.document, again.pack.encode()).lists] == [LIMITS]
