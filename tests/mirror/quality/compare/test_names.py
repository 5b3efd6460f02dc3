"""Names of kept rows: which pull is meant, what is none, and that a name given out leads back to its pull."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from explorer.paths import Folders
from explorer.profiles.profile import Profile
from explorer.quality.compare.names import NameFault, PullName, at_hand, open_kept
from explorer.quality.compare.rows import PullRows
from explorer.quality.compare.snapshots import Snapshots
from explorer.store import PullKey, Store, StoreFault
from tests.builtin import registry
from tests.mirror.quality.kept_rows import keep

PROFILE = Profile(name="Shop", base_url="https://api.example.com", connection="conn_1").changed(id="shop")


def asked(connection: str, **query: str) -> PullKey:
    params = json.dumps({"query": sorted(query.items()), "extra": []})
    return PullKey(connection, PROFILE.base_url, "ats/job", params)


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    made = Folders(tmp_path / "c", tmp_path / "d", tmp_path / "s")
    store = Store.of_profile(made, PROFILE.id)
    for rows, key in enumerate(
        (
            asked("conn_1"),
            asked("conn_1", sync_mode="incremental", page_size="10"),
            asked("conn_1", sync_mode="full"),
            asked("conn_2", note="a@b&c=d"),
            PullKey("conn_1", "https://elsewhere.example.com", "ats/job", '{"query": [], "extra": []}'),
        ),
        start=1,
    ):
        keep(store, [{"id": n} for n in range(rows)], of=key)
    store.close()
    return made


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("pull:ats/job", 3),
        ("PULL:/ats/job/".replace("PULL", "pull"), 3),
        ("pull:ats/job?sync_mode=", 1),
        ("pull:ats/job?sync_mode=incremental", 2),
        ("pull:ats/job?page_size=10", 2),
        ("pull:ats/job@conn_2", 4),
    ],
)
def test_the_newest_that_fits(folders: Folders, text: str, rows: int) -> None:
    with open_kept(text, folders, PROFILE) as found:
        assert found.about.rows == rows
        assert found.name == text


@pytest.mark.parametrize(
    "text", ["pull:ats/job?sync_mode=other", "pull:ats/job@conn_3", "pull:file-storage/file"]
)
def test_nothing_of_that_name(folders: Folders, text: str) -> None:
    with pytest.raises(StoreFault, match="No rows are saved"):
        open_kept(text, folders, PROFILE)


@pytest.mark.parametrize("text", ["pull:", "pull:crm/contact", "pull:ats/job@", "pull:ats/job?"])
def test_what_is_no_name(text: str) -> None:
    if text.endswith("?"):
        assert PullName.read(text, registry).parameters == ()
        return
    with pytest.raises(NameFault):
        PullName.read(text, registry)


def test_what_is_at_hand_is_listed_once_and_its_names_lead_back(folders: Folders) -> None:
    found = at_hand(folders, PROFILE)
    assert [one.info.rows for one in found] == [4, 3, 2, 1]
    for one in found:
        with open_kept(one.text, folders, PROFILE) as rows, one.open(folders, PROFILE) as same:
            # A name without parameters means the newest of all: that is said in the documents.
            expected = one.info.rows if one.parameters else 3
            assert (rows.about.rows, same.about.rows) == (expected, one.info.rows)


def test_a_snapshot_by_its_name_with_or_without_the_word(folders: Folders) -> None:
    with at_hand(folders, PROFILE)[0].open(folders, PROFILE) as rows:
        assert isinstance(rows, PullRows)
        Snapshots.of_profile(folders, PROFILE.id).keep("Morning", rows)
    for text in ("morning", "Snapshot:MORNING", " Morning "):
        with open_kept(text, folders, PROFILE) as kept:
            assert kept.about.rows == 4
