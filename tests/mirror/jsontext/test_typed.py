"""Faults of a JSON text are found where json finds them, and are told in words with their line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.jsontext.typed import check, compact, pretty, tokens

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{\n "a": "b",\n "lead_status"  "OPEN"\n}', 'Line 3: a colon is missing after "lead_status"'),
        ('{"a": 1,\n}', "Line 1: there is a comma before the closing }"),
        ('{"a": 1\n "b": 2}', "Line 2: a comma is missing after 1"),
        ("{a: 1}", "Line 1: the name a must be in double quotes"),
        ("{'a': 1}", "Line 1: the name 'a' must be in double quotes"),
        ("[True]", "Line 1: True is written true in JSON"),
        ("[None]", "Line 1: None is written null in JSON"),
        ("[NaN]", "Line 1: JSON has no NaN"),
        ("[01]", "Line 1: 01 is not how JSON writes a number"),
        ('["abc', 'Line 1: the text "abc has no closing quote'),
        ('{\n"a": [1, 2\n', "Line 2: the [ of line 2 is not closed"),
        ('{"a": 1]', "Line 1: ] does not close the { of line 1"),
        ('{"a":}', 'Line 1: a value is missing after "a"'),
        ("[1]]", "Line 1: nothing may follow the end, but ] does"),
        ("// x\n{}", "Line 1: JSON has no comments"),
        (r'["\x"]', r"Line 1: \x is not a valid escape in JSON"),
        ("", "Line 1: there is no value"),
    ],
)
def test_the_first_fault_is_told_with_its_line(text: str, sentence: str) -> None:
    fault = check(text)
    assert fault is not None
    assert fault.sentence == sentence


def strictly_json(text: str) -> bool:
    def refuse(word: str) -> None:
        raise ValueError(word)

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError:
        return False
    return True


@given(JSON, st.data())
def test_a_text_is_at_fault_exactly_when_json_says_so(value: object, data: st.DataObject) -> None:
    text = json.dumps(
        value, ensure_ascii=data.draw(st.booleans()), indent=data.draw(st.sampled_from([None, 2]))
    )
    place = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 2))
    put = data.draw(st.text('{}[]:,"\\ \n0a-.', max_size=2))
    broken = text[:place] + put + text[place + cut :]
    fault = check(broken)
    assert (fault is None) == strictly_json(broken)
    if fault is not None:
        assert 1 <= fault.line <= broken.count("\n") + 1
        assert fault.problem


@given(JSON)
def test_setting_out_changes_nothing_but_the_space(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False)
    assert json.loads(compact(text)) == value
    assert json.loads(pretty(text)) == value
    assert [t.text for t in tokens(compact(text))] == [t.text for t in tokens(text)]


def test_numbers_and_doubled_names_stay_as_typed() -> None:
    text = '{"a": 1.10, "a": 1E+2, "b": -0, "c": 123456789012345678901234567890}'
    assert compact(text) == text.replace(" ", "")
    assert compact(pretty(text)) == compact(text)


def test_depth_is_no_limit() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    assert check(deep) is None
    assert compact(deep) == deep
    fault = check(deep[:-1])
    assert fault is not None
    assert "is not closed" in fault.problem
