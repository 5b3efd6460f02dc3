"""Names of kept rows: which pull is meant, what is none, and that a name given out leads back to its pull."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from explorer.paths import Folders
from explorer.profiles.book import Profiles
from explorer.profiles.profile import Profile
from explorer.quality.compare.names import AtHand, NameFault, PullName, at_hand, of_others, open_kept
from explorer.quality.compare.snapshots import Snapshots
from explorer.store.store import Store
from explorer.store.values import PullKey, StoreFault
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


def test_earlier_pulls_by_their_number(folders: Folders) -> None:
    store = Store.of_profile(folders, PROFILE.id)
    for rows in range(11, 14):
        keep(store, [{"id": n} for n in range(rows)], of=asked("conn_2", note="a@b&c=d"))
    store.close()
    for text, rows in (
        ("pull:ats/job@conn_2", 13),
        ("pull:ats/job~0@conn_2", 13),
        ("pull:ats/job~1@conn_2", 12),
        ("previous:ats/job@conn_2", 12),
        ("pull:ats/job~3?note=a%40b%26c%3Dd@conn_2", 4),
    ):
        with open_kept(text, folders, PROFILE) as found:
            assert (found.about.rows, found.name) == (rows, text)
    with pytest.raises(
        StoreFault, match=r"~4@conn_2 is not stored.*~1 of .* \(12 rows\), .*~3 of .* \(4 rows\)\."
    ):
        open_kept("pull:ats/job~4@conn_2", folders, PROFILE)
    with pytest.raises(StoreFault, match="The list has no earlier pull"):
        open_kept("previous:ats/job", folders, PROFILE)
    mine = [one for one in at_hand(folders, PROFILE) if one.info.key.connection == "conn_2"]
    assert [(one.back, one.info.rows) for one in mine] == [(0, 13), (1, 12), (2, 11), (3, 4)]
    for one in mine:
        with open_kept(one.text, folders, PROFILE) as found:
            assert found.about.rows == one.info.rows


def test_states_of_another_profile(folders: Folders) -> None:
    other = PROFILE.changed(id="other", name="Other: one", connection="conn_9")
    Profiles(folders).save(PROFILE)
    Profiles(folders).save(other)
    assert of_others(folders, PROFILE) == ()
    assert not Store.path_of(folders, other.id).exists(), "nothing is made by looking"
    store = Store.of_profile(folders, other.id)
    info = keep(store, [{"id": n} for n in range(20)], of=asked("conn_9"))
    store.close()
    Snapshots.of_profile(folders, other.id).keep("Their", info)
    Snapshots.of_profile(folders, PROFILE.id).keep("a::b", at_hand(folders, PROFILE)[0].info)
    for text in ("other: ONE::pull:ats/job", "other::pull:ats/job@conn_9", "Other: one::their"):
        with open_kept(text, folders, PROFILE) as found:
            assert (found.about.rows, found.name.casefold()) in ((20, text.casefold()), (20, "their"))
    with open_kept("a::b", folders, PROFILE) as found:
        assert found.about.rows == 4
    with pytest.raises(StoreFault, match="no snapshot"):
        open_kept("Nobody::their", folders, PROFILE)
    named = [
        (whose.name, one.text if isinstance(one, AtHand) else one.name)
        for whose, one in of_others(folders, PROFILE)
    ]
    assert named == [("Other: one", "Their"), ("Other: one", "pull:ats/job@conn_9")]


@pytest.mark.parametrize(
    "text", ["pull:ats/job?sync_mode=other", "pull:ats/job@conn_3", "pull:file-storage/file"]
)
def test_nothing_of_that_name(folders: Folders, text: str) -> None:
    with pytest.raises(StoreFault, match="No rows are saved"):
        open_kept(text, folders, PROFILE)


@pytest.mark.parametrize(
    "text",
    [
        "pull:",
        "pull:crm/contact",
        "pull:ats/job@",
        "pull:ats/job?",
        "pull:ats/job~",
        "pull:ats/job~x",
        "pull:ats/job~-1",
        "pull:ats/job~1234",
        "previous:ats/job~1",
        "pull:~1",
    ],
)
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
        with open_kept(one.text, folders, PROFILE) as rows:
            # A name without parameters means the newest of all: that is said in the documents.
            assert rows.about.rows == (one.info.rows if one.parameters else 3)


def test_a_snapshot_by_its_name_with_or_without_the_word(folders: Folders) -> None:
    with open_kept("pull:ats/job@conn_2", folders, PROFILE) as rows:
        Snapshots.of_profile(folders, PROFILE.id).keep("Morning", rows.info)
    for text in ("morning", "Snapshot:MORNING", " Morning "):
        with open_kept(text, folders, PROFILE) as kept:
            assert kept.about.rows == 4
