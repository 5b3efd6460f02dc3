"""How a pull ends by the command line: complete only where the last page shows it, and never by a fault."""

import csv
import io
import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pyarrow.parquet as parquet
import pytest

from explorer.cli.app import run
from tests.recording import Got, Recording, Reply

Pages = Callable[[str | None], bytes]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "k-0123456789abcdef")


def served(pages: Pages) -> Recording:
    """A server whose one list answers what ``pages`` gives for a cursor."""

    def answer(got: Got) -> Reply:
        return Reply(body=pages(parse_qs(urlsplit(got.target).query).get("cursor", [None])[0]))

    return Recording(answering=answer)


def rows(count: int, start: int = 0) -> str:
    return ", ".join(json.dumps({"id": str(number)}) for number in range(start, start + count))


def page(count: int, more: str) -> bytes:
    return f'{{"items": [{rows(count)}], {more}}}'.encode()


def wanted(server: Recording, *more: str, key: str = "ats/job") -> list[str]:
    return ["pull", key, "--base-url", server.url, "--connection-id", "conn_1", *more]


@pytest.mark.parametrize(
    "more",
    [
        '"has_next_page": true',
        '"has_next_page": true, "next_cursor": null',
        '"has_next_page": true, "next_cursor": ""',
        '"has_next_page": true, "next_cursor": {"a": 1}',
        '"has_next_page": true, "next_cursor": [1]',
        '"has_next_page": true, "next_cursor": true',
        '"has_next_page": true, "next_cursor": "\\ud800"',
        '"next_cursor": false',
        '"has_next_page": "true", "next_cursor": null',
    ],
)
def test_an_end_that_is_not_shown_ends_with_seven(
    more: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rows.jsonl"
    with served(lambda _: page(7, more)) as server:
        assert run(wanted(server, "--out", str(out))) == 7
        said = capsys.readouterr().err
        assert "7 rows of 1 page kept, ended by the service, not shown to be complete." in said
        assert "fault" not in said
        assert len(out.read_bytes().splitlines()) == 7
        # What is kept says the same, without asking again.
        asked = len(server.got)
        assert run(wanted(server, "--out", str(out), "--resume")) == 7
        assert "may be incomplete" in capsys.readouterr().err
        assert len(server.got) == asked


def test_it_holds_behind_other_pages_and_for_a_file_made_whole(tmp_path: Path) -> None:
    def pages(cursor: str | None) -> bytes:
        if cursor is None:
            return page(3, '"has_next_page": true, "next_cursor": 12345678901234567890')
        assert cursor == "12345678901234567890", "a number goes back in its own digits"
        return f'{{"items": [{rows(2, 3)}], "has_next_page": true}}'.encode()

    out = tmp_path / "rows.parquet"
    with served(pages) as server:
        assert run(wanted(server, "--format", "parquet", "--out", str(out))) == 7
    assert parquet.read_table(out)["id"].to_pylist() == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize("count", [10, 20, 25, 50, 100, 200, 250, 500, 1000])
@pytest.mark.parametrize("more", ['"has_next_page": false, "next_cursor": null'])
def test_one_page_of_a_usual_size_is_said_to_be_perhaps_cut(
    count: int, more: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(lambda _: page(count, more)) as server:
        assert run(wanted(server)) == 0
        assert len(server.got) == 1, "finding out is no work of a pull"
    said = capsys.readouterr().err
    assert f"one page of exactly {count:,} rows: it may be cut off there" in said
    assert said.endswith("1 page, complete.\n")


def test_a_page_of_another_size_is_complete_and_no_more_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with served(lambda _: page(99, '"has_next_page": false')) as server:
        assert run(wanted(server)) == 0
    assert "may be cut" not in capsys.readouterr().err


def test_a_snapshot_and_a_comparison_do_not_call_it_complete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(lambda _: page(7, '"has_next_page": true')) as server:
        whom = ["--base-url", server.url, "--connection-id", "conn_1"]
        assert run(wanted(server)) == 7
        assert run(["snapshot", "keep", "one", "ats/job", *whom]) == 0
        capsys.readouterr()
        assert run(["snapshot", "list", "--json", *whom]) == 0
        listed: Any = json.loads(capsys.readouterr().out)
        assert "complete" not in json.dumps(listed)
        assert run(["compare", "one", "pull:ats/job", *whom]) == 0
        assert "not read to its end" in capsys.readouterr().err


ODD = (
    b'{"items": [{"id": "1", "name": "a\xff"}, {"id": "2"}, {"id": "3", "raw_data": %b}, {"id": "4", "name": "x\ny"}]}'
    % (b"[" * 5000 + b"]" * 5000)
)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_odd_records_are_written_marked_and_counted(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"rows.{form}"
    with served(lambda _: ODD) as server:
        assert run(wanted(server, "--format", form, "--out", str(out))) == 0
        assert run(wanted(server, "--format", form, "--out", str(out), "--resume")) == 0
    said = capsys.readouterr().err
    assert said.count("2 records could not be written as received in this format") == 2
    if form == "csv":
        table = list(csv.DictReader(io.StringIO(out.read_text("utf-8"), newline="")))
        assert [row["id"] for row in table] == ["1", "2", "3", "4"]
        assert table[3]["name"] == "x\ny"
    else:
        assert parquet.read_table(out)["id"].to_pylist() == ["1", "2", "3", "4"]


def test_json_lines_is_one_record_a_line_whatever_is_in_it(
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    with served(lambda _: ODD) as server:
        assert run(wanted(server)) == 0
    lines = capsysbinary.readouterr().out.split(b"\n")
    assert lines[:2] == [b'{"id": "1", "name": "a\xff"}', b'{"id": "2"}']
    assert lines[3:] == [b'{"id":"4","name":"x\\ny"}', b""]


@pytest.mark.parametrize("name", ["deadline", "timeout"])
@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "90000", "soon"])
def test_a_bound_that_is_none_is_refused_before_anything_is_sent(
    name: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(lambda _: page(1, '"has_next_page": false')) as server:
        assert run(wanted(server, f"--{name}", value)) == 2
        assert server.got == []
    said = capsys.readouterr().err
    assert f"--{name}" in said
    assert "No such option" not in said


@pytest.mark.parametrize(
    "command",
    [
        ["pull", "ats/job"],
        ["call", "GET", "/v0/unified/ats/job"],
        ["ledger", "ats/job"],
        ["check", "ats/job", "--only", "paging", "--max-calls", "1"],
        ["mapping", "ats/job"],
    ],
)
def test_a_call_takes_no_longer_than_its_deadline(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with Recording([Reply(silent=True)]) as server:
        whom = ["--base-url", server.url, "--connection-id", "conn_1"]
        code = run([*command, *whom, "--deadline", "0.3"])
        assert len(server.got) == 1
    said = capsys.readouterr().err
    assert code == {"mapping": 0}.get(command[0], 6)
    assert "0.3 s" in said or command[0] == "mapping"


def test_a_half_character_that_was_given_or_kept_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with served(lambda _: page(1, '"has_next_page": false')) as server:
        assert run(wanted(server, "--param", "cursor=a\ud800")) == 2
        assert server.got == []
    said = capsys.readouterr().err
    assert "half a character" in said
    assert "fault" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="streams are closed in another way there")
@pytest.mark.parametrize(
    ("what", "how"),
    [
        *(("pull", how) for how in (">&-", "2>&-", "| true", "| head -c 5", "2>&- | true")),
        *((what, how) for what in ("compare", "compare --json", "ledger") for how in (">&-", "| true")),
        ("resources", ">&-"),
    ],
)
def test_a_stream_that_is_closed_is_no_fault(how: str, what: str, tmp_path: Path) -> None:
    with served(lambda _: page(2000, '"has_next_page": false')) as server:
        whom = f"--base-url {server.url} --home {tmp_path}"
        of = {"ledger": "ledger ats/job --kept", "resources": "resources --json", "pull": "pull ats/job"}
        line = f"{of.get(what, what)} {whom} --connection-id a"
        if what.startswith("compare"):
            line = f"{what} pull:ats/job@a pull:ats/job@b {whom}"
        if what == "resources":
            line = "resources --json"
        for connection in ("a", "b"):
            assert (
                run(["pull", "ats/job", *whom.split(), "--connection-id", connection, "--format", "csv"]) == 0
            )
        made = subprocess.run(
            [
                "bash",
                "-c",
                f"{shlex.quote(sys.executable)} -m explorer {line} {how}; exit ${{PIPESTATUS[0]}}",
            ],
            capture_output=True,
            timeout=60,
            check=False,
        )
    assert b"fault" not in made.stderr
    assert b"Traceback" not in made.stderr
    if how == ">&-":
        assert made.returncode == 3
        assert b"Standard output is closed" in made.stderr
    else:
        assert made.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="streams are closed in another way there")
def test_a_comparison_that_nobody_reads_still_ends_with_what_it_found(tmp_path: Path) -> None:
    def by_connection(got: Got) -> Reply:
        count = 3000 if got.header("x-connection-id") == "a" else 1
        return Reply(body=page(count, '"has_next_page": false'))

    with Recording(answering=by_connection) as server:
        whom = f"--base-url {server.url} --home {tmp_path}"
        for connection in ("a", "b"):
            assert (
                run(["pull", "ats/job", *whom.split(), "--connection-id", connection, "--format", "csv"]) == 0
            )
        line = f"compare --json pull:ats/job@a pull:ats/job@b {whom} | true"
        made = subprocess.run(
            ["bash", "-c", f"{shlex.quote(sys.executable)} -m explorer {line}; exit ${{PIPESTATUS[0]}}"],
            capture_output=True,
            timeout=60,
            check=False,
        )
    assert made.returncode == 1
