"""What is read before msgspec is there is what is read with it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.jsontext import members
from explorer.jsontext.quick import ARRAY, OBJECT, TEXT, NotYet, refusals
from explorer.ui.records.cells import Reading, Row, row_of

COLUMNS: list[Any] = [
    SimpleNamespace(field=name, kind=kind, summary="name", in_words=False)
    for name, kind in (("a", "text"), ("b", "date"), ("ü", "array"), ('"', "any"))
]
KEYS = st.sampled_from(("a", "b", "ü", '"', "name", "\\", "x"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30)
    | st.just("2026-11-20T09:00:00.003Z"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@contextmanager
def before_msgspec() -> Iterator[None]:
    """As at a start: nobody has imported it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(sys.modules, "msgspec")
        for each in (OBJECT, ARRAY, TEXT):
            patch.setattr(each, "decode", each._first)
        yield


def read(raw: bytes) -> Row:
    return row_of(raw, COLUMNS, Reading())


@given(st.dictionaries(KEYS, VALUES, max_size=5), st.sampled_from((None, 1)), st.booleans())
def test_a_record_has_the_same_cells_before_and_after(
    record: dict[str, Any], indent: int | None, ascii_only: bool
) -> None:
    raw = json.dumps(record, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    with before_msgspec():
        early = read(raw)
    assert early == read(raw)
    compact = json.dumps(record, separators=(",", ":"), ensure_ascii=ascii_only).encode(
        "utf-8", "surrogatepass"
    )
    with before_msgspec():
        early = read(compact)
    assert early == read(compact)


@pytest.mark.parametrize(
    "raw", [b'{"a": 1, "a": 2}', b'{"a": NaN', b"[1]", b"", b'{"a": "\\ud800"}', b'{"a": 1e400}']
)
def test_an_odd_one_too(raw: bytes) -> None:
    with before_msgspec():
        early = read(raw)
    assert early == read(raw)


def test_it_refuses_until_msgspec_is_there_and_is_msgspec_s_own_after() -> None:
    with before_msgspec():
        with pytest.raises(NotYet):
            OBJECT.decode(b"{}")
        with pytest.raises(refusals()):
            TEXT.decode(b'"x"')
        assert "msgspec" not in sys.modules
    assert OBJECT.decode(b'{"a": 1}') == {"a": msgspec.Raw(b"1")}
    assert OBJECT.decode != OBJECT._first
    with pytest.raises(refusals()):
        ARRAY.decode(b"[")
    assert members.parts(b"[1, 2]", 0, 6).members[1].start == 4


def test_only_strict_imports_msgspec() -> None:
    early = "scan, members, cut, escape, read, pointer, typed, quick"
    code = f"import sys; from explorer.jsontext import {early}; print({{'msgspec', 'pydantic'}} & set(sys.modules))"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "set()\n"
    )
