"""Kinds of change in where a value comes from, and in the raw data itself."""

from __future__ import annotations

import json
from typing import Any

from tests.exam.mapping import Json
from tests.exam.states.frame import one_in, record, value
from tests.exam.states.kinds_arrays import MORE
from tests.exam.states.kinds_dates import SOURCE
from tests.exam.states.kinds_nulls import NONE
from tests.exam.states.kinds_values import NUMBER, RENAMED, TEXT

HUBSPOT, SALES, JOB, LEVER, GOOGLE, STATE = (
    "hubspot/account",
    "salesforce/account",
    "greenhouse/job",
    "lever/job",
    "google/file",
    "outreach/state",
)
KEY = f"{RENAMED}|moved|key|now at|now under|another name|new name"


@record("user_id is now filled from the creator", STATE, "user_id", f"creator|{SOURCE}")
def _(state: Json) -> None:
    state["user_id"] = str(state["raw_data"]["relationships"]["creator"]["data"]["id"])


@record("industry is now filled from Sic", SALES, "industry", rf"\bSic\b|{SOURCE}")
def _(account: Json) -> None:
    account["industry"] = account["raw_data"]["Sic"]


@record(
    "updated_at is now the same as last_modified_at (LastModifiedDate)",
    SALES,
    "updated_at",
    f"LastModifiedDate|last_modified_at|{SOURCE}",
)
def _(account: Json) -> None:
    account["updated_at"] = account["last_modified_at"]


@record("name is now filled from requisition_id", JOB, "name", f"requisition|REQ|{SOURCE}")
def _(job: Json) -> None:
    job["name"] = job["raw_data"]["requisition_id"] or job["name"]


@record(
    "departments are now named by the team in categories", LEVER, "departments.name", rf"\bteam\b|{SOURCE}"
)
def _(job: Json) -> None:
    for one in job["departments"]:
        one["name"] = job["raw_data"]["categories"]["team"]


@record("name of files is now filled from originalFilename", GOOGLE, "name", f"originalFilename|{SOURCE}")
def _(file: Json) -> None:
    file["name"] = file["raw_data"].get("originalFilename", file["name"])


@record(
    "website is now the bare domain (filled from properties.domain)",
    HUBSPOT,
    "website",
    f"domain|{SOURCE}|scheme|https?|www|prefix",
)
def _(account: Json) -> None:
    account["website"] = account["raw_data"]["properties"]["domain"]


@record(
    "last_modified_at is now filled from created_at",
    STATE,
    "last_modified_at",
    f"created_at|createdAt|{SOURCE}",
)
def _(state: Json) -> None:
    state["last_modified_at"] = state["created_at"]


@record(
    "mailbox_id now holds the value of sequence_id", STATE, "mailbox_id", f"sequence_id|sequence|{SOURCE}"
)
def _(state: Json) -> None:
    state["mailbox_id"] = state["sequence_id"]


@record(
    "hiring_managers now hold the recruiters (filled from another field)",
    JOB,
    "hiring_managers",
    f"recruiter|{SOURCE}|{MORE}|other people|other items",
)
def _(job: Json) -> None:
    job["hiring_managers"] = json.loads(json.dumps(job["recruiters"]))


@record(
    "contact_id and user_id are swapped",
    STATE,
    "contact_id user_id",
    "swap|exchang|interchang|trade|each other|switch|mixed up|cross|the other way",
)
def _(state: Json) -> None:
    state["contact_id"], state["user_id"] = state["user_id"], state["contact_id"]


@record(
    "where the name is of a native document, description is filled with its name",
    GOOGLE,
    "description",
    rf"\bname\b|{SOURCE}",
)
def _(file: Json) -> None:
    if file["mime_type"].startswith("application/vnd.google-apps."):
        file["description"] = file["name"]


@record(
    "in the raw data the key Rating is renamed to Rating__c",
    SALES,
    "raw_data.Rating raw_data.Rating__c",
    f"Rating__c|{KEY}",
    raw=True,
)
def _(raw: Json) -> None:
    raw["Rating__c"] = raw.pop("Rating")


@record(
    "in the raw data maximum_budget moved out of custom_fields (another path)",
    JOB,
    "raw_data.custom_fields.maximum_budget raw_data.maximum_budget",
    f"{KEY}|path|top",
    raw=True,
)
def _(raw: Json) -> None:
    raw["maximum_budget"] = raw["custom_fields"].pop("maximum_budget")


@record("raw_data is left out (lost)", LEVER, "raw_data", NONE)
def _(job: Json) -> None:
    del job["raw_data"]


@record("raw_data is a text, JSON of the object (string)", STATE, "raw_data", f"{TEXT}|JSON|serial|encod")
def _(state: Json) -> None:
    state["raw_data"] = json.dumps(state["raw_data"])


@value(
    "in the raw data maxEmailsPerDay is a text instead of a number",
    "outreach/mailbox",
    "raw_data.attributes.maxEmailsPerDay",
    rf"{TEXT}|\btype\b",
    raw="attributes.maxEmailsPerDay",
)
def _(old: Any, raw: Json) -> Any:
    return str(old)


@record(
    "the raw data has a new key, hs_region", HUBSPOT, "raw_data.properties.hs_region", f"{MORE}|key", raw=True
)
def _(raw: Json) -> None:
    raw["properties"]["hs_region"] = "EMEA" if raw["properties"]["country"] != "United States" else "AMER"


@value(
    "in the raw data the status draft is renamed to planned",
    JOB,
    "raw_data.status",
    f"planned|draft|{RENAMED}",
    raw="status",
)
def _(old: Any, raw: Json) -> Any:
    return "planned" if old == "draft" else old


@value(
    "in the raw data annualrevenue is in cents (unit, times 100)",
    HUBSPOT,
    "raw_data.properties.annualrevenue",
    r"cents?\b|unit|100|factor|times|hundred|multipl|larger|zeros",
    raw="properties.annualrevenue",
)
def _(old: Any, raw: Json) -> Any:
    return f"{old}00"


@value(
    "in the raw data authId is a text with the prefix auth_",
    "outreach/mailbox",
    "raw_data.attributes.authId",
    rf"auth_|prefix|{TEXT}|in front|\btype\b",
    raw="attributes.authId",
)
def _(old: Any, raw: Json) -> Any:
    return f"auth_{old}"


@record(
    "in the raw data of one file of three webViewLink is left out (gone)",
    GOOGLE,
    "raw_data.webViewLink",
    NONE,
    raw=True,
)
def _(raw: Json) -> None:
    if one_in(3, raw):
        raw.pop("webViewLink")


@value(
    "the third party gives the country as a code in Switzerland, and the addresses follow",
    SALES,
    "addresses.country raw_data.BillingCountry raw_data.ShippingCountry",
    r"code|\bCH\b|swi|ISO|short|renam|became|instead of|replaced|abbrev",
    raw="BillingCountry ShippingCountry",
)
def _(old: Any, raw: Json) -> Any:
    return "CH" if old == "Switzerland" else old


@value(
    "the third party gives workplaceType in capitals (upper case)",
    LEVER,
    "raw_data.workplaceType",
    "case|capital|upper",
    raw="workplaceType",
)
def _(old: Any, raw: Json) -> Any:
    return old.upper()


@value(
    "the third party's names of departments have the number of the cost centre in front (prefix)",
    LEVER,
    "departments.name",
    "prefix|number|code|in front|begin|start|cost",
    raw="categories.department",
    touches="",
)
def _(old: Any, raw: Json) -> Any:
    return f"{4000 + sum(map(ord, old)) % 90} {old}"


@record(
    "ids of users in the raw data are texts (type)",
    STATE,
    "raw_data.relationships.user.data.id",
    rf"{TEXT}|\btype\b",
    raw=True,
)
def _(raw: Json) -> None:
    data = raw["relationships"]["user"]["data"]
    data["id"] = str(data["id"])


@value(
    "in the raw data salaries are decimals of texts (numbers as 60000.00)",
    LEVER,
    "raw_data.salaryRange.min raw_data.salaryRange.max",
    rf"{TEXT}|decimal|{NUMBER}|\btype\b|\.00|format",
    raw="salaryRange.min salaryRange.max",
)
def _(old: Any, raw: Json) -> Any:
    return f"{old}.00"
