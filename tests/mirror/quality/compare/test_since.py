"""What changed since the pull before: worked out once, kept with the pulls, and nothing said that cannot be known."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from explorer import words
from explorer.paths import Folders
from explorer.quality.compare import since as since_module
from explorer.quality.compare.ignored_fields import Mask
from explorer.quality.compare.rows import CalledOff
from explorer.quality.compare.since import MOST_ROWS, Since, since
from explorer.store.store import Store
from explorer.store.values import ChangeCounts, PullInfo
from tests.mirror.quality.kept_rows import keep, key
from tests.mirror.store.made import page


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders(tmp_path / "c", tmp_path / "d", tmp_path / "s")


def kept(folders: Folders, *records: list[Any]) -> list[PullInfo]:
    """A pull of each, one after another."""
    store = Store.of_profile(folders, "shop")
    made = [keep(store, each) for each in records]
    store.close()
    return made


def looked(folders: Folders, most: int = MOST_ROWS) -> Since | None:
    return since(folders, "shop", key(), Mask(), most=most)


def test_nothing_is_said_without_an_earlier_pull(folders: Folders) -> None:
    assert looked(folders) is None
    kept(folders, [{"id": 1}])
    assert looked(folders) is None


def test_it_is_worked_out_once_for_two_pulls(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    before, _ = kept(
        folders,
        [{"id": n, "name": "a"} for n in range(9)],
        [{"id": n, "name": "a" if n % 3 else "b"} for n in range(2, 9)] + [{"id": "new"}],
    )
    found = looked(folders)
    assert found is not None
    assert found.counts == ChangeCounts(added=1, gone=2, changed=2)
    when = words.day_and_time(before.updated_at)
    assert found.sentence == f"1 added, 2 gone, 2 changed since {when}"
    monkeypatch.setattr(since_module, "compare", None)  # it is not called any more
    assert looked(folders) == found
    monkeypatch.undo()
    [now] = kept(folders, [{"id": "new"}])
    again = looked(folders)
    assert again is not None
    assert (again.now.id, again.counts) == (now.id, ChangeCounts(0, 7, 0))


def test_it_is_worked_out_anew_when_one_of_the_pulls_went_on(folders: Folders) -> None:
    store = Store.of_profile(folders, "shop")
    keep(store, [{"id": 1}, {"id": 2}])
    [before] = store.pulls()
    now = store.begin(key(), page(1, [b'{"id": 1}']), "ready", "", after=before.id)
    store.settle(now.id)
    first = looked(folders)
    assert first is not None
    assert first.sentence.startswith("No difference since ")
    assert first.sentence.endswith(" (gone unknown)")
    store.keep(now.id, dataclasses.replace(page(2, [b'{"id": 3}']), next_cursor=None), "complete", "")
    second = looked(folders)
    assert second is not None
    assert second.counts == ChangeCounts(1, 1, 0)
    assert "unknown" not in second.sentence
    store.forget(before.id)
    while store.reap():
        pass
    assert store.read("SELECT count(*) FROM difference") == [(0,)], "it goes with its pull"
    store.close()


def test_what_an_earlier_pull_that_was_cut_short_cannot_tell(folders: Folders) -> None:
    before, now = kept(folders, [{"id": 1}], [{"id": 1}, {"id": 2}])
    cut = dataclasses.replace(before, state="stopped")
    made = Since(now, cut, ChangeCounts(1, 0, 3))
    assert made.sentence.startswith("3 changed since ")
    assert made.sentence.endswith(" (added unknown)")
    both = Since(dataclasses.replace(now, state="ready"), cut, ChangeCounts(1, 1, 0))
    assert both.sentence.endswith(" (added and gone unknown)")


def test_large_pulls_are_left_to_the_user_and_a_stop_ends_it(folders: Folders) -> None:
    kept(folders, [{"id": n} for n in range(5)], [{"id": n} for n in range(4)])
    assert looked(folders, 8) is None
    with pytest.raises(CalledOff):
        since(folders, "shop", key(), Mask(), lambda: False, 9)
    found = looked(folders, 9)
    assert found is not None
    assert looked(folders, 0) == found, "what is kept is said whatever the number of rows"
