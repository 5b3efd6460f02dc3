"""Kept runs on real files: redacted, private, bounded, listed without being read, and gone with their line."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.api.redact import Redactor
from explorer.session import StoreFault, kept_runs
from explorer.session.journal import Journal
from explorer.session.kept_runs import CALLS, KeptRuns, spans_of

CANARY = "canary-5b1e77"


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[KeptRuns]:
    redactor = Redactor([CANARY])
    journal = Journal(tmp_path / "data" / "00ff.journal.sqlite3", redactor)
    yield KeptRuns(journal, redactor)
    journal.close()


def document(number: int, **more: str) -> bytes:
    return json.dumps({"number": number, **more}, indent=2).encode()


def test_what_is_kept_is_listed_newest_first_and_read_again(kept: KeptRuns) -> None:
    async def scene() -> None:
        made = [await kept.keep(document(n), {"words": f"run {n}"}) for n in range(3)]
        assert [run.about["words"] for run in kept.all()] == ["run 2", "run 1", "run 0"]
        assert await kept.read(kept.all()[0]) == document(2)
        again = await kept.keep(document(9), {"words": "run 9"}, instead=made[2])
        assert [run.about["words"] for run in kept.all()] == ["run 9", "run 1", "run 0"]
        assert not (kept.folder / made[2].name).exists()
        (kept.folder / again.name).unlink()
        assert [run.about["words"] for run in kept.all()] == ["run 1", "run 0"]
        with pytest.raises(StoreFault, match="could not be read"):
            await kept.read(again)

    asyncio.run(scene())


def test_no_secret_is_in_any_file_and_nobody_else_can_read_it(kept: KeptRuns) -> None:
    asyncio.run(kept.keep(document(1, value=f"it said {CANARY}"), {"words": f"of {CANARY}"}))
    files = [path for path in kept.folder.parent.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if CANARY.encode() in path.read_bytes()]
    if sys.platform != "win32":
        assert [path.stat().st_mode & 0o77 for path in kept.folder.iterdir()] == [0]


@pytest.mark.parametrize(("most", "most_bytes", "left"), [(2, 2**20, [3, 2]), (9, 40, [3, 2]), (9, 0, [3])])
def test_the_oldest_leaves(
    kept: KeptRuns, monkeypatch: pytest.MonkeyPatch, most: int, most_bytes: int, left: list[int]
) -> None:
    monkeypatch.setattr(kept_runs, "MOST", most)
    monkeypatch.setattr(kept_runs, "MOST_BYTES", most_bytes)

    async def scene() -> None:
        for number in range(4):
            await kept.keep(document(number), {"number": number})

    asyncio.run(scene())
    assert sorted((run.about["number"] for run in kept.all()), reverse=True) == left
    assert len(list(kept.folder.iterdir())) == len(left)


@given(st.lists(st.sets(st.integers(1, 60)), max_size=3))
def test_the_calls_of_a_run_are_noted_as_spans(runs: list[set[int]]) -> None:
    noted = [spans_of(sorted(numbers)) for numbers in runs]
    assert all(before[1] < after[0] for spans in noted for before, after in pairwise(spans)), (
        "as few as there can be"
    )

    async def scene(kept: KeptRuns) -> None:
        made = await kept.keep(document(1), {"words": "a run", CALLS: noted})
        assert [set(numbers) for numbers in made.calls] == runs
        other = await kept.keep(document(2), {"words": "of an earlier version"})
        assert list(other.calls) == []
        assert list((await kept.keep(document(3), {CALLS: [["x"]]})).calls) == []

    with TemporaryDirectory() as folder:
        redactor = Redactor([])
        journal = Journal(Path(folder) / "data" / "00ff.journal.sqlite3", redactor)
        asyncio.run(scene(KeptRuns(journal, redactor)))
        journal.close()
