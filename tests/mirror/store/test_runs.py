"""Runs give back what they were given, bucket by bucket, whether they lie in memory or in the file."""

from __future__ import annotations

import itertools
import tempfile
from array import array
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.store import StoreFault, runs
from explorer.store.runs import Runs, Spill
from tests.thorough import examples

keys = st.text(st.sampled_from([*"abc\n\x00é", "\ud800", "😀"]), max_size=3)


@settings(max_examples=examples(200), deadline=None)
@given(
    st.lists(st.lists(keys, max_size=8), max_size=5),
    st.lists(keys, max_size=3, unique=True).map(sorted),
    st.booleans(),
    st.sampled_from([0, 30, 10**6]),
)
def test_buckets_hold_every_row_between_their_pivots(
    given_runs: list[list[str]], pivots: list[str], descending: bool, memory: int
) -> None:
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(runs, "MEMORY_BYTES", memory)
        made = Runs(pivots, Path(folder) / "x.sqlite3", descending=descending)
        whole = list(itertools.chain(*given_runs))
        first = 0
        for run in given_runs:
            made.add(run, array("I", range(first, first + len(run))))
            first += len(run)
        found: list[int] = []
        for bucket, rows in made.buckets():
            known = [whole[row] for row in rows]
            if bucket is None:
                assert len(set(known)) == 1
                assert known[0] in pivots
                found += rows
            else:
                assert known == bucket
                order = sorted(range(len(rows)), key=bucket.__getitem__, reverse=descending)
                found += [rows[n] for n in order]
        assert found == sorted(range(len(whole)), key=whole.__getitem__, reverse=descending)
        made.close()
        assert list(Path(folder).iterdir()) == [], "the file has no name"


def test_what_was_spilled_is_read_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MEMORY_BYTES", 100)
    spill = Spill(tmp_path / "x.sqlite3")
    pieces = [bytes([n]) * (n + 1) for n in range(60)]
    places = [spill.add(piece) for piece in pieces]
    for place, piece in reversed(list(zip(places, pieces, strict=True))):
        assert spill.read(place, len(piece)) == piece
    spill.close()


def test_a_disk_that_cannot_hold_it_is_a_fault_of_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "MEMORY_BYTES", 100)
    spill = Spill(tmp_path / "gone" / "x.sqlite3")
    with pytest.raises(StoreFault):
        spill.add(b"x" * 200)
