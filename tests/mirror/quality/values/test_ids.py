"""Ids out of everything that people paste, every one of them once and in order; and against what came back."""

from __future__ import annotations

import csv
import io
import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.quality.values.ids import Form, IdComparison, chunks, compare_ids, read_ids

# What an id may hold and still be told from what surrounds it in a line.
ID = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.:/=+-]{0,8}[0-9]", fullmatch=True)
IDS = st.lists(ID, min_size=1, max_size=8)
ANY_ID = st.text(min_size=1, max_size=6)


def once(ids: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))


@given(
    IDS,
    st.sampled_from(["\n", "\r\n", "\r", ",\n", ";\r\n", "\n\n  ", " \n\t"]),
    st.sampled_from(["", '"', "'"]),
)
def test_lines(ids: list[str], between: str, quote: str) -> None:
    text = between.join(f"{quote}{ident}{quote}" for ident in ids)
    for tail in ("", between, ","):
        found = read_ids(text + tail)
        assert (found.all, found.ids) == (tuple(ids), once(ids))
        assert found.column is None


@given(IDS, st.sampled_from([", ", ",", " ; ", ";", "\t"]))
def test_a_list_in_one_line(ids: list[str], between: str) -> None:
    assert read_ids(between.join(ids)).all == tuple(ids)
    assert read_ids(f"{between.join(ids)}{between.strip(' ')}").all == tuple(ids)


@given(st.lists(ANY_ID, min_size=1, max_size=8))
def test_a_json_array_of_any_texts(ids: list[str]) -> None:
    for text in (json.dumps(ids), json.dumps(ids, indent=2, ensure_ascii=False), json.dumps({"ids": ids})):
        found = read_ids(text)
        assert (found.all, found.form, found.ids) == (tuple(ids), "json", once(ids))
    found = read_ids(json.dumps([{"name": "x", "id": ident} for ident in ids]))
    assert (found.all, found.columns[found.column or 0]) == (tuple(ids), "id")


@given(IDS, st.sampled_from([",", ";", "\t"]), st.integers(0, 2))
def test_a_table_with_names(ids: list[str], delimiter: str, place: int) -> None:
    names = ["Name", "City, or so"]
    names.insert(place, "Account ID")
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerow(names)
    for number, ident in enumerate(ids):
        row = [f"Acme {number}", 'He said "hi",\nand left' if delimiter == "," else "x; y"]
        row.insert(place, ident)
        writer.writerow(row)
    for text in (out.getvalue(), "\ufeff" + out.getvalue()):
        found = read_ids(text)
        assert (found.all, found.column, found.header) == (tuple(ids), place, True)
        assert found.columns == tuple(names)
        assert found.form == ("tsv" if delimiter == "\t" else "csv")
    assert read_ids(out.getvalue(), column="name").all == tuple(f"Acme {n}" for n in range(len(ids)))
    assert read_ids(out.getvalue(), column=place).all == tuple(ids)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("", ()),
        (" \n,\n;\n", ()),
        ("id\n1\n2", ("1", "2")),
        ("Account Id\r\n001A\r\n", ("001A",)),
        ("id", ("id",)),
        ("001\n0012\n001", ("001", "0012", "001")),
        ('"1","2",\n', ("1", "2")),
        ("'1', '2'", ("1", "2")),
        ("“1”\n„2“", ("1", "2")),
        ("[1, 2.0, 9007199254740993, 1e5]", ("1", "2.0", "9007199254740993", "1e5")),
        ('["a", "b",]', ("a", "b")),
        ('["a,]", "b"],', ("a,]", "b")),
        ('{"id":"a","n":1}\n{"id":"b"}\n', ("a", "b")),
        ('{"items":[{"n":1,"id":5}]}', ("5",)),
        ('{"id":"a"}', ("a",)),
        ("[not json\nx1", ("[not json", "x1")),
        ("a1,b1,c1\nd1,e1", ("a1", "b1", "c1", "d1", "e1")),
        ("name\tid\nA\t1\n\t\nB\t2\n", ("1", "2")),
        ("1\tAcme Inc\n2\tGlobex Ltd\n3\tInitech", ("1", "2", "3")),
        ("Acme Inc,a1\nGlobex Ltd,a2", ("a1", "a2")),
        ('"a1\nb1\nc1', ('"a1', "b1", "c1")),
        ("with space\nanother one", ("with space", "another one")),
        ("\u200ba1\u200b\n\u00a0b1", ("a1", "b1")),
        ("x" * 200_000, ("x" * 200_000,)),
        ("a\0b", ("a\0b",)),
    ],
)
def test_what_people_paste(text: str, ids: tuple[str, ...]) -> None:
    assert read_ids(text).all == ids


@given(st.text(max_size=40), st.sampled_from(["lines", "list", "csv", "tsv", "json", None]))
def test_no_text_raises_and_no_id_is_empty(text: str, form: Form | None) -> None:
    found = read_ids(text, form=form)
    assert all(found.all)
    assert len(set(found.ids)) == len(found.ids)
    assert set(found.ids) == set(found.all)
    assert sum(found.twice.values()) + len(found.ids) - len(found.twice) == len(found.all)
    assert found.sentence


def test_a_column_without_any_value_is_no_header_and_no_fault() -> None:
    assert read_ids(",0\n,0").all == ("0", "0")
    assert read_ids(",id\n,1\n,2").all == ("1", "2")


def test_the_guess_can_be_overruled() -> None:
    table = "key,id\nk1,1\nk2,2"
    assert read_ids(table).all == ("1", "2")
    assert read_ids(table, column="key").all == ("k1", "k2")
    assert read_ids(table, column=0, header=False).all == ("key", "k1", "k2")
    assert read_ids(table, form="lines").all == ("key,id", "k1,1", "k2,2")
    assert read_ids(table, form="list").all == ("key", "id", "k1", "1", "k2", "2")
    assert read_ids("a1,b1,c1\nd1,e1", form="csv", column=1).all == ("b1", "e1")
    assert read_ids("id\n1", header=False).all == ("id", "1")
    assert read_ids("first\n1", header=True).all == ("1",)
    assert read_ids("Code,Place\nx1,y\nx2,z", column=0).all == ("x1", "x2")
    for column, words in (("nothing", "no column nothing"), (7, "no column 8"), (-1, "no column 0")):
        with pytest.raises(ValueError, match=words):
            read_ids(table, column=column)


def test_what_was_found_is_said() -> None:
    found = read_ids("name,id\nA,1\nB,\nC,1\nD,2")
    assert (found.twice, found.passed_over) == ({"1": 2}, 1)
    assert found.sentence == "2 ids from id, 1 repeated, 1 skipped without an id"
    assert read_ids("1").sentence == "1 id"
    assert read_ids('["a", null, {"x":[]}, "b"]').passed_over == 4


# ---------------------------------------------------------------- asked against returned


@given(st.lists(st.sampled_from("abcdef")), st.lists(st.sampled_from("cdefgh")))
def test_asked_against_returned(asked: list[str], returned: list[str]) -> None:
    found = compare_ids(asked, returned)
    assert set(found.missing) == set(asked) - set(returned)
    assert set(found.extra) == set(returned) - set(asked)
    assert dict(found.twice) == {
        ident: returned.count(ident) for ident in returned if returned.count(ident) > 1
    }
    common = [ident for ident in once(returned) if ident in asked]
    assert (not found.moved) is (common == [ident for ident in once(asked) if ident in returned])
    assert set(found.moved) <= set(common)
    assert len(found.moved) != 1
    assert (found == IdComparison()) is (list(once(asked)) == returned)


def test_ids_that_are_no_text() -> None:
    returned: list[Any] = [5, Decimal("9007199254740993"), None, True, {}, "x"]
    found = compare_ids(["5", "9007199254740993", "x", "True"], returned)
    assert found == IdComparison(missing=("True",), without_id=3, as_number=2)
    assert found.sentence == "1 missing, 3 without an id"


def test_the_answer_in_words() -> None:
    assert compare_ids("ab", "ab").sentence == "Each requested id was returned once, in the same order"
    assert (
        compare_ids("abc", "cbdd").sentence
        == "1 missing, 1 not requested, 1 more than once, in another order"
    )


@given(st.lists(st.text(max_size=2), max_size=30), st.integers(1, 12))
def test_chunks_lose_nothing(ids: list[str], size: int) -> None:
    found = chunks(ids, size)
    assert [ident for chunk in found for ident in chunk] == ids
    assert all(len(chunk) == size for chunk in found[:-1])
    assert all(1 <= len(chunk) <= size for chunk in found)


def test_a_chunk_of_none_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        chunks(["a"], 0)
