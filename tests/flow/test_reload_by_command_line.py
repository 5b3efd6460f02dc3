"""``pull`` without --resume over a list that is complete: the earlier stays until the new one is complete."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.cli.app import run
from tests.gui.list_server import ListServer


@pytest.fixture
def service() -> Iterator[tuple[ListServer, list[str]]]:
    server = ListServer(rows=300)
    with server.running() as base_url:
        yield server, ["--base-url", base_url, "--connection-id", "conn_1"]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "key-of-the-test")


def names(lines: bytes) -> set[str]:
    return {json.loads(line)["name"].split()[0] for line in lines.splitlines()}


def test_an_interrupted_one_leaves_the_earlier_in_front(
    service: tuple[ListServer, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server, where = service
    out = tmp_path / "rows.jsonl"
    wanted = ["pull", "ats/job", *where, "--out", str(out)]
    assert run(wanted) == 0
    server.record = lambda i: {"id": f"{i}", "name": f"New {i}"}
    assert run([*wanted, "--max-pages", "2"]) == 0
    assert names(out.read_bytes()) == {"New"}
    said = capsys.readouterr().err
    assert "300 rows, complete) stays current until this one is complete" in said
    assert run(["compare", "pull:ats/job", "pull:ats/job", *where]) == 0
    assert "300 rows" in capsys.readouterr().out
    assert run([*wanted, "--resume"]) == 0
    assert names(out.read_bytes()) == {"New"}
    assert len(out.read_bytes().splitlines()) == 300
    assert "is now the previous pull" in capsys.readouterr().err
    assert run(["compare", "previous:ats/job", "pull:ats/job", *where]) == 1
    assert "300 changed" in capsys.readouterr().out


def test_one_that_fails_or_stops_leaves_the_earlier_in_front(
    service: tuple[ListServer, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server, where = service
    wanted = ["pull", "ats/job", *where, "--out", str(tmp_path / "rows.jsonl")]
    assert run(wanted) == 0
    server.fail = {"100": (400, b'{"message":"m","code":"X"}')}
    assert run(wanted) == 4
    server.fail = {}
    server.loop_at = 200
    assert run(wanted) == 5
    assert capsys.readouterr().err.count("stays current") == 2
    assert run(["compare", "pull:ats/job", "pull:ats/job", *where]) == 0
    assert "300 rows" in capsys.readouterr().out
