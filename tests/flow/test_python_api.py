"""Records from Python: all of them once, as received; lazily; ended honestly; with a loop running or without."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from explorer import open_connection
from explorer.api.errors import CursorRepeated, EndNotShown, ExplorerError
from explorer.cli.exits import UsageFault
from explorer.profiles.fault import ProfileFault
from explorer.python_api import Connection
from tests.recording import Got, Recording, Reply

ROOT = Path(__file__).resolve().parents[2]
KEY = "k-0123456789abcdef"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", KEY)


def row(number: int) -> str:
    return f'{{"id": "{number}", "name": "Job {number}",  "modified_at": "2026-11-20T10:00:0{number % 10}+02:00"}}'


def served(pages: int = 3, last: str = '"next_cursor": null', *, rows: int = 4) -> Recording:
    """A server with a list of ``pages`` pages; the last one ends with ``last``."""

    def answer(got: Got) -> Reply:
        at = int(parse_qs(urlsplit(got.target).query).get("cursor", ["0"])[0])
        items = ", ".join(row(at * rows + each) for each in range(rows))
        more = f'"next_cursor": "{at + 1}"' if at + 1 < pages else last
        return Reply(body=f'{{"items": [{items}], {more}}}'.encode())

    return Recording(answering=answer)


def opened(server: Recording, home: Path) -> AbstractContextManager[Connection]:
    made: AbstractContextManager[Connection] = open_connection(
        base_url=server.url, connection="conn_1", home=str(home)
    )
    return made


def test_all_records_come_once_in_order_as_received(tmp_path: Path) -> None:
    with served() as server, opened(server, tmp_path) as connection:
        assert connection.id == "conn_1"
        assert "ats/job" in connection.lists
        pages = list(connection.pages("ats/job", page_size=4))
        assert [raw for page in pages for raw in page] == [row(number).encode() for number in range(12)]
        assert [record["id"] for record in connection.records("ats/job")] == [str(n) for n in range(12)]
        asked = [parse_qs(urlsplit(got.target).query) for got in server.got]
        assert [each.get("cursor") for each in asked] == [None, ["1"], ["2"]] * 2
        assert asked[0]["page_size"] == ["4"]
        assert all(got.header("x-apikey") == KEY and got.method == "GET" for got in server.got)


def test_a_page_is_requested_when_its_first_record_is_wanted(tmp_path: Path) -> None:
    with served() as server, opened(server, tmp_path) as connection:
        records = connection.records("ats/job")
        assert server.got == []
        for _ in range(4):
            next(records)
        assert len(server.got) == 1
        next(records)
        assert len(server.got) == 2
        records.close()
        stored = list(connection.records("ats/job", stored=True))
        assert [record["id"] for record in stored] == [str(number) for number in range(8)]
        assert len(server.got) == 2, "stored rows ask nothing"


def test_stored_rows_outlive_the_connection(tmp_path: Path) -> None:
    with served() as server:
        with opened(server, tmp_path) as connection:
            assert sum(1 for _ in connection.records("ats/job")) == 12
        with opened(server, tmp_path) as connection:
            assert [len(page) for page in connection.pages("ats/job", stored=True)] == [4, 4, 4]
            assert list(connection.pages("ats/job", stored=True, page_size=7)) == []
        assert len(server.got) == 3


@pytest.mark.parametrize(
    ("last", "error"),
    [
        ('"has_next_page": true, "next_cursor": null', EndNotShown),
        ('"next_cursor": "1"', CursorRepeated),
    ],
)
def test_a_bad_end_is_raised_after_all_that_was_received(
    tmp_path: Path, last: str, error: type[ExplorerError]
) -> None:
    got: list[object] = []
    with served(last=last) as server, opened(server, tmp_path) as connection:
        with pytest.raises(error):
            got.extend(connection.records("ats/job"))
        assert len(got) == 12
        batches: list[Any] = []
        with pytest.raises(error):
            batches.extend(connection.batches("ats/job", rows=5))
        assert [batch.num_rows for batch in batches] == [5, 5, 2]


def test_a_failed_page_is_raised_in_words(tmp_path: Path) -> None:
    with Recording([Reply(403, b'{"message": "no"}')]) as server, opened(server, tmp_path) as connection:
        with pytest.raises(ExplorerError) as raised:
            next(connection.records("ats/job"))
        assert raised.value.sentence
        assert KEY not in f"{raised.value!r} {raised.value.sentence}"


def test_a_list_of_one_page_of_a_common_size_is_warned_about(tmp_path: Path) -> None:
    with (
        served(pages=1, rows=100) as server,
        opened(server, tmp_path) as connection,
        pytest.warns(UserWarning, match="may be cut"),
    ):
        assert sum(1 for _ in connection.records("ats/job")) == 100


def test_batches_have_the_columns_of_parquet_and_typed_dates(tmp_path: Path) -> None:
    with served() as server, opened(server, tmp_path) as connection:
        batches = list(connection.batches("ats/job", rows=5))
    assert [batch.num_rows for batch in batches] == [5, 5, 2]
    rows = [each for batch in batches for each in batch.to_pylist()]
    assert [each["id"] for each in rows] == [str(number) for number in range(12)]
    assert rows[3]["modified_at"] == "2026-11-20T10:00:03+02:00"
    assert rows[3]["modified_at_time"] == datetime(2026, 11, 20, 8, 0, 3, tzinfo=UTC)


def test_it_works_where_a_loop_is_running_as_in_a_notebook(tmp_path: Path) -> None:
    async def cell() -> int:
        with served() as server, opened(server, tmp_path) as connection:
            return sum(1 for _ in connection.records("ats/job"))

    assert asyncio.run(cell()) == 12


def test_what_cannot_be_opened_or_is_no_list_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served() as server, opened(server, tmp_path) as connection:
        with pytest.raises(UsageFault, match="'ats/jobs' is not a list"):
            next(connection.records("ats/jobs"))
        assert server.got == []
    with pytest.raises(ProfileFault), open_connection("Nobody", home=str(tmp_path)):
        pass
    monkeypatch.delenv("UNIFIED_EXPLORER_APIKEY")
    with pytest.raises(UsageFault, match="There is no key"), opened(server, tmp_path):
        pass


def test_the_example_runs_as_a_script(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "examples" / "records.py"],
        env={"UNIFIED_EXPLORER_HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "ats/job" in lines[0]
    assert json.loads(lines[1].rpartition("} ")[2]) == 1204
    assert lines[2] == "1204 timestamp[us, tz=UTC]"
