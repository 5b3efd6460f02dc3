"""Nulls, arrays, enumerations, and fields that are filled from elsewhere."""

from __future__ import annotations

from typing import Any

from tests.exam.mapping import Json
from tests.exam.states2.registry import (
    ACCOUNT,
    COMPANY,
    FILE,
    ITEM,
    JOB,
    MAILBOX,
    POSTING,
    STATE,
    record,
    value,
)

# ---------------------------------------------------------------- nulls and what stands for them


@record(
    "description is an empty text where it was null", FILE, "description", r"null|empty|blank|\"\"|filled"
)
def _empty_text(file: Json) -> None:
    if file["description"] is None:
        file["description"] = ""


@record("size is -1 where it was null", FILE, "size", r"null|-1|filled|placeholder")
def _minus_one(file: Json) -> None:
    if file["size"] is None:
        file["size"] = -1


@record(
    "mime_type of folders is inode/directory where it was null",
    ITEM,
    "mime_type",
    "null|inode|filled|constant|placeholder",
)
def _directory(item: Json) -> None:
    if item["mime_type"] is None:
        item["mime_type"] = "inode/directory"


@record(
    "description is the text null where it was null", COMPANY, "description", "null|text|placeholder|filled"
)
def _null_text(company: Json) -> None:
    if company["description"] is None:
        company["description"] = "null"


@record(
    "industry is Unknown where it was null", COMPANY, "industry", "null|unknown|filled|placeholder|default"
)
def _unknown(company: Json) -> None:
    if company["industry"] is None:
        company["industry"] = "Unknown"


@record(
    "lifecycle_stage is other where it was null",
    ACCOUNT,
    "lifecycle_stage",
    r"null|\bother|filled|default|placeholder",
)
def _other(account: Json) -> None:
    if account["lifecycle_stage"] is None:
        account["lifecycle_stage"] = "other"


@record(
    "last_modified_at is null in all mailboxes",
    MAILBOX,
    "last_modified_at",
    "null|lost|empt|gone|missing|no longer",
)
def _no_date(mailbox: Json) -> None:
    mailbox["last_modified_at"] = None


@record(
    "is_deleted is left out of all mailboxes",
    MAILBOX,
    "is_deleted",
    "left out|absent|gone|missing|lost|no longer|remov|null|key",
)
def _no_flag(mailbox: Json) -> None:
    del mailbox["is_deleted"]


@record("owner_id is null in all companies", COMPANY, "owner_id", "null|lost|empt|gone|missing|no longer")
def _no_owner(company: Json) -> None:
    company["owner_id"] = None


@record("recruiters is null where it was an empty array", JOB, "recruiters", r"null|empty|\[\]|array")
def _null_array(job: Json) -> None:
    job["recruiters"] = job["recruiters"] or None


@record(
    "the third party no longer gives the domain",
    COMPANY,
    "raw_data.properties.domain",
    "no longer|gone|absent|missing|remov|lost|left out|key",
    raw=True,
)
def _no_domain(raw: Json) -> None:
    del raw["properties"]["domain"]


# ---------------------------------------------------------------- arrays


@record(
    "only the first office is kept", JOB, "offices", "first|only|fewer|shorter|dropp|lost|cut|missing|remov"
)
def _first_office(job: Json) -> None:
    job["offices"] = job["offices"][:1]


@value("child_ids of departments are one text with commas", JOB, "departments", "join|comma|text|string|type")
def _joined(items: Any, _: Json) -> Any:
    return [{**one, "child_ids": ",".join(one["child_ids"])} for one in items]


@value("recruiters are in reverse order", JOB, "recruiters", "order|revers|sort|turned")
def _reversed(items: Any, _: Json) -> Any:
    return items[::-1]


@value(
    "the first department stands twice",
    JOB,
    "departments",
    "twice|repeat|duplic|double|again|more|longer|added",
)
def _twice(items: Any, _: Json) -> Any:
    return [items[0], *items]


@value("offices are texts instead of objects", POSTING, "offices", "text|string|object|type|name|flat")
def _flat(items: Any, _: Json) -> Any:
    return [one["name"] for one in items]


@record(
    "all locations of a posting are offices, not the first alone",
    POSTING,
    "offices",
    "all|more|longer|added|locations|grew",
)
def _all_locations(posting: Json) -> None:
    names = posting["raw_data"]["categories"]["allLocations"]
    posting["offices"] = [{"name": one} for one in names]


@value("export_formats are sorted the other way round", FILE, "export_formats", "order|revers|sort|turned")
def _formats(items: Any, _: Json) -> Any:
    return items[::-1]


@value(
    "export_formats are endings: application/pdf became pdf",
    FILE,
    "export_formats",
    r"prefix|pdf|ending|application/|cut|lost|slash|behind|short",
)
def _endings(items: Any, _: Json) -> Any:
    return [one.rpartition("/")[2] for one in items]


@value(
    "shipping addresses are gone",
    ACCOUNT,
    "addresses",
    "shipping|only|first|fewer|shorter|dropp|lost|gone|missing|remov",
)
def _billing_only(items: Any, _: Json) -> Any:
    return [one for one in items if one["address_type"] != "shipping"]


@value("street_2 is joined to street_1", ACCOUNT, "addresses", "join|merg|street_2|append|concat|together")
def _one_street(items: Any, _: Json) -> Any:
    return [
        {
            **{key: item for key, item in one.items() if key != "street_2"},
            "street_1": f"{one['street_1']}, {one['street_2']}",
        }
        if one.get("street_2") and one.get("street_1")
        else one
        for one in items
    ]


@record("addresses are null in all companies", COMPANY, "addresses", "null|lost|empt|gone|missing|no longer")
def _no_addresses(company: Json) -> None:
    company["addresses"] = None


@value(
    "permissions are a list of names: download for true",
    FILE,
    "permissions",
    "list|array|type|object|text|download",
)
def _permission_list(permissions: Any, _: Json) -> Any:
    return [name for name, given in permissions.items() if given]


# ---------------------------------------------------------------- enumerations


@value("type url became file", FILE, "type", "url|file")
def _no_url(kind: Any, _: Json) -> Any:
    return "file" if kind == "url" else kind


@value(
    "the states paused and disabled are both called inactive",
    STATE,
    "state",
    "inactive|paused|disabled|merg|collaps|renam",
)
def _inactive(state: Any, _: Json) -> Any:
    return "inactive" if state in ("paused", "disabled") else state


@value("the states bounced and failed are swapped", STATE, "state", "bounced|failed|swap|exchang")
def _swapped(state: Any, _: Json) -> Any:
    return {"bounced": "failed", "failed": "bounced"}.get(state, state)


@value(
    "address_type is a number: 1 for billing, 2 for shipping",
    ACCOUNT,
    "addresses",
    "number|code|type|billing|renam|integer",
)
def _type_number(items: Any, _: Json) -> Any:
    codes = {"billing": 1, "shipping": 2}
    return [{**one, "address_type": codes.get(one["address_type"], one["address_type"])} for one in items]


COUNTRIES = {
    "United States": "US", "Germany": "DE", "Switzerland": "CH", "日本": "JP", "United Kingdom": "GB", "India": "IN",
    "Poland": "PL", "Россия": "RU", "Brazil": "BR",
}  # fmt: skip


@value(
    "countries are codes of two letters",
    COMPANY,
    "addresses",
    "code|two|iso|letter|short|abbrev|country|renam|mapp",
)
def _codes(items: Any, _: Json) -> Any:
    return [{**one, "country": COUNTRIES.get(one["country"], one["country"])} for one in items]


@value("phone_number_type primary became mobile", ACCOUNT, "phone_numbers", "primary|mobile|renam")
def _mobile(items: Any, _: Json) -> Any:
    renamed = {"primary": "mobile"}
    return [
        {**one, "phone_number_type": renamed.get(one["phone_number_type"], one["phone_number_type"])}
        for one in items
    ]


@value(
    "the third party writes states in camel case: opted_out became optedOut",
    STATE,
    "state",
    "camel|case|underscore|optedOut|opted_out|capital|renam|_",
    raw="attributes.state",
)
def _camel(state: Any, _: Json) -> Any:
    head, *rest = state.split("_")
    return head + "".join(one.capitalize() for one in rest)


@value(
    "the third party writes the status in capitals",
    JOB,
    "raw_data.status",
    "upper|capital|case|OPEN|renam",
    raw="status",
)
def _capitals(status: Any, _: Json) -> Any:
    return status.upper()


@value(
    "the third party's record names version v58.0",
    ACCOUNT,
    "raw_data.attributes.url",
    "v58|v57|version|replac|renam",
    raw="attributes.url",
)
def _version(url: Any, _: Json) -> Any:
    return url.replace("v57.0", "v58.0")


# ---------------------------------------------------------------- filled from another field


@record(
    "modified_at is filled from created_at",
    JOB,
    "modified_at",
    "created_at|created|same as|equal|copied|taken|source",
)
def _from_created(job: Json) -> None:
    job["modified_at"] = job["created_at"]


@record("departments are filled from the team", POSTING, "departments", "team|source|taken|filled|copied")
def _from_team(posting: Json) -> None:
    posting["departments"] = [{"name": posting["raw_data"]["categories"]["team"]}]


@record(
    "updated_at is filled from viewedByMeTime",
    FILE,
    "updated_at",
    "viewedByMeTime|viewed|source|taken|filled|copied",
)
def _from_viewed(file: Json) -> None:
    file["updated_at"] = file["raw_data"].get("viewedByMeTime") or file["updated_at"]


@record("downloadable follows canEdit", FILE, "downloadable", "canEdit|edit\\b|source|taken|filled|copied")
def _from_can_edit(file: Json) -> None:
    file["downloadable"] = file["raw_data"]["capabilities"]["canEdit"]


@record(
    "updated_at is filled from fileSystemInfo",
    ITEM,
    "updated_at",
    "fileSystemInfo|source|taken|filled|copied",
)
def _from_file_system(item: Json) -> None:
    item["updated_at"] = item["raw_data"]["fileSystemInfo"]["lastModifiedDateTime"]


@record("user_id is filled from the updater", MAILBOX, "user_id", "updater|source|taken|filled|copied")
def _from_updater(mailbox: Json) -> None:
    mailbox["user_id"] = str(mailbox["raw_data"]["relationships"]["updater"]["data"]["id"])


@record(
    "sequence_id and mailbox_id are swapped",
    STATE,
    "sequence_id mailbox_id",
    "swap|exchang|mailbox_id|sequence_id|source|taken",
)
def _ids_swapped(state: Json) -> None:
    state["sequence_id"], state["mailbox_id"] = state["mailbox_id"], state["sequence_id"]


@record(
    "names of accounts are filled from AccountNumber",
    ACCOUNT,
    "name",
    "AccountNumber|account number|source|taken|filled|copied",
)
def _from_number(account: Json) -> None:
    account["name"] = account["raw_data"]["AccountNumber"] or account["name"]


@record(
    "updated_at is filled from last_modified_at",
    ACCOUNT,
    "updated_at",
    "last_modified|LastModifiedDate|source|taken|filled|copied|same as|equal",
)
def _from_modified(account: Json) -> None:
    account["updated_at"] = account["last_modified_at"]


@record(
    "websites are filled from the domain",
    COMPANY,
    "website",
    "domain|source|taken|filled|copied|scheme|prefix|www",
)
def _from_domain(company: Json) -> None:
    company["website"] = company["raw_data"]["properties"]["domain"]


@value(
    "city and state of the addresses are swapped",
    COMPANY,
    "addresses",
    "swap|exchang|city|state|source|taken",
)
def _city_state(items: Any, _: Json) -> Any:
    return [{**one, "city": one["state"], "state": one["city"]} for one in items]


@value(
    "first and last names of the hiring managers are swapped",
    JOB,
    "hiring_managers",
    "swap|exchang|first_name|last_name|source|taken",
)
def _names_swapped(items: Any, _: Json) -> Any:
    return [{**one, "first_name": one["last_name"], "last_name": one["first_name"]} for one in items]
