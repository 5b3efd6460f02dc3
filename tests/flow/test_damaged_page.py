"""A damaged page: said and fetched again by its cursor, and never written over a file that was good."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer.cli.app import run
from tests.recording import Got, Recording, Reply, reply

DAMAGES = {
    "bytes": "UPDATE page SET data = zeroblob(100) WHERE number = 2",
    "gone": "DELETE FROM page WHERE number = 2",
    "two gone": "DELETE FROM page WHERE number IN (2, 3)",
    "rows": "UPDATE page SET rows = rows + 1 WHERE number = 2",
    "cursor": "UPDATE page SET cursor = x'ff' WHERE number = 2",
    "the first before itself": "UPDATE page SET number = 0 WHERE number = 1",
    "the end": "DELETE FROM page WHERE number = 4",
    "count": "UPDATE pull SET pages = 9",
}


KEY = "k" * 12

Ground = tuple[Any, Path, Callable[..., int], Callable[[str], None]]
"""The service, the file, `pull` with more arguments, and a statement for the store."""


class Service:
    """Four pages; ``name`` is what their rows are called."""

    def __init__(self) -> None:
        self.name = f"one, asked for with {KEY}"

    def __call__(self, got: Got) -> Reply:
        page = int(got.target.partition("cursor=c")[2] or 1)
        rows = [{"id": f"{page}-{n}", "name": self.name} for n in range(4)]
        more = page < 4
        return reply({"items": rows, "has_next_page": more, "next_cursor": f"c{page + 1}" if more else None})


@pytest.fixture
def ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ground]:
    monkeypatch.setenv("UNIFIED_EXPLORER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", KEY)
    service, out = Service(), tmp_path / "rows.jsonl"
    with Recording(answering=service) as server:
        asked = ["pull", "ats/job", "--base-url", server.url, "--connection-id", "conn_1", "--out", str(out)]

        def spoil(statement: str) -> None:
            [store] = [p for p in (tmp_path / "home" / "data").glob("*.sqlite3") if p.name.count(".") == 1]
            with sqlite3.connect(store) as file:
                file.execute(statement)
            file.close()

        assert run(asked) == 0
        yield service, out, lambda *more: run([*asked, *more]), spoil


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_page_is_fetched_again_by_its_cursor(
    ground: Ground, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, pull, spoil = ground
    whole = out.read_bytes()
    spoil(DAMAGES[kind])
    capsys.readouterr()
    assert pull("--resume") == 0
    assert "16 records hold" in capsys.readouterr().err, "counted anew, as the rows are"
    assert out.read_bytes() == whole
    out.unlink()
    assert pull("--resume") == 0
    assert out.read_bytes() == whole
    assert len(whole.splitlines()) == 16


def test_what_the_service_answers_otherwise_is_not_put_in_its_place(
    ground: Ground,
    capsys: pytest.CaptureFixture[str],
) -> None:
    service, out, pull, spoil = ground
    out.write_bytes(b'{"id": "yesterday"}\n')
    spoil(DAMAGES["bytes"])
    service.name = "two"
    capsys.readouterr()
    assert pull("--resume") == 3
    said = capsys.readouterr().err
    assert "Page 2 is damaged in the store, and could not be fetched again" in said
    assert "without `--resume`" in said
    assert out.read_bytes() == b'{"id": "yesterday"}\n'
    assert pull() == 0
    assert {json.loads(line)["name"] for line in out.read_bytes().splitlines()} == {"two"}


def test_a_pull_that_fails_leaves_the_file_that_was_there(ground: Ground) -> None:
    service, out, pull, _ = ground
    whole, answer = out.read_bytes(), service.__call__

    class Failing(Service):
        def __call__(self, got: Got) -> Reply:
            return reply({}, 400) if "c3" in got.target else answer(got)

    service.__class__ = Failing
    assert pull() == 4
    assert out.read_bytes() == whole
    service.__class__ = Service
    assert pull("--resume") == 0
    assert out.read_bytes() == whole
    assert [path.name for path in out.parent.iterdir() if path.name.startswith(".")] == []
