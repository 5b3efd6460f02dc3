"""How the pulls of one key stand to each other, whatever two windows do with them in whatever order."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.store.store import Store
from explorer.store.values import KEPT_PULLS, PullInfo, PullMoved, Standing
from tests.mirror.store.made import KEY, page


def numbers(one: PullInfo | None) -> int:
    return one.id if one is not None else 0


def test_a_complete_pull_stays_in_front_until_the_next_is_complete(tmp_path: Path) -> None:
    store = Store(tmp_path / "one.sqlite3")
    old = store.begin(KEY, page(1, [b"old"]), "complete", "", after=None)
    new = store.begin(KEY, page(1, [b"new"]), "ready", "", after=old.id)
    standing = store.standing(KEY)
    assert (standing.front, standing.begun, standing.previous) == (old, new, None)
    assert store.rows(old.id, 0, 9) == [b"old"]
    done = store.keep(new.id, page(2, [b"newer"]), "complete", "")
    standing = store.standing(KEY)
    assert (standing.front, standing.begun, standing.previous) == (done, None, old)
    ids = [old.id, new.id]
    for _ in range(KEPT_PULLS):
        ids.append(store.begin(KEY, page(1, [b"later"]), "complete", "", after=ids[-1]).id)
        assert [info.id for info in store.pulls()] == ids[-KEPT_PULLS:], "the oldest has gone"
        standing = store.standing(KEY)
        assert numbers(standing.front) == ids[-1]
        assert [info.id for info in standing.earlier] == ids[-KEPT_PULLS:-1][::-1], "the newest first"
    assert store.standing(dataclasses.replace(KEY, params="other")) == Standing()
    store.close()


def test_one_that_stopped_is_put_in_front_by_the_user_alone_and_stays_there(tmp_path: Path) -> None:
    store = Store(tmp_path / "one.sqlite3")
    old = store.begin(KEY, page(1, [b"old"]), "complete", "", after=None)
    new = store.begin(KEY, page(1, [b"new"]), "stopped", "A loop.", after=old.id)
    assert numbers(store.standing(KEY).front) == old.id
    assert store.settle(new.id).settled
    assert store.keep(new.id, page(2, [b"more"]), "ready", "").settled
    standing = store.standing(KEY)
    assert (numbers(standing.front), numbers(standing.previous)) == (new.id, old.id)
    store.forget(new.id)
    with pytest.raises(PullMoved):
        store.settle(new.id)
    assert numbers(store.standing(KEY).front) == old.id
    store.close()


STEPS = st.lists(
    st.sampled_from(["begin", "keep", "stop", "complete", "settle", "forget front", "forget newest", "reap"]),
    max_size=25,
)


@given(STEPS)
def test_the_pull_in_front_is_the_last_that_was_settled(steps: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "one.sqlite3")
        kept: list[tuple[int, bool, int]] = []  # id, settled, pages; oldest first
        for step in steps:
            newest = kept[-1] if kept else None
            settled = [one for one in kept if one[1]]
            front = settled[-1] if settled else newest
            if step == "begin":
                made = store.begin(KEY, page(1, [b"1"]), "ready", "", after=newest[0] if newest else None)
                kept = [*settled, (made.id, False, 1)]
            elif newest and step in ("keep", "stop", "complete"):
                pages = newest[2] + 1
                state = {"keep": "ready", "stop": "stopped"}.get(step, step)
                store.keep(newest[0], page(pages, [b"%d" % pages]), state, "")  # type: ignore[arg-type]
                kept[-1] = (newest[0], newest[1] or step == "complete", pages)
            elif newest and step == "settle":
                store.settle(newest[0])
                kept[-1] = (newest[0], True, newest[2])
            elif newest and front and step.startswith("forget"):
                gone = front if step == "forget front" else newest
                store.forget(gone[0])
                kept.remove(gone)
            elif step == "reap":
                while store.reap():
                    pass
            settled = [one for one in kept if one[1]][-KEPT_PULLS:]
            kept = [one for one in kept if not one[1] or one in settled]
            assert [info.id for info in store.pulls()] == [one[0] for one in kept]
            for number, _, pages in kept:
                assert store.rows(number, 0, 99) == [b"%d" % n for n in range(1, pages + 1)]
            standing = store.standing(KEY)
            front = settled[-1] if settled else kept[-1] if kept else None
            assert numbers(standing.front) == (front[0] if front else 0)
            assert numbers(standing.begun) == (kept[-1][0] if kept and kept[-1] is not front else 0)
            assert [one.id for one in standing.earlier] == [one[0] for one in settled[:-1]][::-1]
            assert numbers(standing.previous) == (settled[-2][0] if len(settled) > 1 else 0)
        store.close()
