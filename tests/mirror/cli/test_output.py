"""The file that is written on after a kill: whatever it holds, it ends up as a function of the kept rows."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.cli.output import Output
from explorer.export.text import Form, writer

ROWS = st.lists(
    st.sampled_from([b'{"id":"1"}', b'{"id": "\xc3\xa9", "n":1.00}', b'{\n "id": "2" }', b"[1]", b'"x"']),
    max_size=12,
)


def whole(form: Form, rows: list[bytes], *, ended: bool = True) -> bytes:
    made = writer(form, ["id", "n"])
    return made.head() + b"".join(map(made.row, rows)) + (made.tail() if ended else b"")


@given(rows=ROWS, data=st.data(), form=st.sampled_from(["jsonl", "json", "csv"]))
def test_whatever_the_file_holds_it_ends_up_right(
    tmp_path_factory: pytest.TempPathFactory, rows: list[bytes], data: st.DataObject, form: Form
) -> None:
    kept = data.draw(st.integers(0, len(rows)))
    right = whole(form, rows)
    cut = data.draw(st.integers(0, len(right)))
    found = right[:cut] + data.draw(st.sampled_from([b"", b"x", b"\n", b'{"id":"other"}\n' * 9]))
    path = tmp_path_factory.mktemp("out") / "rows"
    if data.draw(st.booleans()):
        path.write_bytes(found)
    output = Output(writer(form, ["id", "n"]), path)
    output.catch_up(lambda start, stop: rows[start:stop], kept)
    # What is no beginning of the right content stays until a whole file takes its place.
    assert path.read_bytes() == (found if output.mended else whole(form, rows[:kept], ended=False))
    assert output.rows == kept
    for row in rows[kept:]:
        output.write([row])
    output.close(whole=True)
    assert path.read_bytes() == right
    assert output.rows == len(rows)


def test_an_array_that_was_stopped_can_be_read_and_written_on(tmp_path: Path) -> None:
    rows = [b'{"id":"1"}', b'{"id":"2"}']
    path = tmp_path / "rows"
    for kept in (1, 2):
        output = Output(writer("json", []), path)
        output.catch_up(lambda start, stop: rows[start:stop], kept)
        output.close(whole=False)
        assert not output.mended
        assert json.loads(path.read_bytes()) == [json.loads(row) for row in rows[:kept]]


def test_a_torn_line_is_no_other_content(tmp_path: Path) -> None:
    rows = [b'{"id":"1"}', b'{"id":"2"}']
    path = tmp_path / "rows"
    path.write_bytes(b'{"id":"1"}\n{"id"')
    output = Output(writer("jsonl", []), path)
    output.catch_up(lambda start, stop: rows[start:stop], 2)
    output.close(whole=True)
    assert not output.mended
    assert path.read_bytes() == b'{"id":"1"}\n{"id":"2"}\n'


@pytest.mark.parametrize("found", [b'{"id":"9"}\n', b'{"id":"1"}\n{"id":"2"}\n'])
def test_other_content_is_said(tmp_path: Path, found: bytes) -> None:
    path = tmp_path / "rows"
    path.write_bytes(found)
    output = Output(writer("jsonl", []), path)
    output.catch_up(lambda start, stop: [b'{"id":"1"}'][start:stop], 1)
    output.close(whole=True)
    assert output.mended
    assert path.read_bytes() == b'{"id":"1"}\n'


def test_what_is_right_is_not_written_again(tmp_path: Path) -> None:
    """The same file, not another under its name: a program that follows it sees it grow."""
    rows = [b"%d" % n for n in range(1200)]
    path = tmp_path / "rows"
    path.write_bytes(whole("jsonl", rows[:1100]))
    before = path.stat().st_ino
    with path.open("rb") as follower:
        follower.seek(0, os.SEEK_END)
        output = Output(writer("jsonl", []), path)
        output.catch_up(lambda start, stop: rows[start:stop], 1200)
        output.close(whole=True)
        assert follower.read() == whole("jsonl", rows[1100:])
    assert path.stat().st_ino == before


def test_nothing_is_touched_before_the_first_row(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_bytes(b"yesterday's\n")
    output = Output(writer("jsonl", []), path)
    output.close(whole=False)
    assert path.read_bytes() == b"yesterday's\n"
    Output(writer("jsonl", []), path).close(whole=True)
    assert path.read_bytes() == b""


def test_an_empty_list_has_its_header(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    Output(writer("csv", ["a"]), path).close(whole=True)
    assert path.read_bytes() == b"a,other_fields\n"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in the file system")
def test_a_pipe_takes_the_kept_rows_too(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    output = Output(writer("jsonl", []), pipe)
    output.catch_up(lambda start, stop: [b"1", b"2"][start:stop], 2)
    output.close(whole=True)
    assert reader.communicate(timeout=30)[0] == b"1\n2\n"
