"""Lists and records as people have them, read into things that were seen; what is refused is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.ui.pages.core.known_table import LARGEST, MOST, read_things, text_of


@pytest.mark.parametrize(
    ("text", "prefix", "ids"),
    [
        ("pipe_a\npipe_b\r\n\n pipe_a ", "pipe_", ["pipe_a", "pipe_b"]),
        ("pipe_a, pipe_b;pipe_c\tpipe_d", "pipe_", ["pipe_a", "pipe_b", "pipe_c", "pipe_d"]),
        ("name,id,when\nOne,pipe_a,2024\nTwo,pipe_b,2025", "pipe_", ["pipe_a", "pipe_b"]),
        ("pipe_a,My pipeline,2024", "pipe_", ["pipe_a"]),
        ("acme, globex", "", ["acme", "globex"]),
        ('"pipe_a"', "pipe_", ["pipe_a"]),
        ('["pipe_a", {"id": "pipe_b", "x": 1}]', "pipe_", ["pipe_a", "pipe_b"]),
        ('{"items": [{"id": "pipe_a"}], "next_cursor": null}', "pipe_", ["pipe_a"]),
        ('{"id": "pipe_a"}\n{"id": "pipe_b"}\n', "pipe_", ["pipe_a", "pipe_b"]),
        ("\ufeffpipe_a", "pipe_", ["pipe_a"]),
        ("", "pipe_", []),
    ],
)
def test_what_is_read(text: str, prefix: str, ids: list[str]) -> None:
    reading = read_things(text, prefix)
    assert list(reading.things) == ids
    assert reading.refused == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("pipe_a\nline_1", "Line 2: line_1 must start with pipe_"),
        ('[{"name": "x"}]', "Record 1: there is no id"),
        ("[1]", "Record 1: there is no id"),
        ('{"id": "pipe_a"', "Line 1: the { of line 1 is not closed"),
        (
            "\n".join(f"pipe_{n}" for n in range(MOST + 1)),
            f"Line {MOST + 1}: no more than 1,000 are taken at once",
        ),
        ("[" * 100_000 + "]" * 100_000, ""),
    ],
)
def test_what_is_refused_is_said(text: str, sentence: str) -> None:
    refused = read_things(text, "pipe_").refused
    assert refused[:1] == [sentence] if sentence else len(refused) == 1


def test_a_record_is_kept_whole_and_no_bare_id_hides_it() -> None:
    reading = read_things('[{"id": "pipe_a", "metadata": {"a": null}}, "pipe_a"]', "pipe_")
    assert reading.things == {"pipe_a": {"id": "pipe_a", "metadata": {"a": None}}}


@given(st.text(max_size=200), st.sampled_from(["", "pipe_"]))
def test_any_text_is_read_or_refused(text: str, prefix: str) -> None:
    for key in read_things(text, prefix).things:
        assert key.strip() == key
        assert key.startswith(prefix)


def test_files_that_are_no_text_or_too_large_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.bin"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"a\.bin is not UTF-8 text"):
        text_of(file)
    with file.open("wb") as out:
        out.truncate(LARGEST + 1)
    with pytest.raises(ValueError, match=r"a\.bin is larger than"):
        text_of(file)
