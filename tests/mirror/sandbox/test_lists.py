"""The five lists over real HTTP: envelopes, sizes, filters, cursors, the end, and the contract's types."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from explorer.sandbox.process import SandboxProcess, sandbox_command
from explorer.sandbox.resources import LISTS

Connect = Callable[[str], httpx.Client]
Json = dict[str, Any]

JOB = "/v0/unified/ats/job"
FILE = "/v0/unified/file-storage/file"
DRIVE = "/v0/unified/file-storage/drive"
MAILBOX = "/v0/unified/sales-engagement/mailbox"
STATE = "/v0/unified/sales-engagement/sequence_state"

TEXT: dict[str, set[str]] = {
    JOB: {"id", "created_at", "modified_at", "name"},
    FILE: {"id", "name", "description", "type", "path", "mime_type", "updated_at", "created_at"},
    DRIVE: {"id", "name", "description", "updated_at", "created_at"},
    MAILBOX: {"id", "email", "created_at", "updated_at", "last_modified_at", "user_id"},
    STATE: {
        *("id", "state", "created_at", "updated_at", "last_modified_at"),
        *("sequence_id", "contact_id", "mailbox_id", "user_id"),
    },
}
TRUTH = {
    JOB: {"confidential"},
    FILE: {"downloadable", "exportable"},
    MAILBOX: {"is_deleted"},
    STATE: {"is_deleted"},
}
OTHER = {
    JOB: {"departments", "offices", "hiring_managers", "recruiters", "raw_data"},
    FILE: {"size", "permissions", "export_formats", "raw_data"},
    DRIVE: {"raw_data"},
    MAILBOX: {"raw_data"},
    STATE: {"raw_data"},
}
COUNTS = {JOB: 1204, FILE: 2316, DRIVE: 40, MAILBOX: 60, STATE: 905}
ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
DEPARTMENT = {"id", "created_at", "modified_at", "name", "parent_id", "parent_department_external_id"}


def test_a_list_is_known_by_its_path_and_its_model() -> None:
    """The names of the procedures are those of the service; all else that is derived is told by the path."""
    assert {(one.path, one.resource, one.procedure) for one in LISTS} >= {
        (JOB, "job", "ats.listJobs"),
        (FILE, "file", "fileStorage.listFiles"),
        (DRIVE, "drive", "fileStorage.listDrives"),
        (MAILBOX, "mailbox", "salesEngagement.listMailboxes"),
        (STATE, "sequence_state", "salesEngagement.listSequenceStates"),
    }


def walk(client: httpx.Client, path: str, **params: str) -> list[Json]:
    """All pages of a list, up to forty."""
    pages: list[Json] = []
    cursor: str | None = None
    for _ in range(40):
        page = client.get(path, params={**params, **({"cursor": cursor} if cursor else {})})
        assert page.status_code == 200, page.text[:300]
        pages.append(page.json())
        cursor = pages[-1].get("next_cursor") or pages[-1].get("next_page_cursor")
        if not cursor:
            break
    return pages


def rows(pages: list[Json]) -> list[Any]:
    return [row for page in pages for row in page["items"]]


def assert_sound(path: str, row: Json) -> None:
    """Each field is declared by the contract and has the declared type."""
    texts, truths = TEXT[path], TRUTH.get(path, set())
    assert set(row) <= texts | truths | OTHER[path]
    assert {"id", "raw_data"} <= set(row)
    assert all(isinstance(row[name], str) for name in texts & set(row))
    assert all(isinstance(row[name], bool) for name in truths & set(row))
    assert all(ISO.fullmatch(row[name]) for name in row if name.endswith("_at"))
    assert isinstance(row["raw_data"], dict)
    for department in row.get("departments", []):
        assert all(isinstance(department[name], str) for name in DEPARTMENT & set(department))
        assert all(isinstance(child, str) for child in department.get("child_ids", []))
        assert isinstance(department["raw_data"], dict)
    assert all(isinstance(office, dict) for office in row.get("offices", []))
    assert isinstance(row.get("recruiters", []), list)
    if path == FILE:
        assert isinstance(row.get("size", 0), int)
        assert row["type"] in {"file", "folder", "url"}
        assert isinstance(row.get("permissions", {"download": False})["download"], bool)
        assert all(isinstance(form, str) for form in row.get("export_formats", []))


@pytest.mark.parametrize("path", COUNTS)
def test_the_clean_connection_keeps_the_contract(clean: httpx.Client, path: str) -> None:
    pages = walk(clean, path)
    found = rows(pages)
    assert len(found) == len({row["id"] for row in found}) == COUNTS[path]
    for row in found:
        assert_sound(path, row)
    flags = [page.get("has_next_page") for page in pages]
    if path in (MAILBOX, STATE):
        assert set().union(*pages) == {"items", "next_page_cursor"}
        assert pages[-1]["next_page_cursor"] is None
    else:
        assert flags == [True] * (len(pages) - 1) + [False]
        assert pages[-1]["next_cursor"] is None


@pytest.mark.parametrize(
    ("name", "path"),
    [
        *((name, JOB) for name in ("greenhouse", "lever", "ashby")),
        *((name, FILE) for name in ("google-drive", "sharepoint", "box")),
        *((name, DRIVE) for name in ("google-drive", "sharepoint")),
        *((name, MAILBOX) for name in ("outreach", "salesloft")),
        *((name, STATE) for name in ("outreach", "salesloft", "apollo")),
        *(("large", path) for path in (DRIVE, MAILBOX)),
    ],
)
def test_every_third_party_gives_sound_records(connect: Connect, name: str, path: str) -> None:
    found = rows(walk(connect(name), path, page_size="30"))
    assert len(found) == len({row["id"] for row in found}) > 5
    for row in found:
        assert_sound(path, row)


def test_records_have_the_size_of_real_ones(clean: httpx.Client) -> None:
    for path in (JOB, FILE, STATE):
        page = clean.get(path)
        assert 90_000 < len(page.content) < 170_000


def test_the_vocabulary_of_the_world_is_there(clean: httpx.Client) -> None:
    text = json.dumps([rows(walk(clean, JOB)), rows(walk(clean, FILE))], ensure_ascii=False)
    for sample in ("🤖", "مهندس", "カスタマー", "cafe\u0301", "👨\u200d👩\u200d👧\u200d👦"):
        assert sample in text
    big = [row["raw_data"]["custom_fields"]["budget_minor_units"] for row in rows([clean.get(JOB).json()])]
    assert min(big) > 2**53
    lines = [row["departments"] for row in rows(walk(clean, JOB))]
    assert any(len(line) >= 3 for line in lines)
    assert any(line == [] for line in lines)


@pytest.mark.usefixtures("real_processes")  # forked ones hash texts alike, and their data could hang on that
def test_cursors_survive_a_restart_and_pages_are_the_same(sandbox: SandboxProcess, connect: Connect) -> None:
    other = SandboxProcess.start(sandbox_command())
    try:
        assert other.apikey != sandbox.apikey
        for style in ("lever", "ashby", "clean"):
            first = connect(style).get(JOB, params={"page_size": "20"}).json()
            asked = {"page_size": "20", "cursor": first["next_cursor"]}
            headers = {"x-apikey": other.apikey, "x-connection-id": f"conn_sandbox_{style}"}
            there = httpx.get(other.base_url + JOB, params=asked, headers=headers, trust_env=False)
            assert there.content == connect(style).get(JOB, params=asked).content, style
    finally:
        other.stop()


def test_another_seed_gives_other_data(clean: httpx.Client) -> None:
    other = SandboxProcess.start(sandbox_command(seed=7, scale=0.1))
    try:
        headers = {"x-apikey": other.apikey, "x-connection-id": "conn_sandbox_clean"}
        with httpx.Client(base_url=other.base_url, headers=headers, trust_env=False) as client:
            found = rows(walk(client, JOB))
    finally:
        other.stop()
    assert len(found) == 120
    assert [row["name"] for row in found[:20]] != [row["name"] for row in clean.get(JOB).json()["items"][:20]]


def test_cursors_come_in_odd_forms(connect: Connect) -> None:
    assert len(connect("lever").get(JOB, params={"page_size": "5"}).json()["next_cursor"]) > 5000
    odd = connect("ashby").get(JOB, params={"page_size": "5"}).json()["next_cursor"]
    assert {"&", "=", "+", "%", '"', "#", " ", "\\", "漢"} <= set(odd)
    assert "next_cursor" not in walk(connect("lever"), JOB)[-1]
    assert walk(connect("ashby"), JOB)[-1]["next_cursor"] == ""


def test_page_size_and_its_bounds(clean: httpx.Client) -> None:
    assert len(clean.get(JOB).json()["items"]) == 100
    assert len(clean.get(JOB, params={"page_size": "7"}).json()["items"]) == 7
    assert len(clean.get(JOB, params={"page_size": "5000"}).json()["items"]) == 1000
    assert clean.get(JOB, params={"page_size": "0"}).status_code == 422
    assert clean.get(JOB, params={"page_size": "many"}).json()["issues"][0]["path"] == ["page_size"]
    assert len(clean.get(MAILBOX, params={"page_size": "7"}).json()["items"]) == 25


def test_incremental_is_a_part_of_full_where_it_has_an_effect(clean: httpx.Client) -> None:
    every = {row["id"]: row for row in rows(walk(clean, JOB, sync_mode="full"))}
    some = rows(walk(clean, JOB, sync_mode="incremental", page_size="50"))
    assert 100 < len(some) < len(every) / 5
    assert all(every[row["id"]] == row for row in some)
    assert clean.get(DRIVE, params={"sync_mode": "incremental"}).json() == clean.get(DRIVE).json()
    wrong = clean.get(JOB, params={"sync_mode": "fast"})
    assert wrong.status_code == 400
    assert wrong.json()["issues"][0]["code"] == "invalid_enum_value"


@pytest.mark.parametrize("party", ["clean", "sharepoint"])
def test_filters_of_files_and_drives(connect: Connect, party: str) -> None:
    client = connect(party)
    drives = rows(walk(client, DRIVE))
    every = rows(walk(client, FILE))
    group = rows(walk(client, DRIVE, drive_group_id="group_2"))
    assert [row["id"] for row in group] == [row["id"] for row in drives[1::4]]
    drive = drives[3]["id"]
    on_drive = rows(walk(client, FILE, drive_id=drive))
    assert on_drive
    assert {json.dumps(row).count(drive) > 0 for row in on_drive} == {True}
    folder = next(row for row in every if row["type"] == "folder")
    inside = rows(walk(client, FILE, folder_id=folder["id"]))
    assert len(inside) == 24
    assert {row["type"] == "folder" for row in inside} == {False}
    assert rows(walk(client, FILE, folder_id="nowhere")) == []
    both = rows(walk(client, FILE, drive_id=drive, drive_group_id="group_1"))
    assert both == []


def test_a_cursor_of_another_list_is_refused_by_the_third_party(clean: httpx.Client) -> None:
    cursor = clean.get(JOB).json()["next_cursor"]
    for value in (cursor, "nonsense", "漢字"):
        answer = clean.get(FILE, params={"cursor": value})
        assert answer.status_code == 400
        assert set(answer.json()) == {"class", "message", "code", "data"}


def test_the_large_connection_goes_deep_without_holding_it(connect: Connect) -> None:
    client = connect("large")
    first = client.get(JOB, params={"page_size": "1000"}).json()
    sample = rows([first])
    for row in sample[::37]:
        assert_sound(JOB, row)
    assert len({row["id"] for row in sample}) == 1000
    cursor = _cursor_at(client, 999_900)
    last = client.get(JOB, params={"cursor": cursor}).json()
    assert len(last["items"]) == 100
    assert last["has_next_page"] is False
    assert last["items"][-1]["id"] == "4000999999"
    assert last["items"][-1]["raw_data"]["requisition_id"] == "REQ-0999999"
    files = client.get(FILE).json()
    for row in files["items"]:
        assert_sound(FILE, row)


def _cursor_at(client: httpx.Client, position: int) -> str:
    """Made here by hand, since a million records are not walked in a test."""
    from explorer.sandbox.lists import Place, encoded

    return encoded(Place(position), "2025|conn_sandbox_large|job", "plain")
