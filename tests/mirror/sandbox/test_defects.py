"""Every defect of the messy connection shows over real HTTP, alone on its own connection and within the mix."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from explorer.sandbox.defects import BY_ID, DEFECTS, MIX, table

Connect = Callable[[str], httpx.Client]
Json = dict[str, Any]
Seen = Callable[["Reading"], bool]

PATHS = {
    "job": "/v0/unified/ats/job",
    "file": "/v0/unified/file-storage/file",
    "drive": "/v0/unified/file-storage/drive",
    "mailbox": "/v0/unified/sales-engagement/mailbox",
    "sequence_state": "/v0/unified/sales-engagement/sequence_state",
}
CLEAN_PAGES = {"job": 13, "file": 24, "drive": 1, "mailbox": 3, "sequence_state": 10}


class Reading:
    """What a patient reader gets of one resource: it follows every cursor, up to a bound."""

    def __init__(self, client: httpx.Client, resource: str, most: int = 0) -> None:
        self.client = client
        self.texts: list[str] = []
        self.types: list[str] = []
        self.pages: list[Json] = []
        self.cursors: list[Any] = []
        cursor: Any = None
        for _ in range(most or CLEAN_PAGES[resource] + 5):
            answer = client.get(PATHS[resource], params={"cursor": str(cursor)} if cursor else {})
            assert answer.status_code == 200, answer.text[:200]
            self.texts.append(answer.content.decode())
            self.types.append(answer.headers["content-type"])
            try:
                page = json.loads(self.texts[-1].lstrip("\ufeff"))
            except ValueError:
                page = {"items": [], "broken": True}
                self.pages.append(page)
                break
            self.pages.append(page)
            cursor = page.get("next_cursor") or page.get("next_page_cursor")
            self.cursors.append(cursor)
            if not cursor:
                break
        self.rows = [row for page in self.pages for row in page["items"] or []]

    def some(self, shows: Callable[[Json], object]) -> bool:
        return any(shows(row) for row in self.rows if isinstance(row, dict))

    def asked(self, resource: str, **params: str) -> Json:
        found: Json = self.client.get(PATHS[resource], params=params).json()
        return found


def goes_round(reading: Reading) -> bool:
    return len(set(reading.cursors)) < len(reading.cursors)


def cycle(row: Json) -> bool:
    parents = {one["id"]: one.get("parent_id") for one in row.get("departments") or []}
    return any(parent in parents and parents[parent] == ident for ident, parent in parents.items())


def ids(rows: list[Any]) -> list[Any]:
    return [row.get("id") for row in rows if isinstance(row, dict)]


def repeats_over_pages(reading: Reading) -> bool:
    pairs = zip(reading.pages, reading.pages[1:], strict=False)
    return all(after["items"][0] == before["items"][-1] for before, after in pairs)


def unknown_in_incremental(reading: Reading) -> bool:
    rows: list[Any] = []
    cursor = ""
    while True:
        page = reading.asked("job", sync_mode="incremental", cursor=cursor)
        rows += page["items"]
        cursor = page["next_cursor"] or ""
        if not cursor:
            break
    known = {
        row["raw_data"].get("requisition_id") or row["raw_data"].get("reqCode") for row in whole(reading)
    }
    new = {
        row["raw_data"].get("requisition_id") or row["raw_data"].get("reqCode") for row in whole_rows(rows)
    }
    return len(new - known) == 3


def whole_rows(rows: list[Any]) -> list[Json]:
    return [row for row in rows if isinstance(row, dict) and "raw_data" in row]


def whole(reading: Reading) -> list[Json]:
    return whole_rows(reading.rows)


def next_to_same(reading: Reading) -> bool:
    pairs = zip(reading.rows, reading.rows[1:], strict=False)
    return any(one["id"] == two["id"] and one["raw_data"] != two["raw_data"] for one, two in pairs)


def comes_back_older(reading: Reading) -> bool:
    dates: dict[Any, str] = {}
    for row in reading.rows:
        if row["updated_at"] < dates.get(row["id"], ""):
            return True
        dates[row["id"]] = row["updated_at"]
    return False


def texts_of(row: Json) -> list[str]:
    return [value for value in row["raw_data"].values() if isinstance(value, str)]


def cut_names(reading: Reading) -> bool:
    names = [(row["name"], texts_of(row)) for row in whole(reading) if isinstance(row.get("name"), str)]
    return any(len(name) == 9 and any(t[:9] == name != t for t in texts) for name, texts in names)


def has_raw_of_neighbour(reading: Reading) -> bool:
    pairs = zip(reading.rows, reading.rows[1:], strict=False)
    whole_pairs = [(a, b) for a, b in pairs if isinstance(a, dict) and isinstance(b, dict) and "id" in a]
    return any(a.get("raw_data") == b.get("raw_data", 0) and a["id"] != b.get("id") for a, b in whole_pairs)


def other_in_incremental(reading: Reading) -> bool:
    names = {row.get("id"): row.get("name") for row in reading.rows if isinstance(row, dict)}
    found = reading.asked("job", sync_mode="incremental")["items"][:3]
    return any(
        str(row["name"]) == f"{names.get(row.get('id'))} (draft)" for row in found if isinstance(row, dict)
    )


def loses_at_borders(reading: Reading) -> bool:
    small = ids(reading.asked("job", page_size="1000")["items"])
    return len(reading.rows) < 1204 and not set(small) <= set(ids(reading.rows))


def folder_left_out(reading: Reading) -> bool:
    [folder] = [row for row in reading.rows if row["name"] and row["id"] == reading.rows[1125]["id"]]
    inside = ids(reading.asked("file", folder_id=folder["id"])["items"])
    return bool(inside) and not set(inside) & set(ids(reading.rows))


def drive_forgotten(reading: Reading) -> bool:
    drive = reading.client.get(PATHS["drive"]).json()["items"][0]["id"]
    first = reading.asked("file", drive_id=drive, page_size="5")
    whole_drive = ids(reading.asked("file", drive_id=drive)["items"])
    second = reading.asked("file", drive_id=drive, page_size="5", cursor=first["next_cursor"])
    return not set(ids(second["items"])) <= set(whole_drive)


def user_of_neighbour(reading: Reading) -> bool:
    """Row 13 has the user of row 12."""
    return bool(reading.rows[11]["user_id"] == reading.rows[12]["user_id"])


LISTED: dict[str, Seen] = {
    "job-name-cut": cut_names,
    "job-name-escaped-twice": lambda r: r.some(lambda row: "&amp;amp;" in str(row.get("name"))),
    "job-zone-dropped": lambda r: r.some(lambda row: str(row.get("modified_at"))[-4:-3] in ":."),
    "job-raw-data-of-neighbour": has_raw_of_neighbour,
    "job-token-in-raw-data": lambda r: '"session":{"token":"' in "".join(r.texts),
    "job-incremental-other": other_in_incremental,
    "job-border-lost": loses_at_borders,
    "file-size-unit": lambda r: r.some(
        lambda row: isinstance(row.get("size"), float) and row["size"] % 1 != 0
    ),
    "file-mime-type-default": lambda r: r.some(
        lambda row: row.get("mime_type") == "application/octet-stream" and "octet" not in str(row["raw_data"])
    ),
    "file-name-wrong-charset": lambda r: r.some(lambda row: "BÃ¼cher" in str(row.get("name"))),
    "file-folder-left-out": folder_left_out,
    "file-drive-forgotten": drive_forgotten,
    "sequence-user-of-neighbour": user_of_neighbour,
    "job-confidential-text": lambda r: r.some(lambda row: row.get("confidential") == "yes"),
    "job-name-number": lambda r: r.some(lambda row: row.get("name") == 42),
    "job-departments-null": lambda r: r.some(lambda row: row.get("departments", 0) is None),
    "job-created-at-zero": lambda r: r.some(lambda row: str(row.get("created_at")).startswith("0000")),
    "job-created-at-epoch": lambda r: r.some(lambda row: str(row.get("created_at")).isdigit()),
    "job-modified-before-created": lambda r: r.some(
        lambda row: row["modified_at"] < "2012" <= row["created_at"]
    ),
    "job-raw-data-missing": lambda r: r.some(lambda row: "raw_data" not in row),
    "job-undeclared-field": lambda r: r.some(lambda row: "nested" in row and "" in row),
    "job-department-cycle": lambda r: r.some(cycle),
    "job-department-dangling": lambda r: '"no-such-department"' in "".join(r.texts),
    "job-digits-lost": lambda r: any(
        isinstance(row["raw_data"].get("id"), float) and str(int(row["raw_data"]["id"])) != row["id"]
        for row in whole(r)
    ),
    "job-id-number": lambda r: r.some(lambda row: isinstance(row.get("id"), int)),
    "job-id-missing": lambda r: r.some(lambda row: "id" not in row),
    "job-item-null": lambda r: None in r.rows,
    "job-item-text": lambda r: any(isinstance(row, str) for row in r.rows),
    "job-name-empty": lambda r: r.some(lambda row: row.get("name") == ""),
    "job-name-markup": lambda r: r.some(lambda row: "\u202e" in str(row.get("name")) and "\0" in row["name"]),
    "job-wrong-mapping": lambda r: r.some(lambda row: re.match(r"(REQ|LV)-\d+$", str(row.get("name")))),
    "job-recruiters-object": lambda r: r.some(lambda row: isinstance(row.get("recruiters"), dict)),
    "job-duplicate-key": lambda r: any('{"name":"The first of two",' in text for text in r.texts),
    "job-nan": lambda r: any('"score":NaN' in text for text in r.texts),
    "job-lone-surrogate": lambda r: any("half \\ud83d of" in text for text in r.texts),
    "job-duplicate-over-pages": repeats_over_pages,
    "job-page-size-ignored": lambda r: len(r.asked("job", page_size="5")["items"]) == 100,
    "job-false-with-cursor": lambda r: (
        [bool(c) for c, p in zip(r.cursors, r.pages, strict=True) if not p["has_next_page"]] == [True, False]
    ),
    "job-incremental-unknown": unknown_in_incremental,
    "job-broken-json": lambda r: "broken" in r.pages[2],
    "job-byte-order-mark": lambda r: r.texts[0].startswith("\ufeff"),
    "job-has-next-absent": lambda r: "has_next_page" not in r.pages[0],
    "file-type-unknown": lambda r: r.some(lambda row: row["type"] == "shortcut"),
    "file-size-text": lambda r: r.some(lambda row: row.get("size") == "12,345"),
    "file-size-negative": lambda r: r.some(lambda row: row.get("size") == -1),
    "file-size-rounded": lambda r: (
        "9007199254740992" in "".join(r.texts) and "9007199254740993" in "".join(r.texts)
    ),
    "file-export-formats-null": lambda r: r.some(lambda row: row.get("export_formats", 0) is None),
    "file-permissions-text": lambda r: r.some(lambda row: row.get("permissions") == "download"),
    "file-downloadable-null": lambda r: r.some(lambda row: row.get("downloadable", 0) is None),
    "file-updated-at-words": lambda r: r.some(lambda row: row["updated_at"] == "yesterday"),
    "file-name-missing": lambda r: r.some(lambda row: "name" not in row),
    "file-same-id": next_to_same,
    "file-updated-at-day-first": lambda r: r.some(lambda row: row["updated_at"] == "31/12/2024 23:59"),
    "file-long-value": lambda r: r.some(lambda row: len(row.get("description", "")) == 400_000),
    "file-empty-page": lambda r: (
        [bool(c) for c, p in zip(r.cursors, r.pages, strict=True) if not p["items"]] == [True] * 2
    ),
    "file-page-too-long": lambda r: len(r.asked("file", page_size="10")["items"]) == 13,
    "file-next-without-cursor": lambda r: r.pages[-1]["has_next_page"] is True and not r.cursors[-1],
    "drive-first-page-for-ever": lambda r: len(r.texts) > 5 and len(set(r.texts)) == 1 and goes_round(r),
    "drive-updated-at-empty": lambda r: r.some(lambda row: row.get("updated_at") == ""),
    "drive-name-null": lambda r: r.some(lambda row: row["name"] is None),
    "drive-raw-data-text": lambda r: r.some(lambda row: isinstance(row["raw_data"], str)),
    "drive-content-type": lambda r: r.types[0].startswith("text/html"),
    "drive-items-null": lambda r: r.pages[0]["items"] is None,
    "mailbox-email-missing": lambda r: r.some(lambda row: "email" not in row),
    "mailbox-email-malformed": lambda r: r.some(lambda row: row.get("email") == "not an address"),
    "mailbox-deleted-number": lambda r: r.some(lambda row: type(row["is_deleted"]) is int),
    "mailbox-updated-at-local": lambda r: r.some(lambda row: row["updated_at"] == "2024-05-06 07:08:09"),
    "mailbox-empty-last-page": lambda r: r.pages[-1]["items"] == [] and len(r.pages) == 4,
    "mailbox-cursor-empty-text": lambda r: r.pages[-1].get("next_page_cursor") == "",
    "mailbox-cursor-absent": lambda r: "next_page_cursor" not in r.pages[-1],
    "mailbox-other-envelope": lambda r: {"has_next_page", "next_cursor"} <= set(r.pages[0]),
    "mailbox-cursor-number": lambda r: isinstance(r.cursors[0], int) and len(r.rows) == 60,
    "sequence-cursor-loop": lambda r: r.cursors[:4] == [*r.cursors[:2]] * 2 and r.cursors[0] != r.cursors[1],
    "sequence-state-null": lambda r: r.some(lambda row: row["state"] is None),
    "sequence-mailbox-dangling": lambda r: r.some(lambda row: row.get("mailbox_id") == "mailbox-that-was"),
    "sequence-deleted-text": lambda r: r.some(lambda row: row.get("is_deleted") == "false"),
    "sequence-going-back": comes_back_older,
}
"""Defect of a list to what a patient reader sees of it."""


def batch(client: httpx.Client) -> list[Json]:
    answers = []
    for form in ("001SB{:010d}AAA", "8{:09d}"):
        ids_asked = [form.format(number) for number in range(1, 11)]
        given = {"ids": ids_asked, "properties": ["Name", "name", "NumberOfEmployees", "BillingStreet"]}
        answers.append(client.post("/v0/unified/crm/account/_batch_read", json=given).json())
    found: list[Json] = max(answers, key=len)
    return found


def contact(client: httpx.Client, **fields: str) -> Json:
    given = {"record": {"first_name": "Eve", "phone": "+1", **fields}}
    found: Json = client.post("/v0/unified/crm/contact", json=given).json()
    return found


def report(client: httpx.Client, name: str) -> Json:
    found: Json = client.get(
        f"/v0/unified/accounting/customer-{name}", params={"customer": "1,2,3,4,5"}
    ).json()
    return found


def off(report: Json, part: str, whole: str) -> bool:
    values = [entry[part] for entry in report["entries"] if isinstance(entry[part], int | float)]
    return bool(abs(sum(values) - report[whole]) > 0.005)


def receipt_type(client: httpx.Client) -> bool:
    answer = client.get("/v0/unified/accounting/payment-receipt", params={"customer_transaction_id": "1002"})
    return answer.content.startswith(b"%PDF") and answer.headers["content-type"] == "application/json"


CALLED: dict[str, Callable[[httpx.Client], bool]] = {
    "account-extra": lambda c: len(set(ids(batch(c)))) == 11,
    "account-double": lambda c: len(ids(batch(c))) == len(set(ids(batch(c)))) + 1,
    "account-updated-at-missing": lambda c: any("updated_at" not in one for one in batch(c)),
    "account-lifecycle-unknown": lambda c: any(one.get("lifecycle_stage") == "zombie" for one in batch(c)),
    "account-employees-text": lambda c: any(
        one.get("number_of_employees") == "1,000-5,000" for one in batch(c)
    ),
    "account-addresses-object": lambda c: any(isinstance(one.get("addresses"), dict) for one in batch(c)),
    "account-properties-ignored": lambda c: any("owner_id" in one for one in batch(c)),
    "contact-phone-dropped": lambda c: "phone" not in contact(c)["record"],
    "contact-plus-lost": lambda c: (
        " " in str(contact(c, email="eve+run@example.com").get("record", {}).get("email"))
    ),
    "contact-wrapper-missing": lambda c: contact(c).get("first_name") == "Eve",
    "balance-total-broken": lambda c: off(report(c, "balance"), "balance", "totalBalance"),
    "balance-customer-twice": lambda c: len(report(c, "balance")["entries"]) == 6,
    "balance-number-text": lambda c: report(c, "balance")["entries"][-1]["balance"] == "1.234,56",
    "income-net-broken": lambda c: off(report(c, "income"), "netIncome", "netIncome"),
    "income-total-broken": lambda c: off(report(c, "income"), "totalIncome", "totalIncome"),
    "income-period-reversed": lambda c: report(c, "income")["startPeriod"] > report(c, "income")["endPeriod"],
    "income-currency-missing": lambda c: "currency" not in report(c, "income"),
    "receipt-wrong-type": receipt_type,
}
"""Defect of anything else to what shows it."""


def test_each_defect_is_declared_once_and_tested() -> None:
    assert len(BY_ID) == len(DEFECTS)
    assert len(MIX) >= 50
    assert set(BY_ID) == LISTED.keys() | CALLED.keys()


@pytest.fixture(scope="module")
def mixed(connect: Connect) -> dict[str, Reading]:
    return {resource: Reading(connect("messy"), resource) for resource in PATHS}


@pytest.fixture(scope="module")
def sound(connect: Connect) -> dict[str, Reading]:
    return {resource: Reading(connect("clean"), resource) for resource in PATHS}


@pytest.mark.parametrize("defect", sorted(LISTED))
def test_a_defect_of_a_list_shows(
    connect: Connect, mixed: dict[str, Reading], sound: dict[str, Reading], defect: str
) -> None:
    resource = BY_ID[defect].resource
    seen = LISTED[defect]
    assert not seen(sound[resource])
    slot = BY_ID[defect].slot
    most = 1 if slot is not None and slot < 100 else 0
    assert seen(Reading(connect(f"messy.{defect}"), resource, most))
    if defect in MIX:
        assert seen(mixed[resource])


@pytest.mark.parametrize("defect", sorted(CALLED))
def test_a_defect_of_a_call_shows(connect: Connect, defect: str) -> None:
    assert not CALLED[defect](connect("clean"))
    assert CALLED[defect](connect(f"messy.{defect}"))
    if defect in MIX:
        assert CALLED[defect](connect("messy"))


def test_a_single_defect_leaves_the_other_lists_clean(connect: Connect) -> None:
    client = connect("messy.job-name-number")
    assert client.get(PATHS["file"]).json()["items"] == connect("clean").get(PATHS["file"]).json()["items"]


def test_some_defects_show_at_once_and_an_unknown_one_is_no_connection(connect: Connect) -> None:
    client = connect("messy.job-name-number+drive-name-null")
    assert LISTED["job-name-number"](Reading(client, "job", 1))
    assert LISTED["drive-name-null"](Reading(client, "drive", 1))
    for unknown in (
        "messy.job-name-number+",
        "messy.",
        "messy.job-name-number+none",
        "clean.job-name-number",
    ):
        assert connect(unknown).get(PATHS["job"]).status_code == 404


def test_the_documentation_lists_every_defect() -> None:
    page = (Path(__file__).parents[3] / "docs" / "sandbox.md").read_text(encoding="utf-8")
    assert table() in page
