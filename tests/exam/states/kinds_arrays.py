"""Kinds of change in arrays and in what stands within them."""

from __future__ import annotations

from typing import Any

from tests.exam.mapping import Json
from tests.exam.states.frame import one_in, record, value
from tests.exam.states.kinds_dates import SOURCE
from tests.exam.states.kinds_nulls import NONE
from tests.exam.states.kinds_values import NUMBER, TEXT

JOB, LEVER, GOOGLE, SALES, HUBSPOT = (
    "greenhouse/job",
    "lever/job",
    "google/file",
    "salesforce/account",
    "hubspot/account",
)
ORDER = "order|sort|sequence|revers|rearrang|permut"
FEWER = "first|only one|one item|cut|short|fewer|lost|truncat|dropp|removed|gone|no longer|less"
MORE = "added|new|also|gain|additional|more|extra|appear|append|contain|include|longer"
JOINED = "join|merg|combin|concat|append|together|moved"


@record("offices are in reverse order", JOB, "offices", ORDER)
def _(job: Json) -> None:
    job["offices"].reverse()


@record("departments are in another order: sorted by name", JOB, "departments", ORDER)
def _(job: Json) -> None:
    job["departments"].sort(key=lambda one: one["name"])


@record("export_formats are in another order", GOOGLE, "export_formats", ORDER)
def _(file: Json) -> None:
    file["export_formats"].sort(reverse=True)


@record("only the first department is left (array cut)", JOB, "departments", FEWER)
def _(job: Json) -> None:
    job["departments"] = job["departments"][:1]


@record("offices are cut after two items", JOB, "offices", f"{FEWER}|two|at most|limit|items")
def _(job: Json) -> None:
    job["offices"] = job["offices"][:2]


@record("export_formats have the new item application/zip", GOOGLE, "export_formats", f"zip|{MORE}")
def _(file: Json) -> None:
    if file["export_formats"]:
        file["export_formats"].append("application/zip")


@record("export_formats lost the item text/plain", GOOGLE, "export_formats", f"text/plain|{FEWER}|missing")
def _(file: Json) -> None:
    file["export_formats"] = [one for one in file["export_formats"] if one != "text/plain"]


@record(
    "export_formats is a text joined with commas instead of an array",
    GOOGLE,
    "export_formats",
    f"{TEXT}|join|comma|array|list",
)
def _(file: Json) -> None:
    if file["export_formats"]:
        file["export_formats"] = ",".join(file["export_formats"])


@record(
    "hiring_managers come twice (duplicates)",
    JOB,
    "hiring_managers",
    "twice|duplic|double|repeat|two times|same item",
)
def _(job: Json) -> None:
    job["hiring_managers"] = job["hiring_managers"] * 2


@record("the fax is gone from phone_numbers (item lost)", SALES, "phone_numbers", f"fax|{FEWER}|missing")
def _(account: Json) -> None:
    account["phone_numbers"] = [one for one in account["phone_numbers"] if one["phone_number_type"] != "fax"]


@record(
    "recruiters now also contain the coordinators (more items)",
    JOB,
    "recruiters",
    f"coordinator|{MORE}|other items",
)
def _(job: Json) -> None:
    keys = ("id", "first_name", "last_name", "name", "employee_id")
    others = job["raw_data"]["hiring_team"]["coordinators"]
    job["recruiters"] += [{key: str(one[key]) for key in keys if one[key] is not None} for one in others]


@record(
    "hiring_managers is one object instead of an array",
    LEVER,
    "hiring_managers",
    "object|array|list|single|unwrapped|type|first item|shape",
)
def _(job: Json) -> None:
    if job["hiring_managers"]:
        job["hiring_managers"] = job["hiring_managers"][0]


@value(
    "in Germany only the country is a code (DE)",
    SALES,
    "addresses.country",
    r"code|\bDE\b|german|ISO|short|renam|became|instead of|replaced|abbrev",
)
def _(old: Any, account: Json) -> Any:
    return "DE" if old == "Germany" else old


@record(
    "city and state of addresses are swapped",
    HUBSPOT,
    "addresses.city addresses.state",
    "swap|exchang|interchang|trade|each other|switch|mixed up|cross|the other way",
)
def _(account: Json) -> None:
    for one in account["addresses"]:
        one["city"], one["state"] = one["state"], one["city"]


@value("postal codes lost their leading zeros", HUBSPOT, "addresses.postal_code", "zero")
def _(old: Any, account: Json) -> Any:
    return old.lstrip("0")


@value(
    "postal codes lost their spaces and hyphens",
    SALES,
    "addresses.postal_code",
    "space|hyphen|dash|separator|punctuation|blank|format|strip",
)
def _(old: Any, account: Json) -> Any:
    return old.replace(" ", "").replace("-", "")


@record(
    "street_2 is joined to street_1 and no longer given",
    SALES,
    "addresses.street_1 addresses.street_2",
    f"{JOINED}|street_2|line",
)
def _(account: Json) -> None:
    for one in account["addresses"]:
        second = one.pop("street_2", None)
        if second:
            one["street_1"] = f"{one['street_1']}, {second}"


@value(
    "the address type billing is renamed to invoice",
    HUBSPOT,
    "addresses.address_type",
    "renam|invoice|now called|became|instead of|replaced|in place",
)
def _(old: Any, account: Json) -> Any:
    return {"billing": "invoice"}.get(old, old)


@record("departments lost their raw_data", JOB, "departments.raw_data", f"raw_data|{NONE}")
def _(job: Json) -> None:
    for one in job["departments"]:
        one.pop("raw_data", None)


@record(
    "child_ids of departments are numbers instead of texts",
    JOB,
    "departments.child_ids",
    rf"{NUMBER}|\btype\b",
)
def _(job: Json) -> None:
    for one in job["departments"]:
        one["child_ids"] = [int(uid) for uid in one["child_ids"]]


@record(
    "parent_id of departments is now the external id of the parent (another source)",
    JOB,
    "departments.parent_id",
    f"external|{SOURCE}|D-|{NONE}",
)
def _(job: Json) -> None:
    for one in job["departments"]:
        if "parent_id" in one:
            one["parent_id"] = one.get("parent_department_external_id")


@record(
    "location of offices is an object with a name instead of a text",
    JOB,
    "offices.location",
    "object|nest|wrapp|name|type|shape|structure",
)
def _(job: Json) -> None:
    for one in job["offices"]:
        one["location"] = {"name": one["location"]}


@record("in one job of three the offices are lost (empty)", JOB, "offices", NONE)
def _(job: Json) -> None:
    if one_in(3, job):
        job["offices"] = []


@record("email of recruiters is left out (removed key)", LEVER, "recruiters.email", NONE)
def _(job: Json) -> None:
    for one in job["recruiters"]:
        one.pop("email", None)


@record("offices have a new key, country", JOB, "offices.country", f"country|{MORE}|key")
def _(job: Json) -> None:
    for one in job["offices"]:
        one["country"] = one["location"].rpartition(", ")[2]
