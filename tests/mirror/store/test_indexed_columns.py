"""Whatever way a page's columns are read, they are the keys of its records' own values."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from explorer.store.indexed_columns import Blocks, Extractor, IndexedColumns, read_record
from explorer.store.keys import Token, key_of
from explorer.store.values import Field
from tests.mirror.store.reference import cells, written
from tests.thorough import examples

KINDS = ("text", "number", "boolean", "date", "array", "object", "any", "id")
EXTRACTORS = [
    Extractor(IndexedColumns([Field("c", summary, kind)])) for kind in KINDS for summary in ("name", "")
]
NUMBERS = Extractor(IndexedColumns([Field("c", "", "number")]))
TWO = Extractor(IndexedColumns([Field("a", "name", "array"), Field("odd one", "", "object")]))

strange = st.sampled_from(
    [b"1", b"null", b"", b"{", b'{"c":1,"c":"twice"}', b'{"c":"\xff"}', b" { } ", b"[]", b'{"c":{ },"d":NaN}']
)


def made(names: str | list[str]) -> st.SearchStrategy[bytes]:
    """Records with those fields, as they may be written."""
    return st.tuples(st.fixed_dictionaries(dict.fromkeys(names, cells)), st.booleans()).map(
        lambda pair: written(pair[0], escapes=pair[1]).encode("utf-8", "surrogatepass")
    )


def held(extractor: Extractor, page: list[bytes]) -> None:
    fields = extractor.shape.fields
    block, blocks = extractor.block(page), Blocks()
    for n, field in enumerate(fields):
        expected: list[str | None] = []
        for record in page:
            value = read_record(record)
            there = isinstance(value, dict) and field.name in value
            expected.append(key_of(value[field.name], field.summary) if there else None)
        assert blocks.keys(block, len(fields), n) == expected


@settings(max_examples=examples(400), deadline=None)
@given(st.sampled_from(EXTRACTORS), st.lists(made("c"), max_size=4))
@example(EXTRACTORS[0], [b'{"c":{"name":"1"}}'])
def test_a_block_holds_the_keys_of_each_record(extractor: Extractor, page: list[bytes]) -> None:
    held(extractor, page)


@settings(max_examples=examples(150), deadline=None)
@given(st.sampled_from(EXTRACTORS), st.lists(made("c") | strange, max_size=4))
@example(EXTRACTORS[0], [b'{"c":1', b'"d":2}'])
def test_one_strange_record_spoils_only_itself(extractor: Extractor, page: list[bytes]) -> None:
    held(extractor, page)


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(made(["a", "odd one"]), max_size=4))
@example([b'{"a":[1.5,"x"],"odd one":{}}', b'{"a":[{"name":2}],"odd one":["t"]}'])
def test_each_field_has_its_own_place(page: list[bytes]) -> None:
    held(TWO, page)


def test_numbers_keep_every_digit() -> None:
    big = b'{"c":123456789012345678901234567890.10}'
    assert NUMBERS.keys([big])[0] == [key_of(Token("123456789012345678901234567890.10"))]


def test_a_field_that_is_left_out_is_no_null() -> None:
    [absent, null] = NUMBERS.keys([b"{}", b'{"c":null}'])[0]
    assert absent is None
    assert null == key_of(None)
