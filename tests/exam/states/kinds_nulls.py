"""Kinds of change between null, absent and empty, and in placeholders and constants."""

from __future__ import annotations

from typing import Any

from tests.exam.mapping import Json
from tests.exam.states.frame import one_in, record, value

HUBSPOT, SALES, JOB, GOOGLE = "hubspot/account", "salesforce/account", "greenhouse/job", "google/file"
NONE = (
    "null|empty|blank|missing|absent|no value|none|lost|gone|no longer|dropped|left out|removed|unset|cleared"
)
CONSTANT = "constant|same|one value|single value|identical|always|every|default|placeholder"


@record("description is an empty text where it was null", SALES, "description", "empty|null|blank")
def _(account: Json) -> None:
    account["description"] = account["description"] or ""


@record(
    "industry is left out (absent) where it was null",
    SALES,
    "industry",
    "absent|missing|left out|omit|null|key|no longer|gone|dropped",
)
def _(account: Json) -> None:
    if account["industry"] is None:
        del account["industry"]


def _left_out(raw: Json) -> None:
    if raw["notes"] is None:
        del raw["notes"]


@record(
    "notes is null in the raw data where it was left out (absent)",
    JOB,
    "raw_data.notes",
    "null|absent|missing|empty|left out|omit|new key|appear",
    raw=True,
    prepare=_left_out,
)
def _(raw: Json) -> None:
    raw.setdefault("notes", None)


@record("is_deleted is left out (absent) in all mailboxes", "outreach/mailbox", "is_deleted", NONE)
def _(mailbox: Json) -> None:
    del mailbox["is_deleted"]


@value("website is null in one record of three (lost)", SALES, "website", NONE)
def _(old: Any, account: Json) -> Any:
    return None if one_in(3, account) else old


@value("last_activity_at is null everywhere (lost)", HUBSPOT, "last_activity_at", NONE)
def _(old: Any, account: Json) -> Any:
    return None


@record(
    "industry is Unknown where it was null (placeholder)",
    SALES,
    "industry",
    "unknown|placeholder|null|default|empty|missing",
)
def _(account: Json) -> None:
    account["industry"] = account["industry"] or "Unknown"


@record(
    "owner_id is N/A where it was null (placeholder)",
    HUBSPOT,
    "owner_id",
    "N/A|placeholder|null|default|empty|missing",
)
def _(account: Json) -> None:
    account["owner_id"] = account["owner_id"] or "N/A"


@record(
    "number_of_employees is 0 where it was null",
    HUBSPOT,
    "number_of_employees",
    r"\b0\b|zero|null|default|empty|missing",
)
def _(account: Json) -> None:
    account["number_of_employees"] = account["number_of_employees"] or 0


@value(
    "number_of_employees is 1 in every account (constant)", SALES, "number_of_employees", rf"{CONSTANT}|\b1\b"
)
def _(old: Any, account: Json) -> Any:
    return 1


@value("owner_id is the same in every account (constant)", SALES, "owner_id", CONSTANT)
def _(old: Any, account: Json) -> Any:
    return "0055g000009IntgAAM"


@value("names of jobs are the placeholder Untitled (constant)", "lever/job", "name", f"untitled|{CONSTANT}")
def _(old: Any, job: Json) -> Any:
    return "Untitled"


@value(
    "mime_type of half of the files is application/octet-stream (default)",
    "sharepoint/file",
    "mime_type",
    f"octet|{CONSTANT}|generic",
)
def _(old: Any, file: Json) -> Any:
    return "application/octet-stream" if one_in(2, file) else old


@record("recruiters is null where it was an empty array", JOB, "recruiters", "null|empty")
def _(job: Json) -> None:
    job["recruiters"] = job["recruiters"] or None


@record("export_formats is null instead of an empty array", GOOGLE, "export_formats", "null|empty")
def _(file: Json) -> None:
    file["export_formats"] = file["export_formats"] or None


@record("hiring_managers is an empty array in all jobs", JOB, "hiring_managers", NONE)
def _(job: Json) -> None:
    job["hiring_managers"] = []


@record("path is null for folders (lost)", "sharepoint/file", "path", NONE)
def _(file: Json) -> None:
    if file["type"] == "folder":
        file["path"] = None


@value(
    "the third party no longer gives the industry: null in the raw data and in the account",
    HUBSPOT,
    "industry",
    NONE,
    raw="properties.industry",
)
def _(old: Any, account: Json) -> Any:
    return None


@record(
    "the third party gives empty texts where it had null (description)",
    SALES,
    "description raw_data.Description",
    "empty|null|blank",
    raw=True,
)
def _(raw: Json) -> None:
    raw["Description"] = raw["Description"] or ""


@record("user_id is empty for paused states only", "outreach/state", "user_id", NONE)
def _(state: Json) -> None:
    if state["state"] == "paused":
        state["user_id"] = ""
